from candor.accounting import TotalEpsilon as TotalEpsilon
from candor.accounting import total_epsilon as total_epsilon
from candor.census import census_interval as census_interval
from candor.clustered_differences import clustered_difference as clustered_difference
from candor.clusters import estimate_clustered as estimate_clustered
from candor.compliance import Sensitivity as Sensitivity
from candor.compliance import estimate_attentive as estimate_attentive
from candor.compliance import estimate_cheating as estimate_cheating
from candor.compliance import sensitivity as sensitivity
from candor.differences import difference as difference
from candor.estimands import Estimand as Estimand
from candor.homogeneity import holm as holm
from candor.mechanisms import Mechanism as Mechanism
from candor.mechanisms import ParameterError as ParameterError
from candor.mechanisms import build
from candor.one_sided import one_sided_p_value as one_sided_p_value
from candor.planning.groups import group_sizes as group_sizes
from candor.planning.margins import margin_of_error as margin_of_error
from candor.planning.plan import plan as plan
from candor.planning.power import sample_size as sample_size
from candor.poisoning import forgery_proof_interval as forgery_proof_interval
from candor.pooling import pool as pool
from candor.regression.fit import LogisticFit as LogisticFit
from candor.regression.fit import fit_logistic as fit_logistic
from candor.regression.patterns import NoFitError as NoFitError
from candor.regression.patterns import Scrambled as Scrambled
from candor.releases import Release as Release
from candor.releases import release as release
from candor.sample import estimate as estimate
from candor.table import Estimate as Estimate
from candor.table import Estimates as Estimates
from candor.weighting import Sums as Sums
from candor.weighting import estimate_weighted as estimate_weighted
from candor.weighting import post_stratify as post_stratify
from candor.weighting import rake as rake

__version__: str
mechanism = build
