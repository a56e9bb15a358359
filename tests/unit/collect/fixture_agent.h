/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "collect/agent/agent.h"
#include "fixture_sink.h"

struct event_base;
struct evhttp;

/*
 * A real agent in a child process, watching this host through the kernel (so: as root), and a lake
 * in the test's own loop that keeps every batch it is sent, once.
 */
struct scene {
	char folder[64], state[80], rules[80], token[80], url[64];
	struct event_base *base;
	struct evhttp *lake;
	uint16_t port;
	struct sink_kept kept;
	unsigned repeated; /* batches that came again */
	struct agent_options options;
	pid_t agent;
};

void scene_begin(struct scene *scene); /* the lake is up, the agent is not */
void scene_end(struct scene *scene);   /* for CLEANUP: ends what still runs */
void lake_up(struct scene *scene);     /* on the same port */
void lake_down(struct scene *scene);

/* Starts the agent and waits until its control socket answers. */
void agent_start(struct scene *scene);
/* Sends the signal; with SIGTERM and SIGKILL waits for the end, and checks that SIGTERM's is clean.
 */
void agent_signal(struct scene *scene, int number);
/* SIGHUP, and two turns of the agent's loop: it has read the rules again. */
void agent_reload(struct scene *scene);
/* GET /status; the caller's (free). */
char *agent_text(struct scene *scene);
/* The member of GET /status (a number), or fails. */
uint64_t agent_number(struct scene *scene, const char *name);

/* Lets the lake take what comes until done says so (wait.h). */
typedef bool scene_done(struct scene *scene, const void *context);
void scene_wait_until(struct scene *scene, scene_done *done, const void *context, const char *what);
#define scene_until(scene, done, context) scene_wait_until(scene, done, context, #done)
void scene_wait(struct scene *scene, unsigned ms);

/* Starts a program (its path first, NULL behind the last); scene_reap waits for it, the lake
 * serving. */
pid_t scene_spawn(const char *const *argv);
int scene_reap(struct scene *scene, pid_t pid);

/* The process's last record; NULL: none came. */
const Signal__Execution *last_of(const struct scene *scene, pid_t pid);
bool has_ended(struct scene *scene, const void *pid); /* for scene_until: its last record says so */
size_t scan_count(const struct scene *scene);
bool has_scans(struct scene *scene, const void *count); /* for scene_until: at least *count */
