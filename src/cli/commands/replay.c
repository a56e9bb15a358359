/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/clock.h"
#include "cli/lake/client.h"
#include "cli/terminal/print.h"
#include "cli/lake/recorded.h"

/* `tracer replay`: sends a recorded run to the lake. */

struct replay_settings {
	struct common common;
	bool now;
};

static const struct config_option options[] = {
	COMMON_OPTIONS(struct replay_settings),
	{ "now", CONFIG_BOOL, offsetof(struct replay_settings, now), "false", 0, 0,
	  "move its times so that the run ended now; each replay is a new run" },
};

static void print_summary(const struct recorded_summary *summary)
{
	char words[256];

	printf("Replayed ");
	print_text(stdout, recorded_words(summary, words, sizeof(words)));
	printf(": %zu batches", summary->sent);
	if (summary->duplicates)
		printf(", the lake already had %zu of them", summary->duplicates);
	printf(".\n");
	if (summary->missing_batches)
		printf("It is partial: %" PRIu64 " of %" PRIu64
		       " batches were no longer kept when it was recorded.\n",
		       summary->missing_batches, summary->batches);
	printf("See it with: tracer report %s\n", summary->run_id);
}

static void print_summary_json(const struct recorded_summary *summary)
{
	json_t *json CLEANUP(json_decrefp) = json_pack(
		"{s:s, s:s, s:I, s:I, s:I, s:I}", "run", summary->run_id, "name", summary->name,
		"batches", (json_int_t)summary->sent, "duplicates", (json_int_t)summary->duplicates,
		"missing_batches", (json_int_t)summary->missing_batches, "recorded_at_ns",
		(json_int_t)summary->recorded_at);

	print_json(json);
}

static int run_replay(void *settings_, int argc, char **argv)
{
	const struct replay_settings *settings = settings_;
	char *bytes CLEANUP(freep) = NULL, instant[32];
	struct recorded_replay replay = { .salt = "recorded",
					  .now = settings->now,
					  .progress = isatty(STDERR_FILENO) == 1 };
	struct recorded_summary summary = { 0 };
	struct error err = { 0 };
	size_t len = 0;
	int code;

	if (argc != 1)
		return command_usage("replay",
				     argc > 1 ? "too many arguments" : "name the FILE to replay");
	snprintf(instant, sizeof(instant), "%" PRId64, clock_real_ns());
	if (settings->now)
		replay.salt = instant; /* a new run for each replay */
	code = recorded_read(argv[0], &bytes, &len, &err);
	if (code == 0)
		code = recorded_replay(&settings->common, bytes, len, &replay, &summary, &err);
	if (code < 0)
		return command_failed("replay", &err);
	if (settings->common.json)
		print_summary_json(&summary);
	else
		print_summary(&summary);
	return EXIT_DONE;
}

extern const struct command cli_replay;
const struct command cli_replay = {
	.name = "replay",
	.arguments = "FILE",
	.summary = "send a recorded run to the lake",
	OPTIONS(options),
	.settings_size = sizeof(struct replay_settings),
	.run = run_replay,
};
