#include "probe/kernel.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>

#include <bpf/btf.h>
#include <bpf/libbpf.h>

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

/* `typedef void (*btf_trace_NAME)(void *, …)`: the first argument is not the programs'. */
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

static int print(enum libbpf_print_level level, const char *format, va_list args)
{
	char line[1024];
	size_t len;

	vsnprintf(line, sizeof(line), format, args);
	len = strlen(line);
	if (len && line[len - 1] == '\n')
		line[len - 1] = '\0';
	log_debug("%s", line);
	return 0;
}

void kernel_quiet_libbpf(void)
{
	libbpf_set_print(print);
}
