/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <jansson.h>

/* A blank line, and the tasks of a run as a table: what waited to be started, and for what, where
 * any did. */
void report_tasks_print(const json_t *tasks);
