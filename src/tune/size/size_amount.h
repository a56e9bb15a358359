/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include "tune/size/size.h"
#include "tune/size/size_fit.h"
#include "tune/size/size_points.h"
#include "tune/size/size_spread.h"

/* How an amount to request is made of the points of a step. Pure. */

/* Whether the points are enough for a fit. */
bool size_amount_enough(const struct size_points *points);
/* What is known without a fit: the request, or a multiple of the most that was seen. */
struct size_amount size_amount_begin(const struct size_points *points);
/* margin: over what the fit predicts; least: of the amount. */
void size_amount_finish(struct size_amount *amount, const struct size_points *points,
			const struct size_fit *fit, double margin, double least);
/* How many more tasks are needed until the margin for a risk is hardly larger than it must be. */
size_t size_amount_until_sure(const struct size_spread *spread, double risk);
/* The least that multiplies the usual need. */
double size_amount_least_factor(const struct size_fit *fit, const struct size_quantity *quantity);
/* Of a thing with a risk of its own (time, disk), by tasks of one step, which are sorted again. 0,
 * or -ENOMEM. */
int size_amount_alone(const struct step_task **tasks, size_t count,
		      const struct size_quantity *quantity, struct size_amount *ret);
