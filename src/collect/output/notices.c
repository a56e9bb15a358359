/* SPDX-License-Identifier: Apache-2.0 */
#include "collect/output/notices.h"

#include <stdbool.h>
#include <stdio.h>

#include "base/map.h"
#include "collect/output/outbox.h"
#include "collect/process/agent_clock.h"
#include "collect/process/process_table.h"

#define SENT_MAX 65536 /* tasks and runs */

struct telling {
	struct notices *notices;
	const struct metadata_notice *notice;
	bool of_tasks; /* else of runs that no task has an event of */
	bool any;      /* something of a run is alive */
};

/* Marks an id as sent; whether it was not. Without memory or room it is sent again next time. */
static bool mark(const struct telling *telling, const char *run_id, const char *task_id)
{
	struct notices *notices = telling->notices;
	char text[256];
	int len = snprintf(text, sizeof(text), "%s %s %s", telling->notice->kind, run_id, task_id);
	struct map_text_key key =
		map_text_key(text, (size_t)len < sizeof(text) ? (size_t)len : sizeof(text) - 1);

	if (!notices->sent)
		notices->sent = map_new_of_texts(SENT_MAX);
	if (!notices->sent)
		return true;
	if (map_get(notices->sent, &key))
		return false;
	(void)map_put(notices->sent, &key, notices);
	return true;
}

static void send(const struct telling *telling, const char *run_id, const char *task_id)
{
	const struct metadata_notice *notice = telling->notice;
	Signal__Event event = SIGNAL__EVENT__INIT;
	char summary[256];

	(void)snprintf(summary, sizeof(summary), "the cloud %s%s%s", notice->words,
		       *notice->detail ? ": " : "", notice->detail);
	event.happened_at = agent_clock_now(telling->notices->clock);
	event.kind = (char *)(uintptr_t)notice->kind;
	event.run_id = (char *)(uintptr_t)run_id;
	event.task_id = (char *)(uintptr_t)task_id;
	event.summary = summary;
	event.detail = (char *)(uintptr_t)notice->detail;
	outbox_add(telling->notices->outbox, &event.base);
}

static void visit(struct process *process, void *context)
{
	struct telling *telling = context;
	const struct attribution *attribution = &process->attribution;
	const char *run = attribution_run_id(attribution), *task = attribution_task_id(attribution);
	bool run_is_new;

	if (!*run)
		return;
	telling->any = true;
	if (telling->of_tasks != (*task != '\0') || !attribution_is_settled(attribution))
		return;
	run_is_new = mark(telling, run, "");
	if (telling->of_tasks ? mark(telling, run, task) : run_is_new)
		send(telling, run, task);
}

void notices_tell(struct notices *notices, const struct metadata_notice *notice)
{
	struct telling telling = { .notices = notices, .notice = notice, .of_tasks = true };

	process_table_visit(notices->processes, visit, &telling);
	telling.of_tasks = false;
	process_table_visit(notices->processes, visit, &telling);
	if (!telling.any && mark(&telling, "", ""))
		send(&telling, "", "");
}

void notices_clear(struct notices *notices)
{
	map_free(notices->sent);
	notices->sent = NULL;
}
