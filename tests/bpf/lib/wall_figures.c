/* SPDX-License-Identifier: Apache-2.0 */
#include "wall_figures.h"

#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <cmocka.h>

#include <string.h>

#include <bpf/bpf.h>

#define OF(name)                                                        \
	{                                                               \
#name, offsetof(struct probe_figures, wall_##name##_ns) \
	}

static const struct {
	const char *name;
	size_t offset;
} classes[] = { OF(computing),  OF(runnable), OF(disk),  OF(paging), OF(network), OF(pipe_read),
		OF(pipe_write), OF(lock),     OF(child), OF(sleep),  OF(poll),    OF(other) };

#define COUNT (sizeof(classes) / sizeof(classes[0]))
#define WAITS 2 /* the first class that is a wait */

static uint64_t ns_of(const struct probe_figures *figures, size_t class)
{
	return *(const uint64_t *)((const char *)figures + classes[class].offset);
}

uint64_t wall_sum(const struct probe_figures *figures)
{
	uint64_t ns = 0;

	for (size_t i = 0; i < COUNT; i++)
		ns += ns_of(figures, i);
	return ns;
}

void wall_print(const struct probe_figures *figures)
{
	for (size_t i = 0; i < COUNT; i++)
		print_message("  %-12s %12llu ns\n", classes[i].name,
			      (unsigned long long)ns_of(figures, i));
}

void wall_assert_adds_up(const struct probe_figures *figures, uint64_t begin_ns, uint64_t end_ns)
{
	uint64_t life_ns = end_ns - begin_ns, ns = wall_sum(figures);
	uint64_t within_ns = life_ns / 1000 > 1000000 ? life_ns / 1000 : 1000000;

	if (ns + within_ns >= life_ns && ns <= life_ns + within_ns &&
	    figures->wall_serial_ns <= figures->wall_computing_ns)
		return;
	wall_print(figures);
	fail_msg("the classes are %llu ns together, the life was %llu ns, on one CPU %llu ns",
		 (unsigned long long)ns, (unsigned long long)life_ns,
		 (unsigned long long)figures->wall_serial_ns);
}

const struct probe_figures *wall_final(const struct watch *watch, pid_t pid)
{
	const struct watch_record *end = watch_find(watch, WATCH_EXIT, pid, 0);

	assert_non_null(end);
	return &end->exit.figures;
}

void wall_assert_final_adds_up(const struct watch *watch, pid_t pid)
{
	size_t images = watch_count(watch, WATCH_IMAGE, pid);

	assert_true(images > 0);
	wall_assert_adds_up(wall_final(watch, pid),
			    watch_find(watch, WATCH_IMAGE, pid, images - 1)->image.at_ns,
			    watch_find(watch, WATCH_EXIT, pid, 0)->exit.at_ns);
}

void wall_assert_most(const struct probe_figures *figures, const char *name)
{
	size_t most = WAITS;

	for (size_t i = WAITS; i < COUNT; i++)
		if (ns_of(figures, i) > ns_of(figures, most))
			most = i;
	if (strcmp(classes[most].name, name) != 0)
		wall_print(figures);
	assert_string_equal(classes[most].name, name);
}

void wall_assert_within(const struct probe_figures *figures, uint64_t life_ns)
{
	if (wall_sum(figures) <= life_ns)
		return;
	wall_print(figures);
	fail_msg("the classes are %llu ns together, the life was %llu ns",
		 (unsigned long long)wall_sum(figures), (unsigned long long)life_ns);
}

int wall_map(const char *name)
{
	struct bpf_map_info info;
	uint32_t size;

	for (int fd = 511; fd >= 0; fd--) {
		memset(&info, 0, sizeof(info));
		size = sizeof(info);
		if (!bpf_obj_get_info_by_fd(fd, &info, &size) && size == sizeof(info) &&
		    strcmp(info.name, name) == 0)
			return fd;
	}
	fail_msg("no map '%s' is open", name);
	return -1;
}

void wall_assert_freed(pid_t pid)
{
	static char wall[4096];
	uint32_t key = (uint32_t)pid;

	if (bpf_map_lookup_elem(wall_map("walls"), &key, wall) == 0 && watch_is_dropped(pid))
		fail_msg("the wall time of process %d is still held", pid);
}
