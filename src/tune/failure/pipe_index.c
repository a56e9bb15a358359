/* SPDX-License-Identifier: Apache-2.0 */
#include "tune/failure/pipe_index.h"

#include <errno.h>
#include <stdlib.h>

struct pipe_order {
	const struct pipe_index *index;
	bool writes;
};

static uint64_t pipe_of(const struct pipe_index *index, size_t number, bool writes)
{
	return writes ? index->processes[number].pipe_out : index->processes[number].pipe_in;
}

static int compare(const struct pipe_order *order, size_t number, size_t parent, uint64_t pipe)
{
	size_t own = order->index->parents[number];
	uint64_t own_pipe = pipe_of(order->index, number, order->writes);

	if (own != parent)
		return own < parent ? -1 : 1;
	return (own_pipe > pipe) - (own_pipe < pipe);
}

static int by_pipe(const void *one_, const void *other_, void *order_)
{
	const struct pipe_order *order = order_;
	size_t one = *(const size_t *)one_, other = *(const size_t *)other_;
	int result = compare(order, one, order->index->parents[other],
			     pipe_of(order->index, other, order->writes));

	return result ? result : (one > other) - (one < other);
}

static void sort(struct pipe_index *index, size_t *list, size_t count, bool writes)
{
	struct pipe_order order = { index, writes };

	qsort_r(list, count, sizeof(size_t), by_pipe, &order);
}

int pipe_index_make(struct pipe_index *index, const struct tree_process *processes,
		    const size_t *parents, size_t count)
{
	*index = (struct pipe_index){ .processes = processes, .parents = parents };
	index->readers = calloc(count + 1, sizeof(size_t)); /* calloc(0) may give NULL */
	index->writers = calloc(count + 1, sizeof(size_t));
	if (!index->readers || !index->writers)
		return -ENOMEM;
	for (size_t i = 0; i < count; i++) {
		if (parents[i] == PROCESS_NONE)
			continue;
		if (processes[i].pipe_in)
			index->readers[index->reader_count++] = i;
		if (processes[i].pipe_out)
			index->writers[index->writer_count++] = i;
	}
	sort(index, index->readers, index->reader_count, false);
	sort(index, index->writers, index->writer_count, true);
	return 0;
}

void pipe_index_clear(struct pipe_index *index)
{
	free(index->readers);
	free(index->writers);
	*index = (struct pipe_index){ 0 };
}

size_t pipe_index_find(const struct pipe_index *index, size_t number, uint64_t pipe, bool writes)
{
	struct pipe_order order = { index, writes };
	const size_t *list = writes ? index->writers : index->readers;
	size_t from = 0, count = writes ? index->writer_count : index->reader_count, until = count;
	size_t parent = index->parents[number];

	if (!pipe || parent == PROCESS_NONE)
		return PROCESS_NONE;
	while (from < until) {
		size_t middle = from + (until - from) / 2;

		if (compare(&order, list[middle], parent, pipe) < 0)
			from = middle + 1;
		else
			until = middle;
	}
	if (from < count && list[from] == number) /* both ends are its own */
		from++;
	return from < count && compare(&order, list[from], parent, pipe) == 0 ? list[from]
									      : PROCESS_NONE;
}
