/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include "tune/replay/replay_run.h"

/*
 * How many cores a run could use, whatever its host has: a mask of CPUs, a limit that is not
 * recorded or other work may have left it fewer. While its threads waited for CPUs, what they used
 * together is what there was. Pure.
 */
struct measured_cores {
	double most;   /* of the host, or the recorded limit; 0: not known */
	double cores;  /* of these, that it could use */
	bool inferred; /* from the use of CPUs; else they are all of these */
};

/* 0, or -ENOMEM. */
int measured_cores_find(const struct replay_run *run, struct measured_cores *ret);
