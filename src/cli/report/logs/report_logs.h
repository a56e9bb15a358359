/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <jansson.h>
#include <stdio.h>

#include "cli/command.h"

/*
 * `tracer report --logs`: the last lines of the logs of tasks that failed, or of the run where it
 * failed and none of its tasks did. Reads files of this host only, of tasks that ran on it, and
 * sends them nowhere.
 */

/* Queries the lake for the tasks that failed and their files, and prints their logs; says so where
 * there are none. Returns what client_get() returns. */
int report_logs_print(FILE *out, const struct common *common, const json_t *document,
		      struct error *err);
