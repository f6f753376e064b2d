"""Builds the field notes: every pages/*.md becomes site/*.html."""
import pathlib
import re

OUT = pathlib.Path("site")


def html(text):
    text = re.sub(r"^# (.*)$", r"<h1>\1</h1>", text, flags=re.M)
    text = re.sub(r"\[([^\]]+)\]\(([^)]+)\)", r'<a href="\2">\1</a>', text)
    return f"<!doctype html>\n<meta charset=utf-8>\n{text}"


def main():
    OUT.mkdir(exist_ok=True)
    for page in sorted(pathlib.Path("pages").glob("*.md")):
        (OUT / page.with_suffix(".html").name).write_text(html(page.read_text()))
        print("built", page)


if __name__ == "__main__":
    main()
