/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stddef.h>

#include "tune/expect/figure_model.h"

/*
 * The kinds of what is not as usual, a row each. Pure.
 */
struct usual;
struct usual_view;

struct unusual_kind {
	const char *name;
	enum step_figure figure;
	const char *counted; /* what it counts instead of a figure; NULL: none */
	/* Adds to usual->items what the kind finds. 0 or -ENOMEM. */
	int (*judge)(const struct usual_view *view, const struct unusual_kind *kind,
		     struct usual *usual);

	/* Of kinds that compare a figure: */
	bool above, below; /* which side is of interest */
	bool beyond_all;  /* higher than usual is what no earlier run reached; for what is skewed */
	bool of_progress; /* a rate: of a running task known once it ran for a while */
	double least_above, least_below; /* a change by less than this factor is of no interest */
	double floor;         /* in the figure's unit: differences far below it count as none */
	double floor_of_wall; /* the same as a part of the usual wall time */
	/* A distance that chance explains with a higher probability is as usual. All kinds of a
	 * step together then are wrong in about one step of a hundred. */
	double chance_most;
	struct model_assumption assumed;
	double other_host; /* how the figure differs between host types: a standard deviation */
};

#define UNUSUAL_KINDS 13
extern const struct unusual_kind unusual_kinds[UNUSUAL_KINDS];

/* What its values are, with their unit: the name of its figure, or "attempts". */
const char *unusual_kind_figure(const struct unusual_kind *kind);
