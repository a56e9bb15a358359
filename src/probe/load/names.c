/* SPDX-License-Identifier: Apache-2.0 */
#include "probe/api/probe.h"

#include <errno.h>
#include <string.h>

#include <bpf/bpf.h>
#include <bpf/libbpf.h>

#include "probe/abi/process.h"
#include "probe/load/open_probe.h"
#include "process.skel.h"

struct name {
	char text[PROCESS_NAME_SIZE]; /* padded with NULs, since it is a map key */
};

static int make_name(const char *text, struct name *ret, struct error *err)
{
	size_t len = strlen(text);

	if (!len || len >= sizeof(ret->text))
		return error_set(err, -EINVAL,
				 "a name to track must have 1 to %zu bytes: \"%.80s\"",
				 sizeof(ret->text) - 1, text);
	memset(ret, 0, sizeof(*ret));
	memcpy(ret->text, text, len);
	return 0;
}

static size_t count_of(const struct probe_names *names)
{
	return names->tracked_count + names->excluded_count;
}

/* The i-th name: tracked ones first, then excluded ones. */
static const char *name_at(const struct probe_names *names, size_t i)
{
	return i < names->tracked_count ? names->tracked[i]
					: names->excluded[i - names->tracked_count];
}

static int check(const struct probe_names *names, struct error *err)
{
	struct name name;
	int result = 0;

	if (count_of(names) > PROBE_NAMES_MAX)
		return error_set(err, -EINVAL, "more than %d names to track or to exclude: %zu",
				 PROBE_NAMES_MAX, count_of(names));
	for (size_t i = 0; i < count_of(names) && result == 0; i++)
		result = make_name(name_at(names, i), &name, err);
	return result;
}

static bool is_among(const struct name *name, const struct probe_names *names)
{
	for (size_t i = 0; i < count_of(names); i++) {
		if (strcmp(name->text, name_at(names, i)) == 0)
			return true;
	}
	return false;
}

/* Deleting a key may restart the walk: the next key is read before. */
static void drop_others(const struct bpf_map *map, const struct probe_names *names)
{
	struct name name, next;
	bool more = bpf_map__get_next_key(map, NULL, &name, sizeof(name)) == 0;

	for (size_t steps = 0; more && steps < 2 * (size_t)PROBE_NAMES_MAX; steps++) {
		more = bpf_map__get_next_key(map, &name, &next, sizeof(next)) == 0;
		if (!is_among(&name, names))
			bpf_map__delete_elem(map, &name, sizeof(name), 0);
		name = next;
	}
}

/* only: sets the filter to these names. Otherwise adds them, as long as the map also holds the old
 * ones. */
static void set_bits(struct process_bpf *skel, const struct probe_names *names, bool only)
{
	uint64_t bits[PROCESS_NAME_BITS / 64] = { 0 };

	for (size_t i = 0; i < count_of(names); i++) {
		const char *text = name_at(names, i);
		size_t len = strlen(text);
		unsigned bit = PROCESS_NAME_BIT((unsigned)len, text[0], text[len - 1]);

		bits[bit / 64] |= 1ULL << bit % 64;
	}
	for (size_t i = 0; i < PROCESS_NAME_BITS / 64; i++)
		skel->bss->name_bits[i] = only ? bits[i] : skel->bss->name_bits[i] | bits[i];
}

/* A name that the map holds already stays in force throughout. */
static int put(const struct bpf_map *map, const struct probe_names *names, struct error *err)
{
	for (size_t i = 0; i < count_of(names); i++) {
		unsigned char mark = i < names->tracked_count ? NAME_TRACKED : NAME_EXCLUDED;
		struct name name;
		int result;

		make_name(name_at(names, i), &name, NULL);
		result = bpf_map__update_elem(map, &name, sizeof(name), &mark, sizeof(mark),
					      BPF_ANY);
		if (result == -E2BIG)
			return error_set(
				err, result,
				"%zu names are more than the kernel's table was made for: restart the agent",
				count_of(names));
		if (result < 0)
			return error_set(err, result, "cannot hand the names to the kernel: %s",
					 strerror(-result));
	}
	return 0;
}

int probe_set_names(struct probe *probe, const struct probe_names *names, struct error *err)
{
	struct process_bpf *skel = probe->skel;
	int result = check(names, err);

	if (result < 0)
		return result;
	set_bits(skel, names, false);
	if (names->excluded_count)
		skel->bss->names_excluded = (uint32_t)names->excluded_count;
	drop_others(skel->maps.names, names);
	result = put(skel->maps.names, names, err);
	if (result < 0)
		return result;
	skel->bss->names_excluded = (uint32_t)names->excluded_count;
	set_bits(skel, names, true);
	return 0;
}
