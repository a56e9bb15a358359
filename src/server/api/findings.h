/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include "server/rows/row_writer.h"
#include "signal/finding.h"

/* Writes the list "findings". */
/* all: the reader may read everything. Else what a finding says of other runs on the host is left
 * out. */
void findings_write(struct row_writer *writer, const struct findings *findings, bool all);
