/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>

/* Prints findings: severity, sentence, advice, savings; a line where there are none. asked: whether
 * any task requested resources, which its use can be compared with. */
void finding_print(FILE *out, const json_t *findings, bool asked);
/* Whether any of these tasks requested CPUs or memory. */
bool finding_asked(const json_t *tasks);
