/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "correlate/model/record.h"

/*
 * What the path of a script says that a batch system, or an engine's server, has written for one
 * job of its own. Pure.
 */
struct batch_job {
	const char *system; /* "sge", "pbs", "lsf", "cromwell" */
	char id[RECORD_NAME_LIMIT];
	char pipeline[RECORD_NAME_LIMIT]; /* "": it does not say */
};

/* A call of Cromwell's. */
struct batch_call {
	char workflow[RECORD_NAME_LIMIT], id[RECORD_NAME_LIMIT]; /* of the workflow */
	char name[RECORD_NAME_LIMIT];
	char shard[RECORD_NAME_LIMIT]; /* "shard-3"; "": it is not scattered */
	uint32_t attempt;
};

/* false: it is no job's script; *ret is undefined then. */
bool batch_job_of(const char *path, struct batch_job *ret);
/* ".../WORKFLOW/ID/call-NAME[/shard-N][/attempt-M]/execution/FILE". false: it is none. */
bool batch_call_of(const char *path, struct batch_call *ret);
