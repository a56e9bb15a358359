/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stdbool.h>
#include <stddef.h>

#include "tune/failure/process_tree.h"

/* The processes that read from and write to pipes, by parent and pipe. Pure. */
struct pipe_index {
	const struct tree_process *processes;
	const size_t *parents;
	size_t *readers, *writers; /* sorted */
	size_t reader_count, writer_count;
};

/* 0, or -ENOMEM. Both arrays must outlive the index. pipe_index_clear in any case. */
int pipe_index_make(struct pipe_index *index, const struct tree_process *processes,
		    const size_t *parents, size_t count);
void pipe_index_clear(struct pipe_index *index);
/* Another child of the parent of this process that writes to (or reads from) a pipe; PROCESS_NONE:
 * none. */
size_t pipe_index_find(const struct pipe_index *index, size_t number, uint64_t pipe, bool writes);
