/* SPDX-License-Identifier: Apache-2.0 */
#include "tune/emit/emit_amounts.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"

#define MEMORY_STEP   100.0 /* MB */
#define MB            1e6
#define MINUTE        60e9
#define NAME_MAX_LEN  128
#define COMMENT_BYTES 400

static void set_tries(unsigned long long tries[SIZE_ATTEMPTS], const struct step_size *size,
		      double first, double step)
{
	for (size_t i = 0; i < SIZE_ATTEMPTS; i++)
		tries[i] = (unsigned long long)(ceil(first * size->escalation[i] / step) * step);
}

struct emit_amounts emit_amounts_of(const struct step_size *size)
{
	struct emit_amounts amounts = { 0 };

	if (size->cpus.tasks >= SIZE_TASKS_MIN && size->cpus.advised > 0)
		amounts.cpus = (unsigned)ceil(size->cpus.advised);
	if (size->memory.enough)
		set_tries(amounts.memory_mb, size, size->memory.advised / MB, MEMORY_STEP);
	if (size->time.enough)
		set_tries(amounts.minutes, size, size->time.advised / MINUTE, 1);
	return amounts;
}

bool emit_amounts_any(const struct emit_amounts *amounts)
{
	return amounts->cpus || amounts->memory_mb[0] || amounts->minutes[0];
}

bool emit_is_plain(const char *name, char separator)
{
	bool begins = true;

	if (strlen(name) > NAME_MAX_LEN)
		return false;
	for (const char *at = name; *at; at++) {
		bool word = text_is_letter(*at) || *at == '_' || (!begins && text_is_alnum(*at));

		if (!word && (begins || !separator || *at != separator))
			return false;
		begins = !word;
	}
	return !begins;
}

void emit_comment(struct buffer *out, const char *mark, const char *text)
{
	size_t len = strnlen(text, COMMENT_BYTES);

	buffer_printf(out, "%s ", mark);
	for (size_t i = 0; i < len; i++)
		buffer_append_char(out,
				   (unsigned char)text[i] < ' ' || text[i] == 0x7f ? '?' : text[i]);
	buffer_append_text(out, text[len] ? "…\n" : "\n");
}

static void write_short(struct buffer *out, const char *mark, const struct step_size *size)
{
	char text[COMMENT_BYTES];

	(void)snprintf(text, sizeof(text), "Not enough history (%zu more task%s needed): %s",
		       size->memory.needs_tasks, size->memory.needs_tasks == 1 ? "" : "s",
		       size->step);
	emit_comment(out, mark, text);
}

void emit_head(struct buffer *out, const char *mark, const struct emit_run *run,
	       bool (*is_name)(const char *name))
{
	char text[COMMENT_BYTES];

	(void)snprintf(text, sizeof(text), "Sizes by Tracer, from %zu run%s of the pipeline.",
		       run->runs, run->runs == 1 ? "" : "s");
	emit_comment(out, mark, text);
	for (size_t i = 0; i < run->count; i++) {
		struct emit_amounts amounts = emit_amounts_of(run->steps[i]);

		if (!emit_amounts_any(&amounts)) {
			write_short(out, mark, run->steps[i]);
		} else if (is_name && !is_name(run->steps[i]->step)) {
			(void)snprintf(text, sizeof(text), "Left out, it has no name here: %s",
				       run->steps[i]->step);
			emit_comment(out, mark, text);
		}
	}
}

void emit_notes(struct buffer *out, const char *mark, const struct step_size *size)
{
	char text[COMMENT_BYTES];

	if (size->memory.enough && size->memory.basis == SIZE_LINEAR) {
		(void)snprintf(
			text, sizeof(text),
			"Memory grows with the input, by %.3g bytes a byte: this is enough for "
			"the largest input seen.",
			size->memory.slope * size->memory.factor);
		emit_comment(out, mark, text);
	}
	if (size->cpus.wants_more)
		emit_comment(out, mark, "It uses all CPUs that it has, and may use more.");
}
