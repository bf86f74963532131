"""Run a served script in an engine, and record its requests.

QuickJS has no network, files, page or clock, and time and memory are limited, so a
malicious script can do no harm. The engine supplies 32-bit words of the operating
system's random source through the one function that a script may call. The same words
can then be given to the code of this release.
"""

import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

try:
    import quickjs
except ImportError:  # servers do not need it
    quickjs = None

INSTALL_ENGINE = (
    ".venv/bin/pip install --require-hashes --requirement requirements-audit.txt"
)

MEMORY = 256_000_000
"""Limit of the engine in bytes; 100,000 draws take some 20 million."""

# Browsers have all of these, but a script that only computes needs none. A script that
# accesses them may try to detect the audit.
NOT_FOR_A_SCRIPT = (
    "Date", "performance", "document", "window", "self", "location", "navigator",
    "history", "localStorage", "sessionStorage", "indexedDB", "caches", "fetch",
    "XMLHttpRequest", "WebSocket", "EventSource", "Worker", "SharedWorker", "Image",
    "setTimeout", "setInterval", "queueMicrotask", "postMessage", "process", "require",
)  # fmt: skip

HOST = """
((names) => {
  const kinds = {}, asked = new Set(), stringify = JSON.stringify;
  let words = [], at = 0;
  globalThis.crypto = Object.freeze({
    getRandomValues(array) {
      const kind = `${array.constructor.name}(${array.length})`;
      kinds[kind] = (kinds[kind] || 0) + 1;
      for (let k = 0; k < array.length; k++) {
        if (at === words.length) throw new RangeError("more words than it may need");
        array[k] = words[at++];
      }
      return array;
    },
  });
  Math.random = () => { asked.add("Math.random"); return 0.5; };
  for (const name of names) {
    Object.defineProperty(globalThis, name, { get() { asked.add(name); } });
  }
  globalThis.auditCall = (given, times, call) => {
    words = given;
    at = 0;
    const results = [];
    for (let k = 0; k < times; k++) results[k] = call(k);
    return stringify({ results, used: at });
  };
  globalThis.auditTrace = () => stringify({ kinds, asked: [...asked] });
})
"""

INTERRUPTED = "InternalError: interrupted"


def is_available() -> bool:
    return quickjs is not None


class ScriptError(Exception):
    """The script does not run as expected; the message is one sentence."""


class TooSlowError(Exception):
    """The script did not finish in time."""


class Engine:
    """Runs the functions of one module.

    Parameters
    ----------
    script : str
        The module.
    exports : mapping of str to str
        Global names by the names of the functions that the module must export.
    seconds : float
        Time limit of each step.

    Raises
    ------
    ScriptError, TooSlowError
        Raised by all methods.
    """

    def __init__(
        self, script: str, exports: Mapping[str, str], *, seconds: float
    ) -> None:
        self.context = quickjs.Context()
        self.context.set_memory_limit(MEMORY)
        self.context.set_time_limit(seconds)
        self.context.eval(f"{HOST}({json.dumps(NOT_FOR_A_SCRIPT)})")
        exposed = "".join(
            f"\n;globalThis.{known} = {name};\n" for name, known in exports.items()
        )
        with translate_errors():
            self.context.module(script + exposed)
            for name, known in exports.items():
                # Errors while the module ran are not reported.
                if self.context.eval(f"typeof {known}") != "function":
                    raise ScriptError(f"it exports no function called {name}")

    def call(
        self, times: int, function: str, *, words: object = (), seconds: float
    ) -> dict[str, Any]:
        """Return the results of `function(k)` for k = 0 .. `times` - 1.

        Returns
        -------
        dict
            The results, and how many of `words` were `used`.
        """
        self.context.set_time_limit(seconds)
        with translate_errors():
            given = f"{json.dumps(words)}, {times}, {function}"
            done = json.loads(self.context.eval(f"auditCall({given})"))
            return {"results": list(done["results"]), "used": int(done["used"])}

    def trace(self) -> tuple[dict[str, int], list[str]]:
        """Return how often each array was filled at random, and other accesses."""
        with translate_errors():
            trace = json.loads(self.context.eval("auditTrace()"))
            kinds = {str(kind): int(times) for kind, times in trace["kinds"].items()}
            return kinds, sorted(map(str, trace["asked"]))


@contextmanager
def translate_errors() -> Iterator[None]:
    try:
        yield
    except (
        *(quickjs.JSException, ValueError, TypeError, KeyError, AttributeError),
        *(OverflowError, RecursionError),
    ) as error:
        # Only the first line, because the others are the stack of the engine.
        reason = str(error).strip().partition("\n")[0]
        if reason == INTERRUPTED:
            raise TooSlowError from None
        raise ScriptError(f"it cannot be run: {reason}") from None
