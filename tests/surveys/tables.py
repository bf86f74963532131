"""Tables to test with: one of every family, and any that two answers can have."""

from hypothesis import strategies as st

from surveys.mechanisms import families


def build_example(name):
    family = families()[name]
    return family.build(**{p.name: p.example for p in family.parameters})


def two_by_two_tables():
    chances = st.tuples(st.integers(1, 2**32 - 1), st.integers(0, 2**32), st.booleans())

    def make(drawn):
        a, b, is_small = drawn
        total = 1000 if is_small else 2**32
        a, b = a % (total + 1), b % (total + 1)
        return ((a, total - a), (b, total - b))

    return chances.map(make).filter(lambda table: table[0] != table[1])
