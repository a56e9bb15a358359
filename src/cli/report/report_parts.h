/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <jansson.h>

/* Of a run on several hosts: which, since when, why they are one run, and how far their clocks are
 * off the lake's. */
void report_parts_print(const json_t *document);
