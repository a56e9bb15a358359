/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include "sweep/sweep_host.h"

/* Commands that a person may paste. Tracer runs none of them. Values are quoted for a POSIX shell.
 * NULL: what the command has to name is not known, or cannot be named safely; or no memory. */

/* Stops the machine: by its provider, else by ssh. */
char *host_stop_command(const struct sweep_host *host);
/* Takes a worker from its scheduler, which then stops it or lets it be stopped. */
char *host_drain_command(const struct sweep_host *host);
