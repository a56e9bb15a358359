# SPDX-License-Identifier: Apache-2.0
"""What a provider lists, through a real lake: machines without an agent, disks that are attached to nothing, and those that are as they
should be."""
import math
import time

from node import Node
from provider import Provider, disk, machine

MINUTE, HOUR, DAY = 60, 3600, 86400
LISTED_S = 60  # within which a lake that was started has listed an account


def things(now):
    """Machines, disks, and of what something must be found: its kind."""
    machines = [machine(101, "m-forgotten", now - 3 * HOUR, owner="ann"), machine(102, "m-of-gke", now - 2 * DAY, **{"goog-k8s-node-pool-name": "p"}),
                machine(103, "m-just-started", now - 5 * MINUTE), machine(104, "m-with-agent", now - DAY),
                machine(105, "m-by-design", now - 9 * DAY, **{"tracer-idle": "by-design"}),
                {**machine(106, "m-stopped", now - DAY), "status": "TERMINATED"}]
    disks = [disk(201, "d-left", now - 9 * DAY, now - 3 * DAY), disk(202, "d-never-used", now - 2 * DAY), disk(203, "d-in-use", now - 9 * DAY, users=["x"]),
             disk(204, "d-just-left", now - 9 * DAY, now - 3 * HOUR), disk(205, "d-by-design", now - 9 * DAY, now - 3 * DAY, **{"tracer-idle": "by-design"})]
    return machines, disks, {"m-forgotten": "machine_without_agent", "m-of-gke": "machine_without_agent", "d-left": "volume_unused",
                             "d-never-used": "volume_unused"}


def find(lake, wanted):
    """What is found of machines and disks: by name, the kinds; until all is there that is wanted, or the lake had time for it."""
    until = time.monotonic() + LISTED_S
    while True:
        wastes = [waste for waste in lake.json("/api/v1/waste?state=open")["waste"] if waste["kind"] in set(wanted.values())]
        found = {(waste["name"] or waste["id"]).split(" ")[0]: waste["kind"] for waste in wastes}
        if set(wanted) <= set(found) or time.monotonic() > until:
            return found
        time.sleep(1)


def judge(table, start, folder):
    now = math.floor(time.time())
    machines, disks, wanted = things(now)
    provider = Provider(machines, disks)
    folder.mkdir()
    (folder / "inventory.yaml").write_text(provider.settings())
    lake = start(folder / "lake", folder / "inventory.yaml")
    try:
        node = Node("m-with-agent", now - HOUR, now, provider="gcp", region="us-central1", zone="us-central1-a", instance_type="n2-standard-4", instance_id="104")
        node.send(f"http://127.0.0.1:{lake.port}", lake.token_file("admin").read_text().strip())
        found = find(lake, wanted)
    finally:
        lake.stop()
        provider.stop()
    right = sum(found.get(name) == kind for name, kind in wanted.items())
    wrong = sorted(set(found) - set(wanted))
    table.row(f"listed over HTTP: of {len(wanted)} machines and disks that are waste found", right, f"{len(wanted)}", right == len(wanted))
    table.row(f"listed over HTTP: of {len(machines) + len(disks) - len(wanted)} others reported", " ".join(wrong) or "0", "0", not wrong)
