#include "collect/record.h"
#include "collect/tracker.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/log.h"
#include "base/text.h"
#include "collect/container.h"
#include "collect/failure.h"
#include "collect/io.h"
#include "collect/network.h"
#include "collect/syscalls.h"
#include "collect/scan.h"

int tracker_new(struct tracker **ret, const char *host_id, struct rules *rules,
		struct outbox *outbox, size_t process_limit, struct error *err)
{
	struct tracker *tracker = calloc(1, sizeof(*tracker));
	int result;

	if (!tracker)
		return error_set(err, -ENOMEM, "no memory for the process table");
	tracker->rules = rules;
	tracker->outbox = outbox;
	tracker->process_limit = process_limit;
	tracker->offset_ns = clock_boot_offset_ns();
	tracker->images = images_new(TRACKER_IMAGE_BYTES);
	tracker->table = table_new(process_limit, tracker->images);
	tracker->users = users_new("/etc/passwd");
	result = cgroups_new(&tracker->cgroups, err);
	if (result == 0)
		result = tree_new(&tracker->tree, rules, host_id, TRACKER_RUNS, TRACKER_TASKS);
	if (!tracker->images || !tracker->table || !tracker->users)
		result = error_set(err, -ENOMEM, "no memory for the process table");
	if (result < 0) {
		tracker_free(tracker);
		return result;
	}
	*ret = tracker;
	return 0;
}

void tracker_free(struct tracker *tracker)
{
	if (!tracker)
		return;
	table_free(tracker->table);
	images_free(tracker->images);
	tree_free(tracker->tree);
	cgroups_free(tracker->cgroups);
	users_free(tracker->users);
	free(tracker->args);
	free(tracker);
}

int64_t tracker_real(const struct tracker *tracker, uint64_t boot_ns)
{
	return (int64_t)boot_ns + tracker->offset_ns;
}

int64_t tracker_now(const struct tracker *tracker)
{
	return tracker_real(tracker, clock_boot_ns());
}

/* The place of an ended process is given back: it was kept for the ids in a late record. */
static void forget(struct tracker *tracker, struct process *process)
{
	tree_exit(tracker->tree, &process->place, process->exit_code, process->signal,
		  process_ended_at(process));
	table_remove(tracker->table, process);
}

static void forget_ended(struct process *process, void *context)
{
	if (process->ended_ns)
		forget(context, process);
}

/* A process begins, as a copy of its parent. The table may forget ended ones for it, so the parent
 * is looked up behind that. NULL: no room. */
static struct process *begin(struct tracker *tracker, const struct probe_key *key,
			     const struct probe_key *parent_key, uint64_t at_ns)
{
	static const struct place nowhere;
	struct process *process = table_add(tracker->table, key), *parent;

	if (!process && table_live(tracker->table) < table_count(tracker->table)) {
		table_visit(tracker->table, forget_ended, tracker);
		process = table_add(tracker->table, key);
	}
	if (!process) {
		tracker->counts.refused++;
		return NULL;
	}
	parent = table_get(tracker->table, parent_key);
	process->parent = *parent_key;
	process->image_at_ns = at_ns;
	process->started_at = tracker_real(tracker, at_ns);
	process->tick = tracker->tick;
	process->pending = true;
	tree_fork(tracker->tree, parent ? &parent->place : &nowhere, &process->place);
	if (parent) {
		process->image = image_share(parent->image);
		process->own = parent->own;
		process->pid_ns = parent->pid_ns;
		process->mnt_ns = parent->mnt_ns;
	}
	return process;
}

static void on_fork(void *context, const struct probe_fork *fork)
{
	struct tracker *tracker = context;
	struct process *process;

	tracker->counts.forks++;
	if (table_get(tracker->table, &fork->key))
		return; /* the scan found it first */
	process = begin(tracker, &fork->key, &fork->parent, fork->at_ns);
	if (!process)
		return;
	process->image_seq = fork->image_seq;
	process->uid = fork->uid;
	process->cgroup_id = fork->cgroup_id;
	container_note(tracker, fork->cgroup_id, fork->key.pid);
}

static bool runs_command(const struct probe_image *image)
{
	return strcmp(text_basename(image->exe), "tracer") == 0 && image->argc > 1 &&
	       strcmp(image->argv[1], "run") == 0;
}

static bool is_own(const struct probe_image *image)
{
	const char *name = text_basename(image->exe);

	return strcmp(name, "tracer-lake") == 0 || strcmp(name, "tracer-gpu") == 0 ||
	       (strcmp(name, "tracer") == 0 && !runs_command(image));
}

bool tracker_is_noise(const struct process *process)
{
	return process->own && !process->place.run;
}

static void count_work(struct process *process, void *context)
{
	size_t *count = context;

	*count += !process->ended_ns && !tracker_is_noise(process);
}

size_t tracker_live(const struct tracker *tracker)
{
	size_t count = 0;

	table_visit(tracker->table, count_work, &count);
	return count;
}

/* A process that was found may have been begun by `tracer run`: that image goes first. */
static void replay_begun(struct tracker *tracker, struct process *process,
			 const struct place *parent, const struct tree_image *now)
{
	struct begun_image saved;
	char tool[256];

	if (begun_get(tracker->begun, &process->key, &saved) < 0)
		return;
	saved.image.parent_start_ns = now->parent_start_ns;
	saved.image.cgroup_id = now->cgroup_id;
	saved.image.user = users_name(tracker->users, saved.image.uid);
	if (saved.image.image_seq < now->image_seq)
		tree_exec(tracker->tree, &process->place, parent, &saved.image, tool, sizeof(tool));
	begun_image_clear(&saved);
}

/* With the arguments as they are masked in the process's image. */
static void keep_begun(struct tracker *tracker, const struct image *image,
		       const struct tree_image *seen)
{
	struct tree_image masked = *seen;
	char **argv = calloc(image_argc(image) + 1, sizeof(*argv));
	int result;

	if (!argv)
		return;
	image_argv(image, argv);
	masked.exe = image_exe(image);
	masked.cwd = image_cwd(image);
	masked.argv = (const char *const *)argv;
	masked.argc = image_argc(image);
	result = begun_keep(tracker->begun, &masked);
	if (result < 0)
		log_warning("the run of pid %u would be lost if the agent were killed: %s",
			    seen->pid, strerror(-result));
	free(argv);
}

static void name_image(struct tracker *tracker, struct process *process,
		       const struct probe_image *image)
{
	struct process *parent = table_get(tracker->table, &image->parent);
	const struct place *place = parent ? &parent->place : NULL;
	struct image_text words = { .exe = image->exe,
				    .cwd = image->cwd,
				    .argv = image->argv,
				    .argc = image->argc,
				    .argv_missing_bytes = image->argv_missing_bytes };
	struct tree_image seen = { .pid = image->key.pid,
				   .ppid = image->parent.pid,
				   .start_ns = image->key.start_ns,
				   .parent_start_ns = image->parent.start_ns,
				   .parent_tid = image->parent_tid,
				   .image_seq = image->image_seq,
				   .exe = image->exe,
				   .cwd = image->cwd,
				   .argv = image->argv,
				   .argc = image->argc,
				   .uid = image->uid,
				   .cgroup_id = image->cgroup_id,
				   .started_at = process->started_at };
	char tool[256] = "";

	if (image->found)
		replay_begun(tracker, process, place, &seen);
	/* users_name gives one name at a time. */
	seen.user = users_name(tracker->users, image->uid);
	tree_exec(tracker->tree, &process->place, place, &seen, tool, sizeof(tool));
	words.tool = tool;
	images_release(tracker->images, process->image);
	process->image = images_take(tracker->images, &words);
	process->own = is_own(image);
	if (process->image && runs_command(image))
		keep_begun(tracker, process->image, &seen);
}

void tracker_image(void *context, const struct probe_image *image)
{
	struct tracker *tracker = context;
	struct process *process = table_get(tracker->table, &image->key);

	tracker->counts.images++;
	if (!process) {
		process = begin(tracker, &image->key, &image->parent, image->at_ns);
		if (!process)
			return;
		process->image_seq = image->replaced ? image->replaced_image_seq : image->image_seq;
	}
	if (image->replaced && image->replaced_image_seq == process->image_seq)
		ending_reading(tracker, process, &image->replaced_figures);
	if (image->image_seq != process->image_seq)
		ending_image(tracker, process, image->at_ns);
	process->image_seq = image->image_seq;
	if (!process->carries) {
		process->image_at_ns = image->at_ns;
		process->started_at = tracker_real(tracker, image->at_ns);
	}
	process->parent = image->parent;
	process->uid = image->uid;
	process->cgroup_id = image->cgroup_id;
	process->pid_ns = (uint32_t)image->pid_ns;
	process->mnt_ns = (uint32_t)image->mnt_ns;
	process->executed = process->pending = true;
	process->found = process->baseline = image->found;
	container_note(tracker, image->cgroup_id, image->key.pid);
	name_image(tracker, process, image);
	container_used(tracker, process);
}

static void on_image(void *context, const struct probe_image *image)
{
	struct tracker *tracker = context;

	if (tracker->scan)
		scan_keep(tracker->scan, image);
	else
		tracker_image(tracker, image);
}

static bool is_known(void *context, const struct probe_key *key)
{
	const struct tracker *tracker = context;

	return begun_has(tracker->begun, key);
}

struct probe_handler tracker_handler(struct tracker *tracker)
{
	return (struct probe_handler){ .on_fork = on_fork,
				       .on_image = on_image,
				       .on_kill = failure_kill,
				       .on_attempt = failure_attempt,
				       .on_exit = ending_exit,
				       .on_residual = ending_residual,
				       .on_network = network_moved,
				       .on_io = io_came_back,
				       .on_alive = sampler_alive,
				       .on_cgroup = container_cgroup,
				       .on_file = files_used,
				       .on_syscall = syscalls_made,
				       .is_known = is_known,
				       .context = tracker };
}

void tracker_drain(struct tracker *tracker)
{
	const Signal__Run *run;
	const Signal__Task *task;

	while (tree_next_change(tracker->tree, &run, &task))
		outbox_add(tracker->outbox, run ? &run->base : &task->base);
}

static void report_again(struct process *process, void *context)
{
	process->pending = true;
}

void tracker_retell(struct tracker *tracker)
{
	container_retell(tracker);
	tree_retell(tracker->tree);
	tracker_drain(tracker);
	table_visit(tracker->table, report_again, NULL);
}

struct report {
	struct tracker *tracker;
	uint64_t now_ns;
};

static void report_one(struct process *process, void *context)
{
	const struct report *report = context;
	struct tracker *tracker = report->tracker;
	uint64_t now = report->now_ns;

	if (process->ended_ns) {
		if (now - process->ended_ns >= TRACKER_LINGER_NS)
			forget(tracker, process);
		return;
	}
	if (process->pending &&
	    (process->executed || now - process->image_at_ns >= TRACKER_FORK_NS))
		record_execution(tracker, process, "running");
}

void tracker_report(struct tracker *tracker)
{
	struct report report = { .tracker = tracker, .now_ns = clock_boot_ns() };

	table_visit(tracker->table, report_one, &report);
}
