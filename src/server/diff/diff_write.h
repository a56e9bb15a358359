/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include "server/diff/compared_run.h"
#include "server/rows/row_writer.h"
#include "tune/diff/run_diff.h"

/* Writes the comparison of two runs as the API has it (docs/openapi.yaml, RunDiff). runs: those of
 * the comparison, the earlier one first. */
void diff_write(struct row_writer *writer, const struct run_diff *diff,
		const struct compared_run runs[2]);
