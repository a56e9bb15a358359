/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stddef.h>

struct cost_change;
struct row_writer;
struct sheet;

/* Writes the group "cost" of a run: what it cost, of which hosts, at which prices; null where some
 * of it has no price. run: its index in the sheet; SIZE_MAX: none. changes: since it
 * settled. */
void run_cost_write(struct row_writer *writer, const struct sheet *sheet, size_t run,
		    const struct cost_change *changes, size_t change_count);
