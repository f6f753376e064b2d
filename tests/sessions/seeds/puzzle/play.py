from src.grid import show, start

print(show(start()))
