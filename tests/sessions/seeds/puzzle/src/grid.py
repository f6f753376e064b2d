"""A sliding puzzle on a 4x4 grid."""


def start():
    return [list(range(row * 4 + 1, row * 4 + 5)) for row in range(3)] + [[13, 14, 15, 0]]


def show(grid):
    return "\n".join(" ".join(f"{tile:2}" if tile else "  " for tile in row) for row in grid)
