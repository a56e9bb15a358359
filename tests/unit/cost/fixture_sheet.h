/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include "cost/sheet_choice.h"
#include "cost/sheet_fill.h"
#include "cost/sheet_rows.h"

/*
 * A sheet as text, and its rows as text. Statements are separated by ";", times are hours:
 *
 *     host ID CPUS GIB                        half of its price is of the CPUs
 *     price HOST SINCE USD_HOUR               0: not known
 *     billed HOST SINCE UNTIL USD_HOUR
 *     up HOST SINCE UNTIL
 *     run ID PIPELINE USER LABELS
 *     hold HOST RUN TASK SINCE UNTIL CPUS GIB / CPU_HOURS GIB SAMPLE [TOOLS]
 *
 * "-" is no text. The hold has reserved / used; its step is "step", container and pod are those of
 * the sample: "c-SAMPLE", "p-SAMPLE". TOOLS: "HOURS:NAME,HOURS:NAME".
 */
#define SHEET_NS_HOUR (3600 * INT64_C(1000000000))

/* Adds statements. */
void sheet_say(struct sheet *sheet, const char *statements);
/* A new sheet of hours with these statements, not yet split. */
struct sheet *sheet_of(double since, double until, enum sheet_bucket bucket,
		       const char *statements);
/* The same, split. */
struct sheet *sheet_split_of(double since, double until, enum sheet_bucket bucket,
			     const char *statements);

/*
 * The rows, most expensive first, a line each, in dollars and CPU hours:
 *
 *     KEY used unused idle [unallocated USD] RUNS/TASKS/SAMPLES CPU_HOURS [unpriced]
 *
 * with "at HOUR KEY used unused idle" for each point where there are points. Checks that all adds
 * up (sheet_check). Valid until the next call.
 */
const char *sheet_print(const struct sheet *sheet, const struct sheet_choice *choice);
const char *sheet_print_by(const struct sheet *sheet, const char *by);

/* Asserts that the rows add up: Σ rows + unallocated_nusd = whole_nusd where nothing is left out, Σ
 * points of a row = the row, no part is negative. */
void sheet_check(const struct sheet *sheet, const struct sheet_choice *choice,
		 const struct sheet_rows *rows);
