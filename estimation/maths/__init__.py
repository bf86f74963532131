"""The maths by its public names."""

from estimation.maths.census import census_interval as census_interval
from estimation.maths.intervals.refuting import refuting_p_value as refuting_p_value
from estimation.maths.planning.groups import group_sizes as group_sizes
from estimation.maths.planning.power import sample_size as sample_size
from estimation.maths.poisoning import forgery_proof_interval as forgery_proof_interval
