/* SPDX-License-Identifier: Apache-2.0 */
#include "probe/load/kernel.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <linux/bpf.h>
#include <linux/perf_event.h>
#include <bpf/bpf.h>
#include <bpf/btf.h>
#include <bpf/libbpf.h>

#include "base/cleanup.h"
#include "base/log.h"

static struct btf *kept;

const struct btf *kernel_btf(void)
{
	kernel_quiet_libbpf();
	if (!kept)
		kept = btf__load_vmlinux_btf();
	return kept;
}

void kernel_forget_btf(void)
{
	btf__free(kept);
	kept = NULL;
}

static bool has(const char *name, unsigned kind)
{
	const struct btf *btf = kernel_btf();

	return btf && btf__find_by_name_kind(btf, name, kind) > 0;
}

/* `typedef void (*btf_trace_NAME)(void *, …)`: programs do not get the first argument. */
unsigned kernel_tracepoint_args(const char *name)
{
	const struct btf *btf = kernel_btf();
	const struct btf_type *type;
	char text[128];
	int id;

	snprintf(text, sizeof(text), "btf_trace_%s", name);
	id = btf ? btf__find_by_name_kind(btf, text, BTF_KIND_TYPEDEF) : -1;
	if (id <= 0)
		return 0;
	type = btf__type_by_id(btf, btf__type_by_id(btf, (unsigned)id)->type);
	if (!type || !btf_is_ptr(type))
		return 0;
	type = btf__type_by_id(btf, type->type);
	return type && btf_is_func_proto(type) && btf_vlen(type) ? btf_vlen(type) - 1U : 0;
}

bool kernel_has_tracepoint(const char *name)
{
	return kernel_tracepoint_args(name) > 0;
}

bool kernel_has_function(const char *name)
{
	return has(name, BTF_KIND_FUNC);
}

bool kernel_percpu(const char *name, uint32_t *ret)
{
	const struct btf *btf = kernel_btf();
	int id = btf ? btf__find_by_name_kind(btf, ".data..percpu", BTF_KIND_DATASEC) : -1;
	const struct btf_type *section = id > 0 ? btf__type_by_id(btf, (unsigned)id) : NULL;
	const struct btf_var_secinfo *variable = section ? btf_var_secinfos(section) : NULL;

	for (unsigned i = 0; section && i < btf_vlen(section); i++) {
		const struct btf_type *type = btf__type_by_id(btf, variable[i].type);

		if (strcmp(btf__name_by_offset(btf, type->name_off), name) != 0)
			continue;
		*ret = variable[i].offset;
		return true;
	}
	return false;
}

/* Loads and attaches an empty program: arm64 before 6.4 loads such programs, but refuses to attach
 * them. */
static bool allows(const char *function, enum bpf_attach_type type)
{
	static const struct bpf_insn nothing[] = {
		{ .code = BPF_ALU64 | BPF_MOV | BPF_K, .dst_reg = BPF_REG_0 },
		{ .code = BPF_JMP | BPF_EXIT },
	};
	const struct btf *btf = kernel_btf();
	int id = btf ? btf__find_by_name_kind(btf, function, BTF_KIND_FUNC) : -1;
	LIBBPF_OPTS(bpf_prog_load_opts, options, .expected_attach_type = type,
		    .attach_btf_id = id > 0 ? (unsigned)id : 0);
	CLEANUP(closep) int program = -1;
	CLEANUP(closep) int attached = -1;

	if (id <= 0)
		return false;
	program = bpf_prog_load(BPF_PROG_TYPE_TRACING, "nothing", "GPL", nothing,
				sizeof(nothing) / sizeof(nothing[0]), &options);
	if (program >= 0)
		attached = bpf_raw_tracepoint_open(NULL, program);
	return attached >= 0;
}

bool kernel_allows_fentry(const char *function)
{
	return allows(function, BPF_TRACE_FENTRY);
}

bool kernel_allows_fexit(const char *function)
{
	return allows(function, BPF_TRACE_FEXIT);
}

/* The type number of kprobes in perf_event_open(2); below 0: there is none. */
static int kprobe_type(void)
{
	CLEANUP(fclosep) FILE *file = fopen("/sys/bus/event_source/devices/kprobe/type", "re");
	char line[16];

	return file && fgets(line, sizeof(line), file) ? (int)strtoul(line, NULL, 10) : -1;
}

bool kernel_allows_kprobe(const char *function)
{
	int type = kprobe_type();
	struct perf_event_attr attr = { .size = sizeof(attr), .type = (uint32_t)type };
	CLEANUP(closep) int fd = -1;

	if (type < 0)
		return false;
	attr.config1 = (uint64_t)(uintptr_t)function;
	fd = (int)syscall(SYS_perf_event_open, &attr, -1, 0, -1, PERF_FLAG_FD_CLOEXEC);
	return fd >= 0;
}

bool kernel_has_struct(const char *name)
{
	return has(name, BTF_KIND_STRUCT);
}

unsigned kernel_version(void)
{
	struct utsname name;
	unsigned long major, minor;
	char *end;

	if (uname(&name))
		return 0;
	major = strtoul(name.release, &end, 10);
	if (*end != '.' || !major || major > 1000)
		return 0;
	minor = strtoul(end + 1, NULL, 10);
	return minor < 1000 ? (unsigned)(major * 1000 + minor) : 0;
}

static int print(enum libbpf_print_level level, const char *format, va_list args)
	__attribute__((format(printf, 2, 0)));

/* Line by line: the verifier gives its reason at the end of a long text. */
static int print(enum libbpf_print_level level, const char *format, va_list args)
{
	char *text, *rest, *line;

	if (vasprintf(&text, format, args) < 0)
		return 0;
	rest = text;
	while ((line = strsep(&rest, "\n")))
		if (*line)
			log_debug("%s", line);
	free(text);
	return 0;
}

void kernel_quiet_libbpf(void)
{
	libbpf_set_print(print);
}
