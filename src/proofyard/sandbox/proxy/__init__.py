"""The one way out of a sandbox whose network is `hosts`: an HTTP proxy that connects to listed host and port pairs alone.

`EgressProxy` runs on threads of the controller, outside, and serves a unix socket; `relay` runs inside, in the sandbox's own
network namespace, and carries 127.0.0.1:3128 to that socket. What a launcher does for such a sandbox: (1) listen on a unix
socket in a private place and hand the listening descriptor to the controller, which gives it to `EgressProxy(hosts,
listener).start()`; (2) bind the socket's file into the sandbox at `SOCKET_INSIDE`; (3) start `relay_argv(python, argv)`
in place of `argv` (the relay listens, puts itself in the background and then becomes the program, so that the program never
runs before it); (4) add `environment(hosts)` to the program's environment. `lo` must be up. The module `relay` uses the
standard library alone and is run by its source, so that no file of it need be inside.
"""

from proofyard.sandbox.proxy.relay import PORT, SOCKET_INSIDE, environment, relay_argv
from proofyard.sandbox.proxy.rules import Decision, Destination, destinations
from proofyard.sandbox.proxy.server import EgressProxy, ProxyLimits

__all__ = [
    "PORT",
    "SOCKET_INSIDE",
    "Decision",
    "Destination",
    "EgressProxy",
    "ProxyLimits",
    "destinations",
    "environment",
    "relay_argv",
]
