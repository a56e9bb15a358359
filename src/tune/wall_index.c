/* SPDX-License-Identifier: Apache-2.0 */
#include "tune/wall_index.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>

static void take_processes(struct wall_index *index)
{
	for (size_t i = 0; i < index->image_count; i++) {
		const struct wall_image *image = &index->images[i];
		struct wall_process *process = &index->processes[image->process];

		if (!process->count++)
			*process = (struct wall_process){ i,
							  1,
							  image->parent,
							  image->group,
							  image->began_at,
							  image->ended_at,
							  image->helper };
		if (image->ended_at > process->ended_at)
			process->ended_at = image->ended_at;
		if (image->group != WALL_NO_TASK) /* the engine forked, and that exec'd the task */
			process->group = image->group;
		process->helper &= image->helper;
	}
}

/* A task waits for what it started, even if that is of no task, but the engine does not wait for
 * what is of a task. A process of another group than its parent, or of an unknown parent, is a root
 * of its group. */
static size_t owner_of(const struct wall_index *index, size_t number)
{
	const struct wall_process *process = &index->processes[number];

	if (process->parent < index->process_count && process->parent != number &&
	    (process->group == WALL_NO_TASK ||
	     index->processes[process->parent].group == process->group))
		return process->parent;
	return index->process_count + process->group;
}

/* Sorts the children of each process by the instant at which they ended, the last first. */
static int by_end(const void *one_, const void *other_, void *index_)
{
	const struct wall_index *index = index_;
	size_t one = *(const size_t *)one_, other = *(const size_t *)other_;
	int64_t a = index->processes[one].ended_at, b = index->processes[other].ended_at;

	if (a != b)
		return a > b ? -1 : 1;
	return (one < other) - (one > other); /* the last member of a pipe */
}

static void take_children(struct wall_index *index, size_t owners)
{
	size_t *from = index->children_from;

	for (size_t i = 0; i < index->process_count; i++)
		from[owner_of(index, i) + 2]++;
	for (size_t i = 2; i < owners + 2; i++)
		from[i] += from[i - 1];
	for (size_t i = 0; i < index->process_count; i++)
		index->children[from[owner_of(index, i) + 1]++] = i;
	for (size_t i = 0; i < owners; i++)
		qsort_r(index->children + from[i], from[i + 1] - from[i], sizeof(size_t), by_end,
			index);
}

static uint64_t pipe_of(const struct wall_image *image, bool writes)
{
	return writes ? image->pipe_out : image->pipe_in;
}

static int by_pipe(const struct wall_index *index, size_t one, size_t other, bool writes)
{
	uint64_t a = pipe_of(&index->images[one], writes);
	uint64_t b = pipe_of(&index->images[other], writes);

	if (a != b)
		return a < b ? -1 : 1;
	return (one > other) - (one < other);
}

static int by_pipe_in(const void *one, const void *other, void *index)
{
	return by_pipe(index, *(const size_t *)one, *(const size_t *)other, false);
}

static int by_pipe_out(const void *one, const void *other, void *index)
{
	return by_pipe(index, *(const size_t *)one, *(const size_t *)other, true);
}

static void take_pipes(struct wall_index *index)
{
	for (size_t i = 0; i < index->image_count; i++) {
		if (index->images[i].pipe_in)
			index->readers[index->reader_count++] = i;
		if (index->images[i].pipe_out)
			index->writers[index->writer_count++] = i;
	}
	qsort_r(index->readers, index->reader_count, sizeof(size_t), by_pipe_in, index);
	qsort_r(index->writers, index->writer_count, sizeof(size_t), by_pipe_out, index);
}

int wall_index_make(struct wall_index *index, const struct wall_image *images, size_t image_count,
		    size_t group_count)
{
	size_t count = 0, owners;

	for (size_t i = 0; i < image_count; i++)
		if (images[i].process >= count)
			count = images[i].process + 1;
	owners = count + group_count;
	*index = (struct wall_index){
		.images = images,
		.image_count = image_count,
		.process_count = count,
		.processes = calloc(count + 1, sizeof(*index->processes)),
		.children = calloc(count + 1, sizeof(*index->children)),
		.children_from = calloc(owners + 2, sizeof(*index->children_from)),
		.readers = calloc(image_count + 1, sizeof(*index->readers)),
		.writers = calloc(image_count + 1, sizeof(*index->writers)),
	};
	if (!index->processes || !index->children || !index->children_from || !index->readers ||
	    !index->writers)
		return -ENOMEM;
	take_processes(index);
	take_children(index, owners);
	take_pipes(index);
	return 0;
}

void wall_index_clear(struct wall_index *index)
{
	free(index->processes);
	free(index->children);
	free(index->children_from);
	free(index->readers);
	free(index->writers);
}

const size_t *wall_index_children(const struct wall_index *index, size_t of, size_t *ret_count)
{
	*ret_count = index->children_from[of + 1] - index->children_from[of];
	return index->children + index->children_from[of];
}

static int64_t overlap(const struct wall_image *image, int64_t from, int64_t to)
{
	if (image->began_at > from)
		from = image->began_at;
	if (image->ended_at < to)
		to = image->ended_at;
	return to - from;
}

/* A binary search for the pipe, then its images. */
static size_t find(const struct wall_index *index, const size_t *sorted, size_t count,
		   uint64_t pipe, bool writes, int64_t from, int64_t to)
{
	size_t low = 0, high = count, best = WALL_NONE;
	int64_t most = 0;

	while (low < high) {
		size_t middle = (low + high) / 2;

		if (pipe_of(&index->images[sorted[middle]], writes) < pipe)
			low = middle + 1;
		else
			high = middle;
	}
	for (; low < count && pipe_of(&index->images[sorted[low]], writes) == pipe; low++) {
		int64_t ns = overlap(&index->images[sorted[low]], from, to);

		if (ns > most) {
			most = ns;
			best = sorted[low];
		}
	}
	return best;
}

size_t wall_index_writer(const struct wall_index *index, uint64_t pipe, int64_t from, int64_t to)
{
	return pipe ? find(index, index->writers, index->writer_count, pipe, true, from, to)
		    : WALL_NONE;
}

size_t wall_index_reader(const struct wall_index *index, uint64_t pipe, int64_t from, int64_t to)
{
	return pipe ? find(index, index->readers, index->reader_count, pipe, false, from, to)
		    : WALL_NONE;
}
