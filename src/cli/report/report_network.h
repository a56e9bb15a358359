/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <jansson.h>
#include <stdio.h>

/* The section of `tracer report` about the network: what the run moved, by protocol. Nothing where
 * no socket was used. */
void report_network(FILE *out, const json_t *network);
