/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/utsname.h>
#include <sys/vfs.h>
#include <unistd.h>

#include <linux/bpf.h>
#include <linux/magic.h>
#include <bpf/bpf.h>
#include <bpf/libbpf.h>

#include "base/cleanup.h"
#include "probe/load/kernel.h"
#include "probe/api/probe.h"

#define CURE_KERNEL "run a Linux kernel of 5.15 or later as distributions build it"

/* Fills in need->detail and returns whether the need is met. */
typedef bool need_check(struct probe_need *need, const char *name);

/* Loads the smallest program of a type that may read kernel memory. */
static bool may_load(struct probe_need *need, const char *name)
{
	static const struct bpf_insn nothing[] = {
		{ .code = BPF_ALU64 | BPF_MOV | BPF_K, .dst_reg = BPF_REG_0 },
		{ .code = BPF_JMP | BPF_EXIT },
	};
	CLEANUP(closep)
	int fd = bpf_prog_load(BPF_PROG_TYPE_RAW_TRACEPOINT, "nothing", "GPL", nothing,
			       sizeof(nothing) / sizeof(nothing[0]), NULL);

	snprintf(need->detail, sizeof(need->detail), "uid %u: %s", (unsigned)geteuid(),
		 fd >= 0 ? "programs may be loaded" : strerror(errno));
	return fd >= 0;
}

static bool has_version(struct probe_need *need, const char *name)
{
	struct utsname uts;

	if (uname(&uts))
		return false;
	snprintf(need->detail, sizeof(need->detail), "%.64s %.64s", uts.release, uts.machine);
	return kernel_version() >= 5015;
}

static bool has_btf(struct probe_need *need, const char *name)
{
	bool met = kernel_btf() != NULL;

	snprintf(need->detail, sizeof(need->detail), "/sys/kernel/btf/vmlinux %s",
		 met                                       ? "is there"
		 : access("/sys/kernel/btf/vmlinux", F_OK) ? "is missing"
							   : "cannot be read");
	return met;
}

static bool not_locked_down(struct probe_need *need, const char *name)
{
	char line[128] = "";
	FILE *file = fopen("/sys/kernel/security/lockdown", "re");

	if (file && !fgets(line, sizeof(line), file))
		line[0] = '\0';
	if (file)
		fclose(file);
	line[strcspn(line, "\n")] = '\0';
	snprintf(need->detail, sizeof(need->detail), "%s", line[0] ? line : "none");
	return !strstr(line, "[confidentiality]");
}

static bool has_tracepoint(struct probe_need *need, const char *name)
{
	bool met = kernel_has_tracepoint(name);

	snprintf(need->detail, sizeof(need->detail), "%s",
		 met ? "the kernel has it" : "the kernel does not have it");
	return met;
}

static bool has_iterator(struct probe_need *need, const char *name)
{
	bool met = kernel_has_function("bpf_iter_task");

	snprintf(need->detail, sizeof(need->detail), "%s",
		 met ? "the kernel has it" : "the kernel does not have it");
	return met;
}

static bool has_map(struct probe_need *need, enum bpf_map_type type)
{
	int code = libbpf_probe_bpf_map_type(type, NULL);

	snprintf(need->detail, sizeof(need->detail), "%s",
		 code == 1   ? "the kernel makes one"
		 : code == 0 ? "the kernel does not know them"
			     : strerror(-code));
	return code == 1;
}

static bool has_ring(struct probe_need *need, const char *name)
{
	return has_map(need, BPF_MAP_TYPE_RINGBUF);
}

static bool has_storage(struct probe_need *need, const char *name)
{
	return has_map(need, BPF_MAP_TYPE_TASK_STORAGE);
}

static bool has_bpffs(struct probe_need *need, const char *name)
{
	struct statfs fs;
	bool met = !statfs(name, &fs) && fs.f_type == BPF_FS_MAGIC;

	snprintf(need->detail, sizeof(need->detail), "%s %s", name,
		 met ? "is mounted" : "is no BPF file system");
	return met;
}

/* A need that must be met before others can be tested. */
enum premise { PREMISE_NONE, PREMISE_BTF, PREMISE_RIGHT, PREMISE_COUNT };

struct row {
	const char *what;
	bool required;
	need_check *check;
	const char *name;
	const char *cure;
	enum premise premise, gives; /* what it depends on, what depends on it */
};

static const struct row rows[] = {
	{ "Linux 5.15 or later", true, has_version, NULL, CURE_KERNEL, .premise = PREMISE_NONE },
	{ "kernel BTF", true, has_btf, NULL,
	  "run a kernel built with CONFIG_DEBUG_INFO_BTF=y (every current distribution's is)",
	  .gives = PREMISE_BTF },
	{ "root or CAP_BPF + CAP_PERFMON + CAP_SYS_PTRACE", true, may_load, NULL,
	  "run it as root (sudo), outside a container or in a privileged one",
	  .gives = PREMISE_RIGHT },
	{ "no lockdown of kernel reads", true, not_locked_down, NULL,
	  "boot with lockdown=integrity or none: `confidentiality` hides what programs do",
	  .premise = PREMISE_NONE },
	{ "tp_btf/sched_process_fork", true, has_tracepoint, "sched_process_fork", CURE_KERNEL,
	  .premise = PREMISE_BTF },
	{ "tp_btf/sched_process_exec", true, has_tracepoint, "sched_process_exec", CURE_KERNEL,
	  .premise = PREMISE_BTF },
	{ "tp_btf/sched_process_exit", true, has_tracepoint, "sched_process_exit", CURE_KERNEL,
	  .premise = PREMISE_BTF },
	{ "tp_btf/sched_process_free", true, has_tracepoint, "sched_process_free", CURE_KERNEL,
	  .premise = PREMISE_BTF },
	{ "iter/task", true, has_iterator, NULL, CURE_KERNEL, .premise = PREMISE_BTF },
	{ "BPF ring buffer", true, has_ring, NULL, CURE_KERNEL, .premise = PREMISE_RIGHT },
	{ "BPF task-local storage", true, has_storage, NULL, CURE_KERNEL,
	  .premise = PREMISE_RIGHT },
	{ "bpffs", false, has_bpffs, "/sys/fs/bpf",
	  "mount -t bpf bpf /sys/fs/bpf: without it an agent that replaces a killed one starts from zero",
	  .premise = PREMISE_NONE },
};

static struct probe_need test(const struct row *row, const bool lacks[PREMISE_COUNT])
{
	struct probe_need need = { .what = row->what, .required = row->required };

	if (lacks[row->premise]) {
		snprintf(need.detail, sizeof(need.detail), "not tested");
		need.required = false; /* the line of the premise reports what is missing */
		need.cure = "fix the item above first";
		return need;
	}
	need.met = row->check(&need, row->name);
	need.cure = need.met ? "" : row->cure;
	return need;
}

size_t probe_needs(struct probe_need *needs, size_t cap)
{
	bool lacks[PREMISE_COUNT] = { false };
	size_t count = sizeof(rows) / sizeof(rows[0]);

	kernel_quiet_libbpf();
	if (count > cap)
		count = cap;
	for (size_t i = 0; i < count; i++) {
		needs[i] = test(&rows[i], lacks);
		if (!needs[i].met && rows[i].gives != PREMISE_NONE)
			lacks[rows[i].gives] = true;
	}
	return count;
}
