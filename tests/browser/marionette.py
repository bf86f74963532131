"""Firefox, driven by its own protocol: JSON over TCP, each message with its length.

Playwright drives builds of its own and not the Firefox that people have.
https://firefox-source-docs.mozilla.org/testing/marionette/Protocol.html
"""

import json
import os
import socket
import subprocess
import time

ELEMENT = "element-6066-11e4-a52e-4f735466cecf"
"""The key under which the WebDriver standard gives an element its name."""

TIMEOUT_SECONDS = 180
PREFERENCES = {
    "marionette.port": 0,  # a free one
    "datareporting.policy.dataSubmissionEnabled": False,
    "browser.shell.checkDefaultBrowser": False,
    "browser.startup.page": 0,
    "network.captive-portal-service.enabled": False,
    "network.connectivity-service.enabled": False,
}


class MarionetteError(Exception):
    """An error of Firefox; `kind` is an error code of WebDriver."""

    def __init__(self, kind, message):
        super().__init__(f"{kind}: {message}")
        self.kind = kind


class Firefox:
    """A headless Firefox with a profile of its own in `folder`."""

    def __init__(self, program, folder):
        lines = (
            f"user_pref({json.dumps(name)}, {json.dumps(value)});\n"
            for name, value in PREFERENCES.items()
        )
        (folder / "user.js").write_text("".join(lines))
        self.process = subprocess.Popen(  # noqa: S603
            [program, "--marionette", "--headless", "--no-remote", "--profile", folder],
            env=os.environ | {"HOME": str(folder)},
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        self.number = 0
        self.line = self._connect(folder / "MarionetteActivePort")
        self._receive()  # a greeting
        self.call("WebDriver:NewSession", capabilities={})

    def _connect(self, file):
        deadline = time.monotonic() + TIMEOUT_SECONDS
        while not (file.exists() and file.read_text()):
            if self.process.poll() is not None or time.monotonic() > deadline:
                self.process.kill()
                raise RuntimeError("Firefox does not start")
            time.sleep(0.05)
        address = "127.0.0.1", int(file.read_text())
        return socket.create_connection(address, timeout=TIMEOUT_SECONDS)

    def _receive(self):
        length = b""
        while not length.endswith(b":"):
            length += self.line.recv(1)
        message = bytearray()
        while len(message) < int(length[:-1]):
            message += self.line.recv(int(length[:-1]) - len(message))
        return json.loads(message)

    def call(self, command, **parameters):
        self.number += 1
        message = json.dumps([0, self.number, command, parameters])
        self.line.sendall(f"{len(message)}:{message}".encode("ascii"))
        _, _, error, answer = self._receive()
        if error:
            raise MarionetteError(error["error"], error["message"])
        return answer

    def go(self, address):
        self.call("WebDriver:Navigate", url=address)

    def run(self, function):
        """Call a function in the page and return what it returns."""
        script = f"return ({function})()"
        return self.call("WebDriver:ExecuteScript", script=script, args=[])["value"]

    def click(self, element):
        self.call("WebDriver:ElementClick", id=element[ELEMENT])

    def quit(self):
        try:
            self.call("Marionette:Quit", flags=["eForceQuit"])
            self.process.wait(timeout=TIMEOUT_SECONDS)
        finally:
            self.process.kill()
            self.line.close()
