/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>

/* The section of `tracer report` about files: those of which most was read or written. Nothing
 * where no file was used. complete: files are all that the run used. */
void report_files(FILE *out, const json_t *files, bool complete);
