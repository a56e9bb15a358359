#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Comments, messages and documents use the plain words of the field: words.txt lists those that are refused, each with what to
write instead. Looked at: comments and strings of C, Protobuf, Python and TypeScript, all text of SQL and shell, Markdown outside of code, and
the messages of commits that the upstream branch does not have (whose subjects have at most 72 characters, too).

words_baseline.txt holds how many such words a file had when the list was made. The number may only fall; a file that is not there
has none. words_exceptions.txt names lines that may hold such a word: PATH, a tab, a part of the line.

    words.py ROOT            lists the files with more words than their baseline
    words.py --update ROOT   lowers the baseline; text that moved to another file takes its number along, as long as the sum falls
    words.py --list ROOT [PATH…]   shows each refused word, with what to write instead
    words.py --self-test
"""

import io
import re
import subprocess
import sys
import tokenize
from pathlib import Path

HERE = Path(__file__).parent
SUBJECT_MAX = 72
ENDINGS = (".c", ".h", ".proto", ".sql", ".ts", ".tsx", ".py", ".sh", ".md")
SKIPPED = ("third_party/", "LICENSES/", "tests/check/words")
# Comments and string literals of languages of C's kind; what is between them counts for the line numbers alone.
C_LIKE = re.compile(r"""/\*.*?\*/|//[^\n]*|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|`(?:\\.|[^`\\])*`""", re.S)


def read_words(text):
    rows = [line.split("\t") for line in text.splitlines() if line and not line.startswith("#")]
    # One expression for all, which begins with a letter: most of a text is blank (only()), and is passed over quickly.
    any_of = "|".join(r"(?P<w%d>(?:%s)(?![\w-]))" % (at, row[0].replace(" ", r"\s+")) for at, row in enumerate(rows))
    return re.compile(r"(?<![\w/-])(?=[a-z])(?:%s)" % any_of, re.I), [instead for _, instead in rows]


def only(text, spans):
    """The text in which all but the spans is blank; lines stay where they are."""
    kept = list(re.sub(r"[^\n]", " ", text))
    for begin, end in spans:
        kept[begin:end] = text[begin:end]
    return "".join(kept)


def prose_of_python(text):
    starts = [0]
    for line in text.splitlines(keepends=True):
        starts.append(starts[-1] + len(line))
    kinds = {tokenize.COMMENT, tokenize.STRING, getattr(tokenize, "FSTRING_MIDDLE", tokenize.STRING)}
    spans = []
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type in kinds:
            spans.append((starts[token.start[0] - 1] + token.start[1], starts[token.end[0] - 1] + token.end[1]))
    return only(text, spans)


def prose(name, text):
    if name.endswith(".md"):
        text = re.sub(r"^```.*?^```|^    [^\n]*|`[^`\n]*`", lambda found: re.sub(r"[^\n]", " ", found[0]), text, flags=re.S | re.M)
        return text
    if name.endswith(".py"):
        return prose_of_python(text)
    if name.endswith((".sql", ".sh")):
        return text
    spans = [found.span() for found in C_LIKE.finditer(text)]
    # A name as a whole string is data: a key, a scope of a token.
    return only(text, [(begin, end) for begin, end in spans if not re.fullmatch(r"""["'`][\w-]*["'`]""", text[begin:end])])


def joined(text):
    """Expressions of several words are found across the lines of a comment, too: the ends of lines become blanks."""
    return re.sub(r"\n(?:[ \t]*(?:\*(?!/)|//|#|--)?)", lambda found: "\n" + " " * (len(found[0]) - 1), text)


def found_in(name, text, words, allowed=()):
    """(line, word, instead), a place once."""
    lines = text.splitlines()
    flat = joined(prose(name, text))
    expression, instead = words
    hits = []
    for hit in expression.finditer(flat):
        line = flat.count("\n", 0, hit.start())
        if not any(part in lines[line] for part in allowed):
            hits.append((line + 1, " ".join(hit[0].split()), instead[int(hit.lastgroup[1:])]))
    return hits


def files_of(root):
    listed = subprocess.run(["git", "-C", str(root), "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
                            capture_output=True, text=True, check=True).stdout.split("\0")
    return sorted(name for name in listed if name.endswith(ENDINGS) and not name.startswith(SKIPPED) and (root / name).is_file())


def exceptions():
    table = {}
    for line in (HERE / "words_exceptions.txt").read_text().splitlines():
        if line and not line.startswith("#"):
            name, part = line.split("\t", 1)
            table.setdefault(name, []).append(part)
    return table


def hits_of(root, names):
    words, allowed = read_words((HERE / "words.txt").read_text()), exceptions()
    return {name: found_in(name, (root / name).read_text(errors="replace"), words, allowed.get(name, ())) for name in names}


def read_baseline():
    path = HERE / "words_baseline.txt"
    rows = [line.split(" ", 1) for line in path.read_text().splitlines() if line and line[0] != "#"] if path.exists() else []
    return {name: int(count) for count, name in rows}


def write_baseline(counts):
    head = "# How many refused words a file holds at most (words.py --update lowers it; never raise it by hand).\n"
    (HERE / "words_baseline.txt").write_text(head + "".join(f"{counts[name]} {name}\n" for name in sorted(counts)))


def lowered(old, now):
    """The new baseline, or the names of files with too many words. Files that are gone give their numbers to new ones."""
    spare = sum(count for name, count in old.items() if name not in now)
    spare += sum(max(0, count - now[name]) for name, count in old.items() if name in now)
    risen = {name: count - old.get(name, 0) for name, count in now.items() if count > old.get(name, 0)}
    if old and sum(risen.values()) > spare:
        return None, sorted(risen)
    return {name: count for name, count in now.items() if count}, []


def commits(root):
    result = subprocess.run(["git", "-C", str(root), "log", "--no-merges", "--format=%h%x00%B%x01", "@{upstream}..HEAD"],
                            capture_output=True, text=True)
    if result.returncode != 0:  # no upstream branch, or no repository
        return
    for entry in result.stdout.split("\x01"):
        if entry.strip():
            yield entry.strip().split("\0", 1)


def faults_of_commits(root):
    words = read_words((HERE / "words.txt").read_text())
    for number, message in commits(root):
        subject = message.splitlines()[0]
        if len(subject) > SUBJECT_MAX:
            yield f"commit {number}: the subject has {len(subject)} characters, at most {SUBJECT_MAX}: {subject}"
        for line, word, instead in found_in("message.md", message, words):
            yield f"commit {number}: line {line}: '{word}': write {instead}"


def check(root):
    baseline = read_baseline()
    hits = hits_of(root, files_of(root))
    for name, found in hits.items():
        if len(found) > baseline.get(name, 0):
            yield f"{name}: {len(found)} refused words, at most {baseline.get(name, 0)}:"
            yield from (f"  {name}:{line}: '{word}': write {instead}" for line, word, instead in found)
    yield from faults_of_commits(root)


SELF_WORDS = "told\treported\nof an? [\\w-]+'s\tof a NOUN\nstands?(?! for\\b)\tis\n"


def self_test():
    words = read_words(SELF_WORDS)

    def of(name, text, allowed=()):
        return [(line, word) for line, word, _ in found_in(name, text, words, allowed)]

    assert of("a.c", 'int told; /* it is told\n * of a\n * run\'s end */\nsay("who told %s", "told");') == [
        (1, "told"), (2, "of a run's"), (4, "told")]
    assert of("a.c", "// told_runs, re-told, stand-in, it stands for X\n") == []
    assert of("a.c", "/* it stands here */") == [(1, "stands")]
    assert of("a.c", "/* it stands here */", ["stands here"]) == []
    assert of("a.py", "told = 1  # told\nx = f'told {x}'\n") == [(1, "told"), (2, "told")]
    assert of("a.md", "Told `told`\n\n    told\n\n```\ntold\n```\ntold\n") == [(1, "Told"), (8, "told")]
    assert of("a.sql", "-- told\nselect told_at from told_runs") == [(1, "told")]
    assert of("a.ts", "const told = `it told ${x}`; // told\n") == [(1, "told"), (1, "told")]
    assert lowered({"a": 2, "b": 1}, {"a": 1, "b": 1}) == ({"a": 1, "b": 1}, [])
    assert lowered({"a": 2, "b": 1}, {"c": 2, "b": 1}) == ({"c": 2, "b": 1}, [])
    assert lowered({"a": 2, "b": 1}, {"a": 2, "b": 2}) == (None, ["b"])
    assert lowered({"a": 2}, {"a": 0}) == ({}, [])


def main():
    if sys.argv[1] == "--self-test":
        return self_test()
    mode = sys.argv.pop(1) if sys.argv[1].startswith("--") else ""
    root = Path(sys.argv[1])
    if mode == "--update":
        now = {name: len(found) for name, found in hits_of(root, files_of(root)).items()}
        counts, risen = lowered(read_baseline(), now)
        if counts is None:
            print("not lowered, these hold more refused words than before (words.py --list ROOT PATH):", *risen, sep="\n  ")
            return 1
        write_baseline(counts)
        print(f"{sum(counts.values())} refused words in {len(counts)} files")
        return 0
    if mode == "--list":
        names = sys.argv[2:] or files_of(root)
        for name, found in hits_of(root, names).items():
            for line, word, instead in found:
                print(f"{name}:{line}: '{word}': write {instead}")
        return 0
    faults = list(check(root))
    print(*faults, sep="\n")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
