"""The maths by its public names."""

from estimation.maths.weights import estimate_weighted as estimate_weighted
from estimation.maths.weights import post_stratify as post_stratify
from estimation.maths.weights import rake as rake
