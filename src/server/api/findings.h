/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include "server/rows/row_writer.h"
#include "signal/finding.h"

/* Writes the list "findings". */
void findings_write(struct row_writer *writer, const struct findings *findings);
