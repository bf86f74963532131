"""Records of the sentences shown for each design or result at each place.

A line `## ` names a place and lines `> ` the designs or results there, in the short
form that the tests read. Each sentence follows as in the code, then its users. After an
intended change, `python -m tests.golden.record sentences` writes the records again. To
record one more design, add its line `> `.
"""

import os
import re
from functools import cached_property
from pathlib import Path

from django.utils import translation

from scripts.messages import find_in_python, find_in_template
from tests.golden.record import WRITES

PROJECT = Path(__file__).parents[2]

ALL = "all but"

SEPARATOR = " | "

MARK = re.compile("⟦(\\d+)⟧")


class Record:
    """The record of one file and the sentences marked in its sources."""

    def __init__(self, name, sources, *, left_out):
        self.path = Path(__file__).with_name("sentences") / f"{name}.txt"
        self.sources, self.left_out = sources, {"", *left_out}

    @cached_property
    def places(self):
        """Return sentences by case, by place."""
        places, sentence = {}, ""
        for line in self.path.read_text("utf-8").splitlines():
            if line.startswith("## "):
                examples = places[line[3:]] = {}
            elif line.startswith("> "):
                examples[line[2:]] = set()
            elif line.startswith("  "):
                sayers = line[2:].split(SEPARATOR)
                if sayers[0] == ALL:
                    sayers = examples.keys() - sayers[1:]
                for each in sayers:
                    examples[each].add(sentence)
            else:
                sentence = line
        return places

    @cached_property
    def sentences(self):
        """Return all sentences that the sources mark for translation."""
        found = set()
        for path in (each for some in self.sources for each in PROJECT.glob(some)):
            read = find_in_template if path.suffix == ".html" else find_in_python
            for texts in read(path.read_text("utf-8")):
                found.update(texts)
        return sorted(found - self.left_out)

    def mark(self, monkeypatch):
        """Make every sentence carry its number through formatting."""
        numbers = {sentence: number for number, sentence in enumerate(self.sentences)}

        def mark(text):
            return f"⟦{numbers[text]}⟧{text}" if text in numbers else text

        monkeypatch.setattr(translation._trans, "gettext", mark)
        monkeypatch.setattr(
            translation._trans,
            "ngettext",
            lambda one, many, count: mark(one if count == 1 else many),
        )

    def find_sentences(self, texts):
        """Return the sentences whose numbers these texts carry."""
        numbers = {int(each) for text in texts for each in MARK.findall(text)}
        return {self.sentences[number] for number in numbers}

    def compare(self, place, say):
        """Fail if a case has other sentences at a place than recorded."""
        now = {written: say(written) for written in self.places[place]}
        if os.environ.get(WRITES):
            self.places[place] = now
            self.write()
        assert now == self.places[place]

    def write(self):
        lines = []
        for place, examples in self.places.items():
            lines += [f"## {place}", *(f"> {written}" for written in examples)]
            for sentence in sorted(set().union(*examples.values())):
                sayers = [each for each in examples if sentence in examples[each]]
                others = [each for each in examples if each not in sayers]
                if len(others) < len(sayers):
                    sayers = [ALL, *others]
                lines += [sentence, f"  {SEPARATOR.join(sayers)}"]
        self.path.write_text("\n".join(lines) + "\n", "utf-8")

    def list_uncovered(self):
        """Return the sentences of the sources that no record contains."""
        examples = [found for each in self.places.values() for found in each.values()]
        return set(self.sentences).difference(*examples)
