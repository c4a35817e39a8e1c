"""Handed to the interpreter by `-c`: takes the modules it needs from a descriptor, so that no file of the product is ever
within a sample's reach, then serves. The lines after `serve` run only in a sample's own process.
"""

import json
import socket
import sys
import types

runner, maker = (socket.socket(fileno=int(fd)) for fd in sys.argv[1:3])
with open(int(sys.argv[3]), "rb") as stream:  # noqa: PTH123 (as in warm.py)
    parcel = json.loads(stream.read())
for name, source in parcel["modules"]:
    module = sys.modules[name] = types.ModuleType(name)
    if source is None:
        module.__path__ = []
    else:
        exec(compile(source, name, "exec"), module.__dict__)
sys.path.remove("")
work = sys.modules["proofyard.sandbox.zygote.inside.warm"].serve(runner, maker, parcel["config"])
del runner, maker, parcel, module, name, source, stream
try:
    exec(work.code, work.namespace)
except BaseException as error:
    work.ended(error)
work.finish()
