"""Every test of the desktop app, two classes at once, each on a screen of its own: what they do most is wait for a window.

    python3 all.py

A class's report is printed when the class has ended; the exit code is 1 when one of them failed.
"""
import re
import subprocess
import sys
import unittest
from collections import Counter
from concurrent.futures import ThreadPoolExecutor

AT_ONCE = 2
# Takes longer than any class with more tests.
LONGEST = "test_hostile.Requests"
# Screens of two that start together, so that they do not both take the one that is free.
SCREENS_EACH = 100


def classes(suite):
    """How many tests each class has, by its name for `unittest`."""
    counts = Counter()
    for test in suite:
        if isinstance(test, unittest.TestSuite):
            counts += classes(test)
        else:
            counts[f"{type(test).__module__}.{type(test).__qualname__}"] += 1
    return counts


def run(name, screens):
    screen = screens.pop()
    try:
        run = ["xvfb-run", "-a", "-n", str(screen), "-s", "-screen 0 1400x900x24", sys.executable, "-m", "unittest", "--verbose", name]
        ended = subprocess.run(run, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    finally:
        screens.append(screen)
    print(ended.stdout, flush=True)
    return name, ended


def main():
    named = classes(unittest.defaultTestLoader.discover("."))
    # Those with many tests before those with few, so that nothing long is waited for at the end.
    order = sorted(named, key=lambda name: (name != LONGEST, -named[name]))
    screens = [SCREENS_EACH * (each + 1) for each in range(AT_ONCE)]
    with ThreadPoolExecutor(AT_ONCE) as workers:
        ended = list(workers.map(lambda name: run(name, screens), order))
    ran = sum(int(count) for _, run in ended for count in re.findall(r"^Ran (\d+) tests?", run.stdout, re.M))
    failed = [name for name, run in ended if run.returncode]
    print(f"{ran} of {sum(named.values())} tests ran in {len(named)} classes.", *(f"Failed: {name}" for name in failed), sep="\n")
    return 1 if failed or ran != sum(named.values()) else 0


if __name__ == "__main__":
    sys.exit(main())
