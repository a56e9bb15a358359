/* SPDX-License-Identifier: Apache-2.0 */
#include "collect/process/scan.h"

#include <errno.h>
#include <malloc.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory/arena.h"
#include "collect/process/process_exec.h"
#include "collect/process/tracker_private.h"

struct scan {
	struct tracker *tracker;
	struct arena arena;
	struct probe_image *images;
	size_t count, room;
};

static const char *copy_text(struct arena *arena, const char *text)
{
	size_t size = strlen(text ? text : "") + 1;
	char *copy = arena_take(arena, size);

	return copy && text ? memcpy(copy, text, size) : copy;
}

static int copy_image(struct arena *arena, const struct probe_image *image, struct probe_image *ret)
{
	const char **argv = arena_take(arena, (image->argc + 1) * sizeof(*argv));

	*ret = *image;
	ret->exe = copy_text(arena, image->exe);
	ret->cwd = copy_text(arena, image->cwd);
	ret->argv = argv;
	for (size_t i = 0; argv && i < image->argc; i++) {
		argv[i] = copy_text(arena, image->argv[i]);
		if (!argv[i])
			return -ENOMEM;
	}
	return argv && ret->exe && ret->cwd ? 0 : -ENOMEM;
}

static int make_room(struct scan *scan)
{
	size_t room = scan->room ? scan->room * 2 : 256;
	struct probe_image *grown;

	if (scan->count < scan->room)
		return 0;
	grown = realloc(scan->images, room * sizeof(*grown));
	if (!grown)
		return -ENOMEM;
	scan->images = grown;
	scan->room = room;
	return 0;
}

void scan_keep(struct scan *scan, const struct probe_image *image)
{
	if (scan->arena.total > SCAN_BYTES || make_room(scan) < 0 ||
	    copy_image(&scan->arena, image, &scan->images[scan->count]) < 0) {
		process_exec(scan->tracker, image);
		return;
	}
	scan->count++;
}

static int by_start(const void *a, const void *b)
{
	const struct probe_image *left = a, *right = b;

	if (left->key.start_ns != right->key.start_ns)
		return left->key.start_ns < right->key.start_ns ? -1 : 1;
	return left->key.pid < right->key.pid ? -1 : left->key.pid > right->key.pid;
}

/* What came by the scan, parents before their children. */
static void take(struct scan *scan)
{
	if (scan->count)
		qsort(scan->images, scan->count, sizeof(*scan->images), by_start);
	for (size_t i = 0; i < scan->count; i++)
		process_exec(scan->tracker, &scan->images[i]);
	arena_clear(&scan->arena);
	free(scan->images);
}

int scan_run(struct tracker *tracker, struct probe *probe)
{
	struct scan scan = { .tracker = tracker };
	int result;

	tracker->scan = &scan;
	result = probe_scan(probe);
	tracker->scan = NULL;
	take(&scan);
	return result < 0 ? result : (int)scan.count;
}

int scan_adopt(struct tracker *tracker, struct probe *probe, uint32_t pid, uint64_t start_ns,
	       struct probe_key *ret)
{
	struct scan scan = { .tracker = tracker };
	int result;

	tracker->scan = &scan;
	result = probe_adopt(probe, pid, start_ns, ret);
	tracker->scan = NULL;
	take(&scan);
	return result;
}
