/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/cleanup.h"
#include "base/error.h"
#include "cost/split.h"

/*
 * The settings of costs, cost.yaml (docs/cost.md): what machines on premises cost, factors on
 * prices, cost centres, budgets, the rule by which costs are split. Read once, then constant: any
 * thread may use it. A pattern is as of fnmatch(3) and matches the text from its start to its end;
 * '*' matches '/' too.
 */
#define COST_POLICY_BYTES (1u << 20) /* of a file */
#define COST_POLICY_ITEMS 1024       /* of each list */
#define COST_POLICY_TEXT  256        /* bytes of a name or pattern */
#define COST_POLICY_WORDS 160        /* bytes of what cost_policy_machine() says */
#define COST_POLICY_STARS 8          /* of a pattern: what it may cost to match one */

enum cost_budget_kind {
	COST_BUDGET_LABEL,
	COST_BUDGET_PIPELINE,
	COST_BUDGET_USER,
	COST_BUDGET_COST_CENTRE,
};

struct cost_budget {
	char *name;
	enum cost_budget_kind kind;
	char *label; /* of COST_BUDGET_LABEL: the key of the label, else "" */
	char *value; /* a pattern for the label's value, pipeline, user or cost centre */
	int64_t nusd_month;
};

struct cost_policy {
	enum cost_rule rule; /* COST_RULE_HELD where the file says nothing */
	struct cost_budget *budgets;
	size_t budget_count;
	/* For the functions below. */
	struct policy_machine *machines;
	struct policy_factor *factors;
	struct policy_centre *centres;
	size_t machine_count, factor_count, centre_count;
};

/* Reads the text of a file, which messages call origin; "" gives an empty policy. -EINVAL, -EFBIG,
 * -ENOMEM with "ORIGIN:LINE:COLUMN: what is wrong, what is allowed". The server reads files by
 * cost_policy_read() of server/billing/policy_file.h. */
int cost_policy_parse(const char *text, size_t len, const char *origin, struct cost_policy **ret,
		      struct error *err);
void cost_policy_free(struct cost_policy *policy);
DEFINE_CLEANUP(struct cost_policy *, cost_policy_free)

/* The name of the first cost centre that fits, owned by policy; NULL: none does. labels_json: an
 * object of texts; a text that is NULL, or labels that are no JSON object, fit no pattern. A path
 * also fits a pattern for a folder above it. */
const char *cost_policy_centre(const struct cost_policy *policy, const char *labels_json,
			       const char *user, const char *pipeline, const char *path);
/* Whether a run counts for a budget; centre as of cost_policy_centre(). */
bool cost_budget_fits(const struct cost_budget *budget, const char *labels_json, const char *user,
		      const char *pipeline, const char *centre);
/* What a price is multiplied by: the first factor that fits, in (0, 10]; 1 where none does.
 * *ret_name is its name (owned by policy), or NULL. type also fits by its family ("m6i" of
 * "m6i.large", "n2" of "n2-standard-4"); purchase "" is on_demand. */
double cost_policy_factor(const struct cost_policy *policy, const char *provider, const char *type,
			  const char *region, const char *purchase, const char **ret_name);
/* The price of a machine on premises: of the first entry that fits its host name. words, if not
 * NULL, say it: "machine node*: 4,200 USD a year, 800 USD a year for people, 400 W at 0.15
 * USD/kWh". false: none fits. */
bool cost_policy_machine(const struct cost_policy *policy, const char *hostname,
			 double *ret_usd_hour, char words[COST_POLICY_WORDS]);
