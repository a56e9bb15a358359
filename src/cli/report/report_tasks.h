/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <jansson.h>

/* The section of `tracer report` about tasks: a blank line and a table. Columns about the queue and
 * containers are shown only where a task has them. */
void report_tasks_print(const json_t *tasks);
