"""The two files of a field study as the page shows them, and as they can be read."""

STUDY = """\
{
  "title": "Plagiarism in term papers",
  "slug": "term-papers",
  "organiser": "Institute of Examples",
  "questions": [
    {
      "text": "Have you ever handed in a text as your own that was not yours?",
      "family": "forced_response",
      "parameters": {"forced_yes": "1/6", "forced_no": "1/6"},
      "column": "handed_in",
      "codes": {"1": "yes", "0": "no"}
    }
  ]
}
"""

REPORTS = """\
id,handed_in
1,1
2,0
3,NA
4,0
"""
