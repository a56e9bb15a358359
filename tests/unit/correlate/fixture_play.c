/* SPDX-License-Identifier: Apache-2.0 */
#include "fixture_play.h"

#include <fnmatch.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "base/cleanup.h"
#include "correlate/tree/pod.h"
#include "signal/redact/redact.h"

static void wrong(struct play *play, const char *what, const char *got)
{
	print_error("line %d (%s): %s\n    %s\n    got: %s\n", play->table.line, play->title, what,
		    play->table.raw, got);
	play->wrong++;
}

static struct process *process_at(struct play *play, size_t word)
{
	unsigned long pid =
		word < play->table.count ? strtoul(play->table.words[word], NULL, 10) : 0;

	assert_in_range(pid, 1, PLAY_PID_LIMIT - 1);
	return &play->processes[pid];
}

static void begin_scenario(struct play *play)
{
	size_t runs = 16, tasks = 64;

	tree_free(play->tree);
	memset(play->processes, 0, sizeof(play->processes));
	snprintf(play->title, sizeof(play->title), "%s", play->table.raw + 2);
	snprintf(play->cwd, sizeof(play->cwd), "/w/demo");
	play->now = 1000;
	play->cgroup_id = 7;
	play->scenarios++;
	if (strstr(play->title, "at_the_cap"))
		runs = 1, tasks = 2;
	assert_int_equal(tree_new(&play->tree, play->rules, "host-1", runs, tasks), 0);
}

static void do_fork(struct play *play)
{
	struct process *parent = process_at(play, 1), *child = process_at(play, 2);
	const char *thread = play->table.count > 3 ? play->table.words[3] : "";

	*child = (struct process){ .parent = (uint32_t)(parent - play->processes),
				   .start_ns = play->now,
				   .image_seq = parent->image_seq };
	tree_fork(play->tree, &parent->attribution, &child->attribution);
	if (play->threads_unknown)
		return;
	if (strcmp(thread, "main") == 0)
		child->parent_tid = child->parent;
	else if (strcmp(thread, "worker") == 0)
		child->parent_tid = child->parent + 1;
}

/* As many arguments, masked, in text. */
static const char *const *mask(const struct tree_image *image, struct buffer *text)
{
	const char **masked = calloc(image->argc + 1, sizeof(*masked)), *arg;

	assert_non_null(masked);
	redact_argv(image->argv, image->argc, text);
	arg = text->data;
	for (size_t i = 0; i < image->argc; i++, arg += strlen(arg) + 1)
		masked[i] = arg;
	return masked;
}

static void do_exec(struct play *play)
{
	struct buffer text CLEANUP(buffer_clear) = { 0 };
	struct process *process = process_at(play, 1);
	struct process *parent = &play->processes[process->parent];
	struct tree_image image = { .pid = (uint32_t)(process - play->processes),
				    .ppid = process->parent,
				    .parent_tid = process->parent_tid,
				    .exe = play->table.words[2],
				    .cwd = play->cwd,
				    .argv = play->table.words + 3,
				    .argc = play->table.count - 3,
				    .uid = 1000,
				    .user = "ada",
				    .cgroup_id = play->cgroup_id,
				    .pipes = { play->pipes[0], play->pipes[1] },
				    .root_kind = play->root_kind,
				    .job = play->in_job ? &play->job : NULL,
				    .started_at = (int64_t)play->now };

	if (!process->start_ns)
		process->start_ns = play->now;
	image.start_ns = process->start_ns;
	image.parent_start_ns = parent->start_ns;
	image.image_seq = ++process->image_seq;
	buffer_init(&text, 1 << 20);
	image.masked = mask(&image, &text);
	tree_exec(play->tree, &process->attribution, process->parent ? &parent->attribution : NULL,
		  &image, play->tool, sizeof(play->tool));
	free((void *)(uintptr_t)image.masked);
	play->root_kind = RUN_ROOT_NONE;
	play->in_job = false;
	play->pipes[0] = play->pipes[1] = 0;
}

/* "found PID PARENT SEQ EXE ARGV…": it was running before, nothing of it was seen. */
static void do_found(struct play *play)
{
	struct process *process = process_at(play, 1);
	const char **words = play->table.words;

	process->parent = (uint32_t)strtoul(words[2], NULL, 10);
	process->image_seq = strtoull(words[3], NULL, 10) - 1;
	memmove(words + 2, words + 4, (play->table.count - 3) * sizeof(*words));
	play->table.count -= 2;
	do_exec(play);
}

static void do_exit(struct play *play)
{
	int code = play->table.count > 2 ? (int)strtol(play->table.words[2], NULL, 10) : 0;
	int signal = play->table.count > 3 ? (int)strtol(play->table.words[3], NULL, 10) : 0;

	tree_exit(play->tree, &process_at(play, 1)->attribution, code, signal, (int64_t)play->now);
}

static void do_lose(struct play *play)
{
	tree_lose(play->tree, &process_at(play, 1)->attribution, (int64_t)play->now);
}

/* "folder PID PATH": that it made. */
static void do_folder(struct play *play)
{
	tree_folder(play->tree, &process_at(play, 1)->attribution, play->table.words[2],
		    (int64_t)play->now);
}

static void do_cwd(struct play *play)
{
	snprintf(play->cwd, sizeof(play->cwd), "%s", play->table.words[1]);
}

static void do_cgroup(struct play *play)
{
	play->cgroup_id = strtoull(play->table.words[1], NULL, 10);
}

static void do_limits(struct play *play)
{
	tree_cgroup_limits(play->tree, strtoull(play->table.words[1], NULL, 10),
			   strtod(play->table.words[2], NULL),
			   strtoull(play->table.words[3], NULL, 10));
}

/* A field of a record as text. */
static void field_text(const void *record, const ProtobufCMessageDescriptor *descriptor,
		       const char *name, char *text, size_t size)
{
	const ProtobufCFieldDescriptor *field =
		protobuf_c_message_descriptor_get_field_by_name(descriptor, name);
	const char *at = (const char *)record + (field ? field->offset : 0);
	const Signal__Run *run = record;
	size_t used = 0;

	snprintf(text, size, "(no such field)");
	if (!field)
		return;
	if (field->type == PROTOBUF_C_TYPE_STRING)
		snprintf(text, size, "%s", *(char *const *)(const void *)at);
	else if (field->type == PROTOBUF_C_TYPE_DOUBLE)
		snprintf(text, size, "%g", *(const double *)(const void *)at);
	else if (field->type == PROTOBUF_C_TYPE_UINT32 || field->type == PROTOBUF_C_TYPE_INT32)
		snprintf(text, size, "%d", *(const int32_t *)(const void *)at);
	else if (field->type == PROTOBUF_C_TYPE_UINT64 || field->type == PROTOBUF_C_TYPE_INT64)
		snprintf(text, size, "%lld", *(const long long *)(const void *)at);
	else
		for (size_t i = 0, left = *text = 0; i < run->n_labels && left == 0; i++)
			used += (size_t)snprintf(text + used, size - used, "%s%s:%s",
						 used ? "," : "", run->labels[i]->key,
						 run->labels[i]->value);
}

/* "parent=PID": the run that this process is in; "parent=": none. */
static bool is_parent(const struct play *play, const char *name, const char *text, const void *run)
{
	unsigned long pid = strtoul(text, NULL, 10) % PLAY_PID_LIMIT;

	return strcmp(name, "parent") == 0 &&
	       strcmp(((const Signal__Run *)run)->parent_run_id,
		      attribution_run_id(&play->processes[pid].attribution)) == 0;
}

static void compare_fields(struct play *play, const void *record,
			   const ProtobufCMessageDescriptor *descriptor)
{
	char name[64], text[8192], got[9000];

	for (size_t i = 2; i < play->table.count; i++) {
		const char *word = play->table.words[i], *equals = strchr(word, '=');

		assert_non_null(equals);
		snprintf(name, sizeof(name), "%.*s", (int)(equals - word), word);
		field_text(record, descriptor, name, text, sizeof(text));
		if (strcmp(equals + 1, text) == 0 || fnmatch(equals + 1, text, 0) == 0 ||
		    is_parent(play, name, equals + 1, record))
			continue;
		snprintf(got, sizeof(got), "%s=%.8000s", name, text);
		wrong(play, "another value", got);
	}
}

/* "> run FIELD=VALUE…", "> task …", "> none": the next change. */
static void expect_change(struct play *play)
{
	const Signal__Run *run = NULL;
	const Signal__Task *task = NULL;
	const char *kind = "none";

	if (tree_next_change(play->tree, &run, &task))
		kind = run ? "run" : "task";
	if (strcmp(play->table.words[1], kind) != 0)
		wrong(play, "another change", run ? run->name : task ? task->name : kind);
	else if (run)
		compare_fields(play, run, &signal__run__descriptor);
	else if (task)
		compare_fields(play, task, &signal__task__descriptor);
}

/* "pod CGROUP NAME [WORKFLOW NODE]" */
static void do_pod(struct play *play)
{
	const char **words = play->table.words;
	struct pod pod = { .name = words[2], .namespace = "lab" };

	if (play->table.count > 4) {
		pod.workflow = words[3];
		pod.node = words[4];
	}
	(void)pod_name_runs(play->tree, strtoull(words[1], NULL, 10), &pod);
}

static void do_drain(struct play *play)
{
	const Signal__Run *run;
	const Signal__Task *task;

	tree_settle(play->tree);
	while (tree_next_change(play->tree, &run, &task))
		;
}

static void expect_tool(struct play *play)
{
	if (strcmp(play->tool, play->table.words[1]) != 0)
		wrong(play, "another tool", play->tool);
}

/* "in PID none", "in PID run", "in PID task [PID OF ANOTHER IN IT]" */
static void expect_place(struct play *play)
{
	const struct attribution *attribution = &process_at(play, 1)->attribution;
	const char *task = attribution_task_id(attribution);
	const char *kind = *task ? "task" : *attribution_run_id(attribution) ? "run" : "none";

	if (strcmp(kind, play->table.words[2]) != 0)
		wrong(play, "elsewhere", kind);
	else if (play->table.count > 3 &&
		 strcmp(task, attribution_task_id(&process_at(play, 3)->attribution)) != 0)
		wrong(play, "of another task", task);
}

static void expect_refused(struct play *play)
{
	char got[32];

	snprintf(got, sizeof(got), "%llu", (unsigned long long)tree_refused(play->tree));
	if (strcmp(got, play->table.words[1]) != 0)
		wrong(play, "another number", got);
}

/* "file PID NAME TEXT": what its engine wrote beside it; "file PID none": nothing is asked for. */
static void do_file(struct play *play)
{
	const struct attribution *attribution = &process_at(play, 1)->attribution;
	const char *file = tree_task_file(attribution);

	if (strcmp(file ? file : "none", play->table.words[2]) != 0)
		wrong(play, "another file", file ? file : "none");
	else if (file)
		tree_task_text(play->tree, attribution, play->table.words[3]);
}

/* "drive script|session|command|job": the next image begins such a run. */
static void do_drive(struct play *play)
{
	static const char *const kinds[] = { "", "script", "session", "command", "job" };

	for (size_t i = 1; i < sizeof(kinds) / sizeof(*kinds); i++)
		if (strcmp(play->table.words[1], kinds[i]) == 0)
			play->root_kind = (enum run_root_kind)i;
	assert_int_not_equal(play->root_kind, RUN_ROOT_NONE);
}

/* "job [WORD=TEXT]…": the next image is in that job of a scheduler. */
static void do_job(struct play *play)
{
	static const struct {
		const char *name;
		size_t offset, size;
	} words[] = {
#define WORD(name) { #name, offsetof(struct job, name), sizeof(play->job.name) }
		WORD(id),   WORD(array), WORD(index),  WORD(step),
		WORD(name), WORD(node),  WORD(cluster)
#undef WORD
	};

	play->job = (struct job){ 0 };
	play->in_job = true;
	for (size_t i = 1; i < play->table.count; i++) {
		const char *word = play->table.words[i], *equals = strchr(word, '=');
		size_t at = 0, count = sizeof(words) / sizeof(*words);

		assert_non_null(equals);
		while (at < count && (strlen(words[at].name) != (size_t)(equals - word) ||
				      strncmp(words[at].name, word, (size_t)(equals - word)) != 0))
			at++;
		assert_in_range(at, 0, count - 1);
		(void)snprintf((char *)&play->job + words[at].offset, words[at].size, "%s",
			       equals + 1);
	}
}

/* "pipes IN OUT": of the next image; 0: none. */
static void do_pipes(struct play *play)
{
	for (int i = 0; i < 2; i++)
		play->pipes[i] = (uint32_t)strtoul(play->table.words[1 + i], NULL, 10);
}

static void do_settle(struct play *play)
{
	tree_settle(play->tree);
}

static const struct verb {
	const char *name;
	size_t words; /* at least */
	void (*play)(struct play *play);
} verbs[] = {
	{ "=", 2, begin_scenario }, { "fork", 3, do_fork },
	{ "exec", 3, do_exec },     { "found", 5, do_found },
	{ "exit", 2, do_exit },     { "lose", 2, do_lose },
	{ "cwd", 2, do_cwd },       { "cgroup", 2, do_cgroup },
	{ "limits", 4, do_limits }, { "drain", 1, do_drain },
	{ ">", 2, expect_change },  { "tool", 2, expect_tool },
	{ "in", 3, expect_place },  { "refused", 2, expect_refused },
	{ "file", 3, do_file },     { "drive", 2, do_drive },
	{ "pipes", 3, do_pipes },   { "settle", 1, do_settle },
	{ "job", 2, do_job },       { "pod", 3, do_pod },
	{ "folder", 3, do_folder },
};

static void play_line(struct play *play)
{
	for (size_t i = 0; i < sizeof(verbs) / sizeof(*verbs); i++) {
		if (strcmp(verbs[i].name, play->table.words[0]) != 0)
			continue;
		assert_true(play->table.count >= verbs[i].words);
		play->now++;
		verbs[i].play(play);
		return;
	}
	fail_msg("line %d: unknown verb %s", play->table.line, play->table.words[0]);
}

void play_file(struct play *play, const char *file)
{
	struct error err;

	if (rules_new(&play->rules, &err))
		fail_msg("%s", error_text(&err));
	table_open(&play->table, file);
	while (table_next(&play->table))
		play_line(play);
	table_close(&play->table);
}

void play_close(struct play *play)
{
	tree_free(play->tree);
	rules_free(play->rules);
}
