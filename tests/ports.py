"""Ports that stay reserved until a server starts, or starts again."""

import socket


def find_free_port():
    """Return a port that the system does not give to clients that ask for any port.

    Its socket here is bound and does not listen, so a server that names the port gets
    it; until then, anyone who calls is refused. It stays open until this process ends.
    """
    holder = socket.socket()
    holder.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    holder.bind(("127.0.0.1", 0))
    port = holder.getsockname()[1]
    holder.detach()
    return port
