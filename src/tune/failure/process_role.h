/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include "tune/failure/process_tree.h"

/* What a program is for, by its name and its arguments. Pure. */

/* Reads the script or code it is given: it does work itself or runs commands. */
#define PROGRAM_INTERPRETER 1u
/* All its children are commands of its pipeline, and it fails where one fails. */
#define PROGRAM_COMMANDS 2u
/* Goes on with its other commands after one has failed, and fails at the end. */
#define PROGRAM_GOES_ON 4u
/* What it runs is no descendant: a daemon starts it. */
#define PROGRAM_APART 8u
/* Ends the command it runs after a time, and then ends with 124. */
#define PROGRAM_LIMITS 16u
/* A copy of its parent, by a fork without an exec: a subshell, a worker. */
#define PROGRAM_COPY 32u
/* A shell that ends at the first failure (-e, or its text begins with `set -e`). */
#define PROGRAM_ERREXIT 64u
/* A shell in which a pipe fails with any member (pipefail). */
#define PROGRAM_PIPEFAIL 128u
/* A shell that runs a text of its arguments (-c), not a file. */
#define PROGRAM_TEXT 256u

struct program_role {
	enum process_role role; /* not ROLE_ENGINE for an interpreter: that depends on what it
				   starts */
	unsigned flags;
	int answers; /* of ROLE_TEST: exit codes up to this are answers, greater ones errors */
};

/* The role of a process that was started by this parent (NULL: not known). */
struct program_role process_role_of(const struct tree_process *process,
				    const struct tree_process *parent);
