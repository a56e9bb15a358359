/* SPDX-License-Identifier: Apache-2.0 */
#include "tune/diff/step_reason.h"

/* What needs no fact to say why, and how sure that is. */
static const struct {
	enum diff_factor factor;
	enum finding_confidence confidence;
} SAYS_IT[] = {
	{ DIFF_NEW, CONFIDENCE_HIGH },
	{ DIFF_REMOVED, CONFIDENCE_HIGH },
	{ DIFF_TASKS, CONFIDENCE_HIGH },
	{ DIFF_INPUT, CONFIDENCE_MEDIUM },
};

/* It depends on which tasks there are, not on how long one takes. */
#define OF_COUNTS                                                             \
	(DIFF_BIT(DIFF_NEW) | DIFF_BIT(DIFF_REMOVED) | DIFF_BIT(DIFF_TASKS) | \
	 DIFF_BIT(DIFF_WAITING))

static int sign_of(const int64_t *factors)
{
	__int128 sum = 0;

	for (size_t i = 0; i < DIFF_FACTORS; i++)
		sum += factors[i];
	return (sum > 0) - (sum < 0);
}

static enum diff_factor largest(const int64_t *factors, int sign)
{
	enum diff_factor most = 0;

	for (enum diff_factor i = 1; i < DIFF_FACTORS; i++)
		if (sign > 0 ? factors[i] > factors[most] : factors[i] < factors[most])
			most = i;
	return most;
}

/* Facts of one subject count once. */
static void find_facts(const struct reason_case *of, int sign, struct step_reason *reason)
{
	for (size_t i = 0; i < of->fact_count; i++) {
		const struct step_fact *fact = &of->facts[i];

		if (!(fact->explains & DIFF_BIT(reason->factor)) || fact->toward == -sign)
			continue;
		if (reason->fact == FACT_NONE)
			reason->fact = i;
		else if (reason->second == FACT_NONE &&
			 step_fact_subject(fact->kind) != FACT_SYMPTOM &&
			 step_fact_subject(fact->kind) !=
				 step_fact_subject(of->facts[reason->fact].kind))
			reason->second = i;
	}
}

struct step_reason step_reason_find(const struct reason_case *of)
{
	struct step_reason reason = STEP_REASON_NONE;
	int sign = sign_of(of->factors);

	if (!sign)
		return reason;
	reason.kind = REASON_UNKNOWN;
	reason.factor = largest(of->factors, sign);
	reason.ns = of->factors[reason.factor];
	for (size_t i = 0; i < sizeof(SAYS_IT) / sizeof(SAYS_IT[0]); i++)
		if (SAYS_IT[i].factor == reason.factor) {
			reason.kind = REASON_FACTOR;
			reason.confidence = SAYS_IT[i].confidence;
		}
	if (of->spread && !(DIFF_BIT(reason.factor) & OF_COUNTS)) {
		reason.kind = REASON_SPREAD;
		return reason;
	}
	find_facts(of, sign, &reason);
	if (reason.kind == REASON_FACTOR || reason.fact == FACT_NONE)
		return reason;
	reason.kind = REASON_FACT;
	if (of->clear && reason.second == FACT_NONE && reason.factor != DIFF_UNKNOWN)
		reason.confidence = CONFIDENCE_MEDIUM;
	return reason;
}

const char *step_reason_key(enum reason_kind kind)
{
	static const char *const KEYS[] = {
		[REASON_NONE] = "none",     [REASON_FACTOR] = "factor",   [REASON_FACT] = "fact",
		[REASON_SPREAD] = "spread", [REASON_UNKNOWN] = "unknown",
	};

	return KEYS[kind];
}
