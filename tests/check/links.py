#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""No document points at something that does not exist. In every Markdown file of the repository:

- a relative link `[words](path#heading)` names a file or folder, and a heading of it;
- a path in `backticks` that begins with a folder or file of the repository's root exists (`*` and `{a,b}` as in a shell;
  NAME, NOUN, FOLDER are any name);
- a bare file name in `backticks` with the ending of a source (`tracker.c`) is the name of some file.

Documents that sources, tests and scripts name (docs/….md) exist. Files that C and SQL name in comments exist: `tracker.h` somewhere,
`collect/process/tracker.h` in src/.

    links.py ROOT | --self-test
"""

import re
import subprocess
import sys
import tempfile
from pathlib import Path

SOURCE = re.compile(r"[\w.-]+\.(?:c|h|sql|py|sh|tsx?|yaml|proto|md|tsv|cmake)")
# Names that users and other programs choose, or files of other programs: no file of ours.
FOREIGN = re.compile(r"^(?:lab|flow|model|align|work|count|fit|plot|command|docker|file|runner|process|agent|lake|config|main|shell|watch_orphans|duckdb|vmlinux|snakejob)\.[\w.]+$")
# Headers of the kernel and of NVIDIA that comments name.
OTHERS = {"siginfo.h", "nvml.h"}
# The code of other projects, and where builds and downloads go.
SKIPPED = ("third_party/", "LICENSES/")
BUILT = ("build/",)
# Words that stand for any name.
ANY = "NAME|NOUN|FOLDER|TABLE"
# It names files of other projects, as examples.
EXAMPLES = {"docs/design/style.md"}


def names(root):
    listed = subprocess.run(["git", "-C", str(root), "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
                            capture_output=True, text=True, check=True).stdout.split("\0")
    return {name for name in listed if name and (root / name).exists()}


def slug(title):
    """The anchor of a heading, as hosting sites make it."""
    text = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", title).replace("`", "").strip().lower()
    return re.sub(r"[^\w\- ]", "", text).replace(" ", "-")


def without_code(text):
    return re.sub(r"^```.*?^```", "", text, flags=re.S | re.M)


def headings(text):
    return {slug(title) for title in re.findall(r"^#+ (.*)$", without_code(text), re.M)}


def braces(path):
    found = re.search(r"\{([^{}]*,[^{}]*)\}", path)
    if not found:
        return [path]
    return [each for part in found[1].split(",") for each in braces(path[:found.start()] + part + path[found.end():])]


def pattern(path):
    parts = re.split(rf"(\*\*/?|\*|{ANY})", path)
    return re.compile("".join(".*" if part.startswith("**") else "[^/]*" if part == "*" or re.fullmatch(ANY, part)
                              else re.escape(part) for part in parts))


def exists(path, known):
    """known: files and folders, by their path from the root."""
    path = path.rstrip("/")
    return path in known or any(pattern(path).fullmatch(name) for name in known)


def pointers(text):
    """(line, path) of each span in backticks that looks like a path or a source's name."""
    for number, line in enumerate(text.splitlines(), 1):
        if line.startswith("    "):
            continue
        for span in re.findall(r"`([^`\s]+)`", line):
            for path in braces(re.sub(r":\d+$", "", span)):
                yield number, path


def faults_of(name, text, known, tops, bare, root):
    folder = Path(name).parent
    for number, line in enumerate(text.splitlines(), 1):
        for link in re.findall(r"\]\(([^)\s]+)\)", re.sub(r"`[^`]*`", "", line)):
            if re.match(r"[a-z]+:", link):
                continue
            path, _, anchor = link.partition("#")
            target = (root / folder / path).resolve() if path else (root / name).resolve()
            if not target.exists() or not target.is_relative_to(root):
                yield f"{name}:{number}: link to {link}: there is no such file"
            elif anchor and target.is_file() and anchor not in headings(target.read_text()):
                yield f"{name}:{number}: link to {link}: the file has no such heading"
    for number, path in [] if name in EXAMPLES else pointers(without_code(text)):
        if "/" in path:
            if path.split("/")[0] in tops and not path.startswith(BUILT) and not exists(path, known):
                yield f"{name}:{number}: `{path}`: there is no such file"
        elif SOURCE.fullmatch(path) and not FOREIGN.match(path) and not exists(path, bare):
            yield f"{name}:{number}: `{path}`: no file has this name"


def stale_in_comments(name, text, known, bare, rooms):
    for number, line in enumerate(text.splitlines(), 1):
        if re.match(r"\s*#\s*include|\s*\"", line):
            continue
        for path in re.findall(r"(?<![\w/.<$}*-])((?:[\w-]+/)*[\w-]+(?:\.bpf)?\.(?:c|h|sql))(?![\w(/])", line):
            if "/" not in path and path not in OTHERS and not exists(path, bare):
                yield f"{name}:{number}: {path}: no file has this name"
            elif path.split("/")[0] in rooms and "/" in path and not exists("src/" + path, known):
                yield f"{name}:{number}: {path}: there is no such file in src/"


def check(root):
    root = root.resolve()
    files = names(root)
    known = files | {str(parent) for name in files for parent in Path(name).parents}
    tops = {name.split("/")[0] for name in files}
    bare = {Path(name).name for name in files}
    rooms = {name.split("/")[1] for name in files if re.match(r"src/\w+/", name)}
    for name in sorted(files):
        if name.startswith(SKIPPED):
            continue
        if name.endswith(".md"):
            yield from faults_of(name, (root / name).read_text(), known, tops, bare, root)
            continue
        if re.search(r"\.(?:[ch]|sql)$", name):
            yield from stale_in_comments(name, (root / name).read_text(), known, bare, rooms)
        if re.search(r"\.(?:[ch]|py|sh|sql|tsx?|yaml|proto|json|txt|cmake)$", name) and not name.startswith("tests/check/"):
            for number, line in enumerate((root / name).read_text(errors="replace").splitlines(), 1):
                for path in re.findall(r"(?<![\w/.-])docs/[\w/.-]*\w", line):
                    if re.search(r"\.(?:md|yaml|json)$", path) and path not in known:
                        yield f"{name}:{number}: {path}: there is no such file"


def self_test():
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        subprocess.run(["git", "init", "-q", folder], check=True)
        for name, text in {"src/a/one.c": "/* docs/good.md, docs/gone.md */\n", "docs/good.md": "# A `b` c, d\n", "top.md": ""}.items():
            (root / name).parent.mkdir(parents=True, exist_ok=True)
            (root / name).write_text(text)

        def of(text):
            (root / "top.md").write_text(text)
            return [fault for fault in check(root) if not fault.startswith("src/")]

        assert len(list(check(root))) == 1  # docs/gone.md
        assert of("[x](docs/good.md#a-b-c-d) [y](https://no.where/x) `src/a/one.c` `src/*/one.c` `src/{a}/x`") == [
            "top.md:1: `src/{a}/x`: there is no such file"]
        assert len(of("[x](docs/gone.md)")) == 1
        assert len(of("[x](docs/good.md#other)")) == 1
        assert of("`src/a/{one,two}.c`") == ["top.md:1: `src/a/two.c`: there is no such file"]
        assert of("`src/a/NAME.c` `one.c:12` `build/x` `usr/x.c`") == []
        assert len(of("`two.c`")) == 1
        (root / "src/a/one.c").write_text("/* a/one.c a/two.c b/two.c */ // one.c, two.h, <two.h>, siginfo.h, x.c_y\n#include \"two.h\"\n")
        assert [fault for fault in check(root) if fault.startswith("src/")] == [
            "src/a/one.c:1: a/two.c: there is no such file in src/", "src/a/one.c:1: two.h: no file has this name"]
        assert of("```\n`src/gone.c`\n```\n    `src/gone.c`") == []


def main():
    if sys.argv[1] == "--self-test":
        return self_test()
    faults = list(check(Path(sys.argv[1])))
    print(*faults, sep="\n")
    print(f"{len(faults)} faults")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
