# SPDX-License-Identifier: Apache-2.0
"""The rows of exact.py about bytes and connections of sockets (sockets.sh)."""
FIGURES = ("net", "net_loopback", "net_unix")
CONNECTIONS = ("net_connects", "net_accepts", "net_connect_failures", "net_resets")


def read(path):
    """(label, figure, [(pid, rx, tx)], connections, segments sent again) of each way."""
    ways = []
    for line in open(path):
        words = line.split()
        if words[0] == "#":
            ways.append((" ".join(words[1:-1]), words[-1], [], [], []))
        elif words[0] == "=":
            ways[-1][3].extend(map(int, words[1:]))
        elif words[0] == "~":
            ways[-1][4].append(int(words[1]))
        else:
            ways[-1][2].append(tuple(map(int, words[:3])))
    return ways


def rows(table, truth_path, report):
    def whole(pid, figure):
        return sum(p[figure] for p in report["processes"] if p["pid"] == pid)

    for label, figure, processes, connections, again in read(truth_path):
        true = [(pid, own, way, value) for pid, rx, tx in processes for own in FIGURES
                for way, value in (("rx", rx if own == figure else 0), ("tx", tx if own == figure else 0))]
        seen = [(whole(pid, f"{own}_{way}_bytes"), value) for pid, own, way, value in true]
        worst = max(seen, key=lambda pair: abs(pair[0] - pair[1]), default=("", ""))
        table.row(f"bytes: {label}", sum(s == t for s, t in seen), len(seen), f"{worst[0]} for {worst[1]}", "equal")
        pids = {pid for pid, _, _ in processes}
        found = [sum(whole(pid, name) for pid in pids) for name in CONNECTIONS]
        if any(connections):
            table.row("  … connects, accepts, failures, resets", int(found == connections), 1,
                      "%s for %s" % tuple(",".join(map(str, x)) for x in (found, connections)), "equal")
        if sum(again) or "away" in label:  # the kernel says so once for all that it sends again at once
            reported = sum(whole(pid, "net_retransmits") for pid, _, tx in processes[:1])
            table.row("  … sent again", int(0 < reported <= sum(again)), 1, f"{reported} for {sum(again)} segments", "some, no more")
