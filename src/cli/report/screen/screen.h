/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <jansson.h>
#include <stdio.h>

/*
 * The first screen of `tracer report`: the verdict, the facts of the run, the findings, and where
 * wall time went. It fits the terminal with a line to spare for the prompt, and 80 x 24 where there
 * is none ($COLUMNS and $LINES say otherwise). What has no room is counted, with the command that
 * shows it.
 */
void screen_print(FILE *out, const json_t *document);
