"""The public door of the maths: from a mechanism and a tally to shares of answers."""

from candor.shares import ShareEstimate, estimate_shares

__all__ = ["ShareEstimate", "estimate_shares"]
