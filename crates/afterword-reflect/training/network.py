#!/usr/bin/env python3
"""Measures what a small network over the shipped word vectors would bring beside the linear models of clauses. It ships nothing.

    network.py BENCHMARK HISTORIES        (the example `features` of this crate must be built, as `train.py` does)

Beside requirements.txt this needs the packages `torch` and `tokenizers` (tried with 2.15 and 0.23). A third of the writers of what is made up, and of the
repositories of real messages, is left out of learning and judged: average precision of the linear models, of the network, and of both
log-odds added. `docs/decisions/0036-clause-by-clause.md` has the figures of one run, which takes some four minutes on two idle cores.

A clause is the tokens of the shipped embedding (`afterword-recall/model`): up to BEFORE of them before the clause, its own, up to AFTER behind
it. Each token is its row of the embedding, cut to length one, with a mark whether it belongs to the clause; two rows of convolutions look at
five neighbours, and the most and the mean of what they see, inside and outside of the clause, are weighed.
"""
import argparse
import random
import zlib
from pathlib import Path

import numpy as np
import torch
from sklearn.metrics import average_precision_score
from tokenizers import Tokenizer, models, normalizers, pre_tokenizers
from torch import nn
from torch.nn import functional as F

import clauses
import train

BEFORE, OWN, AFTER = 24, 64, 16
WIDTH, HIDDEN = 64, 64
EPOCHS, BATCH, RATE = 6, 128, 3e-3
MODEL = Path(__file__).resolve().parents[2] / "afterword-recall" / "model"


def embedding():
    """The rows of the shipped embedding, each of length one, and one of zeros for what fills a batch up."""
    rows = sum(1 for _ in (MODEL / "vocab.txt").open(encoding="utf-8"))
    table = np.frombuffer((MODEL / "emb.bin").read_bytes()[: rows * 256], np.int8).reshape(rows, 256).astype(np.float32)
    return np.vstack([table / np.maximum(np.linalg.norm(table, axis=1, keepdims=True), 1e-6), np.zeros((1, 256), np.float32)])


class Network(nn.Module):
    def __init__(self, table):
        super().__init__()
        self.table = nn.Embedding.from_pretrained(torch.tensor(table), freeze=True)
        self.narrow = nn.Linear(257, WIDTH)
        self.near = nn.Conv1d(WIDTH, WIDTH, 3, padding=1)
        self.far = nn.Conv1d(WIDTH, WIDTH, 3, padding=2, dilation=2)
        self.pooled = nn.Linear(4 * WIDTH, HIDDEN)
        self.told = nn.Linear(HIDDEN, len(clauses.HEADS))
        self.drop = nn.Dropout(0.3)

    def forward(self, tokens, inside):
        there = (tokens != len(self.table.weight) - 1).float().unsqueeze(-1)
        inside = inside.unsqueeze(-1)
        seen = self.table(tokens)
        if self.training:
            seen = seen * (torch.rand(tokens.shape) > 0.1).float().unsqueeze(-1)
        seen = F.relu(self.narrow(torch.cat([seen, inside], -1))) * there
        seen = self.drop(seen).transpose(1, 2)
        # What fills a batch up stays zero, as if the message ended there.
        seen = (seen + F.relu(self.near(seen))) * there.transpose(1, 2)
        seen = self.drop(seen)
        seen = (seen + F.relu(self.far(seen))).transpose(1, 2)
        pooled = [part for mask in (inside, (1 - inside) * there) for part in pool(seen, mask)]
        return self.told(self.drop(F.relu(self.pooled(torch.cat(pooled, -1)))))


def pool(seen, mask):
    """The most and the mean where the mask is one; zero where it is nowhere."""
    count = mask.sum(1)
    most = (seen - (1 - mask) * 1e4).max(1).values * (count > 0)
    return most, (seen * mask).sum(1) / count.clamp(min=1)


def window(clause):
    before, own, after = clause["tokens"]
    before, own, after = before[-BEFORE:], own[:OWN], after[:AFTER]
    return before + own + after, [0.0] * len(before) + [1.0] * len(own) + [0.0] * len(after)


def batches(windows, size, shuffled=None):
    """Places of windows of about the same length, with their tokens and marks."""
    jitter = (lambda: shuffled.random() * 8) if shuffled else (lambda: 0)
    order = sorted(range(len(windows)), key=lambda place: len(windows[place][0]) + jitter())
    groups = [order[at : at + size] for at in range(0, len(order), size)]
    if shuffled:
        shuffled.shuffle(groups)
    for group in groups:
        longest = max(len(windows[place][0]) for place in group)
        tokens, inside = torch.full((len(group), longest), ROWS), torch.zeros(len(group), longest)
        for row, place in enumerate(group):
            ids, marks = windows[place]
            tokens[row, : len(ids)], inside[row, : len(ids)] = torch.tensor(ids), torch.tensor(marks)
        yield group, tokens, inside


def fit(rows):
    examples = [(window(row["clauses"][place]), wanted, weight, row["source"]) for row in rows for place, wanted, weight in clauses.judged(row)]
    examples = [example for example in examples if any(example[0][1])]
    windows = [example[0] for example in examples]
    targets = torch.tensor([[float(head in wanted) for head in clauses.HEADS] for _, wanted, _, _ in examples])
    weights = torch.tensor([[weight * clauses.BY_SOURCE.get(source, {}).get(head, 1) for head in clauses.HEADS] for _, _, weight, source in examples])
    torch.manual_seed(0)
    order = random.Random(0)
    network = Network(TABLE)
    optimiser = torch.optim.AdamW(network.parameters(), lr=RATE, weight_decay=1e-3)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimiser, RATE, total_steps=EPOCHS * (len(windows) // BATCH + 1) + 1)
    network.train()
    for _ in range(EPOCHS):
        for places, tokens, inside in batches(windows, BATCH, order):
            loss = F.binary_cross_entropy_with_logits(network(tokens, inside), targets[places], reduction="none")
            loss = (loss * weights[places]).sum() / weights[places].sum()
            optimiser.zero_grad()
            loss.backward()
            optimiser.step()
            schedule.step()
    return network.eval()


def ask(network, rows):
    """What a network says of each clause of each message, as log-odds."""
    windows = [window(clause) for row in rows for clause in row["clauses"]]
    told = np.zeros((len(windows), len(clauses.HEADS)), np.float32)
    with torch.no_grad():
        for places, tokens, inside in batches(windows, 256):
            told[places] = network(tokens, inside).numpy()
    return np.split(told, np.cumsum([len(row["clauses"]) for row in rows])[:-1])


def tokeniser():
    """As `afterword-recall` cuts a text; what it does not know is left out."""
    words = (MODEL / "vocab.txt").read_text(encoding="utf-8").split("\n")
    known = {word: place for place, word in enumerate(words) if word or place + 1 < len(words)}
    cutter = Tokenizer(models.WordPiece(known, unk_token="[UNK]", max_input_chars_per_word=100))
    cutter.normalizer, cutter.pre_tokenizer = normalizers.BertNormalizer(lowercase=True), pre_tokenizers.BertPreTokenizer()
    return lambda text: [token for token in cutter.encode(text, add_special_tokens=False).ids if token != known["[UNK]"]]


def cut(rows):
    """Gives each clause its tokens, with those before and behind it."""
    tokens = tokeniser()
    for row in rows:
        text = row.get("text", "").encode()
        for clause in row["clauses"]:
            end = clause["start"] + len(clause["text"].encode())
            before, after = text[: clause["start"]].decode(errors="ignore"), text[end:].decode(errors="ignore")
            clause["tokens"] = tokens(before), tokens(clause["text"]), tokens(after)


def writers(rows):
    """Who wrote each message: a file of `made-up`, or a repository."""
    files = [path for path in sorted((train.HERE / "made-up").glob("*.jsonl")) for _ in path.open()]
    of_file = iter(files)
    for row in rows:
        made_up = row["source"] == "made-up" and not row.get("change")
        row["writer"] = next(of_file).stem if made_up else "pairs" if row.get("change") else row["group"]


def left_out(row):
    return row["source"] in ("labels", "moments", "made-up") and zlib.crc32(row["writer"].encode()) % 3 == 0


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("benchmark", type=Path)
    arguments.add_argument("histories", type=Path)
    options = arguments.parse_args()
    rows = [row for row in train.read(options.benchmark, options.histories)[0] if row["pass"] == "moment"]
    writers(rows)
    rows = [row for row in rows if row["clauses"] or row["source"] == "published"]
    cut(rows)
    seen, asked = [row for row in rows if not left_out(row)], [row for row in rows if left_out(row)]
    linear, network = clauses.fit(seen), fit(seen)
    by_network = ask(network, asked)
    told = []
    for row, of_row in zip(asked, by_network):
        by_words = np.stack([model.decision_function(clauses.matrix([clause["row"] for clause in row["clauses"]])) for model in linear], 1)
        group = "real" if row["source"] != "made-up" else "English" if row.get("lang", "en") == "en" else "other"
        told += [(group, [head in wanted for head in clauses.HEADS], by_words[place], of_row[place]) for place, wanted, _ in clauses.judged(row)]
    for group in ("English", "other", "real"):
        of_group = [one for one in told if one[0] == group]
        wanted, by_words, in_order = (np.array([one[place] for one in of_group]) for place in (1, 2, 3))
        for place, head in enumerate(clauses.HEADS):
            scores = [average_precision_score(wanted[:, place], odds[:, place]) for odds in (by_words, in_order, by_words + in_order)]
            print(group, head, wanted[:, place].sum(), *(f"{score:.3f}" for score in scores))


TABLE = embedding()
ROWS = len(TABLE) - 1

if __name__ == "__main__":
    main()
