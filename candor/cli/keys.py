"""Keep the key to reports that are sealed until a survey closes."""

import argparse
from collections.abc import Mapping
from pathlib import Path
from typing import Any

HELP = (
    "Keep the key to reports that are sealed until a survey closes: make a key, show "
    "its fingerprint, open a batch once, destroy the key."
)

ACTIONS = {
    "new": "make a key: the file KEY and, next to it, the public key to hand out",
    "show": "show the fingerprint of a public key",
    "paper": "print a copy of a key, to be kept on paper; it needs no passphrase",
    "restore": "make the file KEY from its copy on paper",
    "open": "open the batch of a closed survey, once, and write the signed counts",
    "destroy": "overwrite and remove the file KEY",
}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    actions = parser.add_subparsers(dest="action", metavar="ACTION", required=True)
    added = {}
    for name, text in ACTIONS.items():
        added[name] = actions.add_parser(name, help=text, description=text)
        metavar = "PUBLIC" if name == "show" else "KEY"
        added[name].add_argument("key", type=Path, metavar=metavar)
    added["new"].add_argument("--holder", required=True, help="your institution")
    added["new"].add_argument(
        "--contact", required=True, help="how respondents can reach your institution"
    )
    added["restore"].add_argument(
        "paper", type=Path, metavar="PAPER", help="a text file with the typed lines"
    )
    added["open"].add_argument("batch", type=Path, metavar="BATCH")
    added["open"].add_argument(
        "--tables",
        action="store_true",
        help="refuse a batch that asks for counts of all questions combined",
    )
    added["destroy"].add_argument(
        "--unopened",
        action="store_true",
        help="destroy even a key that has opened no batch; its reports are then lost",
    )


def run(options: Mapping[str, Any]) -> str:
    from candor.cli import key_actions  # loads the extra candor-surveys[keys]

    return key_actions.ACTIONS[options["action"]](options)
