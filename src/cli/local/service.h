/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/error.h"

/*
 * A background program of `tracer up`. DATA/NAME.pid holds "PID START", where START is the start
 * time of the process as the kernel gives it, so that a reused pid is not mistaken for it. Its
 * output goes to DATA/NAME.log.
 */

/* The running process, or 0. */
pid_t service_find(const char *data, const char *name);
/* Starts argv (NULL-terminated; argv[0] is a path) in a new session, without the caller's
 * descriptors. -errno with a message. */
int service_start(const char *data, const char *name, char *const *argv, pid_t *ret,
		  struct error *err);
/* Sends SIGTERM, after timeout_ns SIGKILL; removes the pid file. 0 also if it was not running;
 * -ETIME if it had to be killed; -EPERM if it belongs to another user. */
int service_stop(const char *data, const char *name, uint64_t timeout_ns);
/* Writes the last line of the log into text, "" if there is none. Returns text. */
char *service_last_words(const char *data, const char *name, char *text, size_t size);
/* Whether the process is alive; reaps a child that has ended. */
bool service_alive(pid_t pid);
