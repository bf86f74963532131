"""List the families of mechanisms with their parameters."""

import argparse
from collections.abc import Mapping
from typing import Any

from candor.cli.options import add_format
from candor.cli.rows import format_as
from candor.mechanisms import load_families
from candor.validation import spell_out_ranges

HELP = "List the families of mechanisms, their parameters and their reports."


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_format(parser)


def run(options: Mapping[str, Any]) -> str:
    found: list[dict[str, Any]] = [
        {
            "family": name,
            "label": family.label,
            "parameters": {
                each.name: spell_out_ranges(each.allowed) for each in family.parameters
            },
            "reports": list(family.reports),
            "source": family.source,
        }
        for name, family in load_families().items()
    ]
    rows = [
        each
        | {
            "parameters": "; ".join(
                f"{name}: {allowed}" for name, allowed in each["parameters"].items()
            ),
            "reports": " ".join(each["reports"]),
        }
        for each in found
    ]
    blocks = []
    for row in rows:
        figures = {name: row[name] for name in ("parameters", "reports", "source")}
        shown = [f"  {name:<12}{text}" for name, text in figures.items() if text]
        blocks.append("\n".join([f"{row['family']}: {row['label']}", *shown]))
    return format_as(options, found, rows, "\n\n".join(blocks))
