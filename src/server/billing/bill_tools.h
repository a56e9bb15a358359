/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include "cost/bill_rows.h"

struct store_rows;

/* Fills the rows of a bill by tool. tools: the rows of activity_tools of the same window. -ENOMEM.
 */
int bill_by_tool(struct bill_rows *rows, const struct bill *bill, struct store_rows *tools);
