"""Ports for servers that start in a while, or twice, and meanwhile for nobody else."""

import socket

HELD = []


def free_port():
    """Return a port that the system gives to nobody who takes whichever is free.

    Its socket here is bound and does not listen, so a server that names the port gets
    it; until then, whoever calls is refused.
    """
    holder = socket.socket()
    holder.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    holder.bind(("127.0.0.1", 0))
    HELD.append(holder)
    return holder.getsockname()[1]
