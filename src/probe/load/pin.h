/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

/*
 * Maps with the state of tracked processes, pinned in a bpffs folder so that they survive the
 * agent.
 */
struct probe;

/* Before the load: reuses the maps pinned in the folder if they have this version's layout, and
 * removes them otherwise. */
void pin_reuse(struct probe *probe, const char *folder);
/* After the load, before the programs run: pins the maps if none were reused. On failure it logs a
 * warning with the consequence. */
void pin_put(struct probe *probe);
/* After a scan has taken over all live processes: drops the state of those that ended while no
 * agent ran. */
void pin_drop_former(struct probe *probe);
void pin_remove(struct probe *probe);
