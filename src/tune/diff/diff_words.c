/* SPDX-License-Identifier: Apache-2.0 */
#include "tune/diff/diff_words.h"

#include <inttypes.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"

#define STEPS_SAID 3
#define HARDLY     0.02 /* of the longer run: so much slower is as long as before */

void diff_say_ns(int64_t ns, struct buffer *out)
{
	char text[32];
	uint64_t size = ns < 0 ? -(uint64_t)ns : (uint64_t)ns;

	buffer_printf(out, "%s%s",
		      ns > 0   ? "+"
		      : ns < 0 ? "-"
			       : "",
		      ns ? text_duration(size, text, sizeof(text)) : "0 s");
}

/* Lists of tools, and of their arguments (lake: task_tools_by_run). */
#define ITEM_MOST 60 /* bytes of an item that are said */

static size_t item_len(const char *item)
{
	return strcspn(item, ",;");
}

/* At most so many bytes, without a part of a character at the end. */
static size_t whole_characters(const char *text, size_t most)
{
	while (most && ((unsigned char)text[most] & 0xc0) == 0x80)
		most--;
	return most;
}

/* NULL: it was the last one. */
static const char *next_item(const char *item)
{
	item += item_len(item);
	return *item ? item + 1 + strspn(item + 1, " ") : NULL;
}

static bool has_item(const char *list, const char *item)
{
	size_t len = item_len(item);

	for (const char *at = list; at; at = next_item(at))
		if (item_len(at) == len && strncmp(at, item, len) == 0)
			return true;
	return false;
}

/* The items of a list that the other does not have. */
static void say_items(const char *list, const char *other, struct buffer *out)
{
	bool any = false;

	for (const char *at = list; at; at = next_item(at)) {
		size_t len = item_len(at);

		if (has_item(other, at))
			continue;
		buffer_append_text(out, any ? ", " : "");
		buffer_append(out, at, len < ITEM_MOST ? len : whole_characters(at, ITEM_MOST));
		buffer_append_text(out, len < ITEM_MOST ? "" : "…");
		any = true;
	}
	if (!any)
		buffer_append_text(out, "none");
}

static void say_texts(const struct step_fact *fact, struct buffer *out)
{
	say_items(fact->to_text, fact->from_text, out);
	buffer_append_text(out, " instead of ");
	say_items(fact->from_text, fact->to_text, out);
}

static void say_count(double value, struct buffer *out)
{
	buffer_printf(out, value == round(value) ? "%.0f" : "%.1f", value);
}

static void say_bytes(double value, struct buffer *out)
{
	char text[32];

	buffer_append_text(out, text_bytes((uint64_t)fmin(value, 1e18), text, sizeof(text)));
}

static void say_share(double value, struct buffer *out)
{
	buffer_printf(out, "%.0f %%", 100 * value);
}

static void (*const SAY_VALUE[])(double value, struct buffer *out) = {
	[FACT_COUNT] = say_count,
	[FACT_BYTES] = say_bytes,
	[FACT_SHARE] = say_share,
};

void diff_say_fact(const struct step_fact *fact, struct buffer *out)
{
	enum fact_unit unit = step_fact_unit(fact->kind);

	if (unit == FACT_TEXT) {
		buffer_append_text(out, fact->kind == FACT_HOST_TYPE ? "host: " : "");
		say_texts(fact, out);
		return;
	}
	if (unit != FACT_SHARE)
		buffer_printf(out, "%s: ", step_fact_words(fact->kind));
	SAY_VALUE[unit](fact->to, out);
	if (unit == FACT_SHARE)
		buffer_printf(out, " %s", step_fact_words(fact->kind));
	buffer_append_text(out, unit == FACT_SHARE ? ", before " : " instead of ");
	SAY_VALUE[unit](fact->from, out);
}

static void say_new(const struct step_diff *step, struct buffer *out)
{
	(void)step;
	buffer_append_text(out, "a new step");
}

static void say_removed(const struct step_diff *step, struct buffer *out)
{
	(void)step;
	buffer_append_text(out, "a step that is no longer there");
}

static void say_tasks(const struct step_diff *step, struct buffer *out)
{
	if (!step->paths[0].tasks || !step->paths[1].tasks) {
		buffer_append_text(out, step->paths[1].tasks ? "the run did not wait for it before"
							     : "the run no longer waits for it");
		return;
	}
	buffer_printf(out, "the run waited for %zu of its tasks one after the other instead of %zu",
		      step->paths[1].tasks, step->paths[0].tasks);
}

static void say_input(const struct step_diff *step, struct buffer *out)
{
	buffer_append_text(out, "input: ");
	say_bytes(step->paths[1].input_bytes / (double)step->paths[1].tasks, out);
	buffer_append_text(out, " a task instead of ");
	say_bytes(step->paths[0].input_bytes / (double)step->paths[0].tasks, out);
}

static void (*const SAY_FACTOR[DIFF_FACTORS])(const struct step_diff *step, struct buffer *out) = {
	[DIFF_NEW] = say_new,
	[DIFF_REMOVED] = say_removed,
	[DIFF_TASKS] = say_tasks,
	[DIFF_INPUT] = say_input,
};

static void say_factor(const struct step_diff *step, struct buffer *out)
{
	SAY_FACTOR[step->reason.factor](step, out);
}

static void say_facts(const struct step_diff *step, struct buffer *out)
{
	const struct step_reason *reason = &step->reason;

	if (reason->confidence < CONFIDENCE_HIGH)
		buffer_append_text(out,
				   reason->confidence == CONFIDENCE_LOW ? "perhaps " : "probably ");
	diff_say_fact(&step->facts[reason->fact], out);
	if (reason->second == FACT_NONE)
		return;
	buffer_append_text(out, ", or ");
	diff_say_fact(&step->facts[reason->second], out);
}

static void say_spread(const struct step_diff *step, struct buffer *out)
{
	(void)step;
	buffer_append_text(out, "its tasks differ as much within one run");
}

static void say_unknown(const struct step_diff *step, struct buffer *out)
{
	buffer_printf(out, "most of it: %s; why is not known",
		      diff_factor_words(step->reason.factor));
}

void diff_say_reason(const struct step_diff *step, struct buffer *out)
{
	static void (*const SAY[])(const struct step_diff *, struct buffer *) = {
		[REASON_FACTOR] = say_factor,
		[REASON_FACT] = say_facts,
		[REASON_SPREAD] = say_spread,
		[REASON_UNKNOWN] = say_unknown,
	};

	if (step->reason.kind != REASON_NONE)
		SAY[step->reason.kind](step, out);
}

static int64_t longer_of(const struct run_diff *diff)
{
	return diff->wall_ns[0] > diff->wall_ns[1] ? diff->wall_ns[0] : diff->wall_ns[1];
}

static void say_head(const struct run_diff *diff, struct buffer *out)
{
	char text[32];
	uint64_t size = (uint64_t)llabs(diff->difference_ns);

	if ((double)size <= HARDLY * (double)longer_of(diff)) {
		buffer_append_text(out, "as long as before");
		return;
	}
	buffer_printf(out, "%s %s", text_duration(size, text, sizeof(text)),
		      diff->difference_ns > 0 ? "slower" : "faster");
	if (diff->wall_ns[0] > 0)
		buffer_printf(out, " (%.0f %%)", 100 * (double)size / (double)diff->wall_ns[0]);
}

/* A step, or (NULL) the engine. */
struct said {
	const struct step_diff *step;
	int64_t ns;
};

static void say_engine(const struct run_diff *diff, struct buffer *out)
{
	enum diff_factor most = DIFF_CLASS_FIRST;
	int64_t ns = diff->engine[1].running_ns - diff->engine[0].running_ns;

	for (enum diff_factor i = most; i < DIFF_FACTORS; i++)
		if (ns > 0 ? diff->engine_factors[i] > diff->engine_factors[most]
			   : diff->engine_factors[i] < diff->engine_factors[most])
			most = i;
	buffer_append_text(out, "no task, but the engine ");
	diff_say_ns(ns, out);
	buffer_printf(out, " (most of it: %s)", diff_factor_words(most));
}

static void say_step(const struct step_diff *step, struct buffer *out)
{
	buffer_printf(out, "%s ", *step->name ? step->name : "(no step)");
	diff_say_ns(step->path_ns, out);
	if (step->reason.kind == REASON_NONE)
		return;
	buffer_append_text(out, " (");
	diff_say_reason(step, out);
	buffer_append_text(out, ")");
}

/* The largest parts, which count for a tenth of the largest one or more. Steps are sorted. */
static size_t find_said(const struct run_diff *diff, struct said said[STEPS_SAID])
{
	int64_t engine_ns = diff->engine[1].running_ns - diff->engine[0].running_ns;
	bool engine = engine_ns != 0;
	size_t count = 0, step = 0;

	while (count < STEPS_SAID && (engine || step < diff->step_count)) {
		struct said next = { NULL, engine_ns };

		if (step < diff->step_count &&
		    (!engine || llabs(diff->steps[step].path_ns) >= llabs(engine_ns)))
			next = (struct said){ &diff->steps[step], diff->steps[step].path_ns };
		if (!next.ns || (count && llabs(next.ns) < llabs(said[0].ns) / 10))
			break;
		step += next.step != NULL;
		engine &= next.step != NULL;
		said[count++] = next;
	}
	return count;
}

void run_diff_say(const struct run_diff *diff, struct buffer *out)
{
	struct said said[STEPS_SAID];
	size_t count = find_said(diff, said);
	int64_t rest = diff->difference_ns;

	if (!diff->timed) {
		buffer_append_text(out, "a run has not ended: only tasks that have are compared");
		return;
	}
	say_head(diff, out);
	for (size_t i = 0; i < count; i++) {
		buffer_append_text(out, i ? ", " : ": ");
		if (said[i].step)
			say_step(said[i].step, out);
		else
			say_engine(diff, out);
		rest -= said[i].ns;
	}
	if (!rest)
		return;
	buffer_append_text(out, "; the rest ");
	diff_say_ns(rest, out);
}
