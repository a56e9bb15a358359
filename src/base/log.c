/* SPDX-License-Identifier: Apache-2.0 */
#include "base/log.h"

#include "base/clock.h"

#include <stdarg.h>
#include <stdio.h>
#include <unistd.h>

#define LINE_SIZE 2048

static const char *const level_names[] = { "error", "warning", "info", "debug" };

static struct {
	const char *program;
	enum log_level level;
} log_state = { .program = "tracer", .level = LOG_LEVEL_INFO };

void log_setup(const char *program, enum log_level level)
{
	log_state.program = program;
	log_state.level = level;
}

/* Replaces control characters: a name in a message comes from any process, and must not begin a
 * line of the log or control a terminal. */
static void defuse(char *line)
{
	for (; *line; line++) {
		if ((unsigned char)*line < ' ' || *line == 0x7f)
			*line = '?';
	}
}

static void log_line(enum log_level level, const char *format, va_list args)
{
	char message[LINE_SIZE], at[CLOCK_TEXT_SIZE];

	if (level > log_state.level)
		return;
	/* NOLINTNEXTLINE(clang-analyzer-valist.Uninitialized): the macro below begins it */
	vsnprintf(message, sizeof(message), format, args);
	defuse(message);
	if (isatty(STDERR_FILENO))
		fprintf(stderr, "%s: %s\n", log_state.program, message);
	else
		fprintf(stderr, "%s %s %s\n", clock_format(clock_real_ns(), at), level_names[level],
			message);
}

#define DEFINE_LOG(name, level)                  \
	void log_##name(const char *format, ...) \
	{                                        \
		va_list args;                    \
		va_start(args, format);          \
		log_line(level, format, args);   \
		va_end(args);                    \
	}

DEFINE_LOG(error, LOG_LEVEL_ERROR)
DEFINE_LOG(warning, LOG_LEVEL_WARNING)
DEFINE_LOG(info, LOG_LEVEL_INFO)
DEFINE_LOG(debug, LOG_LEVEL_DEBUG)
