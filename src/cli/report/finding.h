/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>

#include "cli/terminal/lines.h"

/* Findings as people read them (docs/findings.md). */

/* Adds one finding: severity and summary, advice, savings, in lines of at most width columns (0:
 * unbroken). A finding that is not certain says so. */
void finding_lines(struct lines *lines, const json_t *finding, size_t width, bool colourful);
/* How sure it is, in words behind its summary: " (probably)", " (perhaps)", "". */
const char *finding_doubt(const json_t *finding);
/* What is said where there are none. asked: whether any task requested CPUs or memory, which its
 * use can be compared with. */
const char *finding_none(bool asked);
/* Prints all findings, broken to the width of the terminal, or that there are none. */
void finding_print(FILE *out, const json_t *findings, bool asked);
