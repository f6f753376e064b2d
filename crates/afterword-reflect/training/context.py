"""The models of a clause among the others of its message (`context.json`): a rule beside rules, an item of a list, the reason of a wish.

They weigh what the clause models say of a clause and of its neighbours, and must be learnt from what models say that have not learnt from
the message. Names and groups are those of `context.rs`.
"""
import numpy as np
from sklearn.linear_model import LogisticRegression

import clauses
import named

MOST, NOBODY = 5.0, -3.0
STRENGTH = 0.1
# As `STATED` of `outright.rs`.
STATED = 0.62
# Products of what the clause does and what another does.
TOGETHER = {"own.others": "others.rule.most", "own.whole": "whole.rule.most", "own.siblings": "siblings.rule.most", "own.items": "items.rule.mean"}


def alone(models, row):
    """What each clause does by its words and its form, as log-odds."""
    odds = np.stack([model.decision_function(clauses.matrix([clause["row"] for clause in row["clauses"]])) for model in models], 1)
    return with_forms(row, np.clip(odds, -MOST, MOST))


def with_forms(row, odds):
    odds = odds.copy()
    for place, clause in enumerate(row["clauses"]):
        stated = clause["stated"]
        if stated > 0:
            form = np.log(stated / (1 - stated))
            odds[place, :2] = np.maximum(odds[place, :2], form)
            if stated >= STATED:
                odds[place, 2] = min(odds[place, 2], -form)
    return odds


def features(clause, index, odds):
    found = dict(clause["marks"])
    found |= {f"own.{head}": value for head, value in zip(clauses.HEADS, odds[index])}
    for group, members in clause["groups"].items():
        for place, head in enumerate(clauses.HEADS):
            values = odds[members, place] if members else [NOBODY]
            found[f"{group}.{head}.most"], found[f"{group}.{head}.mean"] = np.max(values), np.mean(values)
        found[f"{group}.rules"] = min(3, sum(odds[member, 0] > 0 for member in members))
    return found | {name: odds[index, 0] * found[other] for name, other in TOGETHER.items()}


def weigh(row, odds):
    """Keeps with a message what its clauses do by their words, and the features that follow from it."""
    row["odds"] = odds
    found = [features(clause, index, odds) for index, clause in enumerate(row["clauses"])]
    row["names"] = sorted(found[0])
    row["around"] = np.array([[float(one[name]) for name in row["names"]] for one in found])


def fit(rows):
    """A model a head, from messages that were weighed."""
    told = [(row, *clause) for row in rows for clause in clauses.judged(row)]
    names = rows[0]["names"]
    values = np.array([row["around"][place] for row, place, _, _ in told])
    mean, spread = values.mean(0), np.maximum(values.std(0), named.LEAST_SPREAD)
    models = {}
    for head in clauses.HEADS:
        weights = [weight * clauses.BY_SOURCE.get(row["source"], {}).get(head, 1) for row, _, _, weight in told]
        fitted = LogisticRegression(C=STRENGTH, max_iter=3000).fit((values - mean) / spread, [head in wanted for _, _, wanted, _ in told], sample_weight=weights)
        models[head] = named.model(fitted, names, mean, spread)
    return models


def beside(models, row):
    """What each clause of a weighed message does beside the others, as log-odds."""
    odds = np.zeros((len(row["clauses"]), len(clauses.HEADS)))
    for place, head in enumerate(clauses.HEADS):
        model = models[head]
        for name, one in model["weights"].items():
            odds[:, place] += one["weight"] * (row["around"][:, row["names"].index(name)] - one["mean"])
        odds[:, place] += model["bias"]
    return with_forms(row, np.clip(odds, -MOST, MOST))
