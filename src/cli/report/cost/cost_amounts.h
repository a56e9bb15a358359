/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <jansson.h>

/*
 * Amounts of a table of costs as texts for people, all with the same number of decimals, rounded so
 * that they add up as they are shown: the parts of a row to its cost, each column of rows to its
 * sum, and the sums to the total.
 */

/* document: sums by the keys of /api/v1/cost, to which those of each row add up. Sets the members
 * "used", "unused", "idle", "cost" and "no_run" of rows and document, and "whole" of the document;
 * an amount that is not known gets no text. Where rows are missing, each cost is rounded by itself.
 * -ENOMEM. */
int cost_amounts_set(json_t *document, json_t *rows);
/* The same of an object with the amount of one cost in two halves, such as tasks_usd and
 * engine_usd: sets `shown` of both so that they add up to the cost. -ENOMEM. */
int cost_amounts_set_halves(json_t *object, const char *const keys[2], const char *const shown[2]);
