/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How fast recorded processes become runs and tasks, and what that holds of memory:
 *
 *     tree_driver TRACE COUNT
 *
 * TRACE: runs, each a record "run" and what its processes did (`verbs`). They are played again and
 * again, LANES of them at once, each with process ids and times of its own, until COUNT processes
 * have been. The tree is used as the agent does: changes are drained after every few events, and
 * every second it is settled; who ended is forgotten a while later. It ends only when nothing is
 * left over. Writes how many processes and runs there were, how many changes were drained, and what
 * that took.
 */
#include "correlate/rules/rules.h"
#include "correlate/tree/tree.h"
#include "correlate/tree/tree_private.h"
#include "records.h"

#define LANES      16
#define SHAPES     64
#define PIDS       512        /* of a run */
#define PID_MAX    4194304    /* of the kernel */
#define EVENT_NS   1000000ULL /* from one event to the next */
#define WORDS      6
#define POLL       32   /* events that come together */
#define TURN       1000 /* events between two looks of the agent */
#define LINGER     2000 /* events that an ended process is kept for */
#define TREE_RUNS  1024
#define TREE_TASKS 16384

struct process {
	struct attribution attribution;
	uint32_t parent, parent_tid;
	uint64_t start_ns, image_seq;
};

/* What one process of a run did; its words as `verbs` have them. */
struct lane;
struct event {
	void (*play)(struct lane *lane, const struct event *event);
	uint32_t numbers[WORDS]; /* the first of its words as such: pids are of its run */
	const char *const *words;
	size_t count;
};

struct lane {
	const struct event *at, *end;
	uint32_t first_pid;
	struct process processes[PIDS];
};

static struct {
	struct rules *rules;
	struct tree *tree;
	struct event *trace;
	size_t shapes[SHAPES + 1], shape_count; /* where each run begins in the trace */
	struct lane lanes[LANES];
	struct attribution ended[LINGER];
	uint64_t events, begun, processes, wanted, runs_ended, changes;
	size_t checked; /* of what was handed out, so that it is read */
} world;

static uint32_t pid_of(const struct lane *lane, const struct process *process)
{
	return lane->first_pid + (uint32_t)(process - lane->processes);
}

/* fork PARENT CHILD unknown|main|worker */
static void play_fork(struct lane *lane, const struct event *event)
{
	struct process *parent = &lane->processes[event->numbers[1]];
	struct process *child = &lane->processes[event->numbers[2]];
	char thread = *event->words[3];

	*child = (struct process){ .parent = (uint32_t)(parent - lane->processes),
				   .start_ns = world.events * EVENT_NS,
				   .image_seq = parent->image_seq };
	if (thread != 'u')
		child->parent_tid = pid_of(lane, parent) + (thread == 'w');
	tree_fork(world.tree, &parent->attribution, &child->attribution);
	world.processes++;
}

/* exec PID CWD DRIVER PIPE_IN PIPE_OUT EXE ARGV… */
static void play_exec(struct lane *lane, const struct event *event)
{
	const char *const *words = event->words;
	struct process *process = &lane->processes[event->numbers[1]];
	struct process *parent = &lane->processes[process->parent];
	struct tree_image image = {
		.pid = pid_of(lane, process),
		.ppid = process->parent ? pid_of(lane, parent) : 1,
		.parent_tid = process->parent_tid,
		.parent_start_ns = parent->start_ns,
		.image_seq = ++process->image_seq,
		.cwd = words[2],
		.root_kind = (enum run_root_kind)event->numbers[3],
		.pipes = { event->numbers[4], event->numbers[5] },
		.exe = words[6],
		.argv = words + 7,
		.masked = words + 7, /* a record's arguments are */
		.argc = event->count - 7,
		.uid = 1000,
		.user = "ada",
		.cgroup_id = 7,
		.started_at = (int64_t)(world.events * EVENT_NS),
	};
	char tool[256];

	if (!process->start_ns) { /* the root of a run */
		process->start_ns = world.events * EVENT_NS;
		world.processes++;
	}
	image.start_ns = process->start_ns;
	tree_exec(world.tree, &process->attribution, process->parent ? &parent->attribution : NULL,
		  &image, tool, sizeof(tool));
	world.checked += strlen(tool);
}

/* file PID TEXT: what its engine wrote beside it */
static void play_file(struct lane *lane, const struct event *event)
{
	struct process *process = &lane->processes[event->numbers[1]];

	need(tree_task_file(&process->attribution) != NULL, "no file is asked for");
	tree_task_text(world.tree, &process->attribution, event->words[2]);
}

/* exit PID CODE SIGNAL: its place is kept for a while, as for a late record. */
static void play_exit(struct lane *lane, const struct event *event)
{
	struct process *process = &lane->processes[event->numbers[1]];
	struct attribution *late = &world.ended[world.events % LINGER];

	tree_fork(world.tree, &process->attribution, late);
	tree_exit(world.tree, &process->attribution, (int)event->numbers[2], (int)event->numbers[3],
		  (int64_t)(world.events * EVENT_NS));
	*process = (struct process){ 0 };
}

static const struct verb {
	const char *name;
	void (*play)(struct lane *lane, const struct event *event);
} verbs[] = {
	{ "fork", play_fork }, { "exec", play_exec }, { "file", play_file }, { "exit", play_exit }
};

static void play_event(struct lane *lane)
{
	const struct event *event = lane->at++;

	/* Who ended so long ago is forgotten: its place comes free for this event's. */
	tree_exit(world.tree, &world.ended[world.events % LINGER], 0, 0, 0);
	event->play(lane, event);
	world.events++;
}

/* The next run begins in a lane, unless there were enough processes. */
static void begin(struct lane *lane)
{
	size_t shape = world.begun % world.shape_count;

	if (world.processes >= world.wanted)
		return;
	memset(lane->processes, 0, sizeof(lane->processes));
	lane->at = &world.trace[world.shapes[shape]];
	lane->end = &world.trace[world.shapes[shape + 1]];
	lane->first_pid = 2 + (uint32_t)(world.begun * PIDS % (PID_MAX - PIDS));
	world.begun++;
}

static void drain(void)
{
	const Signal__Run *run;
	const Signal__Task *task;

	while (tree_next_change(world.tree, &run, &task)) {
		world.changes++;
		world.runs_ended += run && run->ended_at;
		world.checked += strlen(run ? run->name : task->name);
	}
}

/* false: all lanes have ended. */
static int play_round(void)
{
	int plays = 0;

	for (size_t i = 0; i < LANES; i++) {
		struct lane *lane = &world.lanes[i];

		if (lane->at == lane->end)
			begin(lane);
		if (lane->at == lane->end)
			continue;
		plays = 1;
		play_event(lane);
		if (world.events % TURN == 0)
			tree_settle(world.tree);
		if (world.events % POLL == 0)
			drain();
	}
	return plays;
}

/* All that is left comes to its end: nothing may be. */
static void finish(void)
{
	for (size_t i = 0; i < LINGER; i++)
		tree_exit(world.tree, &world.ended[i], 0, 0, 0);
	for (int i = 0; i < 3; i++) {
		tree_settle(world.tree);
		drain();
	}
	need(!world.tree->entities.all && !tree_refused(world.tree) &&
		     world.runs_ended == world.begun,
	     "runs or tasks were refused, or are left over");
}

static struct event event_of(const struct record *record)
{
	struct event event = { .words = record->words, .count = record->count };
	size_t i = 0;

	while (strcmp(verbs[i].name, record->words[0]) != 0)
		need(++i < sizeof(verbs) / sizeof(*verbs), record->words[0]);
	event.play = verbs[i].play;
	for (size_t word = 0; word < WORDS && word < record->count; word++)
		event.numbers[word] = (uint32_t)strtoul(record->words[word], NULL, 10);
	need(event.numbers[1] < PIDS, "a process id beyond the room there is");
	need(event.play != play_fork || event.numbers[2] < PIDS, "too many processes");
	return event;
}

static void read_trace(const char *path)
{
	struct records records = records_read(path);
	size_t count = 0;

	world.trace = calloc(records.count + 1, sizeof(*world.trace));
	need(world.trace != NULL, "no memory");
	for (size_t i = 0; i < records.count; i++) {
		if (strcmp(records.items[i].words[0], "run") != 0) {
			world.trace[count++] = event_of(&records.items[i]);
			continue;
		}
		need(world.shape_count < SHAPES, "too many runs");
		world.shapes[world.shape_count++] = count;
	}
	need(count > 0 && world.shape_count > 0, "no runs");
	world.shapes[world.shape_count] = count;
}

/* Of this program, not of what started it (getrusage() counts both). */
static long peak_kib(void)
{
	char *text, *at;
	size_t len;

	need(file_read(AT_FDCWD, "/proc/self/status", FILE_LIMIT, &text, &len) == 0, "status");
	at = strstr(text, "VmHWM:");
	return at ? strtol(at + strlen("VmHWM:"), NULL, 10) : 0;
}

int main(int argc, char **argv)
{
	struct error err;
	long long began, cpu_ns;

	if (argc != 3)
		return 2;
	read_trace(argv[1]);
	world.wanted = strtoul(argv[2], NULL, 10);
	if (rules_new(&world.rules, &err))
		need(0, error_text(&err));
	need(!tree_new(&world.tree, world.rules, "host", TREE_RUNS, TREE_TASKS), "no memory");
	began = now_ns(CLOCK_PROCESS_CPUTIME_ID);
	while (play_round())
		;
	finish();
	cpu_ns = now_ns(CLOCK_PROCESS_CPUTIME_ID) - began;
	printf("%lu processes %lu runs %lu changes %lld cpu_ns %ld peak_kib\n", world.processes,
	       world.begun, world.changes, cpu_ns, peak_kib());
	tree_free(world.tree);
	rules_free(world.rules);
	return world.checked == 0;
}
