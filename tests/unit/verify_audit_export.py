#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Checks an export of Belljar's audit log: verify_audit_export.py FILE. Needs nothing of Belljar."""
import hashlib
import json
import sys

previous, left_out = None, 0  # an export may begin anywhere
for line in open(sys.argv[1], encoding="ascii"):
    row = json.loads(line)
    fields = ["belljar-audit-1", row["previous"], str(row["sequence"]), str(row["at"]),
              row["type"], row["execution"], row["client"], row["detail"]]
    preimage = b"".join(b"%d:%s," % (len(f.encode()), f.encode()) for f in fields)
    if hashlib.sha256(preimage).hexdigest() != row["hash"]:
        sys.exit(f"row {row['sequence']} was changed")
    if previous and row["sequence"] != previous["sequence"] + 1:
        left_out += 1  # a filtered export, or rows are gone
    elif previous and row["previous"] != previous["hash"]:
        sys.exit(f"row {row['sequence']} doesn't follow row {previous['sequence']}")
    previous = row
end = (previous["sequence"], previous["hash"]) if previous else ("nothing",)
print(f"intact, {left_out} gaps, ends with", *end)
