"""The works that a methods section cites, as text and as BibTeX."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Reference:
    """One work; `fields` are BibTeX's, beside author, title and year."""

    kind: str
    authors: tuple[str, ...]
    """As "Family, Given names"."""
    year: int
    title: str
    fields: Mapping[str, str] = field(hash=False)

    @property
    def cited(self) -> str:
        """How a text names it: "Blair, Imai & Zhou 2015"."""
        names = [author.partition(",")[0] for author in self.authors]
        listed = " & ".join([", ".join(names[:-1]), names[-1]] if names[1:] else names)
        return f"{listed} {self.year}"

    @property
    def key(self) -> str:
        """The name of its entry: "blairimai2015"."""
        families = "".join(author.partition(",")[0] for author in self.authors[:2])
        return "".join(filter(str.isalpha, families)).lower() + str(self.year)

    @property
    def text(self) -> str:
        """The entry of a list of references."""
        *others, last = self.authors
        listed = " & ".join([", ".join(others), last] if others else [last])
        places = [self.fields[name] for name in PLACES if name in self.fields]
        return f"{listed} ({self.year}). {self.title}. {', '.join(places)}."

    @property
    def bibtex(self) -> str:
        """The entry of a .bib file."""
        fields = {
            "author": " and ".join(self.authors),
            # Two braces keep the capitals of names.
            "title": f"{{{self.title}}}",
            "year": str(self.year),
            **self.fields,
        }
        lines = [f"  {name} = {{{value}}}," for name, value in fields.items()]
        return "\n".join([f"@{self.kind}{{{self.key},", *lines, "}"])


PLACES = ("journal", "booktitle", "publisher", "volume", "number", "pages")
"""Fields of a printed reference, in their order."""


def article(
    authors: str, year: int, title: str, journal: str, volume: str, pages: str
) -> Reference:
    """Return an article; `authors` are separated by semicolons."""
    fields = {"journal": journal, "volume": volume, "pages": pages}
    return Reference("article", tuple(authors.split("; ")), year, title, fields)


def book(authors: str, year: int, title: str, publisher: str) -> Reference:
    """Return a book; `authors` are separated by semicolons."""
    fields = {"publisher": publisher}
    return Reference("book", tuple(authors.split("; ")), year, title, fields)


JASA = "Journal of the American Statistical Association"

REFERENCES = (
    article(
        "Blair, Graeme; Imai, Kosuke; Zhou, Yang-Yang",
        2015,
        "Design and analysis of the randomized response technique",
        JASA,
        "110",
        "1304-1319",
    ),
    article(
        "Boruch, Robert F.",
        1971,
        "Assuring confidentiality of responses in social research: A note on "
        "strategies",
        "The American Sociologist",
        "6",
        "308-311",
    ),
    book(
        "Box, George E. P.; Tiao, George C.",
        1973,
        "Bayesian Inference in Statistical Analysis",
        "Addison-Wesley",
    ),
    article(
        "Brown, Lawrence D.; Cai, T. Tony; DasGupta, Anirban",
        2001,
        "Interval estimation for a binomial proportion",
        "Statistical Science",
        "16",
        "101-133",
    ),
    book(
        "Chaudhuri, Arijit; Mukerjee, Rahul",
        1988,
        "Randomized Response: Theory and Techniques",
        "Marcel Dekker",
    ),
    article(
        "Clopper, C. J.; Pearson, E. S.",
        1934,
        "The use of confidence or fiducial limits illustrated in the case of the "
        "binomial",
        "Biometrika",
        "26",
        "404-413",
    ),
    article(
        "Dwork, Cynthia; Roth, Aaron",
        2014,
        "The algorithmic foundations of differential privacy",
        "Foundations and Trends in Theoretical Computer Science",
        "9",
        "211-407",
    ),
    article(
        "Feldman, Gary J.; Cousins, Robert D.",
        1998,
        "Unified approach to the classical statistical analysis of small signals",
        "Physical Review D",
        "57",
        "3873-3889",
    ),
    book(
        "Fox, James Alan; Tracy, Paul E.",
        1986,
        "Randomized Response: A Method for Sensitive Surveys",
        "Sage",
    ),
    article(
        "Greenberg, Bernard G.; Abul-Ela, Abdel-Latif A.; Simmons, Walt R.; Horvitz, "
        "Daniel G.",
        1969,
        "The unrelated question randomized response model: Theoretical framework",
        JASA,
        "64",
        "520-539",
    ),
    article(
        "Kairouz, Peter; Oh, Sewoong; Viswanath, Pramod",
        2016,
        "Extremal mechanisms for local differential privacy",
        "Journal of Machine Learning Research",
        "17(17)",
        "1-51",
    ),
    Reference(
        "inproceedings",
        ("Kairouz, Peter", "Bonawitz, Keith", "Ramage, Daniel"),
        2016,
        "Discrete distribution estimation under local privacy",
        {
            "booktitle": "International Conference on Machine Learning, PMLR 48",
            "pages": "2436-2444",
        },
    ),
    article(
        "Kuk, Anthony Y. C.",
        1990,
        "Asking sensitive questions indirectly",
        "Biometrika",
        "77",
        "436-438",
    ),
    article(
        "Pratt, John W.",
        1961,
        "Length of confidence intervals",
        JASA,
        "56",
        "549-567",
    ),
    article(
        "van den Hout, Ardo; van der Heijden, Peter G. M.",
        2002,
        "Randomized response, statistical disclosure control and misclassification: "
        "A review",
        "International Statistical Review",
        "70",
        "269-288",
    ),
    article(
        "Warner, Stanley L.",
        1965,
        "Randomized response: A survey technique for eliminating evasive answer bias",
        JASA,
        "60",
        "63-69",
    ),
    article(
        "Wilson, Edwin B.",
        1927,
        "Probable inference, the law of succession, and statistical inference",
        JASA,
        "22",
        "209-212",
    ),
    article(
        "Yu, Jun-Wu; Tian, Guo-Liang; Tang, Man-Lai",
        2008,
        "Two new models for survey sampling with sensitive characteristic: Design and "
        "analysis",
        "Metrika",
        "67",
        "251-263",
    ),
)


def named_in(text: str) -> list[Reference]:
    """Return the works that a text cites, sorted by author."""
    return [reference for reference in REFERENCES if reference.cited in text]


def as_bibtex(references: Iterable[Reference]) -> str:
    """Return a .bib file."""
    return "\n\n".join(reference.bibtex for reference in references) + "\n"
