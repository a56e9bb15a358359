/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stdbool.h>

#include "base/buffer.h"
#include "cost/sheet.h"

/*
 * Writes a sheet of costs as a FOCUS 1.2 "cost and usage" dataset in CSV (RFC 4180, lines end with
 * LF): the columns of focus_column.c, a row for each entry of the sheet (a task or an engine in an
 * hour or a day), then one for each bucket of a host with the part of its price that no hold pays.
 * Σ BilledCost of the rows is Σ whole_nusd of the priced hosts of the sheet, to the nano-dollar.
 *
 * Hosts without a known price have no rows: FOCUS requires an amount in each, and theirs is not
 * known. Pure.
 */
struct focus_writer;

/* The writer of a sheet in hours or days, which outlives it. -EINVAL: a sheet of one bucket for the
 * window (a charge may not cross the end of a month), or one in which an entry has no bucket of its
 * host; -ENOMEM. *ret is freed by focus_writer_free. */
int focus_writer_new(const struct sheet *sheet, struct focus_writer **ret);
void focus_writer_free(struct focus_writer *writer); /* NULL is fine */

/* Appends the header at the first call, then one row a call. false: there are no more. */
bool focus_writer_next(struct focus_writer *writer, struct buffer *out);
