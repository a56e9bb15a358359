/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stdbool.h>

#include "correlate/command/command.h"

/*
 * Upkeep of the host: package managers with the scripts of their packages, cron's helpers, programs
 * that run at a login or before a prompt, services of the system. None of it is a run, nor are its
 * children; inside a run it belongs to that run.
 */

/* argv0: the name that the program was called by, which some programs overwrite ("npm install x");
 * may be NULL. */
bool system_is(const struct command *command, const char *argv0);
/* Whether a script lies in a folder of programs that people call, and services, too. */
bool system_has_program(const char *path);
/* Whether a script came with the system, although users' work may be started by it. */
bool system_has_script(const char *path);
