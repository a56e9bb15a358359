/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include "machine.h"
#include "sweep/sweep_input.h"

/*
 * All that the stories of a fleet are about, over time; and what a sweep would get of it at an
 * instant. Each thing is shown from `since` to before `until`.
 */
struct site_session {
	struct sweep_session facts;
	struct machine *machine;
	struct timeline used;
	int64_t until;
};

struct site_task {
	struct sweep_task facts;
	struct machine *machine;
	struct timeline progress;
	int64_t until;
	int64_t run_gone_at;  /* its engine ends; NEVER: it does not */
	int64_t lost_at;      /* records are lost; NEVER */
	int64_t wakes_minute; /* of its timers */
};

struct site_queue {
	struct sweep_queue facts;
	int64_t until;
};

struct site_repeat {
	struct sweep_repeat facts;
};

struct site_folder {
	struct sweep_folder facts;
	struct timeline reads;
	int64_t until;
};

struct site_listed {
	struct sweep_machine facts;
	struct timeline agent;
	int64_t until, unlisted_since; /* the provider is not asked any more; NEVER */
};

struct site_volume {
	struct sweep_volume facts;
	int64_t detached_at, until;
};

#define SITE_THINGS 512

struct site {
	int64_t since, until; /* of the sweeps */
	const struct sweep_policy *policy;
	struct machine *machines[SITE_THINGS];
	unsigned machine_count;
	struct site_session sessions[SITE_THINGS];
	unsigned session_count;
	struct site_task tasks[SITE_THINGS];
	unsigned task_count;
	struct site_queue queues[SITE_THINGS];
	unsigned queue_count;
	struct site_repeat repeats[SITE_THINGS];
	unsigned repeat_count;
	struct site_folder folders[SITE_THINGS];
	unsigned folder_count;
	struct site_listed listed[SITE_THINGS];
	unsigned listed_count;
	struct site_volume volumes[SITE_THINGS];
	unsigned volume_count;
	char **texts; /* of all of them */
	unsigned text_count;
	struct site_shown *shown;
};

struct site *site_new(int64_t since, int64_t until, const struct sweep_policy *policy);
void site_free(struct site *site);
/* A text that the site owns. */
__attribute__((format(printf, 2, 3))) const char *site_text(struct site *site, const char *format,
							    ...);
/* A machine, on and silent in nothing, without loads. */
struct machine *site_machine(struct site *site);
/* To be called once, when all is added. */
void site_prepare(struct site *site);
/* What is known at the instant: good until the next call. */
struct sweep_input site_at(struct site *site, int64_t now_at);
