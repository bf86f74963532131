"""Let PostgreSQL spend one-time links through functions of the tables' owner.

The role of the respondents' server then needs no right to the table: it can neither
list links nor make a used one good again.

The fixed search path keeps a caller from putting tables or operators of its own in the
place of ours. By default PostgreSQL lets every role call a new function.
"""

from django.db import migrations

FUNCTIONS = {
    # True where the link was new, false where it was used, null where there is none.
    "respondents_spend(bigint, bytea)": """
        CREATE FUNCTION respondents_spend(survey bigint, mark bytea) RETURNS boolean
        LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
        BEGIN
            UPDATE public.respondents_invitation AS link SET spent = true
            WHERE link.hash = mark AND link.survey_id = survey AND NOT link.spent;
            IF FOUND THEN RETURN true; END IF;
            PERFORM FROM public.respondents_invitation AS link
            WHERE link.hash = mark AND link.survey_id = survey;
            RETURN CASE WHEN FOUND THEN false END;
        END $$
    """,
    "respondents_knows(bigint, bytea)": """
        CREATE FUNCTION respondents_knows(survey bigint, mark bytea) RETURNS boolean
        LANGUAGE plpgsql STABLE SECURITY DEFINER
        SET search_path = pg_catalog, pg_temp AS $$
        BEGIN
            PERFORM FROM public.respondents_invitation AS link
            WHERE link.hash = mark AND link.survey_id = survey;
            RETURN FOUND;
        END $$
    """,
}


def create(apps, schema_editor):
    drop(apps, schema_editor)
    if schema_editor.connection.vendor == "postgresql":
        for signature, text in FUNCTIONS.items():
            schema_editor.execute(text, params=None)
            schema_editor.execute(f"REVOKE ALL ON FUNCTION {signature} FROM PUBLIC")


def drop(apps, schema_editor):
    if schema_editor.connection.vendor == "postgresql":
        for signature in FUNCTIONS:
            schema_editor.execute(f"DROP FUNCTION IF EXISTS {signature}")


class Migration(migrations.Migration):
    dependencies = [("respondents", "0005_tallies_beside_the_patterns")]

    operations = [migrations.RunPython(create, drop)]
