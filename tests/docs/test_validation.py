"""The tables of docs/reference/validation.md come from the program."""

from benchmarks.validation import __main__ as validation


def test_the_check_reports_only_the_altered_figure(tmp_path, monkeypatch, capsys):
    altered = tmp_path / "validation.md"
    text = validation.REPORT.read_text("utf-8")
    assert "| Pratt | .950" in text
    altered.write_text(text.replace("| Pratt | .950", "| Pratt | .960"), "utf-8")
    monkeypatch.setattr(validation, "REPORT", altered)
    assert validation.main(["--check"]) == 1
    [line] = capsys.readouterr().out.splitlines()
    assert line.startswith("not in the report: | Pratt | .950")


def test_exact_intervals_reach_their_stated_coverage():
    table = validation.find_table(validation.REPORT.read_text("utf-8"), 2)[2]
    rows = [row.strip("| ").split(" | ") for row in table.splitlines()]
    assert len(rows) > 25
    exact = [row for row in rows if row[-1] == "exact"]
    assert [row for row in exact if float(row[2]) < float(row[1])] == []
