/* SPDX-License-Identifier: Apache-2.0 */
#include "collect/runtime/runtime.h"

#include <ctype.h>
#include <errno.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "collect/runtime/runtime_file.h"
#include "collect/runtime/runtime_queue.h"

/* Sources that may know a container by its id alone. "": the runtime is not known. */
static const struct asked {
	const struct runtime_source *source;
	size_t socket; /* of struct runtime_options */
	const char *runtimes[5];
} asked[] = {
	{ &runtime_docker,
	  offsetof(struct runtime_options, docker_socket),
	  { "docker", "ecs", "kubernetes", "" } },
	{ &runtime_containerd,
	  offsetof(struct runtime_options, containerd_socket),
	  { "containerd", "kubernetes", "" } },
};
#define ASKED (sizeof(asked) / sizeof(*asked))

struct runtimes {
	struct runtime_options options;
	runtime_reported *reported;
	void *context;
	struct runtime_queue *queues[ASKED]; /* NULL: not asked */
};

static bool may_know(const struct asked *who, const char *runtime)
{
	for (size_t i = 0; i < sizeof(who->runtimes) / sizeof(*who->runtimes); i++)
		if (who->runtimes[i] && strcmp(runtime, who->runtimes[i]) == 0)
			return true;
	return false;
}

/* Ids are parts of paths, here and there. */
static bool is_plain(const char *id)
{
	for (const char *byte = id; *byte; byte++)
		if (!isalnum((unsigned char)*byte) && !strchr("_-", *byte))
			return false;
	return *id != '\0';
}

static int open_queues(struct runtimes *runtimes, struct event_base *base, struct error *err)
{
	int result = 0;

	for (size_t i = 0; i < ASKED && result == 0; i++) {
		const char *socket = *(const char **)((char *)&runtimes->options + asked[i].socket);

		if (socket && *socket)
			result = runtime_queue_new(&runtimes->queues[i], asked[i].source, base,
						   socket, runtimes->reported, runtimes->context,
						   err);
	}
	return result;
}

int runtimes_new(struct runtimes **ret, struct event_base *base,
		 const struct runtime_options *options, runtime_reported *reported, void *context,
		 struct error *err)
{
	struct runtimes *runtimes = calloc(1, sizeof(*runtimes));
	int result;

	if (!runtimes)
		return error_set(err, -ENOMEM, "no memory to ask container runtimes");
	runtimes->options = *options;
	runtimes->reported = reported;
	runtimes->context = context;
	result = open_queues(runtimes, base, err);
	if (result < 0)
		runtimes_free(runtimes);
	else
		*ret = runtimes;
	return result;
}

void runtimes_free(struct runtimes *runtimes)
{
	if (!runtimes)
		return;
	for (size_t i = 0; i < ASKED; i++)
		runtime_queue_free(runtimes->queues[i]);
	free(runtimes);
}

/* true: there is nothing left to ask for. */
static bool report_file(struct runtimes *runtimes, const char *runtime,
			const struct runtime_question *what)
{
	struct container_facts facts;
	bool all;

	if (!runtime_file_read(runtimes->options.root, runtime, what->id, &facts))
		return false;
	facts.of_pod = what->of_pod;
	all = what->of_pod ? facts.workflow && facts.node : facts.name && facts.image;
	runtimes->reported(runtimes->context, what->cgroup_id, &facts);
	container_facts_clear(&facts);
	return all;
}

static void ask(struct runtimes *runtimes, const char *runtime, const struct runtime_question *what)
{
	if (!is_plain(what->id) || report_file(runtimes, runtime, what))
		return;
	for (size_t i = 0; i < ASKED; i++)
		if (runtimes->queues[i] && may_know(&asked[i], runtime))
			runtime_queue_ask(runtimes->queues[i], what);
}

void runtimes_ask(struct runtimes *runtimes, uint64_t cgroup_id, const char *runtime,
		  const char *id)
{
	ask(runtimes, runtime, &(struct runtime_question){ .cgroup_id = cgroup_id, .id = id });
}

void runtimes_ask_pod(struct runtimes *runtimes, uint64_t cgroup_id, const char *runtime,
		      const char *sandbox_id)
{
	ask(runtimes, runtime,
	    &(struct runtime_question){ .cgroup_id = cgroup_id, .id = sandbox_id, .of_pod = true });
}
