"""Logistic regression of an answer whose reports are randomised.

`patterns` checks the arguments, `likelihood` has the probability of reports and its
maximum from one start, `maximum` and `far_out` the highest of all starts and the
profile of a coefficient, and `fit` what is published of them.
"""
