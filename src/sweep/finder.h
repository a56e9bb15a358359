/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include "base/json.h"
#include "sweep/sweep.h"

/* A finder adds what it finds. Each is a file of host/, work/ or cloud/ that defines `const struct
 * waste_finder waste_NAME`, and a line in finders.c. */
struct waste_finder {
	const char *name;  /* the kind of what it finds: "host_idle" */
	const char *title; /* "Host idle" */
	bool cheaper;      /* it works, and another machine would cost less: see waste_is_cheaper */
	int (*find)(const struct waste_finder *finder, const struct sweep_input *input,
		    struct wastes *ret);
};

static inline double sweep_limit(const struct sweep_input *input, enum sweep_threshold name)
{
	return input->policy->thresholds[name];
}
static inline int64_t sweep_limit_ns(const struct sweep_input *input, enum sweep_threshold name)
{
	return (int64_t)(sweep_limit(input, name) * 1e9);
}

/* Adds a waste, with the kind of the finder and wasted_nusd by its price since since_at, where that
 * is not set (0); sets paid_share. Takes the texts; a text that is needed and NULL (id, name,
 * summary, evidence) is -ENOMEM. */
int waste_add(const struct waste_finder *finder, const struct sweep_input *input,
	      struct waste waste, struct wastes *ret);

/* NULL: none is known by this id. */
const struct sweep_host *sweep_host_find(const struct sweep_input *input, const char *id);
/* Whether it is up now, and known to be: its last sample is fresh, and not from a clock that is
 * ahead by more. */
bool sweep_host_is_fresh(const struct sweep_input *input, const struct sweep_host *host);

/* Evidence: an object of figures. */
struct waste_evidence {
	struct buffer out;
	struct json json;
};
void waste_evidence_begin(struct waste_evidence *evidence);
void waste_evidence_number(struct waste_evidence *evidence, const char *key, double value);
void waste_evidence_i64(struct waste_evidence *evidence, const char *key, int64_t value);
void waste_evidence_text(struct waste_evidence *evidence, const char *key, const char *value);
/* The text of the object, owned by the caller; NULL: no memory. */
char *waste_evidence_end(struct waste_evidence *evidence);
