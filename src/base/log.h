/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

/*
 * Writes log lines to stderr: "2026-11-21T06:30:00.000000Z level message" in a service, "tracer:
 * message" if stderr is a terminal. A function that returns an error does not log it: the caller
 * that handles the error does.
 */
enum log_level { LOG_LEVEL_ERROR, LOG_LEVEL_WARNING, LOG_LEVEL_INFO, LOG_LEVEL_DEBUG };

/* Drops lines above level (default: info). program: the name in lines on a terminal; the pointer is
 * kept, the text not copied. */
void log_setup(const char *program, enum log_level level);

void log_error(const char *format, ...) __attribute__((format(printf, 1, 2)));
void log_warning(const char *format, ...) __attribute__((format(printf, 1, 2)));
void log_info(const char *format, ...) __attribute__((format(printf, 1, 2)));
void log_debug(const char *format, ...) __attribute__((format(printf, 1, 2)));
