/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include "findings/finder.h"

/* What both findings about a budget say. */

/* "$12.30": cents, rounded to the nearest; "$0.0001230" below a cent. Returns text. */
#define BUDGET_USD_SIZE 32
char *budget_usd(int64_t nusd, char text[BUDGET_USD_SIZE]);
/* "2026-11-21", or "2026-11" of its first `len` bytes. Returns text. */
#define BUDGET_DATE_SIZE 32
char *budget_date(int64_t at, size_t len, char text[BUDGET_DATE_SIZE]);

/* The evidence, and what to do: owned by the caller; NULL: no memory. */
char *budget_evidence(const struct subject *subject);
char *budget_advice(const struct finding_budget *budget);
