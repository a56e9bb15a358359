/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include "cli/command.h"

/* `tracer up --replay`: the lake without an agent, which shows a recorded run. */

/* Sends the recording in FILE (NULL: the embedded one) to the lake of the data folder, moved to
 * now, marks the folder and prints a description. Idempotent. -errno with a message. */
int up_replay(const struct common *common, const char *file, struct error *err);
/* The description of the recorded run that the data folder is marked with, the caller's (free);
 * NULL: the folder is not marked. */
char *up_replayed(const char *data);
/* Removes the mark. */
void up_replay_forget(const char *data);
