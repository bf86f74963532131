"""Logistic regression of an answer whose reports are randomised.

`patterns` checks the arguments, `chances` has the probability of reports, `likelihood`
its maximum from one start, `maximum` and `far_out` the highest of all starts, `profile`
the intervals, and `fit` what is published of them.
"""
