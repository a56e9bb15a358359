/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stddef.h>

/*
 * Robust statistics of a list of numbers. Pure. The lists hold no NaN. Of an empty list each is 0.
 */

/* Ascending. */
void quantiles_sort(double *values, size_t count);
/* The p quantile (0 to 1) of a sorted list, between two values linearly (type 7 of Hyndman and
 * Fan, as R and NumPy do). */
double quantile_of(const double *sorted, size_t count, double p);
/* The median; sorts the list. */
double median_of(double *values, size_t count);
/* 1.4826 × the median distance from a centre: of normal values their standard deviation. The list
 * becomes the distances. */
double spread_around(double *values, size_t count, double centre);

/* What a box plot shows. */
struct box {
	size_t count; /* 0: the others are 0 and say nothing */
	double min, q1, median, q3, p95, max;
};
/* Sorts the list. */
struct box box_of(double *values, size_t count);
