/* SPDX-License-Identifier: Apache-2.0 */
#include "collect/runtime/runtime_queue.h"

#include <errno.h>
#include <event2/event.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define AGAIN_FIRST_S 1
#define AGAIN_MOST_S  60

struct question {
	uint64_t cgroup_id;
	char id[128];
	bool of_pod;
};

struct runtime_queue {
	const struct runtime_source *source;
	void *runtime; /* the source's */
	const char *socket;
	runtime_reported *reported;
	void *context;
	struct event *again;
	struct question ring[RUNTIME_QUEUE];
	size_t first, count;
	unsigned tries; /* of the first */
	bool asking, resting;
	bool seen; /* its socket was there */
};

static void next(struct runtime_queue *queue);

static void done_with_first(struct runtime_queue *queue)
{
	queue->first = (queue->first + 1) % RUNTIME_QUEUE;
	queue->count--;
	queue->tries = 0;
}

static void on_again(evutil_socket_t fd, short what, void *context)
{
	struct runtime_queue *queue = context;

	queue->resting = false;
	next(queue);
}

/* The first has no answer: the same again later, but not for ever. */
static void rest(struct runtime_queue *queue)
{
	long seconds = AGAIN_FIRST_S << (queue->tries < 6 ? queue->tries : 6);
	const struct timeval wait = { .tv_sec = seconds < AGAIN_MOST_S ? seconds : AGAIN_MOST_S };

	if (++queue->tries == RUNTIME_TRIES)
		done_with_first(queue);
	queue->resting = true;
	event_add(queue->again, &wait);
}

/* The receiver of the answer may ask for more: that waits until this question is out of the queue.
 */
static void on_answered(void *context, int result, struct container_facts *facts)
{
	struct runtime_queue *queue = context;
	const struct question answered = queue->ring[queue->first];

	if (result < 0 && result != -ENOENT) {
		queue->asking = false;
		rest(queue);
		return;
	}
	done_with_first(queue);
	if (result == 0) {
		facts->of_pod = answered.of_pod;
		queue->reported(queue->context, answered.cgroup_id, facts);
	}
	queue->asking = false;
	next(queue);
}

/* A socket that never was there is no runtime that is away for a while: nothing waits for it. */
static void next(struct runtime_queue *queue)
{
	bool there;

	if (queue->asking || queue->resting || !queue->count)
		return;
	there = access(queue->socket, F_OK) == 0;
	if (!there && !queue->seen) {
		queue->count = 0;
		return;
	}
	queue->seen = true;
	queue->asking = there && queue->source->ask(queue->runtime, queue->ring[queue->first].id,
						    on_answered, queue) == 0;
	if (!queue->asking)
		rest(queue);
}

int runtime_queue_new(struct runtime_queue **ret, const struct runtime_source *source,
		      struct event_base *base, const char *socket, runtime_reported *reported,
		      void *context, struct error *err)
{
	struct runtime_queue *queue = calloc(1, sizeof(*queue));
	int result;

	if (!queue)
		return error_set(err, -ENOMEM, "no memory to ask %s", source->name);
	queue->source = source;
	queue->socket = socket;
	queue->reported = reported;
	queue->context = context;
	queue->again = evtimer_new(base, on_again, queue);
	result = queue->again ? source->open(&queue->runtime, base, socket, err)
			      : error_set(err, -ENOMEM, "no memory to ask %s", source->name);
	if (result < 0)
		runtime_queue_free(queue);
	else
		*ret = queue;
	return result;
}

void runtime_queue_free(struct runtime_queue *queue)
{
	if (!queue)
		return;
	queue->source->free(queue->runtime);
	if (queue->again)
		event_free(queue->again);
	free(queue);
}

void runtime_queue_ask(struct runtime_queue *queue, const struct runtime_question *what)
{
	struct question *question;

	if (queue->count == RUNTIME_QUEUE)
		return;
	question = &queue->ring[(queue->first + queue->count++) % RUNTIME_QUEUE];
	question->cgroup_id = what->cgroup_id;
	question->of_pod = what->of_pod;
	(void)snprintf(question->id, sizeof(question->id), "%s", what->id);
	next(queue);
}
