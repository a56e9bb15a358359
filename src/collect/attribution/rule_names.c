/* SPDX-License-Identifier: Apache-2.0 */
#include "collect/attribution/rule_names.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/clock.h"
#include "collect/attribution/output_record.h"
#include "correlate/tree/output_names.h"

#define FIRST_WAIT_NS (500 * NS_PER_MS) /* then twice as long each time */
#define LOOK_FOR_NS   (60 * NS_PER_S)   /* after the task's end */
#define AFTER_RUN_NS  (2 * NS_PER_S)    /* after the run's */

struct waiting_run {
	struct attribution attribution; /* of no task */
	uint64_t over_ns;               /* seen to have ended; 0: it lives */
	int folder;
	uint64_t place; /* of the folder, for the helper */
	bool used;
};

struct waiting_task {
	struct attribution attribution;
	struct waiting_run *run; /* NULL: this entry is free */
	uint32_t uid;
	uint64_t ended_ns, next_ns, wait_ns;
};

struct rule_names {
	struct waiting_run runs[RULE_NAMES_RUNS];
	struct waiting_task tasks[RULE_NAMES_TASKS];
	size_t run_count, task_count; /* used */
	uint32_t mnt_ns;              /* this process's */
	struct file_helper *helper;
};

/* Where a root's working directory is looked for. */
struct folder_question {
	uint32_t pids[2];
	char cwd[4096]; /* "": not by its path */
};

struct rule_names *rule_names_new(struct file_helper *helper)
{
	struct rule_names *names = calloc(1, sizeof(*names));
	struct stat mounts;

	if (names && stat("/proc/self/ns/mnt", &mounts) == 0)
		names->mnt_ns = (uint32_t)mounts.st_ino;
	if (names)
		names->helper = helper;
	return names;
}

static void drop_attribution(struct tree *tree, struct attribution *attribution)
{
	tree_exit(tree, attribution, 0, 0, 0); /* it is no root: nothing ends */
}

static void drop_task(struct rule_names *names, struct tree *tree, struct waiting_task *task)
{
	drop_attribution(tree, &task->attribution);
	task->run = NULL;
	names->task_count--;
}

static void drop_run(struct rule_names *names, struct tree *tree, struct waiting_run *run)
{
	for (size_t i = 0; i < RULE_NAMES_TASKS; i++) {
		struct waiting_task *task = &names->tasks[i];

		if (task->run != run)
			continue;
		output_names_infer(tree, &task->attribution);
		drop_task(names, tree, task);
	}
	output_names_close(&run->attribution);
	drop_attribution(tree, &run->attribution);
	close(run->folder);
	*run = (struct waiting_run){ 0 };
	names->run_count--;
}

void rule_names_free(struct rule_names *names, struct tree *tree)
{
	for (size_t i = 0; names && i < RULE_NAMES_RUNS; i++)
		if (names->runs[i].used)
			drop_run(names, tree, &names->runs[i]);
	free(names);
}

static struct waiting_run *find_run(struct rule_names *names, const struct run *run)
{
	for (size_t i = 0; i < RULE_NAMES_RUNS && names->run_count > 0; i++)
		if (names->runs[i].used && names->runs[i].attribution.run == run)
			return &names->runs[i];
	return NULL;
}

static int open_cwd(uint32_t pid)
{
	char path[64];

	(void)snprintf(path, sizeof(path), "/proc/%u/cwd", pid);
	return open(path, O_PATH | O_DIRECTORY | O_CLOEXEC);
}

static int open_folder(const void *about, int none, void *nothing, size_t size, int *ret_folder)
{
	const struct folder_question *question = about;
	int folder = open_cwd(question->pids[0]);

	if (folder < 0)
		folder = open_cwd(question->pids[1]);
	if (folder < 0 && *question->cwd == '/')
		folder = open(question->cwd, O_PATH | O_DIRECTORY | O_CLOEXEC);
	*ret_folder = folder;
	return folder < 0 ? -errno : 0;
}

/* A run of less than the agent's poll interval is over before it is looked at. */
static int ask_for_folder(const struct rule_names *names, const struct rule_names_root *root,
			  uint64_t place)
{
	struct folder_question question = { .pids = { root->pid, root->ppid } };
	struct file_helper_question asked = { .read = open_folder,
					      .about = &question,
					      .len = sizeof(question),
					      .folder = -1,
					      .place = place };
	int folder = -1;
	char nothing;

	if (root->cwd && root->mnt_ns == names->mnt_ns && strlen(root->cwd) < sizeof(question.cwd))
		memcpy(question.cwd, root->cwd, strlen(root->cwd));
	return file_helper_ask(names->helper, &asked, &nothing, sizeof(nothing), &folder) < 0
		       ? -1
		       : folder;
}

void rule_names_begin(struct rule_names *names, struct tree *tree,
		      const struct rule_names_root *root)
{
	const struct attribution *attribution = root->attribution;
	struct attribution run = { .run = attribution->run };
	struct waiting_run *free_run = NULL;

	if (!attribution->root || !output_names_is_recorded(attribution) ||
	    find_run(names, attribution->run))
		return;
	for (size_t i = 0; i < RULE_NAMES_RUNS && !free_run; i++)
		if (!names->runs[i].used)
			free_run = &names->runs[i];
	if (!free_run)
		return;
	free_run->place = file_helper_place(root->cwd ? root->cwd : "");
	free_run->folder = ask_for_folder(names, root, free_run->place);
	if (free_run->folder < 0)
		return;
	tree_fork(tree, &run, &free_run->attribution);
	free_run->used = true;
	names->run_count++;
}

void rule_names_end(struct rule_names *names, struct tree *tree, const struct rule_names_root *root,
		    uint64_t now_ns)
{
	const struct attribution *attribution = root->attribution;
	struct waiting_task *task = names->tasks;
	struct waiting_run *run;

	if (!attribution->root || !output_names_is_recorded(attribution))
		return;
	rule_names_begin(names, tree, root);
	run = find_run(names, attribution->run);
	if (!run || names->task_count == RULE_NAMES_TASKS)
		return;
	while (task->run)
		task++;
	*task = (struct waiting_task){ .run = run,
				       .uid = root->uid,
				       .ended_ns = now_ns,
				       .next_ns = now_ns,
				       .wait_ns = FIRST_WAIT_NS };
	tree_fork(tree, attribution, &task->attribution);
	names->task_count++;
}

/* Whether a record named it. */
static bool look(const struct rule_names *names, struct tree *tree, struct waiting_task *task)
{
	char path[OUTPUT_PATH_LIMIT], rule[RULE_NAME_BYTES];

	for (size_t i = 0; output_names_record(&task->attribution, i, path); i++) {
		if (!*path ||
		    output_record_ask(names->helper, task->run->place, task->run->folder, path,
				      task->uid, output_names_since(&task->attribution), rule) < 0)
			continue;
		output_names_apply(tree, &task->attribution, rule);
		return true;
	}
	return false;
}

static void look_for_task(struct rule_names *names, struct tree *tree, struct waiting_task *task,
			  uint64_t now_ns)
{
	bool run_over = task->run->over_ns != 0;

	if (!run_over && now_ns < task->next_ns)
		return;
	if (!output_names_is_recorded(&task->attribution) || look(names, tree, task)) {
		drop_task(names, tree, task);
		return;
	}
	task->next_ns = now_ns - task->ended_ns < LOOK_FOR_NS ? now_ns + task->wait_ns : UINT64_MAX;
	task->wait_ns *= 2;
}

void rule_names_look(struct rule_names *names, struct tree *tree, uint64_t now_ns)
{
	if (names->run_count == 0)
		return;
	for (size_t i = 0; i < RULE_NAMES_RUNS; i++)
		if (names->runs[i].used && !names->runs[i].over_ns &&
		    output_names_run_is_over(&names->runs[i].attribution))
			names->runs[i].over_ns = now_ns;
	for (size_t i = 0; i < RULE_NAMES_TASKS && names->task_count > 0; i++)
		if (names->tasks[i].run)
			look_for_task(names, tree, &names->tasks[i], now_ns);
	for (size_t i = 0; i < RULE_NAMES_RUNS; i++)
		if (names->runs[i].over_ns && now_ns - names->runs[i].over_ns >= AFTER_RUN_NS)
			drop_run(names, tree, &names->runs[i]);
}
