/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/error.h"

/*
 * A background program of `tracer up`: its process is known by DATA/NAME.pid ("PID START", START
 * being the kernel's start time of that process, so that a reused pid is never taken for it), its
 * output goes to DATA/NAME.log.
 */

/* The running process, or 0. */
pid_t service_find(const char *data, const char *name);
/* Starts argv (NULL-terminated; argv[0] a path) in a session of its own, with none of the caller's
 * descriptors. -errno with words. */
int service_start(const char *data, const char *name, char *const *argv, pid_t *ret,
		  struct error *err);
/* SIGTERM, and after timeout_ns SIGKILL; removes the pid file. 0 also when it was not running;
 * -ETIME when it had to be
 * killed; -EPERM: it is somebody else's. */
int service_stop(const char *data, const char *name, uint64_t timeout_ns);
/* The log's last line, for words about a program that ended at once. "" if none. Returns text. */
char *service_last_words(const char *data, const char *name, char *text, size_t size);
/* true while the process has not ended (a child that ended is reaped). */
bool service_alive(pid_t pid);
