/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include "probe/api/probe.h"

struct agent_clock;
struct process_table;
struct recorder;

/* Connections that processes of runs could not make, as events (`connect_failed`). */

struct connects { /* nothing is owned */
	const struct process_table *processes;
	const struct agent_clock *clock;
	struct recorder *recorder;
};

void connects_failed(const struct connects *connects, const struct probe_connect_failure *failure);
