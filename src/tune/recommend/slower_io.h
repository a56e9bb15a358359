/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include "tune/recommend/machine.h"
#include "tune/replay/replay_run.h"

/*
 * What tasks wait longer where storage or network move fewer bytes a second than the tasks did
 * while they waited for them. A task's share of the bandwidth is not known: each has all of it;
 * what all move together takes its time at least (slower_io_least_ns). Pure.
 */
struct slower_io {
	double storage_bytes_s, network_bytes_s; /* INFINITY: as fast as it was */
};

/* Bytes a second from which on no task of the run waits longer. */
struct slower_io slower_io_needed(const struct replay_run *run);
/* Added waits, beside the run's tasks. */
void slower_io_waits(const struct replay_run *run, const struct slower_io *io, double *ret_ns);
double slower_io_least_ns(const struct replay_run *run, const struct slower_io *io);
