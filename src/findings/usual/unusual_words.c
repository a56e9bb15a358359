/* SPDX-License-Identifier: Apache-2.0 */
#include "findings/usual/unusual_words.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buffer.h"
#include "base/cleanup.h"
#include "base/text.h"

struct words {
	const char *kind;
	bool warns;
	const char *figure, *advice;
	/* NULL: compared with what is usual. */
	char *(*write)(const struct unusual *unusual);
	const char *headline; /* behind "`STEP` " and before a factor; NULL: none */
	const char *headline_end;
};

#define VALUE_SIZE 48

/* How values of a unit are written. */
static void write_ns(double value, char text[VALUE_SIZE])
{
	text_duration((uint64_t)value, text, VALUE_SIZE);
}

static void write_bytes(double value, char text[VALUE_SIZE])
{
	text_bytes((uint64_t)value, text, VALUE_SIZE);
}

static void write_rate(double value, char text[VALUE_SIZE])
{
	char bytes[32];

	(void)snprintf(text, VALUE_SIZE, "%s/s", text_bytes((uint64_t)value, bytes, sizeof(bytes)));
}

static const char *value_text(const struct unusual *unusual, double value, char text[VALUE_SIZE])
{
	static void (*const WRITE[])(double, char[VALUE_SIZE]) = {
		[FIGURE_NS] = write_ns,
		[FIGURE_BYTES] = write_bytes,
		[FIGURE_BYTES_PER_S] = write_rate,
	};

	WRITE[step_figure_unit(unusual->kind->figure)](value > 0 ? value : 0, text);
	return text;
}

static const char *name_of(const struct step_task *task)
{
	return *task->name ? task->name : task->id;
}

static char *write_compared(const struct unusual *unusual, const struct words *words)
{
	char value[VALUE_SIZE], low[VALUE_SIZE], high[VALUE_SIZE];
	struct buffer out;

	buffer_init(&out, 4096);
	value_text(unusual, unusual->value, value);
	value_text(unusual, unusual->typical_low, low);
	value_text(unusual, unusual->typical_high, high);
	if (unusual->task)
		buffer_printf(&out, "The %s of its task %s", words->figure, name_of(unusual->task));
	else
		buffer_printf(&out, "Its %s", words->figure);
	buffer_printf(&out, " %s %s%s", unusual->so_far ? "is, so far," : "was", value,
		      !unusual->task && unusual->tasks > 1 ? " at the median of its tasks" : "");
	buffer_printf(&out, "; usual is %s to %s for such inputs (%zu earlier run%s).", low, high,
		      unusual->history_runs, unusual->history_runs == 1 ? "" : "s");
	return buffer_take(&out);
}

static char *write_retries(const struct unusual *unusual)
{
	char *text = NULL;
	int len = asprintf(&text,
			   "%.0f of its attempts ran out of memory or time; usual is %.1f (%zu "
			   "earlier runs).",
			   unusual->value, unusual->typical_median, unusual->history_runs);

	return len < 0 ? NULL : text;
}

static char *write_memory_request(const struct unusual *unusual)
{
	char used[32], asked[32], *text = NULL;
	int len = asprintf(&text,
			   "Its task %s used %s of memory and had asked for %s; %zu of its tasks "
			   "overran their request.",
			   name_of(unusual->task),
			   text_bytes((uint64_t)unusual->value, used, sizeof(used)),
			   text_bytes((uint64_t)unusual->typical_median, asked, sizeof(asked)),
			   unusual->tasks);

	return len < 0 ? NULL : text;
}

static char *write_cpu_request(const struct unusual *unusual)
{
	const struct step_task *task = unusual->task;
	char *text = NULL;
	int len = asprintf(&text,
			   "Its task %s kept %.1f CPUs busy and had asked for %g; %zu of its tasks "
			   "overran their request.",
			   name_of(task), task->cpu_ns / task->wall_ns, task->cpus_requested,
			   unusual->tasks);

	return len < 0 ? NULL : text;
}

/* Each kind of unusual_kind.c: what its figure is called, and what to look at. */
static const struct words WORDS[] = {
	{ "slower_than_usual", true, "wall time",
	  "Compare the run with the one before (tracer diff): what differs is named there.", NULL,
	  "took", "times as long as usual" },
	{ "disk_wait_unusual", true, "wait for storage",
	  "Look at the file system that it reads and writes, and at what else used it then.", NULL,
	  "waited", "times as long for storage as usual" },
	{ "network_wait_unusual", true, "wait for the network",
	  "Look at the peers that it talked to, and at the network of its host.", NULL, "waited",
	  "times as long for the network as usual" },
	{ "cpu_wait_unusual", true, "wait for a CPU",
	  "Look at what else ran on its host then: fewer tasks at once, or a host with more CPUs.",
	  NULL, "waited", "times as long for a CPU as usual" },
	{ "throughput_dropped", true, "throughput",
	  "Compare its waits with those of the run before (tracer diff).", NULL, NULL, NULL },
	{ "cpu_unusual", false, "CPU time",
	  "Compare versions, options and inputs with those of the run before (tracer diff).", NULL,
	  NULL, NULL },
	{ "memory_unusual", false, "peak memory",
	  "Compare versions, options and inputs with those of the run before (tracer diff).", NULL,
	  NULL, NULL },
	{ "disk_read_unusual", false, "reading from storage",
	  "Compare its inputs with those of the run before; files that were in the page cache are "
	  "not read from storage.",
	  NULL, NULL, NULL },
	{ "disk_write_unusual", false, "writing to storage",
	  "Compare its outputs with those of the run before.", NULL, NULL, NULL },
	{ "network_unusual", false, "network traffic",
	  "Compare its inputs with those of the run before.", NULL, NULL, NULL },
	{ "retries_unusual", true, "attempts that ran out of memory or time",
	  "Request what the failed attempts needed (tracer tune).", write_retries, NULL, NULL },
	{ "memory_request_overrun", true, "peak memory",
	  "It used more than it asked for, and no limit ended it: elsewhere one may. Request what "
	  "it needs.",
	  write_memory_request, NULL, NULL },
	{ "cpu_request_overrun", false, "CPUs in use",
	  "It used more CPUs than it asked for: other tasks on its host had fewer. Request what it "
	  "uses, or give the program as many threads as it asked for.",
	  write_cpu_request, NULL, NULL },
};

static const struct words *words_of(const struct unusual *unusual)
{
	for (size_t i = 0; i < sizeof(WORDS) / sizeof(WORDS[0]); i++)
		if (strcmp(WORDS[i].kind, unusual->kind->name) == 0)
			return &WORDS[i];
	return NULL;
}

char *unusual_words(const struct unusual *unusual)
{
	const struct words *words = words_of(unusual);

	if (!words)
		return strdup(unusual->kind->name);
	return words->write ? words->write(unusual) : write_compared(unusual, words);
}

char *unusual_headline(const char *step, const struct unusual *unusual)
{
	const struct words *words = words_of(unusual);
	char *text = NULL;

	if (!words || !words->headline || unusual->task || !unusual->above ||
	    !(unusual->typical_median > 0))
		return NULL;
	if (asprintf(&text, "`%s` %s %.1f %s", step, words->headline,
		     unusual->value / unusual->typical_median, words->headline_end) < 0)
		return NULL;
	return text;
}

const char *unusual_advice(const struct unusual *unusual)
{
	const struct words *words = words_of(unusual);

	return words ? words->advice : "";
}

bool unusual_warns(const struct unusual *unusual)
{
	const struct words *words = words_of(unusual);

	return words && words->warns;
}

bool unusual_is_alone(const struct unusual *unusual)
{
	const struct words *words = words_of(unusual);

	return words && words->write;
}
