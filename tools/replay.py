#!/usr/bin/env python3
"""Rechecks attest certificates without attest: its own statements, its own exact and interval arithmetic.

    tools/replay.py FILE...

Exit code: 0 every file agrees, 1 some step differs, 3 a file is unreadable or of a claim that is not stated here.
"""

import sys

from recheck import attention_claims, network_claims
from recheck.certificate import Differs, Unreadable, read, recheck

SIDES = {**attention_claims.SIDES, **network_claims.SIDES}


def statement_of(claim, side, size, instance):
    if (claim, side) not in SIDES:
        raise Unreadable(f"{claim}, {side}: not stated in tools/recheck")
    return SIDES[claim, side](size, instance)


def check(path):
    try:
        data = read(path)
        for step in recheck(data, statement_of):
            print(f"{path}: {step}")
        print(f"{path}: agrees")
        return 0
    except Differs as reason:
        print(f"{path}: differs: {reason}")
        return 1
    except Unreadable as reason:
        print(f"{path}: unreadable: {reason}", file=sys.stderr)
        return 3


def main(paths):
    if not paths or paths[0].startswith("-"):
        print(__doc__.strip(), file=sys.stderr)
        return 3
    if hasattr(sys, "set_int_max_str_digits"):
        sys.set_int_max_str_digits(0)  # numbers are limited by their texts' length already
    sys.dont_write_bytecode = True
    return max(check(path) for path in paths)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
