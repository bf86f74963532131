"""Tables that several tests of the maths use."""

from candor.mechanisms import build

# statistics.md: five answers at epsilon 1, worked out with the real number e.
FIVE = build("k_ary", epsilon=1, choices=5).weights
COUNTS = (150, 95, 60, 55, 40)

# Two coins for each of two questions, taken as one question with four answers.
COIN = ((3, 1), (1, 3))
TWO_COINS = tuple(
    tuple(COIN[i // 2][j // 2] * COIN[i % 2][j % 2] for j in range(4)) for i in range(4)
)

# The report is one of the two other answers, each as often.
NEVER_IT = ((0, 1, 1), (1, 0, 1), (1, 1, 0))
UNEVEN = ((5, 3, 2), (1, 8, 1), (0, 4, 6))

# A scale from 0 to 4 sent as one bit: 1 with 1 + 2 v/4 of 4 chances.
SCALE = (0, 1, 2, 3, 4)
ONE_BIT = tuple((6 - value, 2 + value) for value in SCALE)
