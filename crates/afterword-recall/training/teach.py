#!/usr/bin/env python3
"""Teaches the embedding model inside the program what a larger one sees as alike.

    teach.py vectors TEXTS.json TEACHER OUT.npy     the teacher's vectors of the texts (PyTorch, transformers)
    teach.py table TEXTS.json VECTORS.npy EMB.bin   trains the table and writes it

TEXTS.json is a list of English sentences; TEACHER a folder of a sentence-transformers model that takes the mean of its last layer. The table
is read from ../model, and only rows of tokens that occur are changed. Learning is deterministic on one thread but for the order in which
sums are made.
"""
import json
import sys
from pathlib import Path

import numpy as np
import torch
import torch.nn.functional as F
from tokenizers import BertWordPieceTokenizer

MODEL = Path(__file__).resolve().parents[1] / "model"
DIMENSIONS = 256
# Tokens of a text that the table reads, and the teacher.
LONGEST = 64
BATCH, STEPS, RATE = 768, 3000, 1e-3
# How sharply likeness is told apart, and how much of what was learnt is taken.
SHARPNESS, SHARE = 15.0, 0.6


def vectors(texts, teacher):
    """The teacher's vectors, of length one, in the order of the texts."""
    from transformers import AutoModel, AutoTokenizer

    tokens = AutoTokenizer.from_pretrained(teacher)
    model = AutoModel.from_pretrained(teacher).eval()
    ids = tokens(texts, truncation=True, max_length=LONGEST)["input_ids"]
    order = sorted(range(len(texts)), key=lambda i: len(ids[i]))
    found = np.zeros((len(texts), model.config.hidden_size), np.float16)
    with torch.inference_mode():
        for start in range(0, len(order), 32):
            some = order[start : start + 32]
            batch = tokens.pad({"input_ids": [ids[i] for i in some]}, return_tensors="pt")
            states, mask = model(**batch).last_hidden_state, batch["attention_mask"][:, :, None]
            mean = (states * mask).sum(1) / mask.sum(1)
            found[some] = F.normalize(mean, dim=1).numpy()
    return found


def read():
    """The tokenizer, and the table with a row's weight in the row."""
    words = (MODEL / "vocab.txt").read_text(encoding="utf-8").split("\n")
    words = words[:-1] if words[-1] == "" else words
    raw = (MODEL / "emb.bin").read_bytes()
    rows = np.frombuffer(raw[: len(words) * DIMENSIONS], np.int8).reshape(len(words), DIMENSIONS)
    weights = np.frombuffer(raw[len(words) * DIMENSIONS :], "<f4")
    known = {word: number for number, word in enumerate(words)}
    for extra in ["[UNK]", "[SEP]", "[CLS]", "[PAD]", "[MASK]"]:
        known.setdefault(extra, len(known))
    tokenizer = BertWordPieceTokenizer(vocab=known, lowercase=True)
    return tokenizer, known["[UNK]"], len(words), rows.astype(np.float32) * weights[:, None]


def write(table, path):
    weights = np.maximum(np.abs(table).max(1) / 127, 1e-9).astype("<f4")
    rows = np.clip(np.round(table / weights[:, None]), -127, 127).astype(np.int8)
    Path(path).write_bytes(rows.tobytes() + weights.tobytes())


def train(texts, targets):
    torch.manual_seed(0)
    np.random.seed(0)
    tokenizer, unknown, count, table = read()
    size = np.linalg.norm(table, axis=1).mean()
    encoded = tokenizer.encode_batch(texts, add_special_tokens=False)
    ids = [[i for i in one.ids if i != unknown and i < count][:LONGEST] for one in encoded]
    kept = [i for i in range(len(texts)) if ids[i]]
    targets = F.normalize(torch.tensor(targets[kept], dtype=torch.float32), dim=1)
    ids = [np.array(ids[i], np.int64) for i in kept]
    bag = torch.nn.EmbeddingBag(count, DIMENSIONS, mode="mean", sparse=True)
    bag.weight.data = torch.tensor(table / size)
    optimizer = torch.optim.SparseAdam(list(bag.parameters()), lr=RATE, betas=(0.9, 0.99))
    others = ~torch.eye(BATCH, dtype=torch.bool)

    def odds(likeness):
        return likeness[others].view(BATCH, -1) * SHARPNESS

    for step in range(STEPS):
        for group in optimizer.param_groups:
            group["lr"] = RATE * min(1, (step + 1) / 50) * (1 - step / STEPS)
        some = np.random.choice(len(ids), BATCH, replace=False)
        starts = np.cumsum([0] + [len(ids[i]) for i in some[:-1]])
        flat = torch.from_numpy(np.concatenate([ids[i] for i in some]))
        ours = F.normalize(bag(flat, torch.from_numpy(starts)), dim=1)
        seen = targets[some] @ targets[some].T
        loss = F.kl_div(F.log_softmax(odds(ours @ ours.T), 1), F.softmax(odds(seen), 1), reduction="batchmean")
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    learnt = bag.weight.detach().numpy()
    mixed = SHARE * learnt + (1 - SHARE) * table / size
    return mixed * size / np.linalg.norm(mixed, axis=1).mean()


if __name__ == "__main__":
    match sys.argv[1:]:
        case ["vectors", texts, teacher, out]:
            np.save(out, vectors(json.loads(Path(texts).read_text()), teacher))
        case ["table", texts, known, out]:
            write(train(json.loads(Path(texts).read_text()), np.load(known)), out)
        case _:
            sys.exit(__doc__)
