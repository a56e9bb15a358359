# SPDX-License-Identifier: Apache-2.0
"""10,000 agents that send what real agents sent of the recorded runs; an idle lake."""
import time

from lake import Lake

AGENTS, INTERVAL_S = 10_000, 5
P99_MS, MEMORY_MIB = 250, 1024
IDLE_MIB, IDLE_CORE = 150, 0.3  # MiB, per cent of a core
IDLE_S = 300  # so many that the first batch of the agent, which costs as much as six others, is a small part


def measure(table, folder, quick):
    seconds = 15 if quick else 120
    lake = Lake(folder).start()
    said = lake.load("recorded", agents=AGENTS, interval=INTERVAL_S, seconds=seconds)
    peak, cpu_s = lake.status("VmHWM") / 1024, lake.cpu_s()
    lake.stop()
    what = f"{AGENTS:,} agents, a batch each per {INTERVAL_S} s"
    table.row(what, f"{said['batches'] / said['seconds']:,.0f} batches/s for {seconds} s, "
              f"{said['bytes'] / max(1, said['batches']) / 1024:.1f} KiB each, CPU of the lake {cpu_s / said['seconds']:.2f}, "
              f"of the senders {said['cpu_s'] / said['seconds']:.2f}", "", None)
    table.most(f"{what}: acknowledgement, p99", said["p99_ms"], P99_MS, "ms")
    table.row(f"{what}: acknowledgement, p50 and longest", f"{said['p50_ms']:.0f} and {said['max_ms']:,.0f} ms", "", None)
    table.most(f"{what}: memory of the lake at most", peak, MEMORY_MIB, "MiB")
    table.row(f"{what}: refused, failed", f"{said['refused']:,} and {said['errors']:,} batches", "0", not said["refused"] + said["errors"])


def measure_idle(table, folder, quick):
    """It has seen some runs, no page is open, and its one agent has nothing to follow."""
    seconds = 15 if quick else IDLE_S
    lake = Lake(folder).start()
    lake.load("recorded", agents=8, batches=40, seconds=600)
    lake.wait_idle()
    idle = lake.loading("idle", first_agent=100, agents=1, interval=5, seconds=seconds)
    used = lake.cpu_s()
    time.sleep(seconds)
    used = lake.cpu_s() - used
    resident = lake.status("VmRSS") / 1024
    idle.result()
    lake.stop()
    table.most("an idle lake with one agent: resident", resident, IDLE_MIB, "MiB")
    table.most(f"an idle lake with one agent: CPU over {seconds} s", 100 * used / seconds, IDLE_CORE, "% of a core", 2)
