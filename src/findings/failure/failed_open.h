/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include "findings/failure/failure_case.h"

/* Which of the opens that failed is what a process gave up for. */
enum open_place {
	OPEN_ARGUMENT, /* its name is an argument of the process */
	OPEN_DERIVED,  /* it begins with one: an index beside its file */
	OPEN_OTHER,
};

/* The last one with one of these errors before the culprit's end that is not looked for as a matter
 * of course; one that is an argument rather than another. NULL: none. */
const struct failed_open *failed_open_find(const struct failure_case *failure, const int *errors,
					   size_t count, enum open_place *ret_place);
/* Programs look for it and go on without it: libraries, locales, settings. */
bool failed_open_is_routine(const char *path);
