/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include "cost/focus/focus_row.h"

/* Fills in nusd_hour and price_source of a row about a bucket of a host: the price that gives what
 * the bucket cost; where it had several, their mean and the source of the last one. Never 0 where
 * the bucket cost anything. */
void focus_price(const struct sheet_host *host, const struct sheet_up *up, struct focus_row *row);
