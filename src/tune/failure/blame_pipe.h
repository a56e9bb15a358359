/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include "tune/failure/process_tree.h"

/* The pipes between the children of one process. Pure. */
#define PIPE_MEMBERS_MAX 64

struct blame_pipe {
	size_t members[PIPE_MEMBERS_MAX]; /* in the order of the data */
	size_t count;                     /* 1: it is in no pipe */
};

/* The pipe that a process is a member of. */
void blame_pipe_find(const struct process_tree *tree, size_t number, struct blame_pipe *ret);
/* Another child of its parent reads what it writes. */
bool blame_pipe_has_reader(const struct process_tree *tree, size_t number);
/* The member that failed first and by itself; if there is none, `number`. */
size_t blame_pipe_first_failure(const struct process_tree *tree, size_t number);
