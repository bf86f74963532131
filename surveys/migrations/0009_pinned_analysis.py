"""What is planned of the analysis, frozen like the rest when a survey opens."""

from importlib import import_module

import surveys.models.analysis_plan
from django.db import migrations, models

frozen = import_module("surveys.migrations.0002_freeze_opened_surveys")

NAME = "frozen_survey_update"
COLUMNS = ("pinned_level", "pinned_method", "shares_to_beat", "pinned_pairs")


def create(apps, schema_editor, columns=COLUMNS):
    """Let the trigger of 0002 look at these columns too."""
    frozen.create(apps, schema_editor)
    vendor = schema_editor.connection.vendor
    differs = frozen.DIFFERS[vendor]
    changed = " OR ".join(f"OLD.{column} {differs} NEW.{column}" for column in columns)
    condition = (
        f"({frozen.survey_condition(differs)})"
        f" OR (OLD.state <> 'draft' AND ({changed}))"
    )
    if vendor == "sqlite":
        schema_editor.execute(f"DROP TRIGGER {NAME}")
        schema_editor.execute(
            f"CREATE TRIGGER {NAME} BEFORE UPDATE ON surveys_survey"
            f" FOR EACH ROW WHEN {condition}"
            f" BEGIN SELECT RAISE(ABORT, '{frozen.MESSAGE}'); END"
        )
    else:
        schema_editor.execute(
            f"CREATE OR REPLACE FUNCTION {NAME}() RETURNS trigger AS $$ BEGIN"
            f" IF {condition} THEN RAISE EXCEPTION '{frozen.MESSAGE}'"
            " USING ERRCODE = 'integrity_constraint_violation'; END IF;"
            " RETURN NEW; END $$ LANGUAGE plpgsql"
        )


class Migration(migrations.Migration):

    dependencies = [('surveys', '0008_names_of_models_and_fields')]

    operations = [
        # SQLite builds the table anew, and its triggers are lost: as in 0003. Whoever
        # does so after this one creates them by the function here.
        migrations.RunPython(frozen.drop, frozen.create),
        migrations.AddField(
            model_name='survey',
            name='pinned_level',
            field=models.CharField(blank=True, choices=[('0.8', '80\xa0%'), ('0.9', '90\xa0%'), ('0.95', '95\xa0%'), ('0.99', '99\xa0%'), ('0.999', '99.9\xa0%')], help_text='Nothing chosen: 95 %, and nothing is said of it.', max_length=5, verbose_name='planned confidence level'),
        ),
        migrations.AddField(
            model_name='survey',
            name='pinned_method',
            field=models.CharField(blank=True, choices=[('feldman-cousins', 'Feldman-Cousins (exact, never empty)'), ('pratt', 'Pratt (exact, shortest on average)'), ('bayes', 'Bayesian (highest density, every share equally likely beforehand)')], help_text='Nothing chosen: Feldman-Cousins.', max_length=20, verbose_name='planned intervals'),
        ),
        migrations.AddField(
            model_name='survey',
            name='pinned_pairs',
            field=models.CharField(blank=True, help_text='Pairs of questions, such as 1-2, 1-3: answers to the first by answers to the second.', max_length=300, validators=[surveys.models.analysis_plan.check_pairs], verbose_name='planned comparisons'),
        ),
        migrations.AddField(
            model_name='survey',
            name='shares_to_beat',
            field=models.CharField(blank=True, help_text='1 > 20 is the claim that more than 20 % give the first answer to question 1; 3.2 &lt; 10 that fewer than 10 % give the second answer to question 3. Several with commas between.', max_length=500, validators=[surveys.models.analysis_plan.check_claims], verbose_name='shares to beat'),
        ),
        migrations.RunPython(create, frozen.drop),
    ]
