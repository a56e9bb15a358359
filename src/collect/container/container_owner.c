/* SPDX-License-Identifier: Apache-2.0 */
#include "collect/container/container_owner.h"

#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/text.h"
#include "collect/cgroup/cgroup_name.h"
#include "collect/container/container.h"
#include "collect/cgroup/cgroup.h"
#include "collect/runtime/container_facts.h"
#include "collect/container/container_private.h"
#include "collect/process/agent_clock.h"
#include "collect/process/exec_context.h"
#include "collect/process/process_table.h"
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

static void owner_free(struct tree *tree, struct owner *owner)
{
	if (!owner)
		return;
	tree_exit(tree, &owner->attribution, 0, 0, 0);
	container_facts_clear(&owner->asked);
	free(owner);
}

void container_owners_free(struct container_owners *owners, struct tree *tree)
{
	if (!owners)
		return;
	for (size_t i = 0; i < owners->count; i++)
		owner_free(tree, owners->list[i]);
	free(owners);
}

static void drop(struct containers *containers, size_t at)
{
	struct container_owners *owners = containers->owners;
	struct owner *owner = owners->list[at];

	owners->list[at] = owners->list[--owners->count];
	if (!owner->cgroup_id)
		owners->waiting--;
	owner_free(containers->parts.tree, owner);
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

static struct owner *owner_new(struct containers *containers, const struct process *process,
			       const struct container_run *run)
{
	struct owner *owner = calloc(1, sizeof(*owner));

	if (!owner)
		return NULL;
	container_facts_asked(run->image, run->name, &owner->asked);
	if (!owner->asked.image) {
		owner_free(containers->parts.tree, owner);
		return NULL;
	}
	owner->client = process->key;
	owner->words = hash_words(run->words, run->count);
	owner->count = run->count;
	owner->at_ns = process->image_at_ns;
	owner->tick = containers->parts.clock->tick;
	tree_fork(containers->parts.tree, &process->attribution, &owner->attribution);
	return owner;
}

void container_owner_client(struct containers *containers, const struct exec_context *exec)
{
	struct container_owners *owners = containers->owners;
	const struct process *process = exec->process;
	struct container_run run;
	struct owner *owner;

	if (!process->attribution.run || !container_run_is(exec->image->exe) ||
	    owners->count == CONTAINER_OWNERS)
		return;
	if (!container_run_read(&exec->command, &run))
		return;
	for (size_t i = 0; i < owners->count; i++) /* placed again */
		if (owners->list[i]->client.pid == process->key.pid &&
		    owners->list[i]->client.start_ns == process->key.start_ns)
			return;
	owner = owner_new(containers, process, &run);
	if (!owner)
		return;
	owners->list[owners->count++] = owner;
	owners->waiting++;
}

/* A runtime with a daemon that starts containers for its clients. */
static bool is_daemons(const char *runtime)
{
	return strcmp(runtime, "docker") == 0 || strcmp(runtime, "containerd") == 0;
}

void container_owner_made(struct containers *containers, const struct probe_cgroup *cgroup)
{
	struct cgroup_name name;

	if (!containers->owners->waiting || !containers->parts.probe)
		return;
	cgroup_name(cgroup->path, &name);
	if (is_daemons(name.runtime))
		(void)probe_follow_cgroup(containers->parts.probe, cgroup->id);
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
	const struct container_facts *facts; /* members NULL: not known */
	int64_t made_at;                     /* wall-clock */
};

static size_t waiting_without_words(const struct container_owners *owners)
{
	size_t count = 0;

	for (size_t i = 0; i < owners->count; i++)
		count += !owners->list[i]->cgroup_id && !owners->list[i]->count;
	return count;
}

static bool fits(const struct containers *containers, const struct owner *owner,
		 const struct found *found)
{
	const struct container_facts *facts = found->facts;
	const struct probe_image *image = found->image;

	if (owner->cgroup_id ||
	    agent_clock_real(containers->parts.clock, owner->at_ns) > found->made_at ||
	    (facts->image && strcmp(facts->image, owner->asked.image) != 0) ||
	    (facts->name && owner->asked.name && strcmp(facts->name, owner->asked.name) != 0))
		return false;
	if (facts->name && owner->asked.name)
		return true; /* one container at a time has it */
	if (!owner->count)
		return facts->image || waiting_without_words(containers->owners) == 1;
	if (!image) /* of an image there may be many */
		return false;
	return image->argc >= owner->count &&
	       hash_words(image->argv + image->argc - owner->count, owner->count) == owner->words;
}

/* The first that asked. Where those of several runs did: none. */
static struct owner *find(const struct containers *containers, const struct found *found)
{
	const struct container_owners *owners = containers->owners;
	struct owner *first = NULL;

	for (size_t i = 0; i < owners->count; i++) {
		struct owner *owner = owners->list[i];

		if (!fits(containers, owner, found))
			continue;
		if (first && first->attribution.run != owner->attribution.run)
			return NULL;
		if (!first || owner->at_ns < first->at_ns)
			first = owner;
	}
	return first;
}

/* A container may be gone before its runtime could answer: it has what its client asked for. */
static void take_asked(struct containers *containers, const struct owner *owner)
{
	struct container_facts facts;

	container_facts_asked(owner->asked.image, owner->asked.name, &facts);
	(void)container_take_facts(containers, owner->cgroup_id, &facts);
	container_facts_clear(&facts);
}

static void give(struct containers *containers, struct owner *owner, const struct cgroup *cgroup)
{
	owner->cgroup_id = cgroup->id;
	containers->owners->waiting--;
	if (!cgroup->facts.image)
		take_asked(containers, owner);
}

bool container_owner_place(struct containers *containers, const struct exec_context *exec,
			   bool *ret_wait)
{
	const struct cgroup *cgroup = exec->cgroup;
	struct owner *owner;

	*ret_wait = false;
	if (!cgroup || !cgroup->runtime || !is_daemons(cgroup->runtime))
		return false;
	owner = owner_of(containers->owners, cgroup->id);
	if (!owner && containers->owners->waiting) {
		owner = find(containers,
			     &(struct found){ exec->image, &cgroup->facts, cgroup->seen_at });
		if (owner)
			give(containers, owner, cgroup);
	}
	if (owner)
		tree_fork(containers->parts.tree, &owner->attribution, &exec->process->attribution);
	else
		*ret_wait = containers->parts.runtimes && !cgroup->facts.image &&
			    waiting_without_words(containers->owners) > 0;
	return owner;
}

bool container_owner_take_facts(struct containers *containers, const struct cgroup *cgroup)
{
	struct owner *owner = owner_of(containers->owners, cgroup->id);

	if (!cgroup->facts.image || !cgroup->runtime || !is_daemons(cgroup->runtime))
		return false;
	if (owner &&
	    strcmp(owner->asked.image, cgroup->facts.image) != 0) { /* another's, as it seems */
		owner->cgroup_id = 0;
		containers->owners->waiting++;
		return false;
	}
	if (owner || !containers->owners->waiting)
		return false;
	owner = find(containers, &(struct found){ NULL, &cgroup->facts, cgroup->seen_at });
	if (owner)
		give(containers, owner, cgroup);
	return true; /* what waited for the answer */
}

void container_owner_gone(struct containers *containers, uint64_t cgroup_id)
{
	struct container_owners *owners = containers->owners;

	for (size_t i = 0; i < owners->count; i++)
		if (owners->list[i]->cgroup_id == cgroup_id) {
			drop(containers, i);
			return;
		}
}

void container_owner_tick(struct containers *containers)
{
	struct container_owners *owners = containers->owners;

	for (size_t i = owners->count; i-- > 0;) {
		struct owner *owner = owners->list[i];
		const struct process *client =
			process_table_get(containers->parts.processes, &owner->client);

		if (client && process_is_alive(client))
			owner->tick = containers->parts.clock->tick;
		else if (!owner->cgroup_id &&
			 containers->parts.clock->tick - owner->tick > CONTAINER_OWNER_TICKS)
			drop(containers, i);
	}
}
