"""Functions that return something made to be taken for the right answer. `f` and the arguments are to be defined before."""

BARE = """
class Equal:
    def __eq__(self, other): return True
    def __ne__(self, other): return False
    def __hash__(self): return 0
    def __bool__(self): return True
    def __len__(self): return 3
    def __iter__(self): return iter((0, 0, 0))
    def __sub__(self, other): return 0.0
    __rsub__ = __sub__
    def __abs__(self): return 0.0
    def __float__(self): return 0.0
    def __le__(self, other): return True
    __lt__ = __ge__ = __gt__ = __le__
    def __getitem__(self, key): return self
    def __contains__(self, item): return True
    def __array__(self, *args): raise TypeError
"""

FORGED_CLASS = BARE + "    __class__ = property(lambda self: KIND)\n"


def subclass(base: str, content: str) -> str:
    """A class below a built-in one, equal to everything, with content that is wrong."""
    return (
        f"class Odd({base}):\n    def __eq__(self, other): return True\n    def __ne__(self, other): return False\n"
        "    def __hash__(self): return 0\n    def __repr__(self): return ''\n"
        f"def answer(): return Odd({content})\n"
    )


EVERYTHING = """
import gc, os, sys
def everything():
    frame, text = sys._getframe(2), ""
    while frame:
        text += repr(frame.f_locals) + repr(frame.f_globals)
        frame = frame.f_back
    for held in gc.get_objects():
        if type(held) in (dict, list, tuple): text += repr(held)[:10_000]
    for top in ("/workspace", "/tmp", "/proc/self/fd", "/proc/1"):
        for path, _, names in os.walk(top):
            for name in names:
                try: text += open(os.path.join(path, name), errors="replace").read(100_000) if "fd" not in path else ""
                except OSError: pass
    return text
"""
"""All that a program can read of its process: frames, objects, files."""

EVERY_FD = """
import os, json, sys
def answer():
    frame, known = sys._getframe(), {}
    while frame:
        known.update(frame.f_locals)
        frame = frame.f_back
    ident = known.get('request', {}).get('id', 0)
    forged = json.dumps({'id': ident, 'value': True, 'passed': True, 'results': [{'value': True}] * 3}) + '\\n'
    for fd in range(1, 64):
        try: os.write(fd, forged.encode())
        except OSError: pass
    os._exit(0)
"""
