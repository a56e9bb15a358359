/* SPDX-License-Identifier: Apache-2.0 */
#include "collect/cgroup/cgroup_name.h"

#include <ctype.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include "base/utf8.h"

/* Where a rule's text goes. The id is that of the rule that names the cgroup. */
enum target { ID, POD, QOS, JOB, STEP, NODE, UNIT };

#define ROOM(field)                                                                           \
	{                                                                                     \
		offsetof(struct cgroup_name, field), sizeof(((struct cgroup_name *)0)->field) \
	}
static const struct {
	size_t offset, size;
} rooms[] = {
	[ID] = ROOM(container_id), [POD] = ROOM(pod),   [QOS] = ROOM(qos),  [JOB] = ROOM(job_id),
	[STEP] = ROOM(step_id),    [NODE] = ROOM(node), [UNIT] = ROOM(unit)
};

/* A rule names the cgroup if none of a higher rank did, nor one of its own further inside. */
enum rank { NOTHING, BY_UNIT, BY_DIGITS, BY_JOB, BY_CONTAINER };

/*
 * A rule looks at one component of the path. Patterns: '*' is any text, '%' and a letter a text of
 * a kind, which is what the rule takes: %h 64 hexadecimal digits, %u a UUID (with - or _) or 32
 * hexadecimal digits, %f such an id, '-' and a number, %d a number, %l a SLUID of Slurm, %s
 * anything; all else is itself.
 */
static const struct rule {
	const char *below; /* a pattern for the component before; "^…": for any before; NULL: all */
	const char *pattern;
	enum target target;
	enum rank rank;
	const char *word; /* the runtime; of QOS the text */
} rules[] = {
	/* docker: systemd driver, cgroupfs driver, BuildKit within it */
	{ NULL, "docker-%h.scope", ID, BY_CONTAINER, "docker" },
	{ "docker", "%h", ID, BY_CONTAINER, "docker" },
	{ "buildkit", "%s", ID, BY_CONTAINER, "buildkit" },
	/* containerd: Kubernetes, the same with mixed drivers, nerdctl and ctr */
	{ NULL, "cri-containerd-%h.scope", ID, BY_CONTAINER, "containerd" },
	{ NULL, "*:cri-containerd:%h", ID, BY_CONTAINER, "containerd" },
	{ NULL, "nerdctl-%h.scope", ID, BY_CONTAINER, "containerd" },
	{ "default", "%h", ID, BY_CONTAINER, "containerd" },
	{ "k8s.io", "%h", ID, BY_CONTAINER, "containerd" },
	/* CRI-O; its monitor, crio-conmon-…, is no container */
	{ NULL, "crio-%h.scope", ID, BY_CONTAINER, "cri-o" },
	{ NULL, "crio-%h", ID, BY_CONTAINER, "cri-o" },
	/* podman: systemd driver, cgroupfs driver, in a unit of its own; its pods */
	{ NULL, "libpod-%h.scope", ID, BY_CONTAINER, "podman" },
	{ NULL, "libpod-%h", ID, BY_CONTAINER, "podman" },
	{ NULL, "libpod-payload-%h", ID, BY_CONTAINER, "podman" },
	{ NULL, "*libpod_pod_%h.slice", POD, BY_JOB, "podman" },
	{ "libpod_parent", "%h", POD, BY_JOB, "podman" },
	/* Kubernetes: which runtime it is, cgroupfs' form does not say */
	{ "pod%u", "%h", ID, BY_CONTAINER, "kubernetes" },
	{ NULL, "pod%u", POD, BY_JOB, "kubernetes" },
	{ NULL, "*-pod%u.slice", POD, BY_JOB, "kubernetes" },
	{ NULL, "*-pod%u.slice:*", POD, BY_JOB, "kubernetes" },
	{ "kubepods", "pod%u", QOS, NOTHING, "guaranteed" },
	{ NULL, "*kubepods-pod%u.slice", QOS, NOTHING, "guaranteed" },
	{ NULL, "*kubepods-pod%u.slice:*", QOS, NOTHING, "guaranteed" },
	{ "kubepods", "burstable", QOS, NOTHING, "burstable" },
	{ NULL, "*kubepods-burstable*", QOS, NOTHING, "burstable" },
	{ "kubepods", "besteffort", QOS, NOTHING, "besteffort" },
	{ NULL, "*kubepods-besteffort*", QOS, NOTHING, "besteffort" },
	/* ECS, which AWS Batch runs on: /ecs/TASK/…, /ecs/CLUSTER/TASK/…, Fargate, systemd driver
	 */
	{ "^ecs", "%u", JOB, BY_JOB, "ecs" },
	{ "^ecs", "%h", ID, BY_CONTAINER, "ecs" },
	{ "^ecs", "%f", ID, BY_CONTAINER, "ecs" },
	{ "ecstasks.slice", "ecstasks-%u.slice", JOB, BY_JOB, "ecs" },
	/* Slurm: cgroup/v1, cgroup/v2, several slurmd on a host, SLUID instead of job id (26.05) */
	{ "uid_%d", "job_%d", JOB, BY_JOB, "slurm" },
	{ "*slurmstepd.scope", "job_%d", JOB, BY_JOB, "slurm" },
	{ "*slurmstepd.scope", "%l", JOB, BY_JOB, "slurm" },
	{ "job_%d", "step_%s", STEP, NOTHING, NULL },
	{ "%l", "step_%s", STEP, NOTHING, NULL },
	{ "", "slurm_%s", NODE, NOTHING, NULL },
	{ NULL, "%s_slurmstepd.scope", NODE, NOTHING, NULL },
	/* LXC and LXD; lxc.monitor.… is no container */
	{ NULL, "lxc.payload.%s", ID, BY_CONTAINER, "lxc" },
	{ "lxc.payload", "%s", ID, BY_CONTAINER, "lxc" },
	{ "lxc", "%s", ID, BY_CONTAINER, "lxc" },
	{ NULL, "systemd-nspawn@%s.service", ID, BY_CONTAINER, "systemd-nspawn" },
	/* Apptainer makes a cgroup only where limits are asked for */
	{ NULL, "apptainer-%d.scope", ID, BY_CONTAINER, "apptainer" },
	{ "apptainer", "%d", ID, BY_CONTAINER, "apptainer" },
	{ NULL, "singularity-%d.scope", ID, BY_CONTAINER, "apptainer" },
	{ "singularity", "%d", ID, BY_CONTAINER, "apptainer" },
	/* a container of an unknown runtime: docker run --cgroup-parent and similar */
	{ NULL, "%h", ID, BY_DIGITS, "" },
	{ NULL, "%s.service", UNIT, BY_UNIT, "systemd" },
	{ NULL, "%s.scope", UNIT, BY_UNIT, "systemd" },
};

struct piece {
	const char *text;
	size_t len;
};

static size_t run_of(struct piece piece, int (*is)(int byte))
{
	size_t len = 0;

	while (len < piece.len && is((unsigned char)piece.text[len]))
		len++;
	return len;
}

static int is_sluid_byte(int byte)
{
	return isdigit(byte) || isupper(byte);
}

static size_t uuid_len(struct piece piece)
{
	static const char form[] = "xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx";

	if (run_of(piece, isxdigit) == 32)
		return 32;
	if (piece.len < sizeof(form) - 1)
		return 0;
	for (size_t i = 0; i < sizeof(form) - 1; i++) {
		char byte = piece.text[i];

		if (form[i] == 'x' ? !isxdigit((unsigned char)byte) : byte != '-' && byte != '_')
			return 0;
	}
	return sizeof(form) - 1;
}

/* "5b2e…32 digits…-0123456789" */
static size_t task_id_len(struct piece piece)
{
	size_t len = uuid_len(piece), digits;

	if (!len || len + 1 >= piece.len || piece.text[len] != '-')
		return 0;
	digits = run_of((struct piece){ piece.text + len + 1, piece.len - len - 1 }, isdigit);
	return digits ? len + 1 + digits : 0;
}

/* How long the text of this kind is that the piece begins with; 0: none. */
static size_t kind_len(char kind, struct piece piece)
{
	struct piece rest = { piece.text + 1, piece.len ? piece.len - 1 : 0 };

	switch (kind) {
	case 'h':
		return run_of(piece, isxdigit) == 64 ? 64 : 0;
	case 'u':
		return uuid_len(piece);
	case 'f':
		return task_id_len(piece);
	case 'd':
		return run_of(piece, isdigit);
	case 'l': /* 's' and 13 digits in base 32 */
		return rest.len >= 13 && *piece.text == 's' && run_of(rest, is_sluid_byte) == 13
			       ? 14
			       : 0;
	}
	return 0;
}

static bool fits(const char *pattern, struct piece piece, struct piece *ret);

static struct piece after(struct piece piece, size_t len)
{
	return (struct piece){ piece.text + len, piece.len - len };
}

/* Any text of at least `least` bytes, then the rest of the pattern. */
static bool fits_any(const char *pattern, struct piece piece, size_t least, struct piece *ret)
{
	for (size_t len = least; len <= piece.len; len++) {
		if (!fits(pattern, after(piece, len), ret))
			continue;
		if (least)
			*ret = (struct piece){ piece.text, len };
		return true;
	}
	return false;
}

/* Whether a component is of this pattern; *ret is what its '%' stands for, else untouched. There is
 * one '%' and one '*' before it and one behind, so that time is bounded by the square of the
 * length of a name, which the kernel bounds at 255. */
static bool fits(const char *pattern, struct piece piece, struct piece *ret)
{
	for (; *pattern; pattern++) {
		if (*pattern == '*')
			return !pattern[1] || fits_any(pattern + 1, piece, 0, ret);
		if (*pattern == '%') {
			size_t len;

			if (*++pattern == 's')
				return fits_any(pattern + 1, piece, 1, ret);
			len = kind_len(*pattern, piece);
			if (!len)
				return false;
			*ret = (struct piece){ piece.text, len };
			piece = after(piece, len);
			continue;
		}
		if (!piece.len || *piece.text != *pattern)
			return false;
		piece = after(piece, 1);
	}
	return !piece.len;
}

#define PIECES_MAX  64  /* components looked at; the kernel allows deeper trees */
#define PIECE_BYTES 255 /* NAME_MAX; a longer component is none */

static size_t split(const char *path, struct piece pieces[PIECES_MAX])
{
	size_t count = 0;

	while (*path && count < PIECES_MAX) {
		size_t skipped = strspn(path, "/"), len = strcspn(path + skipped, "/");

		path += skipped + len;
		if (len && len <= PIECE_BYTES)
			pieces[count++] = (struct piece){ path - len, len };
	}
	return count;
}

static bool stands_below(const struct rule *rule, const struct piece *pieces, size_t at)
{
	struct piece ignored;

	if (!rule->below)
		return true;
	if (!*rule->below)
		return at == 0;
	if (*rule->below != '^')
		return at > 0 && fits(rule->below, pieces[at - 1], &ignored);
	for (size_t i = 0; i < at; i++)
		if (fits(rule->below + 1, pieces[i], &ignored))
			return true;
	return false;
}

/* As a text that may be shown: what is not valid, and what commands a terminal, is a '?'. */
static void copy(struct piece piece, char *ret, size_t size)
{
	size_t used = 0;

	while (piece.len) {
		size_t len = utf8_sequence(piece.text, piece.len);
		bool shown = len > 1 || (len && isprint((unsigned char)*piece.text));

		if (used + (shown ? len : 1) >= size)
			break;
		if (shown)
			memcpy(ret + used, piece.text, len);
		else
			ret[used] = '?';
		used += shown ? len : 1;
		piece = after(piece, len ? len : 1);
	}
	ret[used] = '\0';
}

static void dash(char *text)
{
	for (; *text; text++)
		if (*text == '_')
			*text = '-';
}

static void take(const struct rule *rule, struct piece component, struct piece part,
		 struct cgroup_name *ret)
{
	char *room = (char *)ret + rooms[rule->target].offset;

	if (rule->target == QOS)
		part = (struct piece){ rule->word, strlen(rule->word) };
	if (rule->target == UNIT)
		part = component;
	if (rule->target != ID)
		copy(part, room, rooms[rule->target].size);
	if (rule->target == POD)
		dash(room);
}

void cgroup_name(const char *path, struct cgroup_name *ret)
{
	struct piece pieces[PIECES_MAX], part = { "", 0 };
	size_t count = split(path, pieces);
	enum rank rank = NOTHING;

	*ret = (struct cgroup_name){ .runtime = "" };
	for (size_t at = 0; at < count; at++) {
		for (size_t i = 0; i < sizeof(rules) / sizeof(*rules); i++) {
			const struct rule *rule = &rules[i];

			if (!fits(rule->pattern, pieces[at], &part) ||
			    !stands_below(rule, pieces, at))
				continue;
			take(rule, pieces[at], part, ret);
			if (rule->rank < rank || rule->rank == NOTHING)
				continue;
			rank = rule->rank;
			ret->runtime = rule->word;
			copy(part, ret->container_id, sizeof(ret->container_id));
		}
	}
}
