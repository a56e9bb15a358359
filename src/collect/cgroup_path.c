/* What a cgroup's path and files say: pure. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "collect/cgroup.h"

#define NO_LIMIT_V1 (1ULL << 62)

/* A component of the path: PREFIX id SUFFIX, below a component that begins with `below` ("": any).
 * In order of preference: the first rule that any component fits wins. */
static const struct runtime_rule {
	const char *runtime, *below, *prefix, *suffix;
	size_t hex; /* the id is so many hexadecimal digits; 0: anything */
} rules[] = {
	{ "docker", "", "docker-", ".scope", 64 },
	{ "containerd", "", "cri-containerd-", ".scope", 64 },
	{ "cri-o", "", "crio-", ".scope", 64 },
	{ "podman", "", "libpod-", ".scope", 64 },
	{ "podman", "", "libpod-", "", 64 },
	{ "apptainer", "", "apptainer-", ".scope", 0 },
	{ "docker", "docker", "", "", 64 },
	{ "kubernetes", "pod", "", "", 64 },
	{ "slurm", "", "job_", "", 0 },
	{ "lxc", "", "lxc.payload.", "", 0 },
	{ "lxc", "lxc", "", "", 0 },
	{ "systemd", "", "", ".service", 0 },
	{ "systemd", "", "", ".scope", 0 },
};

static bool all_hex(const char *text, size_t len)
{
	for (size_t i = 0; i < len; i++) {
		if (!isxdigit((unsigned char)text[i]))
			return false;
	}
	return true;
}

/* Whether a component of len bytes fits, and where its id lies. */
static bool fits(const struct runtime_rule *rule, const char *text, size_t len, const char **ret_id,
		 size_t *ret_len)
{
	size_t prefix = strlen(rule->prefix), suffix = strlen(rule->suffix);

	if (len <= prefix + suffix || strncmp(text, rule->prefix, prefix) != 0 ||
	    memcmp(text + len - suffix, rule->suffix, suffix) != 0)
		return false;
	*ret_id = text + prefix;
	*ret_len = len - prefix - suffix;
	return !rule->hex || (*ret_len == rule->hex && all_hex(*ret_id, *ret_len));
}

/* The last component that fits the rule, so that a nested container is named by the inner one. */
static bool path_fits(const struct runtime_rule *rule, const char *path, char ret_id[128])
{
	const char *before = "", *id;
	size_t below = strlen(rule->below), id_len;
	bool found = false;

	while (*path) {
		const char *component = path + strspn(path, "/");
		size_t len = strcspn(component, "/");

		if (strncmp(before, rule->below, below) == 0 &&
		    fits(rule, component, len, &id, &id_len)) {
			(void)snprintf(ret_id, 128, "%.*s", (int)id_len, id);
			found = true;
		}
		before = component;
		path = component + len;
	}
	return found;
}

const char *cgroup_runtime(const char *path, char ret_container_id[128])
{
	ret_container_id[0] = '\0';
	for (size_t i = 0; i < sizeof(rules) / sizeof(*rules); i++) {
		if (path_fits(&rules[i], path, ret_container_id))
			return rules[i].runtime;
	}
	return "";
}

double cgroup_parse_cpu_max(const char *text)
{
	char *end;
	double quota = strtod(text, &end), period;

	if (end == text || quota <= 0)
		return 0;
	period = strtod(end, NULL);
	return period > 0 ? quota / period : 0;
}

uint64_t cgroup_parse_memory_max(const char *text)
{
	char *end;
	unsigned long long bytes = strtoull(text, &end, 10);

	return end == text || bytes >= NO_LIMIT_V1 ? 0 : bytes;
}
