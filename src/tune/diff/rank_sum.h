/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stddef.h>

/*
 * The rank sum test of Wilcoxon, Mann and Whitney: whether the values of one sample are larger than
 * those of another, by more than chance. It assumes no distribution. Pure.
 */

/* Of two sorted samples the number of standard deviations by which the ranks of `to` are above what
 * chance gives (normal approximation, with the correction for equal values). 0 where either is
 * empty or all values are equal. */
double rank_sum(const double *from, size_t from_count, const double *to, size_t to_count);
