/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stddef.h>
#include <stdint.h>

#include "tune/wall.h"

/* The processes of images, and what connects them: parents, pipes. */

struct wall_process {
	size_t first, count; /* its images */
	size_t parent;       /* WALL_NONE: not known, or of no image */
	size_t group;
	int64_t began_at, ended_at;
	int helper;
};

struct wall_index {
	const struct wall_image *images;
	size_t image_count;
	struct wall_process *processes;
	size_t process_count;
	size_t *children; /* processes by parent (roots of groups by group, behind them), those that
			     ended last first */
	size_t *children_from; /* where those of a process begin; the next one's begin is their end
				*/
	size_t *readers, *writers; /* images with a pipe, by pipe */
	size_t reader_count, writer_count;
};

/* 0, or -ENOMEM. wall_index_clear in any case. */
int wall_index_make(struct wall_index *index, const struct wall_image *images, size_t image_count,
		    size_t group_count);
void wall_index_clear(struct wall_index *index);

/* The children of a process, or (process_count + group) the roots of a group. */
const size_t *wall_index_children(const struct wall_index *index, size_t of, size_t *ret_count);
/* The image at the other end of a pipe that lived longest between two instants; WALL_NONE: none. */
size_t wall_index_writer(const struct wall_index *index, uint64_t pipe, int64_t from, int64_t to);
size_t wall_index_reader(const struct wall_index *index, uint64_t pipe, int64_t from, int64_t to);
