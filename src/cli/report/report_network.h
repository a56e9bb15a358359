/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <jansson.h>
#include <stdio.h>

/* The section of `tracer report` about the network: bytes and connections by protocol. Empty where
 * no socket was used. */
void report_network(FILE *out, const json_t *network);
