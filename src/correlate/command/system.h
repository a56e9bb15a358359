/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stdbool.h>

#include "correlate/command/command.h"

/*
 * What keeps a host going, and is nobody's work: package managers with the scripts of their
 * packages, cron's own helpers, what runs at a login or before a prompt, programs of the system's
 * services. None of it is a run, nor is what it starts; within a run it is a part of that.
 */

/* argv0: what the program was called as, which some overwrite ("npm install x"); may be NULL. */
bool system_is(const struct command *command, const char *argv0);
/* Whether a script lies where the system keeps programs that people call, and its services, too. */
bool system_has_program(const char *path);
/* Whether a script came with the system, though what it starts may be somebody's work. */
bool system_has_script(const char *path);
