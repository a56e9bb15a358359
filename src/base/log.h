/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

/*
 * Log lines on stderr: "2026-11-21T06:30:00.000000Z level message" in a service, "tracer: message"
 * for a person at a terminal. Log once, at the edge: a function that returns an error does not log
 * it.
 */
enum log_level { LOG_LEVEL_ERROR, LOG_LEVEL_WARNING, LOG_LEVEL_INFO, LOG_LEVEL_DEBUG };

/* Lines above level are dropped (default: info). program is shown to people; it is kept, not
 * copied. */
void log_setup(const char *program, enum log_level level);

void log_error(const char *format, ...) __attribute__((format(printf, 1, 2)));
void log_warning(const char *format, ...) __attribute__((format(printf, 1, 2)));
void log_info(const char *format, ...) __attribute__((format(printf, 1, 2)));
void log_debug(const char *format, ...) __attribute__((format(printf, 1, 2)));
