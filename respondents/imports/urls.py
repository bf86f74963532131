"""URLs of the pages to simulate respondents and to make a demo."""

from django.urls import path

from respondents.imports.examples import example
from respondents.imports.simulation.views import simulate

of_a_survey = [path("try/simulate/", simulate, name="estimation_simulate")]
of_no_survey = [path("survey/example/", example, name="estimation_example")]
