/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/file.h"
#include "cli/lake/client.h"
#include "cli/terminal/print.h"
#include "signal/batch.h"
#include "signal/recording.h"

/* `tracer record`: writes the batches of a run into a file (docs/recorded.md). */

DEFINE_CLEANUP(struct recording *, recording_close)
DEFINE_CLEANUP(struct recording_writer *, recording_writer_free)
DEFINE_CLEANUP(Signal__Batch *, batch_free)

struct record_settings {
	struct common common;
	char *output, *hostname;
	bool force;
};

static const struct config_option options[] = {
	COMMON_OPTIONS(struct record_settings),
	{ "output", CONFIG_TEXT, offsetof(struct record_settings, output), "", 0, 0,
	  "the file to write; -o FILE is the same" },
	{ "force", CONFIG_BOOL, offsetof(struct record_settings, force), "false", 0, 0,
	  "replace the file if it exists" },
	{ "hostname", CONFIG_TEXT, offsetof(struct record_settings, hostname), "", 0, 0,
	  "replace host names by NAME, and the names of other work on the hosts" },
};

/* Removes "-o FILE" from the arguments and returns FILE; without "-o" the value of --output. NULL:
 * no FILE follows. */
static const char *take_output(const char *output, int *argc, char **argv)
{
	for (int i = 0; i < *argc; i++) {
		if (strcmp(argv[i], "-o") != 0)
			continue;
		output = i + 1 < *argc ? argv[i + 1] : NULL;
		for (int j = i + 2; j <= *argc; j++)
			argv[j - 2] = argv[j];
		*argc -= 2;
		return output;
	}
	return output;
}

NO_LEAK_ANALYSIS

static int replace_text(char **text, const char *by)
{
	char *copy = strdup(by);

	if (!copy)
		return -ENOMEM;
	if (**text) /* protobuf-c's empty string is static */
		free(*text);
	*text = copy;
	return 0;
}

/* Replaces what identifies the machine: its name, and the control groups of work outside the run.
 */
static int rename_host(Signal__Batch *batch, const char *hostname)
{
	int code = 0;

	for (size_t i = 0; code == 0 && i < batch->n_hosts; i++)
		code = replace_text(&batch->hosts[i]->hostname, hostname);
	for (size_t i = 0; code == 0 && i < batch->n_untracked; i++)
		if (*batch->untracked[i]->path)
			code = replace_text(&batch->untracked[i]->path, "/other");
	return code;
}

static int copy_batches(struct recording *from, struct recording_writer *to,
			const struct record_settings *settings, struct error *err)
{
	bool progress = isatty(STDERR_FILENO) == 1;
	int code = 0;

	for (size_t count = 1; code >= 0; count++) {
		CLEANUP(batch_freep) Signal__Batch *batch = NULL;

		code = recording_next(from, &batch, err);
		if (code <= 0)
			break;
		code = *settings->hostname ? rename_host(batch, settings->hostname) : 0;
		if (code == 0)
			code = recording_add(to, batch);
		if (code < 0)
			error_set(err, code, "cannot write a batch: %s", strerror(-code));
		if (progress)
			fprintf(stderr, "\r%zu batches", count);
	}
	if (progress)
		fprintf(stderr, "\r\033[K");
	return code;
}

/* Writes the same recording at the highest compression; the lake compresses it fast. */
static int recompress(struct recording *from, const struct record_settings *settings,
		      struct buffer *out, struct error *err)
{
	CLEANUP(recording_writer_freep) struct recording_writer *writer = NULL;
	int code = recording_begin(&writer, recording_head(from), RECORDING_LEVEL_SMALL, out);

	if (code < 0)
		return error_set(err, code, "cannot write the recording: %s", strerror(-code));
	code = copy_batches(from, writer, settings, err);
	if (code < 0)
		return code;
	code = recording_end(writer);
	return code < 0 ? error_set(err, code, "cannot write the recording: %s", strerror(-code))
			: 0;
}

static void report(const struct record_settings *settings, const Signal__Recording *head,
		   const char *path, size_t size)
{
	if (strcmp(head->status, "running") == 0)
		fprintf(stderr,
			"tracer record: the run is still running: the recording ends here\n");
	if (head->missing_batches)
		fprintf(stderr,
			"tracer record: the recording is partial: the lake no longer keeps %" PRIu64
			" of the run's %" PRIu64 " batches (its setting keep-batches)\n",
			head->missing_batches, head->batches);
	if (settings->common.json)
		printf("{\"bytes\":%zu,\"batches\":%" PRIu64 ",\"missing_batches\":%" PRIu64 "}\n",
		       size, head->batches, head->missing_batches);
	else
		printf("%s: %zu bytes, %" PRIu64 " batches. Look at it with: tracer replay %s\n",
		       path, size, head->batches - head->missing_batches, path);
}

static int record(const struct record_settings *settings, const char *run, const char *path,
		  struct error *err)
{
	CLEANUP(recording_closep) struct recording *recording = NULL;
	CLEANUP(buffer_clear) struct buffer query = { 0 }, out = { 0 };
	char *bytes CLEANUP(freep) = NULL;
	size_t len = 0;
	int code;

	buffer_init(&query, 4096);
	buffer_append_text(&query, "/runs/");
	client_escape(&query, run);
	buffer_append_text(&query, "/recording");
	code = client_get_bytes(&settings->common, query.data, &bytes, &len, err);
	if (code == 0)
		code = recording_open(&recording, bytes, len, err);
	buffer_init(&out, RECORDING_LIMIT);
	if (code == 0)
		code = recompress(recording, settings, &out, err);
	if (code == 0)
		code = file_write(path, out.data, out.len, 0644, err);
	if (code == 0)
		report(settings, recording_head(recording), path, out.len);
	return code;
}

static int run_record(void *settings_, int argc, char **argv)
{
	const struct record_settings *settings = settings_;
	const char *path = take_output(settings->output, &argc, argv), *run;
	struct error err = { 0 };
	int code;

	if (!path || !*path)
		return command_usage("record", "the file to write is missing: -o FILE");
	run = command_argument_run("record", argc, argv);
	if (!run)
		return EXIT_USAGE;
	if (!settings->force && faccessat(AT_FDCWD, path, F_OK, AT_SYMLINK_NOFOLLOW) == 0) {
		error_set(&err, -EEXIST, "%s exists: --force replaces it", path);
		return command_failed("record", &err);
	}
	code = record(settings, run, path, &err);
	return code < 0 ? client_failed("record", code, &err) : EXIT_DONE;
}

extern const struct command cli_record;
const struct command cli_record = {
	.name = "record",
	.arguments = "-o FILE [RUN]",
	.summary = "write the recorded data of a run into a file",
	OPTIONS(options),
	.settings_size = sizeof(struct record_settings),
	.run = run_record,
};
