/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/buffer.h"
#include "base/host/capabilities.h"
#include "base/cleanup.h"
#include "base/clock.h"
#include "base/config/config.h"
#include "gpu/line.h"
#include "gpu/source.h"

/*
 * tracer-gpu SOURCE: reads GPUs once an interval and says so on its standard output (line.h), until
 * whoever listens there is gone. A program of its own, since the vendors' libraries are loaded at
 * run time and the agent is static; what goes wrong in them ends this process and no other.
 * SOURCE: nvidia, drm. Nothing is taken from the environment.
 */
struct settings {
	char *library_folder, *root;
	uint64_t interval_ns, readings;
};

static const struct config_option options[] = {
	{ "library-folder", CONFIG_TEXT, offsetof(struct settings, library_folder), "", 0, 0,
	  "folder of libnvidia-ml.so.1 (default: where the system's loader looks)" },
	{ "root", CONFIG_TEXT, offsetof(struct settings, root), "", 0, 0,
	  "folder that holds proc and sys (tests)" },
	{ "interval", CONFIG_DURATION, offsetof(struct settings, interval_ns), "1s", 1e6, 3600e9,
	  "how often to read" },
	{ "readings", CONFIG_U64, offsetof(struct settings, readings), "0", 0, 1e9,
	  "how many to make (0: until the reader closes the pipe)" },
};
#define OPTIONS (sizeof(options) / sizeof(*options))

#define OUTPUT_BYTES (1u << 20) /* of one reading */

enum { DONE = 0, FAILED = 1, USAGE = 2 };

static const struct gpu_source *find_source(const char *name)
{
	static const struct gpu_source *const sources[] = { &gpu_nvidia, &gpu_drm, NULL };

	for (size_t i = 0; sources[i]; i++) {
		if (strcmp(sources[i]->name, name) == 0)
			return sources[i];
	}
	return NULL;
}

/* No more than the source needs; and no longer than the agent lives, whatever a driver does. */
static int settle(const struct gpu_source *source, struct error *err)
{
	static const struct rlimit no_core = { 0, 0 };

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	(void)signal(SIGPIPE, SIG_IGN);
	setpriority(PRIO_PROCESS, 0, 0); /* the agent's own is above all others */
	setrlimit(RLIMIT_CORE, &no_core);
	return capabilities_keep(source->capabilities, source->capability_count, err);
}

/* false: the reader has closed the pipe. */
static bool say(struct buffer *out)
{
	size_t at = 0;

	while (at < out->len) {
		ssize_t written = write(STDOUT_FILENO, out->data + at, out->len - at);

		if (written < 0 && errno != EINTR)
			return false;
		at += written > 0 ? (size_t)written : 0;
	}
	buffer_reset(out);
	return true;
}

static void add_note(struct buffer *out, const struct error *err)
{
	struct gpu_line line = { .kind = GPU_LINE_NOTE };

	(void)snprintf(line.note, sizeof(line.note), "%.*s", GPU_NOTE_SIZE - 1, error_text(err));
	gpu_line_write(out, &line);
}

/* Until the next reading is due; false: the reader has closed the pipe. */
static bool wait_until(uint64_t due_ns)
{
	struct pollfd listener = { .fd = STDOUT_FILENO };

	for (;;) {
		uint64_t now_ns = clock_monotonic_ns();
		int left_ms =
			now_ns < due_ns ? (int)((due_ns - now_ns) / (uint64_t)NS_PER_MS) + 1 : 0;

		if (poll(&listener, 1, left_ms) > 0)
			return false;
		if (clock_monotonic_ns() >= due_ns)
			return true;
	}
}

static int read_on(const struct gpu_source *source, void *opened, const struct settings *settings,
		   struct buffer *out)
{
	static const struct gpu_line end = { .kind = GPU_LINE_END };
	uint64_t due_ns = clock_monotonic_ns();
	struct error err = { 0 };

	for (uint64_t i = 0; settings->readings == 0 || i < settings->readings; i++) {
		int result = source->read(opened, out, &err);

		gpu_line_write(out, &end);
		if (result < 0)
			add_note(out, &err);
		if (!say(out))
			return DONE;
		if (result < 0)
			return FAILED;
		due_ns += settings->interval_ns;
		if (due_ns < clock_monotonic_ns()) /* late: no two in a row */
			due_ns = clock_monotonic_ns();
		if (i + 1 != settings->readings && !wait_until(due_ns))
			return DONE;
	}
	return DONE;
}

static int run(const struct gpu_source *source, const struct settings *settings)
{
	static const struct gpu_line hello = { .kind = GPU_LINE_HELLO, .version = GPU_VERSION };
	const struct gpu_options wanted = { .library_folder = settings->library_folder,
					    .root = settings->root };
	struct buffer out CLEANUP(buffer_clear) = { 0 };
	struct error err = { 0 };
	void *opened = NULL;
	int result;

	buffer_init(&out, OUTPUT_BYTES);
	gpu_line_write(&out, &hello);
	result = settle(source, &err);
	if (result == 0)
		result = source->open(&opened, &wanted, &out, &err);
	if (result < 0)
		add_note(&out, &err);
	if (!say(&out) || result < 0)
		return result < 0 ? FAILED : DONE;
	result = read_on(source, opened, settings, &out);
	source->close(opened);
	return result;
}

int main(int argc, char **argv)
{
	struct settings settings = { 0 };
	const struct gpu_source *source;
	struct error err = { 0 };
	int result = config_defaults(&settings, options, OPTIONS);

	if (result == 0)
		result = config_arguments(&settings, options, OPTIONS, &argc, argv, &err);
	source = argc == 2 ? find_source(argv[1]) : NULL;
	if (result < 0 || !source) {
		(void)fprintf(stderr, "tracer-gpu: %s\n",
			      result < 0 ? error_text(&err)
					 : "which source? nvidia or drm; the agent starts it");
		result = USAGE;
	} else {
		result = run(source, &settings);
	}
	config_clear(&settings, options, OPTIONS);
	return result;
}
