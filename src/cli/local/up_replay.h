/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include "cli/command.h"

/* `tracer up --replay`: the lake alone, which shows a recorded run. */

/* Gives the lake of the data folder the recording in FILE (NULL: the one that is a part of this
 * program), moved to now, and says what it is. Done again, nothing changes. -errno with words. */
int up_replay(const struct common *common, const char *file, struct error *err);
/* What the lake of this data folder shows is recorded: in words (free()), or NULL: it is not. */
char *up_replayed(const char *data);
/* From now on it is not. */
void up_replay_forget(const char *data);
