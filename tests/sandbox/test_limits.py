import json

import pytest

from tests.sandbox.boxes import STATE, facts, opened, run

ALWAYS = {
    "limits": {"memory": 256 << 20, "pids": 12, "files": 40, "file_size": 1 << 20, "disk": 2 << 20, "inodes": 100}
}


def test_one_process_cannot_take_more_memory_than_its_limit(provider):
    code = """
import json
try:
    kept = bytearray(400 << 20)
    print(json.dumps("took"))
except MemoryError:
    print(json.dumps("MemoryError"))
"""
    assert facts(provider, code, **ALWAYS) == "MemoryError"
    assert facts(provider, code, limits={"memory": 600 << 20}) == "took"


def test_number_of_processes(provider):
    code = """
import json, os, time
made = 1
try:
    while True:
        if os.fork() == 0:
            time.sleep(60)
        made += 1
except OSError:
    print(json.dumps(made), flush=True)
"""
    assert facts(provider, code, **ALWAYS) == 12
    assert facts(provider, code, limits={"pids": 20}) == 20


def test_descriptors_and_size_of_a_file(provider):
    code = f"""
import json, os, signal
opened = []
try:
    while True: opened.append(os.open("/dev/null", os.O_RDONLY))
except OSError:
    number = max(opened) + 1
for fd in opened: os.close(fd)
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
out = os.open("{STATE}/big", os.O_WRONLY | os.O_CREAT)
written = 0
try:
    while True: written += os.write(out, b"x" * 65536)
except OSError: pass
print(json.dumps([number, written]))
"""
    assert facts(provider, code, **ALWAYS) == [40, 1 << 20]


@pytest.mark.parametrize("place", [STATE, "/tmp", "/dev/shm"])
def test_bytes_and_inodes_of_each_writable_place(provider, place):
    code = f"""
import errno, json, os
made = written = 0
try:
    while True:
        open(f"{place}/{{made}}", "w").close()
        made += 1
except OSError as error: first = error.errno
for number in range(made): os.unlink(f"{place}/{{number}}")
out = None
try:
    while True:
        if written % (1 << 20) == 0:
            out = open(f"{place}/big{{written}}", "wb", buffering=0)
        written += out.write(b"x" * 65536)
except OSError as error: second = error.errno
print(json.dumps([made, written, first == second == errno.ENOSPC]))
"""
    made, written, full = facts(provider, code, **ALWAYS)
    assert full
    assert 80 <= made <= 110
    assert (2 << 20) - 65536 <= written <= (2 << 20) + (64 << 10)


def test_everything_else_is_read_only(provider):
    code = """
import json, os
places = ["/", "/usr", "/opt/python", "/opt", "/workspace", "/workspace/project", "/dev", "/proc", "/proc/sys/kernel"]
places += ["/run", "/etc"]
written = []
for place in places:
    try:
        open(place + "/added", "w").close()
        written.append(place)
    except OSError: pass
try:
    open("/proc/sys/vm/drop_caches", "w").write("1")
    written.append("sysctl")
except OSError: pass
print(json.dumps(written))
"""
    assert facts(provider, code) == []


def test_what_is_there_to_see(provider):
    code = """
import json, os, sys
print(json.dumps({
    "root": sorted(os.listdir("/")), "work": sorted(os.listdir("/workspace")), "tmp": os.listdir("/tmp"),
    "env": dict(os.environ), "fds": sorted(os.listdir("/proc/self/fd")),
    "uid": [os.getuid(), os.geteuid(), os.getgid()],
    "groups": os.getgroups(), "cwd": os.getcwd(), "host": os.uname().nodename,
    "pids": [p for p in os.listdir("/proc") if p.isdigit()],
    "status": dict(map(str.strip, line.split(":", 1)) for line in open("/proc/self/status")),
    "init_env": open("/proc/1/environ").read(), "init_args": open("/proc/1/cmdline").read(),
}))
"""
    seen = facts(provider, code)
    assert set(seen["root"]) >= {"usr", "workspace", "tmp", "dev", "proc"}
    assert not set(seen["root"]) & {"root", "home", "etc", "var", "srv", "mnt", "boot", "sys"}
    assert seen["work"] == ["project", "state"]
    assert seen["tmp"] == []
    assert set(seen["env"]) <= {
        "HOME", "LANG", "TZ", "OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "PATH", "PWD", "LD_LIBRARY_PATH",
    }  # fmt: skip
    assert (seen["env"]["HOME"], seen["env"]["LANG"], seen["env"]["TZ"]) == ("/tmp", "C.UTF-8", "UTC")
    assert seen["fds"] == ["0", "1", "2", "3"]  # 3 is the folder being listed
    assert seen["uid"] == [1000, 1000, 1000]
    assert seen["cwd"] == "/workspace/project"
    assert seen["host"] == "sandbox"
    assert len(seen["pids"]) == 2
    status = seen["status"]
    assert [status[name] for name in ("CapEff", "CapPrm", "CapAmb")] == ["0" * 16] * 3
    assert (status["NoNewPrivs"], status["Seccomp"]) == ("1", "2")
    assert seen["init_env"] == ""
    assert "workspace" not in seen["init_args"]


def test_neither_the_product_nor_any_installed_package_can_be_imported(provider):
    code = """
import importlib.util, json, glob
names = ["proofyard", "msgspec", "click", "numpy", "pytest", "pip", "setuptools", "apt", "debian"]
found = [name for name in names if importlib.util.find_spec(name)]
files = [p for root in ("/usr/lib", "/usr/local/lib", "/opt/python/lib")
         for kind in ("site-packages", "dist-packages") for p in glob.glob(f"{root}/python3*/{kind}/*")]
print(json.dumps([found, files]))
"""
    assert facts(provider, code) == [[], []]


def test_tmp_is_fresh_at_each_start_and_state_is_kept(provider):
    code = f"""
import json, os
print(json.dumps([os.listdir("/tmp"), os.listdir("/dev/shm"), os.listdir("{STATE}")]))
for place in ("/tmp", "/dev/shm", "{STATE}"): open(place + "/left", "w").close()
"""
    with opened(provider, code) as sandbox:
        assert json.loads(run(sandbox).stdout) == [[], [], []]
        assert json.loads(run(sandbox).stdout) == [[], [], ["left"]]
    with opened(provider, code) as sandbox:
        assert json.loads(run(sandbox).stdout) == [[], [], []]


def test_own_loopback_works_and_nothing_else(provider):
    code = """
import json, socket, threading
server = socket.create_server(("127.0.0.1", 0))
client = socket.create_connection(server.getsockname(), timeout=2)
client.sendall(b"x")
own = server.accept()[0].recv(1).decode()
outside = []
for address in (("1.1.1.1", 53), ("192.168.0.1", 80)):
    try:
        socket.create_connection(address, timeout=1)
        outside.append(address)
    except OSError: pass
print(json.dumps([own, outside]))
"""
    assert facts(provider, code) == ["x", []]


def test_tools_of_the_system_in_a_system_image(provider):
    from proofyard.core import Image

    script = "set -e; id -un; ls /etc | sort | tr '\\n' ' '; awk 'BEGIN {print 6*7}'; test -c /dev/ptmx; python3 -c 'print(1)'"
    with opened(provider, image=Image(base="system", environment={"A": "b"})) as sandbox:
        ended = sandbox.start(["bash", "-c", script]).finish(5000)
    assert ended.code == 0, ended
    assert ended.stdout.decode().split() == ["sandbox", "alternatives", "group", "hosts", "passwd", "42", "1"]


def test_packages_of_an_image_are_read_only_and_can_be_imported(provider, tmp_path_factory):
    from proofyard.core import Image

    folder = tmp_path_factory.mktemp("packages") / "packages"
    folder.mkdir(0o755)
    folder.parent.chmod(0o700)  # only root, or the user itself, can reach it
    (folder / "shipped.py").write_text("VALUE = 5\n")
    code = """
import json, shipped
try:
    open("/opt/packages/added", "w").close()
    writable = True
except OSError: writable = False
print(json.dumps([shipped.VALUE, shipped.__file__, writable]))
"""
    assert facts(provider, code, image=Image(packages=str(folder))) == [5, "/opt/packages/shipped.py", False]
