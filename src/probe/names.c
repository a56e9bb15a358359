#include "probe/probe.h"

#include <errno.h>
#include <string.h>

#include <bpf/bpf.h>
#include <bpf/libbpf.h>

#include "probe/probe_private.h"
#include "process.skel.h"

struct name {
	char text[PROCESS_NAME_SIZE]; /* NUL up to its end: it is a key */
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

static int check(const char *const *names, size_t count, struct error *err)
{
	struct name name;
	int result = 0;

	if (count > PROBE_NAMES_MAX)
		return error_set(err, -EINVAL, "more than %d names to track: %zu", PROBE_NAMES_MAX,
				 count);
	for (size_t i = 0; i < count && result == 0; i++)
		result = make_name(names[i], &name, err);
	return result;
}

static bool is_among(const struct name *name, const char *const *names, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		if (strcmp(name->text, names[i]) == 0)
			return true;
	}
	return false;
}

/* Deleting while walking may begin the walk anew: the next key is taken first. */
static void drop_others(const struct bpf_map *map, const char *const *names, size_t count)
{
	struct name name, next;
	bool more = bpf_map__get_next_key(map, NULL, &name, sizeof(name)) == 0;

	for (size_t steps = 0; more && steps < 2 * (size_t)PROBE_NAMES_MAX; steps++) {
		more = bpf_map__get_next_key(map, &name, &next, sizeof(next)) == 0;
		if (!is_among(&name, names, count))
			bpf_map__delete_elem(map, &name, sizeof(name), 0);
		name = next;
	}
}

/* Those that are to come join those that are there, until the map holds them and no others. */
static void set_bits(struct process_bpf *skel, const char *const *names, size_t count, bool only)
{
	uint64_t bits[PROCESS_NAME_BITS / 64] = { 0 };

	for (size_t i = 0; i < count; i++) {
		size_t len = strlen(names[i]);
		unsigned bit = PROCESS_NAME_BIT((unsigned)len, names[i][0], names[i][len - 1]);

		bits[bit / 64] |= 1ULL << bit % 64;
	}
	for (size_t i = 0; i < PROCESS_NAME_BITS / 64; i++)
		skel->bss->name_bits[i] = only ? bits[i] : skel->bss->name_bits[i] | bits[i];
}

int probe_set_names(struct probe *probe, const char *const *names, size_t count, struct error *err)
{
	const struct bpf_map *map = probe->skel->maps.names;
	int result = check(names, count, err);

	if (result < 0)
		return result;
	set_bits(probe->skel, names, count, false);
	drop_others(map, names, count);
	for (size_t i = 0; i < count; i++) {
		unsigned char one = 1;
		struct name name;

		make_name(names[i], &name, NULL);
		result = bpf_map__update_elem(map, &name, sizeof(name), &one, sizeof(one), BPF_ANY);
		if (result < 0)
			return error_set(err, result, "cannot hand the names to the kernel: %s",
					 strerror(-result));
	}
	set_bits(probe->skel, names, count, true);
	return 0;
}
