/* SPDX-License-Identifier: Apache-2.0 */
#include "collect/container/container_owner.h"

#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/text.h"
#include "collect/cgroup/cgroup_name.h"
#include "collect/container/container.h"
#include "collect/container/container_facts.h"
#include "collect/attribution/run_root_search.h"
#include "collect/process/tracker.h"
#include "correlate/command/container_run.h"

/* A client, and its container once that is known. */
struct owner {
	struct probe_key client;
	struct attribution attribution; /* as a child of the client's */
	struct container_facts asked;   /* image, and name or NULL */
	uint64_t words;                 /* a hash */
	size_t count;                   /* of them */
	uint64_t at_ns;
	uint64_t cgroup_id; /* 0: it waits */
	uint32_t tick;      /* of the last reading in which the client lived */
};

struct container_owners {
	struct owner *list[CONTAINER_OWNERS];
	size_t count, waiting;
};

struct container_owners *container_owners_new(void)
{
	return calloc(1, sizeof(struct container_owners));
}

static void owner_free(struct tracker *tracker, struct owner *owner)
{
	if (!owner)
		return;
	tree_exit(tracker->tree, &owner->attribution, 0, 0, 0);
	container_facts_clear(&owner->asked);
	free(owner);
}

void container_owners_free(struct container_owners *owners, struct tracker *tracker)
{
	if (!owners)
		return;
	for (size_t i = 0; i < owners->count; i++)
		owner_free(tracker, owners->list[i]);
	free(owners);
}

static void drop(struct tracker *tracker, size_t at)
{
	struct container_owners *owners = tracker->owners;
	struct owner *owner = owners->list[at];

	owners->list[at] = owners->list[--owners->count];
	if (!owner->cgroup_id)
		owners->waiting--;
	owner_free(tracker, owner);
}

/* Of the program only the name: of a script with `#!` the kernel shows the path. */
static uint64_t hash_words(const char *const *words, size_t count)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < count; i++) {
		const char *word = i == 0 ? text_basename(words[i]) : words[i];

		sum = sum * 31 + hash_bytes(hash_seed(0), word, strlen(word));
	}
	return sum;
}

static struct owner *owner_new(struct tracker *tracker, const struct process *process,
			       const struct container_run *run)
{
	struct owner *owner = calloc(1, sizeof(*owner));

	if (!owner)
		return NULL;
	container_facts_asked(run->image, run->name, &owner->asked);
	if (!owner->asked.image) {
		owner_free(tracker, owner);
		return NULL;
	}
	owner->client = process->key;
	owner->words = hash_words(run->words, run->count);
	owner->count = run->count;
	owner->at_ns = process->image_at_ns;
	owner->tick = tracker->tick;
	tree_fork(tracker->tree, &process->attribution, &owner->attribution);
	return owner;
}

void container_owner_client(struct tracker *tracker, const struct process *process,
			    const struct probe_image *image)
{
	static const struct rule_context unknown;
	struct container_owners *owners = tracker->owners;
	struct container_run run;
	struct command command;
	struct owner *owner;

	if (!process->attribution.run || !container_run_is(image->exe) ||
	    owners->count == CONTAINER_OWNERS)
		return;
	command_unwrap(tree_rules(tracker->tree), image->exe, image->argv, image->argc, &unknown,
		       &command);
	if (!container_run_read(&command, &run))
		return;
	for (size_t i = 0; i < owners->count; i++) /* placed again */
		if (owners->list[i]->client.pid == process->key.pid &&
		    owners->list[i]->client.start_ns == process->key.start_ns)
			return;
	owner = owner_new(tracker, process, &run);
	if (!owner)
		return;
	owners->list[owners->count++] = owner;
	owners->waiting++;
}

/* A runtime's own, of whose clients this is about. */
static bool is_daemons(const char *runtime)
{
	return strcmp(runtime, "docker") == 0 || strcmp(runtime, "containerd") == 0;
}

void container_owner_made(struct tracker *tracker, const struct probe_cgroup *cgroup)
{
	struct cgroup_name name;

	if (!tracker->owners->waiting || !tracker->probe)
		return;
	cgroup_name(cgroup->path, &name);
	if (is_daemons(name.runtime))
		(void)probe_follow_cgroup(tracker->probe, cgroup->id);
}

static struct owner *owner_of(const struct container_owners *owners, uint64_t cgroup_id)
{
	for (size_t i = 0; i < owners->count; i++)
		if (owners->list[i]->cgroup_id == cgroup_id)
			return owners->list[i];
	return NULL;
}

/* What is known of a container of which no client is known. */
struct found {
	const struct probe_image *image;     /* NULL: of no process */
	const struct container_facts *facts; /* members NULL: not told */
	int64_t made_at;                     /* wall-clock */
};

static size_t waiting_without_words(const struct container_owners *owners)
{
	size_t count = 0;

	for (size_t i = 0; i < owners->count; i++)
		count += !owners->list[i]->cgroup_id && !owners->list[i]->count;
	return count;
}

static bool fits(const struct tracker *tracker, const struct owner *owner,
		 const struct found *found)
{
	const struct container_facts *facts = found->facts;
	const struct probe_image *image = found->image;

	if (owner->cgroup_id || tracker_real(tracker, owner->at_ns) > found->made_at ||
	    (facts->image && strcmp(facts->image, owner->asked.image) != 0) ||
	    (facts->name && owner->asked.name && strcmp(facts->name, owner->asked.name) != 0))
		return false;
	if (facts->name && owner->asked.name)
		return true; /* one container at a time has it */
	if (!owner->count)
		return facts->image || waiting_without_words(tracker->owners) == 1;
	if (!image) /* of an image there may be many */
		return false;
	return image->argc >= owner->count &&
	       hash_words(image->argv + image->argc - owner->count, owner->count) == owner->words;
}

/* The first that asked. Where those of several runs did: none. */
static struct owner *find(const struct tracker *tracker, const struct found *found)
{
	const struct container_owners *owners = tracker->owners;
	struct owner *first = NULL;

	for (size_t i = 0; i < owners->count; i++) {
		struct owner *owner = owners->list[i];

		if (!fits(tracker, owner, found))
			continue;
		if (first && first->attribution.run != owner->attribution.run)
			return NULL;
		if (!first || owner->at_ns < first->at_ns)
			first = owner;
	}
	return first;
}

/* A container may be gone before its runtime could tell of it: it has what its client asked for. */
static void tell_facts(struct tracker *tracker, const struct owner *owner)
{
	struct container_facts facts;

	container_facts_asked(owner->asked.image, owner->asked.name, &facts);
	container_told(tracker, owner->cgroup_id, &facts);
	container_facts_clear(&facts);
}

static void give(struct tracker *tracker, struct owner *owner, const struct cgroup *cgroup)
{
	owner->cgroup_id = cgroup->id;
	tracker->owners->waiting--;
	if (!cgroup->facts.image)
		tell_facts(tracker, owner);
}

bool container_owner_place(struct tracker *tracker, struct process *process,
			   const struct probe_image *image, bool *ret_wait)
{
	const struct cgroup *cgroup = cgroups_find(tracker->cgroups, image->cgroup_id);
	struct owner *owner;

	*ret_wait = false;
	if (!cgroup || !cgroup->runtime || !is_daemons(cgroup->runtime))
		return false;
	owner = owner_of(tracker->owners, cgroup->id);
	if (!owner && tracker->owners->waiting) {
		owner = find(tracker, &(struct found){ image, &cgroup->facts, cgroup->seen_at });
		if (owner)
			give(tracker, owner, cgroup);
	}
	if (owner)
		tree_fork(tracker->tree, &owner->attribution, &process->attribution);
	else
		*ret_wait = tracker->runtimes && !cgroup->facts.image &&
			    waiting_without_words(tracker->owners) > 0;
	return owner;
}

void container_owner_told(struct tracker *tracker, const struct cgroup *cgroup)
{
	struct owner *owner = owner_of(tracker->owners, cgroup->id);

	if (!cgroup->facts.image || !cgroup->runtime || !is_daemons(cgroup->runtime))
		return;
	if (owner &&
	    strcmp(owner->asked.image, cgroup->facts.image) != 0) { /* another's, as it seems */
		owner->cgroup_id = 0;
		tracker->owners->waiting++;
		return;
	}
	if (owner || !tracker->owners->waiting)
		return;
	owner = find(tracker, &(struct found){ NULL, &cgroup->facts, cgroup->seen_at });
	if (owner)
		give(tracker, owner, cgroup);
	drive_cgroup(tracker, cgroup->id); /* what waited for the word */
}

void container_owner_gone(struct tracker *tracker, uint64_t cgroup_id)
{
	struct container_owners *owners = tracker->owners;

	for (size_t i = 0; i < owners->count; i++)
		if (owners->list[i]->cgroup_id == cgroup_id) {
			drop(tracker, i);
			return;
		}
}

void container_owner_tick(struct tracker *tracker)
{
	struct container_owners *owners = tracker->owners;

	for (size_t i = owners->count; i-- > 0;) {
		struct owner *owner = owners->list[i];
		const struct process *client = table_get(tracker->table, &owner->client);

		if (client && !client->ended_ns)
			owner->tick = tracker->tick;
		else if (!owner->cgroup_id && tracker->tick - owner->tick > CONTAINER_OWNER_TICKS)
			drop(tracker, i);
	}
}
