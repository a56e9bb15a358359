/* SPDX-License-Identifier: Apache-2.0 */
#include "tune/wall.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>

#include "tune/wall_index.h"

#define DEPTH_MAX 100      /* processes that one another wait for */
#define STEPS_MAX 20000000 /* of all searches; what is left then stays as it is */

/* A part of the time of a parent, in which it waited for this child. */
struct part {
	size_t process;
	int64_t from, to;
};

struct search {
	struct wall_index index;
	uint64_t steps;
	bool failed; /* no memory */
	struct wall *ret;
};

/* A process between two instants, for which so much time is to be divided among the parts. skip: it
 * was found by a pipe, and of the two ends of a pipe only one waits: this is not what it did
 * (WALL_PARTS: nothing is left out). */
struct window {
	int64_t from, to;
	double ns;
	int skip;
	unsigned depth;
};

static void divide(struct search *search, size_t process, const struct window *window);

void wall_add(struct wall *sum, const struct wall *of)
{
	for (int i = 0; i < WALL_PARTS; i++)
		sum->ns[i] += of->ns[i];
	sum->serial_ns += of->serial_ns;
	sum->assumed_ns += of->assumed_ns;
}

static bool tired(struct search *search, const struct window *window)
{
	return search->failed || window->depth >= DEPTH_MAX || search->steps >= STEPS_MAX;
}

/* The children of a parent that are still to be looked at, sorted by their end, the last first. */
struct children {
	const size_t *list;
	size_t count;
};

/* The child that a parent waited for until `at`. At the end of what is looked at that is the one
 * that ended last. Before, it is the last one that had ended: one that went on was not waited for.
 * Of children that ended at the same instant, one that works. WALL_NONE: none is left. */
static size_t waited_for(struct search *search, struct children *left, int64_t at, bool at_end)
{
	const struct wall_process *processes = search->index.processes, *child;
	size_t best = WALL_NONE;

	for (; left->count && processes[*left->list].began_at >= at; left->count--)
		left->list++;
	for (size_t i = 0; i < left->count; i++) {
		child = &processes[left->list[i]];
		search->steps++;
		if (child->began_at >= at || child->ended_at <= child->began_at ||
		    (!at_end && child->ended_at > at))
			continue;
		if (best == WALL_NONE ||
		    (child->ended_at >= at && processes[best].helper && !child->helper))
			best = left->list[i];
		if (child->ended_at < at || !processes[best].helper)
			break;
	}
	return best;
}

/* Where a helper is waited for, something that works may have ended meanwhile: until then that was
 * waited for. */
static int64_t begin_of(struct search *search, const struct children *left, size_t process,
			int64_t until)
{
	const struct wall_process *processes = search->index.processes;
	int64_t from = processes[process].began_at;

	for (size_t i = 0; processes[process].helper && i < left->count; i++) {
		const struct wall_process *child = &processes[left->list[i]];

		search->steps++;
		if (child->ended_at <= from)
			break; /* as all that follow */
		if (!child->helper && child->ended_at < until)
			return child->ended_at;
	}
	return from;
}

/* Divides the time between two instants among the children that were waited for, from the end back.
 * Returns the number of parts. */
static size_t find_parts(struct search *search, struct children left, const struct window *window,
			 struct part *parts)
{
	int64_t at = window->to;
	size_t found = 0, process;

	while (at > window->from && search->steps < STEPS_MAX &&
	       (process = waited_for(search, &left, at, at == window->to)) != WALL_NONE) {
		const struct wall_process *child = &search->index.processes[process];
		int64_t to = child->ended_at < at ? child->ended_at : at;
		int64_t from = begin_of(search, &left, process, to);

		if (from < window->from)
			from = window->from;
		if (to > from)
			parts[found++] = (struct part){ process, from, to };
		at = from;
	}
	return found;
}

/* A parent waited so long for its children: what they did meanwhile. The time that is longer than
 * they lived stays what it was. */
static void divide_among_children(struct search *search, size_t of, const struct window *window,
				  int rest)
{
	struct children all;
	struct part *parts;
	double lived = 0, left = window->ns;
	size_t found = 0;

	all.list = wall_index_children(&search->index, of, &all.count);
	parts = malloc((2 * all.count + 1) * sizeof(*parts));
	search->failed |= !parts;
	if (!tired(search, window))
		found = find_parts(search, all, window, parts);
	for (size_t i = 0; i < found; i++)
		lived += (double)(parts[i].to - parts[i].from);
	for (size_t i = 0; i < found; i++) {
		double ns = (double)(parts[i].to - parts[i].from);
		struct window part = { parts[i].from, parts[i].to, ns, WALL_PARTS,
				       window->depth + 1 };

		if (lived > window->ns)
			part.ns = ns / lived * window->ns;
		left -= part.ns;
		divide(search, parts[i].process, &part);
	}
	free(parts);
	if (left > 0)
		search->ret->ns[rest] += left;
}

/* One end of a pipe waited so long for the other one: what that did meanwhile. A program that reads
 * from a pipe of which no writer is known reads what its children print ($(...), subprocess). */
static void divide_at_pipe(struct search *search, const struct wall_image *image, bool reads,
			   const struct window *window)
{
	const struct wall_index *index = &search->index;
	size_t other = reads ? wall_index_writer(index, image->pipe_in, window->from, window->to)
			     : wall_index_reader(index, image->pipe_out, window->from, window->to);
	struct window there = *window;

	search->steps++;
	if (other == WALL_NONE && reads) {
		divide_among_children(search, image->process, window, WALL_PIPE_READ);
		return;
	}
	if (other == WALL_NONE || index->images[other].process == image->process ||
	    tired(search, window)) {
		search->ret->ns[reads ? WALL_PIPE_READ : WALL_PIPE_WRITE] += window->ns;
		return;
	}
	if (index->images[other].began_at > there.from)
		there.from = index->images[other].began_at;
	if (index->images[other].ended_at < there.to)
		there.to = index->images[other].ended_at;
	there.skip = reads ? WALL_PIPE_WRITE : WALL_PIPE_READ;
	there.depth++;
	divide(search, index->images[other].process, &there);
}

static double life_of(const struct wall_image *image, int skip)
{
	double life = 0;

	for (int i = 0; i < WALL_PARTS; i++)
		if (i != skip)
			life += image->ns[i];
	return life;
}

static double most_of(const struct wall_image *image, int skip)
{
	double most = 0;

	for (int i = 0; i < WALL_PARTS; i++)
		if (i != skip && image->ns[i] > most)
			most = image->ns[i];
	return most;
}

static void divide_image(struct search *search, const struct wall_image *image,
			 const struct window *window)
{
	double life = life_of(image, window->skip), length = (double)(window->to - window->from);
	double whole = (double)(image->ended_at - image->began_at), scale;

	if (!(life > 0)) { /* it did nothing but wait for the one that waits for it */
		search->ret->ns[window->skip < WALL_PARTS ? window->skip : WALL_UNKNOWN] +=
			window->ns;
		return;
	}
	scale = window->ns / life;
	if (length < 0.99 * whole)
		search->ret->assumed_ns += window->ns * (1 - most_of(image, window->skip) / life);
	for (int i = 0; i < WALL_PARTS; i++) {
		struct window part = *window;

		part.ns = image->ns[i] * scale;
		if (i == window->skip || !(part.ns > 0))
			continue;
		part.skip = WALL_PARTS;
		if (i == WALL_CHILD || (i == WALL_OTHER && image->by_signal))
			divide_among_children(search, image->process, &part, i);
		else if (i == WALL_PIPE_READ || i == WALL_PIPE_WRITE)
			divide_at_pipe(search, image, i == WALL_PIPE_READ, &part);
		else
			search->ret->ns[i] += part.ns;
	}
	search->ret->serial_ns += image->serial_ns * scale;
}

/* A process that runs several programs one after the other did what each did in its part. */
static void divide(struct search *search, size_t process, const struct window *window)
{
	const struct wall_process *of = &search->index.processes[process];
	double length = (double)(window->to - window->from), left = window->ns;

	search->steps += of->count;
	for (size_t i = of->first; i < of->first + of->count && length > 0; i++) {
		const struct wall_image *image = &search->index.images[i];
		struct window part = *window;

		if (image->began_at > part.from)
			part.from = image->began_at;
		if (image->ended_at < part.to)
			part.to = image->ended_at;
		if (part.to <= part.from)
			continue;
		part.ns = (double)(part.to - part.from) / length * window->ns;
		left -= part.ns;
		divide_image(search, image, &part);
	}
	if (left > 0)
		search->ret->ns[WALL_UNKNOWN] += left;
}

static size_t count_groups(const struct wall_image *images, size_t image_count)
{
	size_t count = 0;

	for (size_t i = 0; i < image_count; i++)
		if (images[i].group >= count)
			count = images[i].group + 1;
	return count;
}

int wall_find(const struct wall_image *images, size_t image_count, const struct wall_span *spans,
	      size_t span_count, struct wall *ret)
{
	struct search search = { 0 };
	size_t groups = count_groups(images, image_count);
	int rc = wall_index_make(&search.index, images, image_count, groups);

	for (size_t i = 0; rc == 0 && i < span_count; i++) {
		const struct wall_span *span = &spans[i];
		double ns = (double)(span->ended_at - span->began_at);
		const struct window window = { span->began_at, span->ended_at, ns, WALL_PARTS, 0 };

		ret[i] = (struct wall){ 0 };
		search.ret = &ret[i];
		if (ns > 0 && span->group < groups)
			divide_among_children(&search, search.index.process_count + span->group,
					      &window, WALL_UNKNOWN);
		else if (ns > 0)
			ret[i].ns[WALL_UNKNOWN] = ns;
		rc = search.failed ? -ENOMEM : 0;
	}
	wall_index_clear(&search.index);
	return rc;
}
