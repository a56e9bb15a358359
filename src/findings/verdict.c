/* SPDX-License-Identifier: Apache-2.0 */
#include "findings/verdict.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/buffer.h"
#include "base/cleanup.h"
#include "base/text.h"

/* How a run's end is said; what follows it depends on the findings. */
static const struct opening {
	const char *status;
	const char *words;
	const char *before_time; /* NULL: no time is said */
	bool failed;
} OPENINGS[] = {
	{ "succeeded", "Succeeded", " in ", false },
	{ "failed", "Failed", " after ", true },
	{ "killed", "Killed", " after ", true },
	{ "stalled", "Stalled", " after ", true },
	{ "running", "Running", " for ", false },
	{ "queued", "Queued", NULL, false },
	{ "lost", "Its end was not seen; last seen", " after ", false },
};

static const struct opening *opening_of(const char *status)
{
	for (size_t i = 0; i < sizeof(OPENINGS) / sizeof(OPENINGS[0]); i++)
		if (status && strcmp(OPENINGS[i].status, status) == 0)
			return &OPENINGS[i];
	return NULL;
}

/* The finding that says most about the run: the first one with words for it. */
static const struct finding *main_finding(const struct findings *findings)
{
	for (size_t i = 0; i < findings->count; i++)
		if (findings->items[i].headline)
			return &findings->items[i];
	return NULL;
}

static size_t count_of(const struct findings *findings, enum finding_severity severity)
{
	size_t count = 0;

	for (size_t i = 0; i < findings->count; i++)
		count += findings->items[i].severity == severity;
	return count;
}

static void write_failed_tools(struct buffer *out, uint64_t count)
{
	buffer_printf(out, "%llu tool%s failed", (unsigned long long)count, count == 1 ? "" : "s");
}

static void write_brief(struct buffer *out, const struct opening *opening,
			const struct finding *finding, uint64_t failed_tools,
			const char *bottleneck)
{
	if (failed_tools && !(opening && opening->failed)) {
		write_failed_tools(out, failed_tools);
		if (finding)
			buffer_append_text(out, ": ");
	}
	if (finding)
		buffer_append_text(out, finding->headline);
	else if (opening && opening->failed)
		buffer_append_text(out, "cause unknown");
	else if (bottleneck && !failed_tools)
		buffer_append_text(out, bottleneck);
}

static void write_begin(struct buffer *out, const struct opening *opening,
			const struct finding_run *run)
{
	char took[32];

	buffer_append_text(out, opening ? opening->words : "Its state is not known");
	if (opening && opening->before_time && run->wall_ns > 0) {
		text_duration(run->wall_ns, took, sizeof(took));
		buffer_printf(out, "%s%s", opening->before_time, took);
	}
}

/* Between the run's end and the words about its main finding: a failure, or what took time. */
static const char *joint(const struct opening *opening, const struct finding *finding,
			 uint64_t failed_tools)
{
	if (opening && opening->failed)
		return ": ";
	if (failed_tools || (finding && finding->saves_s < 0))
		return ", but ";
	return finding ? "; " : ", ";
}

static void write_text(struct buffer *out, const struct opening *opening,
		       const struct finding_run *run, const struct findings *findings,
		       const char *brief, uint64_t failed_tools)
{
	size_t failures = count_of(findings, FINDING_CRITICAL);

	write_begin(out, opening, run);
	if (*brief)
		buffer_printf(out, "%s%s", joint(opening, main_finding(findings), failed_tools),
			      brief);
	if (failures > 1)
		buffer_printf(out, ", and %zu more failure%s", failures - 1,
			      failures == 2 ? "" : "s");
	buffer_append_char(out, '.');
}

int verdict_make(const struct finding_run *run, const struct findings *findings,
		 uint64_t failed_tools, const char *bottleneck, struct verdict *ret)
{
	CLEANUP(buffer_clear) struct buffer brief = { 0 }, text = { 0 };
	const struct opening *opening = opening_of(run->status);

	buffer_init(&brief, 0);
	buffer_init(&text, 0);
	buffer_append_text(&brief, "");
	write_brief(&brief, opening, main_finding(findings), failed_tools, bottleneck);
	ret->failed_tools = failed_tools;
	ret->brief = buffer_take(&brief);
	if (!ret->brief)
		return -ENOMEM;
	write_text(&text, opening, run, findings, ret->brief, failed_tools);
	ret->text = buffer_take(&text);
	return ret->text ? 0 : -ENOMEM;
}

void verdict_clear(struct verdict *verdict)
{
	free(verdict->text);
	free(verdict->brief);
	*verdict = (struct verdict){ 0 };
}
