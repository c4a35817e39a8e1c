import pytest

from proofyard.source.unsafe import Category, Flag, find_unsafe


@pytest.mark.parametrize(
    ("program", "category", "what"),
    [
        ("import os as o\no.remove('x')", Category.FILE_SYSTEM, "os.remove"),
        ("from os import system\nsystem('ls')", Category.PROCESS, "os.system"),
        ("from os import system as s\nf = [s]", Category.PROCESS, "os.system"),
        ("import subprocess as sp\nrun = sp.run", Category.PROCESS, "subprocess.run"),
        ("import shutil\nshutil.rmtree('x')", Category.FILE_SYSTEM, "shutil.rmtree"),
        ("import socket\nsocket.socket()", Category.NETWORK, "socket.socket"),
        ("import urllib.request\nurllib.request.urlopen('u')", Category.NETWORK, "urllib.request.urlopen"),
        ("import requests\ndef f():\n    return requests.get('u')", Category.NETWORK, "requests.get"),
        ("eval('1')", Category.DYNAMIC_CODE, "eval"),
        ("import builtins\nbuiltins.exec('1')", Category.DYNAMIC_CODE, "exec"),
        ("from ctypes import *", Category.DYNAMIC_CODE, "ctypes.*"),
        ("import os\ngetattr(os, 'system')('ls')", Category.PROCESS, "os.system"),
        ("().__class__.__base__.__subclasses__()", Category.DYNAMIC_CODE, ".__subclasses__"),
        ("import sys\nsys._getframe(1)", Category.DYNAMIC_CODE, "sys._getframe"),
        ("open('a', 'w')", Category.FILE_SYSTEM, "open for writing"),
        ("open('a', mode='r+')", Category.FILE_SYSTEM, "open for writing"),
        ("open('a', m)", Category.FILE_SYSTEM, "open for writing"),
        ("from pathlib import Path\nPath('a').open('w')", Category.FILE_SYSTEM, ".open"),
        ("from pathlib import Path\nPath('a').write_text('b')", Category.FILE_SYSTEM, ".write_text"),
        ("import os\no = os\np = o\np.kill(1, 9)", Category.PROCESS, "os.kill"),
    ],
)
def test_flagged(program: str, category: Category, what: str) -> None:
    assert (category, what) in {(flag.category, flag.what) for flag in find_unsafe(program)}


@pytest.mark.parametrize(
    "program",
    [
        "import os, subprocess, socket",
        "import re\nre.compile('a')",
        "def compile(x): return x\ncompile(1)",
        "open('a')\nopen('a', 'rb')\nopen('a', encoding='utf-8')",
        "from urllib.parse import quote\nquote('a')",
        "import subprocess\ntry:\n    pass\nexcept subprocess.CalledProcessError:\n    pass",
        "import os\nos.path.join('a', 'b')\nos.environ",
        "x = 'os.system'\n# eval(x)",
        "with zipfile as z:\n    z.open('member')",
        "not python (",
    ],
)
def test_not_flagged(program: str) -> None:
    assert find_unsafe(program) == ()


def test_imports_by_name_are_followed() -> None:
    assert find_unsafe("__import__('os').system('x')") == (
        Flag(1, 0, Category.DYNAMIC_CODE, "__import__"),
        Flag(1, 0, Category.PROCESS, "os.system"),
    )


def test_flags_come_in_order_with_their_lines() -> None:
    program = "import os\n\ndef f():\n    os.system('a'); os.remove('b')\n    eval('c')\n"
    assert [(flag.line, flag.column, flag.what) for flag in find_unsafe(program)] == [
        (4, 4, "os.system"),
        (4, 20, "os.remove"),
        (5, 4, "eval"),
    ]
