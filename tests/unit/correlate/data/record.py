#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Makes a scenario of what strace saw:

    strace -f -s 6000 -e trace=execve,clone,clone3,vfork,fork,chdir -o LOG COMMAND
    record.py LOG [OLD=NEW ...] > recorded.txt    (in the folder in which COMMAND ran)

Process ids are renumbered from 10 in order of appearance; OLD is replaced by NEW in all texts.
"""
import ast
import os
import re
import sys

SIGNALS = {"SIGKILL": 9, "SIGTERM": 15, "SIGSEGV": 11, "SIGABRT": 6, "SIGPIPE": 13, "SIGINT": 2}


def parse(lines):
    """(line number, tid, call, arguments, result) of each finished call, in order of their beginnings."""
    begun, calls = {}, []
    for number, line in enumerate(lines):
        tid, rest = line.rstrip("\n").split(None, 1)
        tid = int(tid)
        if rest.startswith("+++"):
            calls.append((number, tid, "exit", rest, None))
        elif m := re.match(r"(\w+)\((.*) <unfinished \.\.\.>$", rest):
            begun[tid] = (number, m[1], m[2])
        elif m := re.match(r"<\.\.\. (\w+) resumed>(.*)\)\s+= (.*)$", rest):
            if tid in begun:
                start, name, args = begun.pop(tid)
                calls.append((number if name == "execve" else start, tid, name, args + m[2], m[3]))
        elif m := re.match(r"(\w+)\((.*)\)\s+= (.*)$", rest):
            calls.append((number, tid, m[1], m[2], m[3]))
    return sorted(calls, key=lambda call: call[0])


def interpret(exe, argv):
    """What the kernel makes of a script."""
    for _ in range(4):
        try:
            with open(exe, "rb") as file:
                head = file.read(256)
        except OSError:
            break
        if not head.startswith(b"#!"):
            break
        words = head[2:].split(b"\n")[0].decode().strip().split(None, 1)
        argv = words + [exe] + argv[1:]
        exe = words[0]
    return os.path.realpath(exe), argv


def quote(word):
    if re.fullmatch(r"[A-Za-z0-9_./=:,@+%-]+", word) and not word.startswith("#"):
        return word
    return '"' + word.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n").replace("\t", "\\t") + '"'


def main(log, *changes):
    group, numbers, folders, folder = {}, {}, {}, os.getcwd()

    def number(pid):
        return numbers.setdefault(pid, 10 + len(numbers))

    def show(line):
        for change in changes:
            line = line.replace(*change.split("=", 1))
        print(line)

    text = open(log, errors="surrogateescape").read()
    for _, tid, call, args, result in parse(text.splitlines(keepends=True)):
        leader = group.setdefault(tid, tid)
        if call == "exit":
            if tid != leader:
                continue
            code = re.search(r"exited with (\d+)", args)
            signal = re.search(r"killed by (\w+)", args)
            print("exit", number(tid), code[1] if code else 0, SIGNALS[signal[1]] if signal else 0)
        elif call == "execve" and result.startswith("0"):
            if "chdir(" in text and folders.get(leader, os.getcwd()) != folder:
                folder = folders.get(leader, os.getcwd())
                show(f"cwd {quote(folder)}")
            m = re.match(r'("(?:\\.|[^"\\])*"), (\[.*\]), 0x', args)
            exe, argv = interpret(ast.literal_eval(m[1]), ast.literal_eval(m[2]))
            show(" ".join(["exec", str(number(leader)), quote(exe)] + [quote(word) for word in argv]))
        elif call == "chdir" and result.startswith("0"):
            folders[leader] = os.path.join(folders.get(leader, os.getcwd()), ast.literal_eval(args))
        elif call in ("clone", "clone3", "vfork", "fork") and (m := re.match(r"\d+", result)):
            child = int(m[0])
            if "CLONE_THREAD" in args:
                group[child] = leader
                continue
            group[child] = child
            if leader in folders:
                folders[child] = folders[leader]
            print("fork", number(leader), number(child), "main" if tid == leader else "worker")


if __name__ == "__main__":
    main(*sys.argv[1:])
