/* SPDX-License-Identifier: Apache-2.0 */
#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <bpf/bpf.h>
#include <bpf/libbpf.h>

#include "base/cleanup.h"
#include "base/clock.h"
#include "base/file.h"
#include "base/text.h"
#include "probe/abi/process.h"
#include "probe/api/probe.h"
#include "probe/decode/iterator.h"
#include "probe/load/open_probe.h"
#include "probe/load/pin.h"
#include "probe/load/proc_image.h"
#include "probe/load/syscall_tracepoints.h"
#include "process.skel.h"

/* As many passes as the tree of processes is deep are enough; the limit is for a fork bomb. */
#define PASSES_MAX 256

struct scan {
	struct probe *probe;
	struct proc_image *image;
	bool found;  /* a tracked process was found */
	bool adopts; /* adopts one process while tracking: an exec under way sends its own record */
};

static enum name_mark mark_of(const struct scan *scan, const char *text)
{
	char name[PROCESS_NAME_SIZE] = { 0 };
	const char *base = text_basename(text);
	unsigned char found;

	if (!base[0] || strlen(base) >= sizeof(name))
		return NAME_UNKNOWN;
	memcpy(name, base, strlen(base) + 1);
	if (bpf_map__lookup_elem(scan->probe->skel->maps.names, name, sizeof(name), &found,
				 sizeof(found), 0))
		return NAME_UNKNOWN;
	return found;
}

/* As at an exec, the name of a script counts before that of its interpreter. */
static enum name_mark mark_of_image(const struct scan *scan)
{
	const struct proc_image *image = scan->image;
	enum name_mark mark = NAME_UNKNOWN;

	if (image->argc)
		mark = mark_of(scan, proc_image_script(image));
	if (mark == NAME_UNKNOWN)
		mark = mark_of(scan, image->exe);
	if (mark == NAME_UNKNOWN && image->argc)
		mark = mark_of(scan, image->argv[0]);
	return mark;
}

static bool is_known(const struct scan *scan, uint32_t pid, uint64_t start_ns)
{
	const struct probe_handler *handler = &scan->probe->handler;
	const struct probe_key key = { .pid = pid, .start_ns = start_ns };

	return handler->is_known && handler->is_known(handler->context, &key);
}

/* The value for `roots`: start_ns with the flags ROOT_*; 0: it is no root. */
static uint64_t root_of(const struct scan *scan, const struct process_head *head)
{
	if (head->pid == (uint32_t)getpid())
		return 0; /* the agent itself is never tracked */
	if (is_known(scan, head->pid, head->start_ns))
		return head->start_ns | ROOT_NAMED;
	if (!proc_image_read(scan->image, head->pid)) {
		enum name_mark mark = mark_of_image(scan);

		if (mark != NAME_UNKNOWN)
			return head->start_ns |
			       (mark == NAME_EXCLUDED ? ROOT_EXCLUDED : ROOT_NAMED);
	}
	return scan->probe->skel->rodata->track_all ||
			       probe_follows_cgroup(scan->probe, head->cgroup_id)
		       ? head->start_ns
		       : 0;
}

static int find_root(const struct process_alive_record *record, void *context)
{
	struct scan *scan = context;
	uint32_t pid = record->head.pid;
	uint64_t root = root_of(scan, &record->head);
	int code;

	if (!root)
		return 0;
	code = bpf_map__update_elem(scan->probe->skel->maps.roots, &pid, sizeof(pid), &root,
				    sizeof(root), BPF_ANY);
	if (code)
		scan->probe->skel->bss->losses.untracked++;
	return 0;
}

static int forget_root(const struct process_alive_record *record, void *context)
{
	struct scan *scan = context;
	uint32_t pid = record->head.pid;

	bpf_map__delete_elem(scan->probe->skel->maps.roots, &pid, sizeof(pid), 0);
	return 0;
}

/* Runs the link's program until a pass marks no process: first the roots, then their descendants.
 */
static int mark(struct probe *probe, const struct bpf_link *link)
{
	for (int pass = 0; pass < PASSES_MAX; pass++) {
		int code;

		probe->skel->bss->scan_marked = 0;
		code = iterator_run(link, NULL, NULL);
		if (code || !probe->skel->bss->scan_marked)
			return code;
	}
	return 0;
}

static int report(const struct process_alive_record *record, void *context)
{
	struct scan *scan = context;
	const struct probe_handler *handler = &scan->probe->handler;
	struct probe_image image;

	if (!record->leader || !record->found || !handler->on_image)
		return 0;
	scan->found = true;
	if (proc_image_read(scan->image, record->head.pid))
		return 0; /* it has ended; its exit record follows */
	if (scan->adopts && scan->image->argc == 0)
		return 0; /* an exec is under way: its record follows */
	image = (struct probe_image){
		.key = { .pid = record->head.pid, .start_ns = record->head.start_ns },
		.parent = { .pid = record->birth.origin.parent_pid,
			    .start_ns = record->birth.origin.parent_start_ns },
		.at_ns = record->head.start_ns,
		.image_seq = record->head.image_seq,
		.exe = scan->image->exe,
		.cwd = scan->image->cwd,
		.argv = scan->image->argv,
		.argc = scan->image->argc,
		.argv_missing_bytes = scan->image->argv_missing_bytes,
		.uid = record->head.uid,
		.cgroup_id = record->head.cgroup_id,
		.pid_ns = record->pid_ns,
		.mnt_ns = record->mnt_ns,
		.found = true,
	};
	proc_pipes(record->head.pid, record->birth.origin.parent_pid, image.pipes);
	handler->on_image(handler->context, &image);
	return 0;
}

/* Marks the roots and their descendants, and reports those that were not marked before. */
static int mark_and_report(struct scan *scan)
{
	struct process_bpf *skel = scan->probe->skel;
	int code = mark(scan->probe, skel->links.scan);

	if (!code)
		code = iterator_run(skel->links.sample, report, scan);
	if (!code)
		code = iterator_run(skel->links.scan_done, NULL, NULL);
	return code;
}

int probe_scan(struct probe *probe)
{
	CLEANUP(proc_image_freep) struct proc_image *image = proc_image_new();
	struct scan scan = { .probe = probe, .image = image };
	struct process_bpf *skel = probe->skel;
	int code;

	if (!image)
		return -ENOMEM;
	code = iterator_run(skel->links.list, find_root, &scan);
	if (!code && skel->bss->names_excluded)
		code = mark(probe, skel->links.scan_excluded);
	if (!code)
		code = mark_and_report(&scan);
	if (!code)
		code = iterator_run(skel->links.list, forget_root, &scan);
	if (!code)
		pin_drop_former(probe);
	syscall_tracepoints_update(probe, scan.found);
	return code;
}

/* The process that probe_adopt looks for. */
struct wanted {
	struct probe *probe;
	uint32_t pid;
	uint64_t start_ns, tick_ns;
	struct probe_key *ret;
	bool found;
};

static int find_wanted(const struct process_alive_record *record, void *context)
{
	struct wanted *wanted = context;
	uint64_t start_ns = record->head.start_ns, root = start_ns | ROOT_NAMED;

	if (record->head.pid != wanted->pid ||
	    start_ns / wanted->tick_ns != wanted->start_ns / wanted->tick_ns)
		return 0;
	*wanted->ret = (struct probe_key){ .pid = wanted->pid, .start_ns = start_ns };
	wanted->found = !bpf_map__update_elem(wanted->probe->skel->maps.roots, &wanted->pid,
					      sizeof(wanted->pid), &root, sizeof(root), BPF_ANY);
	return 0;
}

int probe_adopt(struct probe *probe, uint32_t pid, uint64_t start_ns, struct probe_key *ret)
{
	CLEANUP(proc_image_freep) struct proc_image *image = proc_image_new();
	struct scan scan = { .probe = probe, .image = image, .adopts = true };
	struct wanted wanted = { .probe = probe,
				 .pid = pid,
				 .start_ns = start_ns,
				 .tick_ns = NS_PER_S / (uint64_t)sysconf(_SC_CLK_TCK),
				 .ret = ret };
	int code;

	if (!image)
		return -ENOMEM;
	code = iterator_run(probe->skel->links.list, find_wanted, &wanted);
	if (code || !wanted.found)
		return code ? code : -ESRCH;
	code = mark_and_report(&scan);
	bpf_map__delete_elem(probe->skel->maps.roots, &pid, sizeof(pid), 0);
	return code;
}
