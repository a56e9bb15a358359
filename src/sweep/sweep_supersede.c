/* SPDX-License-Identifier: Apache-2.0 */
#include "sweep/sweep_supersede.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define SESSION 1u
#define SLOTS   2u
#define WORKER  4u
#define IDLE    8u
#define LOW     16u

/* Kinds that are about a host as one thing, and by which others of it they are explained. */
static const struct kind {
	const char *name;
	unsigned bit, explained_by;
} kinds[] = {
	{ "session_idle", SESSION, 0 },
	{ "slots_wait", SLOTS, 0 },
	{ "worker_idle", WORKER, SLOTS }, /* which jobs wait for: it is not to be drained */
	{ "host_idle", IDLE, SESSION | SLOTS | WORKER },
	{ "host_low", LOW, SESSION | SLOTS | WORKER | IDLE },
};

struct found {
	const struct sweep_input *input;
	unsigned char *bits; /* of each host */
};

/* NULL: another kind, or a session that does not keep its host up, which has no price. */
static const struct kind *kind_of(const struct waste *waste)
{
	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++)
		if (strcmp(kinds[i].name, waste->kind) == 0)
			return kinds[i].bit == SESSION && waste->nusd_hour == 0 ? NULL : &kinds[i];
	return NULL;
}

bool sweep_is_explained(const char *kind, const struct waste *by)
{
	const struct kind *other = kind_of(by);

	for (size_t i = 0; other && i < sizeof(kinds) / sizeof(kinds[0]); i++)
		if (strcmp(kinds[i].name, kind) == 0)
			return kinds[i].explained_by & other->bit;
	return false;
}

static void mark(struct found *found, const struct waste *waste)
{
	const struct sweep_host *host = sweep_host_find(found->input, waste->host_id);
	const struct kind *kind = kind_of(waste);

	if (kind && host)
		found->bits[host - found->input->hosts] |= (unsigned char)kind->bit;
	for (size_t i = 0; kind && i < waste->host_count; i++)
		found->bits[waste->hosts[i]] |= (unsigned char)kind->bit;
}

static bool is_kept(const struct waste *waste, void *context)
{
	const struct found *found = context;
	const struct sweep_host *host = sweep_host_find(found->input, waste->host_id);
	const struct kind *kind = kind_of(waste);

	return !kind || !host || !(found->bits[host - found->input->hosts] & kind->explained_by);
}

int sweep_supersede(const struct sweep_input *input, struct wastes *wastes)
{
	struct found found = { input, calloc(input->host_count + 1, 1) };

	if (!found.bits)
		return -ENOMEM;
	for (size_t i = 0; i < wastes->count; i++)
		mark(&found, &wastes->items[i]);
	wastes_filter(wastes, is_kept, &found);
	free(found.bits);
	return 0;
}
