/* SPDX-License-Identifier: Apache-2.0 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "fixture_facts.h"

#define S 1e9

/* A key of a line, and where its number goes. */
struct place {
	const char *key;
	size_t offset;
	double unit;
};

static const struct place run_places[] = {
	{ "wall", offsetof(struct slowness_facts, wall_ns), S },
	{ "slots", offsetof(struct slowness_facts, slots), 1 },
	{ "advised", offsetof(struct slowness_facts, plan.advised), 1 },
	{ "saves", offsetof(struct slowness_facts, plan.saves_ns), S },
	{ NULL, 0, 0 },
};
static const struct place host_places[] = {
	{ "cpus", offsetof(struct slow_host, cpus), 1 },
	{ "sampled", offsetof(struct slow_host, sampled_ns), S },
	{ "busy", offsetof(struct slow_host, busy_ns), S },
	{ "steal", offsetof(struct slow_host, steal_ns), S },
	{ "inside", offsetof(struct slow_host, inside_ns), S },
	{ "idle", offsetof(struct slow_host, inside_idle_ns), S },
	{ "own", offsetof(struct slow_host, own_ns), S },
	{ "disk_busy", offsetof(struct slow_host, disk_busy_ns), S },
	{ "io_pressure", offsetof(struct slow_host, io_pressure_ns), S },
	{ "memory_pressure", offsetof(struct slow_host, memory_pressure_ns), S },
	{ "block_requests", offsetof(struct slow_host, block_requests), 1 },
	{ "block_tracked_requests", offsetof(struct slow_host, block_tracked_requests), 1 },
	{ NULL, 0, 0 },
};
static const struct place other_places[] = {
	{ "cpu", offsetof(struct slow_other, cpu_ns), S },
	{ NULL, 0, 0 },
};
static const struct place cgroup_places[] = {
	{ "cpu_limit", offsetof(struct slow_cgroup, cpu_limit), 1 },
	{ "memory_limit", offsetof(struct slow_cgroup, memory_limit_bytes), 1 },
	{ "memory_peak", offsetof(struct slow_cgroup, memory_peak_bytes), 1 },
	{ "periods", offsetof(struct slow_cgroup, periods), 1 },
	{ "throttled_periods", offsetof(struct slow_cgroup, throttled_periods), 1 },
	{ "throttled", offsetof(struct slow_cgroup, throttled_ns), S },
	{ "memory_max_events", offsetof(struct slow_cgroup, memory_max_events), 1 },
	{ NULL, 0, 0 },
};
static const struct place link_places[] = {
	{ "computing", offsetof(struct slow_link, wall.ns[WALL_COMPUTING]), S },
	{ "serial", offsetof(struct slow_link, wall.serial_ns), S },
	{ "runnable", offsetof(struct slow_link, wall.ns[WALL_RUNNABLE]), S },
	{ "disk", offsetof(struct slow_link, wall.ns[WALL_DISK]), S },
	{ "paging", offsetof(struct slow_link, wall.ns[WALL_PAGING]), S },
	{ "network", offsetof(struct slow_link, wall.ns[WALL_NETWORK]), S },
	{ "pipe_read", offsetof(struct slow_link, wall.ns[WALL_PIPE_READ]), S },
	{ "lock", offsetof(struct slow_link, wall.ns[WALL_LOCK]), S },
	{ "poll", offsetof(struct slow_link, wall.ns[WALL_POLL]), S },
	{ "sleep", offsetof(struct slow_link, wall.ns[WALL_SLEEP]), S },
	{ "child", offsetof(struct slow_link, wall.ns[WALL_CHILD]), S },
	{ "unknown", offsetof(struct slow_link, wall.ns[WALL_UNKNOWN]), S },
	{ "assumed", offsetof(struct slow_link, wall.assumed_ns), S },
	{ NULL, 0, 0 },
};
static const struct place task_places[] = {
	{ "cpus_requested", offsetof(struct slow_task, cpus_requested), 1 },
	{ NULL, 0, 0 },
};
static const struct place device_places[] = {
	{ "requests", offsetof(struct slow_device, requests), 1 },
	{ "bytes", offsetof(struct slow_device, bytes), 1 },
	{ "latency", offsetof(struct slow_device, latency_ns), S },
	{ "quiet", offsetof(struct slow_device, quiet_ns), S },
	{ NULL, 0, 0 },
};
static const struct place file_places[] = {
	{ "moved", offsetof(struct slow_file, moved_bytes), 1 },
	{ NULL, 0, 0 },
};
static const struct place peer_places[] = {
	{ "connects", offsetof(struct slow_peer, connects), 1 },
	{ "bytes", offsetof(struct slow_peer, bytes), 1 },
	{ NULL, 0, 0 },
};
static const struct place pipe_places[] = {
	{ "wall", offsetof(struct slow_pipe, wall_ns), S },
	{ "busy", offsetof(struct slow_pipe, busy_ns), S },
	{ "next", offsetof(struct slow_pipe, next_busy_ns), S },
	{ "waited", offsetof(struct slow_pipe, waited_ns), S },
	{ "lost", offsetof(struct slow_pipe, lost_ns), S },
	{ NULL, 0, 0 },
};
/* Figures have their own names; those that end in _ns are in seconds, too. */
static const struct place figure_places[] = {
#define PLACE(name) { #name, offsetof(struct slow_figures, name), 0 },
	SLOW_FIGURES(PLACE){ "executions", offsetof(struct slow_figures, executions), 1 },
	{ NULL, 0, 0 },
#undef PLACE
};

static bool put(const struct place *places, void *into, const char *key, double number)
{
	for (; places->key; places++) {
		bool ns = strlen(key) > 3 && strcmp(key + strlen(key) - 3, "_ns") == 0;
		double unit = places->unit > 0 ? places->unit : ns ? S : 1;

		if (strcmp(places->key, key) != 0)
			continue;
		number *= unit;
		memcpy((char *)into + places->offset, &number, sizeof(number));
		return true;
	}
	return false;
}

static const char *name(struct facts_scene *scene, const char *word)
{
	char *text = scene->names[scene->name_count++];

	assert_true(scene->name_count < sizeof(scene->names) / sizeof(scene->names[0]));
	snprintf(text, sizeof(scene->names[0]), "%s", strcmp(word, "-") == 0 ? "" : word);
	for (char *byte = text; *byte; byte++)
		*byte = *byte == '_' ? ' ' : *byte;
	return text;
}

/* One line: its words without a number, then its numbers. */
struct line {
	char *words[4];
	size_t word_count;
	char *keys[24];
	double numbers[24];
	size_t key_count;
};

static struct line split(char *text)
{
	struct line line = { 0 };
	char *rest = NULL;

	for (char *word = strtok_r(text, " ", &rest); word; word = strtok_r(NULL, " ", &rest)) {
		char *equals = strchr(word, '=');

		if (!equals) {
			line.words[line.word_count++] = word;
			continue;
		}
		*equals = '\0';
		line.keys[line.key_count] = word;
		line.numbers[line.key_count++] = strtod(equals + 1, NULL);
	}
	for (size_t i = line.word_count; i < 4; i++)
		line.words[i] = "";
	return line;
}

static void put_all(const struct line *line, const struct place *places, void *into)
{
	for (size_t i = 0; i < line->key_count; i++)
		if (!put(places, into, line->keys[i], line->numbers[i]))
			fail_msg("no such key: %s", line->keys[i]);
}

static double number_of(const struct line *line, const char *key)
{
	for (size_t i = 0; i < line->key_count; i++)
		if (strcmp(line->keys[i], key) == 0)
			return line->numbers[i];
	return 0;
}

static void add_link(struct facts_scene *scene, const struct line *line, size_t task, bool waits)
{
	struct slow_link *link = &scene->links[scene->facts.link_count++];
	double span = number_of(line, "span");

	link->span = (struct slow_span){ task, waits, (int64_t)(scene->at * S),
					 (int64_t)((scene->at + span) * S) };
	link->full = number_of(line, "full") > 0;
	scene->at += span;
	for (size_t i = 0; i < line->key_count; i++)
		put(link_places, link, line->keys[i], line->numbers[i]);
}

static bool is_known(const char *key)
{
	static const char *const others[] = { "span", "full" };

	for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++)
		if (strcmp(key, others[i]) == 0)
			return true;
	for (const struct place *place = link_places; place->key; place++)
		if (strcmp(key, place->key) == 0)
			return true;
	return false;
}

static void fill_task(struct facts_scene *scene, const struct line *line, struct slow_task *task)
{
	*task = (struct slow_task){
		.id = "id",
		.step = name(scene, line->words[1]),
		.name = name(scene, line->words[2]),
		.requested_by = "",
		.wall_ns = number_of(line, "span") * S,
		.host = scene->facts.host_count ? scene->facts.host_count - 1 : SLOW_NONE,
		.cgroup = scene->facts.cgroup_count ? scene->facts.cgroup_count - 1 : SLOW_NONE,
	};
	for (size_t i = 0; i < line->key_count; i++)
		if (!put(task_places, task, line->keys[i], line->numbers[i]) &&
		    !put(figure_places, &task->figures, line->keys[i], line->numbers[i]) &&
		    !is_known(line->keys[i]))
			fail_msg("no such key: %s", line->keys[i]);
}

static void read_run(struct facts_scene *scene, const struct line *line)
{
	scene->facts.running = number_of(line, "running") > 0;
	scene->facts.engine = *line->words[1] ? name(scene, line->words[1]) : "";
	for (size_t i = 0; i < line->key_count; i++)
		put(run_places, &scene->facts, line->keys[i], line->numbers[i]);
}

static void read_host(struct facts_scene *scene, const struct line *line)
{
	struct slow_host *host = &scene->hosts[scene->facts.host_count++];

	host->id = host->name = name(scene, line->words[1]);
	put_all(line, host_places, host);
}

static void read_other(struct facts_scene *scene, const struct line *line)
{
	struct slow_other *other = &scene->others[scene->facts.other_count++];

	other->host = scene->facts.host_count - 1;
	other->is_run = strcmp(line->words[1], "run") == 0;
	other->name = name(scene, line->words[2]);
	put_all(line, other_places, other);
}

static void read_cgroup(struct facts_scene *scene, const struct line *line)
{
	struct slow_cgroup *cgroup = &scene->cgroups[scene->facts.cgroup_count++];

	cgroup->path = name(scene, line->words[1]);
	put_all(line, cgroup_places, cgroup);
}

static void read_task(struct facts_scene *scene, const struct line *line)
{
	fill_task(scene, line, &scene->tasks[scene->facts.task_count]);
	add_link(scene, line, scene->facts.task_count++, false);
}

static void read_engine(struct facts_scene *scene, const struct line *line)
{
	fill_task(scene, line, &scene->facts.engine_task);
	scene->facts.engine_task.id = scene->facts.engine_task.step = "";
	add_link(scene, line, SLOW_ENGINE, false);
}

static void read_wait(struct facts_scene *scene, const struct line *line)
{
	add_link(scene, line, scene->facts.task_count - 1, true);
}

static void read_tool(struct facts_scene *scene, const struct line *line)
{
	struct slow_tool *tool = &scene->tools[scene->facts.tool_count++];

	tool->step = name(scene, line->words[1]);
	tool->name = name(scene, line->words[2]);
	put_all(line, figure_places, &tool->figures);
}

static void read_device(struct facts_scene *scene, const struct line *line)
{
	struct slow_device *device = &scene->devices[scene->facts.device_count++];

	device->step = name(scene, line->words[1]);
	device->name = name(scene, line->words[2]);
	device->operation = name(scene, line->words[3]);
	put_all(line, device_places, device);
}

static void read_file(struct facts_scene *scene, const struct line *line)
{
	struct slow_file *file = &scene->files[scene->facts.file_count++];

	file->step = name(scene, line->words[1]);
	file->path = name(scene, line->words[2]);
	file->reads = strcmp(line->words[3], "read") == 0;
	file->writes = !file->reads;
	put_all(line, file_places, file);
}

static void read_peer(struct facts_scene *scene, const struct line *line)
{
	struct slow_peer *peer = &scene->peers[scene->facts.peer_count++];

	peer->step = name(scene, line->words[1]);
	peer->address = name(scene, line->words[2]);
	put_all(line, peer_places, peer);
}

static void read_pipe(struct facts_scene *scene, const struct line *line)
{
	struct slow_pipe *pipe = &scene->pipes[scene->facts.pipe_count++];

	pipe->step = name(scene, line->words[1]);
	pipe->slowest = name(scene, line->words[2]);
	pipe->waits = name(scene, line->words[3]);
	pipe->task = scene->facts.task_count - 1;
	pipe->began_at = scene->links[scene->facts.link_count - 1].span.began_at;
	pipe->ended_at = scene->links[scene->facts.link_count - 1].span.ended_at;
	put_all(line, pipe_places, pipe);
}

static void read_stall(struct facts_scene *scene, const struct line *line)
{
	struct slow_stall *stall = &scene->stalls[scene->facts.stall_count++];

	*stall = (struct slow_stall){ .task_id = "id",
				      .summary = name(scene, line->words[1]),
				      .since_at = (int64_t)(number_of(line, "since") * S),
				      .until_at = (int64_t)(number_of(line, "until") * S),
				      .ended = number_of(line, "ended") > 0 };
}

static const struct {
	const char *word;
	void (*read)(struct facts_scene *scene, const struct line *line);
} readers[] = {
	{ "run", read_run },       { "host", read_host }, { "other", read_other },
	{ "cgroup", read_cgroup }, { "task", read_task }, { "engine", read_engine },
	{ "wait", read_wait },     { "tool", read_tool }, { "device", read_device },
	{ "file", read_file },     { "pipe", read_pipe }, { "stall", read_stall },
	{ "peer", read_peer },
};

static void read_line(struct facts_scene *scene, char *text)
{
	struct line line = split(text);

	for (size_t i = 0; i < sizeof(readers) / sizeof(readers[0]); i++)
		if (strcmp(readers[i].word, line.words[0]) == 0) {
			readers[i].read(scene, &line);
			return;
		}
	fail_msg("no such line: %s", line.words[0]);
}

void facts_scene_read(struct facts_scene *scene, const char *text)
{
	CLEANUP(freep) char *copy = strdup(text);
	char *rest = NULL;

	memset(scene, 0, sizeof(*scene));
	scene->facts = (struct slowness_facts){
		.run_id = "run-1",
		.run_name = "lab",
		.links = scene->links,
		.engine_task = { .id = "",
				 .step = "",
				 .name = "",
				 .requested_by = "",
				 .host = SLOW_NONE,
				 .cgroup = SLOW_NONE },
		.tasks = scene->tasks,
		.tools = scene->tools,
		.hosts = scene->hosts,
		.others = scene->others,
		.cgroups = scene->cgroups,
		.devices = scene->devices,
		.files = scene->files,
		.peers = scene->peers,
		.pipes = scene->pipes,
		.stalls = scene->stalls,
	};
	for (char *line = strtok_r(copy, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest))
		read_line(scene, line);
}
