"""Loads the meter readings of one district and prints a sum per meter."""
import csv
import sys
from collections import defaultdict


def readings(path):
    with open(path, encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file, delimiter=";"):
            yield row["meter"], row["day"], float(row["kwh"].replace(",", "."))


def sums(rows):
    out = defaultdict(float)
    for meter, _, kwh in rows:
        out[meter] += kwh
    return out


if __name__ == "__main__":
    for path in sys.argv[1:]:
        for meter, kwh in sorted(sums(readings(path)).items()):
            print(f"{meter}\t{kwh:.1f}")
