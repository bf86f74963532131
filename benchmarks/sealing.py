"""Processor time to seal and open reports, and the limit for opening.

python -m benchmarks.sealing
"""

import secrets
import sys
import time
from collections.abc import Callable

from candor.keys import Batch, PrivateKey, open_batch

REPORTS, QUESTIONS, ROUNDS = 1_000, 20, 5
LIMIT_SECONDS = 1.0
"""For an opening, during which the key holder waits."""


def measure_least_time(run: Callable[[], object]) -> float:
    taken = []
    for _ in range(ROUNDS):
        start = time.process_time()
        run()
        taken.append(time.process_time() - start)
    return min(taken)


def main() -> None:
    key = PrivateKey.make()
    public = key.publish(holder="Ethics Office", contact="ethics@example.org")
    digest = secrets.token_hex(32)
    patterns = [bytes(secrets.randbelow(2) for _ in range(QUESTIONS))] * REPORTS
    batch = Batch(
        digest=digest,
        fingerprint=public.fingerprint,
        reports=((0, 1),) * QUESTIONS,
        sealed=tuple(public.seal(pattern, digest) for pattern in patterns),
    )
    sealing = measure_least_time(
        lambda: [public.seal(pattern, digest) for pattern in patterns]
    )
    opening = measure_least_time(lambda: open_batch(key, batch))
    for name, seconds in (("sealed", sealing), ("opened", opening)):
        sys.stdout.write(
            f"{REPORTS:,} reports of {QUESTIONS} questions {name}: {seconds:.2f} s, "
            f"{seconds / REPORTS * 1000:.2f} ms each\n"
        )
    sys.stdout.write(f"limit for an opening: {LIMIT_SECONDS} s\n")


if __name__ == "__main__":
    main()
