#!/usr/bin/env python3
"""Writes the table of claims and verdicts of README.md from a record: tools/readme_table.py report.json README.md

A cell lists the distinct verdicts over all sizes and sources, the last column the smallest counterexample. With --check
nothing is written; the exit code is 1 where the claims and sides in the table are not those of the record.
"""
import json
import pathlib
import re
import sys

ARITHMETICS = ["field", "rational", "ball", "multiprecision", "double", "float"]
START = "<!-- verdicts: tools/readme_table.py writes what follows from a record -->\n"
END = "<!-- /verdicts -->"


def cell(results):
    """The verdicts that say something, or else the ones that do not."""
    words = list(dict.fromkeys(result["verdict"] for result in results))
    telling = [word for word in words if word not in ("unsupported", "undecided")]
    return ", ".join(telling or words[:1])


def smallest(results):
    for result in results:
        if result["source"] == "smallest" and result["verdict"] == "refuted":
            size = result["size"]
            shape = ", ".join(f"{letter} = {size[letter]}" for letter in "ndhkL" if size[letter] > 1)
            return f"{shape or 'all sizes 1'} ({result['minimal']})"
    return ""


def table(record):
    rows = {}
    for result in record["results"]:
        rows.setdefault((result["claim"], result["side"]), []).append(result)
    lines = ["| claim | " + " | ".join(ARITHMETICS) + " | smallest counterexample |",
             "|---" * (len(ARITHMETICS) + 2) + "|"]
    for (claim, side), results in rows.items():
        name = f"**{claim}**" if side == "claim" else "– " + side.replace(":", " ")
        cells = [cell([r for r in results if r["arithmetic"] == a and r["source"] != "smallest"]) for a in ARITHMETICS]
        lines.append("| " + " | ".join([name] + cells + [smallest(results)]) + " |")
    return "\n".join(lines) + "\n"


def main(arguments):
    check = "--check" in arguments
    record_path, readme_path = [a for a in arguments if a != "--check"]
    record = json.loads(pathlib.Path(record_path).read_text())
    readme = pathlib.Path(readme_path)
    text = readme.read_text()
    before, rest = text.split(START)
    old, after = rest.split(END)
    new = table(record)
    if check:
        names = lambda rows: re.findall(r"^\| (\*\*\S+\*\*|– \S+ \S+) ", rows, re.M)
        return 0 if names(old) == names(new) else 1
    readme.write_text(before + START + new + END + after)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
