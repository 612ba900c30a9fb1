#!/usr/bin/env python3
"""What `exec --sarif` writes of the corpus's wrong programs, held against the schema of SARIF 2.1.0; and every result's line
against the text that it quotes.

usage: sarif_check.py WARPWISE_CLI SCHEMA SOURCES PROGRAMS

PROGRAMS has a program for each .cu file of SOURCES, linked by the tests exec/corpus/wrong/*.linked. Needs jsonschema.
"""
import json
import pathlib
import re
import subprocess
import sys
import tempfile
import urllib.parse

import jsonschema

cli, schema, sources, programs = sys.argv[1:]
cli = pathlib.Path(cli).resolve()
rules = json.loads(pathlib.Path(schema).read_text())
validator = jsonschema.validators.validator_for(rules)(rules)
runs = results = 0
complaints = []
for source in sorted(pathlib.Path(sources).glob("*.cu")):
    text = source.read_text()
    for name in re.findall(r"^}  // namespace (\w+)$", text, re.MULTILINE):
        with tempfile.TemporaryDirectory() as folder:
            sarif = pathlib.Path(folder) / "run.sarif"
            program = pathlib.Path(programs).resolve() / source.stem
            done = subprocess.run([cli, "exec", program, "--quiet", "--budget", "4000000", "--sarif", sarif, "--", name],
                                  cwd=source.parent, check=False)
            document = json.loads(sarif.read_text())
        runs += 1
        complaints += [f"{name}: {error.json_path}: {error.message}" for error in validator.iter_errors(document)]
        found = document["runs"][0]["results"]
        results += len(found)
        if done.returncode != 3 or not found:
            complaints.append(f"{name}: status {done.returncode}, {len(found)} results")
        for result in found:
            places = [result["locations"][0]] + result.get("relatedLocations", [])
            for place in (each["physicalLocation"] for each in places):
                if "snippet" not in place["region"]:
                    continue
                file = source.parent / urllib.parse.unquote(place["artifactLocation"]["uri"]).removeprefix("file://")
                line = file.read_text().splitlines()[place["region"]["startLine"] - 1]
                if line.strip() != place["region"]["snippet"]["text"].strip():
                    complaints.append(f"{name}: line {place['region']['startLine']} of {file} is not what is quoted")
print(*complaints, f"{runs} programs, {results} results, {len(complaints)} complaints", sep="\n")
sys.exit(1 if complaints or runs < 30 else 0)
