/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/error.h"
#include "cli/local/folder.h"

/* The lake that `tracer up` starts, and helpers for starting the agent. */

#define UP_PORT_AS_BEFORE 65536

/* Starts the lake of a data folder, unless it runs, and waits until it answers. port: up to 65535
 * (0: any free one), or UP_PORT_AS_BEFORE. user: as which it runs where root starts it, "": see
 * lake_account.h. */
int up_start_lake(const char *data, uint64_t port, const char *user, struct error *err);
/* The URL that the lake wrote, "" before it did; the caller's (free). NULL: out of memory. */
char *up_lake_url(const char *data);
/* Whether GET url/path is answered with 200. */
bool up_answers(const char *url, const char *path);
/* Waits until the program NAME of the folder is ready. -ECHILD: it ended; -ETIME: it takes too
 * long. */
int up_wait(const char *data, const char *name, pid_t pid, bool (*ready)(const char *),
	    struct error *err);
/* The path of this program (name NULL), or of `name` beside it. */
int up_program(const char *name, char path[FOLDER_PATH_SIZE], struct error *err);
