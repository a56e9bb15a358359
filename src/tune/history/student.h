/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

/* Student's t distribution. Pure. freedom: degrees of freedom, above 0. */

/* The probability of a value above t. */
double student_above(double t, double freedom);
/* The value that is exceeded with this probability (above 0, below 1). */
double student_exceeded(double probability, double freedom);
