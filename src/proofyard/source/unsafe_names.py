"""What reaches beyond a program, by its full name."""

from enum import StrEnum
from typing import Final

__all__ = ["CALLS", "FRAMES", "METHODS", "MODULES", "SAFE", "Category"]


class Category(StrEnum):
    """What a program reaches for."""

    FILE_SYSTEM = "file system"
    NETWORK = "network"
    PROCESS = "process"
    DYNAMIC_CODE = "dynamic code"


def _words(text: str) -> list[str]:
    return text.split()


_FILES: Final = _words("""
os.remove os.unlink os.rmdir os.removedirs os.rename os.renames os.replace os.mkdir os.makedirs os.chmod os.chown os.lchown
os.link os.symlink os.truncate os.ftruncate os.mkfifo os.mknod os.open os.write os.utime os.chroot os.chdir os.fchmod os.fchown
os.setxattr shutil.rmtree shutil.move shutil.copy shutil.copy2 shutil.copyfile shutil.copyfileobj shutil.copymode
shutil.copystat shutil.copytree shutil.chown shutil.make_archive shutil.unpack_archive tempfile.mkstemp tempfile.mkdtemp
tempfile.NamedTemporaryFile tempfile.TemporaryDirectory tempfile.mktemp sqlite3.connect shelve.open dbm.open numpy.save
numpy.savez numpy.savez_compressed numpy.savetxt joblib.dump logging.FileHandler fileinput.input
""")
_PROCESSES: Final = _words("""
os.system os.popen os.fork os.forkpty os.kill os.killpg os._exit os.abort os.posix_spawn os.posix_spawnp os.startfile
os.execl os.execle os.execlp os.execlpe os.execv os.execve os.execvp os.execvpe os.spawnl os.spawnle os.spawnlp os.spawnlpe
os.spawnv os.spawnve os.spawnvp os.spawnvpe os.setuid os.setgid os.setsid os.setpgid os.nice os.putenv os.unsetenv
signal.signal signal.alarm signal.setitimer signal.pthread_kill signal.raise_signal resource.setrlimit
concurrent.futures.ProcessPoolExecutor asyncio.create_subprocess_exec asyncio.create_subprocess_shell commands.getoutput
faulthandler.dump_traceback_later
""")
_NETWORK: Final = _words("""
asyncio.open_connection asyncio.start_server asyncio.open_unix_connection nltk.download
sklearn.datasets.fetch_openml sklearn.datasets.fetch_20newsgroups
""")
_DYNAMIC: Final = _words("""
eval exec compile __import__ breakpoint importlib.import_module importlib.reload importlib.__import__ pickle.load pickle.loads
pickle.Unpickler marshal.load marshal.loads dill.load dill.loads cloudpickle.load cloudpickle.loads joblib.load yaml.load
yaml.unsafe_load yaml.full_load sys._getframe sys._current_frames sys.settrace sys.setprofile sys.addaudithook sys.modules
sys.meta_path sys.path_hooks gc.get_objects gc.get_referrers gc.get_referents inspect.currentframe inspect.stack inspect.trace
inspect.getouterframes types.CodeType types.FunctionType builtins __builtins__ threading.settrace atexit.register
""")

CALLS: Final[dict[str, Category]] = {
    **dict.fromkeys(_FILES, Category.FILE_SYSTEM),
    **dict.fromkeys(_PROCESSES, Category.PROCESS),
    **dict.fromkeys(_NETWORK, Category.NETWORK),
    **dict.fromkeys(_DYNAMIC, Category.DYNAMIC_CODE),
}
"""Full names, each flagged wherever it is read."""

MODULES: Final[dict[str, Category]] = {
    **dict.fromkeys(("subprocess", "multiprocessing", "pty", "psutil", "pexpect", "sh"), Category.PROCESS),
    **dict.fromkeys(
        _words("""
socket ssl requests urllib.request urllib3 http.client http.server ftplib smtplib imaplib poplib nntplib telnetlib
xmlrpc socketserver aiohttp httpx paramiko websocket websockets webbrowser boto3 pycurl wikipedia mechanize
"""),
        Category.NETWORK,
    ),
    **dict.fromkeys(
        ("ctypes", "cffi", "runpy", "code", "codeop", "importlib.util", "importlib.machinery"), Category.DYNAMIC_CODE
    ),
}
"""Modules of which any use is flagged."""

SAFE: Final = frozenset(
    _words("""
requests.exceptions requests.Response requests.RequestException requests.utils.quote urllib3.util.parse_url
socket.gaierror socket.timeout socket.error subprocess.CalledProcessError subprocess.TimeoutExpired subprocess.PIPE
subprocess.DEVNULL subprocess.STDOUT multiprocessing.cpu_count multiprocessing.TimeoutError smtplib.SMTPException
ssl.SSLError psutil.NoSuchProcess psutil.AccessDenied ctypes.util.find_library http.client.HTTPException
""")
)
"""What of these modules does nothing by itself."""

METHODS: Final = frozenset(
    _words("""
write_text write_bytes unlink rmdir touch symlink_to hardlink_to to_csv to_excel to_pickle to_parquet to_hdf
to_feather savefig extractall imwrite
""")
)
"""Methods that write or remove files, whatever they are called on."""

FRAMES: Final = frozenset(
    _words("""
f_back f_globals f_locals f_builtins tb_frame tb_next gi_frame cr_frame ag_frame __globals__ __code__ __subclasses__
__builtins__ __closure__
""")
)
"""Attributes that lead out of a function to other code."""
