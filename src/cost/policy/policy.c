/* SPDX-License-Identifier: Apache-2.0 */
#include "cost/policy/policy_private.h"

#include <fnmatch.h>
#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"

#define HOURS_A_YEAR 8766 /* 365.25 days */
#define FAMILY_SIZE  64
#define NUMBER_SIZE  32

static void free_texts(char *const *texts, size_t count)
{
	for (size_t i = 0; i < count; i++)
		free(texts[i]);
}

#define FREE_TEXTS(...)                            \
	free_texts((char *const[]){ __VA_ARGS__ }, \
		   sizeof((char *const[]){ __VA_ARGS__ }) / sizeof(char *))

void cost_policy_free(struct cost_policy *policy)
{
	if (!policy)
		return;
	for (size_t i = 0; i < policy->machine_count; i++)
		free(policy->machines[i].hosts);
	for (size_t i = 0; i < policy->factor_count; i++) {
		struct policy_factor *factor = &policy->factors[i];

		FREE_TEXTS(factor->name, factor->provider, factor->families, factor->regions,
			   factor->purchase);
	}
	for (size_t i = 0; i < policy->centre_count; i++) {
		struct policy_centre *centre = &policy->centres[i];

		FREE_TEXTS(centre->name, centre->label, centre->label_value, centre->user,
			   centre->pipeline, centre->path);
	}
	for (size_t i = 0; i < policy->budget_count; i++) {
		struct cost_budget *budget = &policy->budgets[i];

		FREE_TEXTS(budget->name, budget->label, budget->value);
	}
	free(policy->machines);
	free(policy->factors);
	free(policy->centres);
	free(policy->budgets);
	free(policy);
}

static bool fits(const char *pattern, const char *text)
{
	return !pattern || (text && fnmatch(pattern, text, 0) == 0);
}

static bool path_fits(const char *pattern, const char *path)
{
	return !pattern || (path && fnmatch(pattern, path, FNM_LEADING_DIR) == 0);
}

static bool label_fits(const char *key, const char *pattern, const char *labels_json)
{
	json_t *labels;
	bool fit;

	if (!key)
		return true;
	labels = labels_json ? json_loads(labels_json, 0, NULL) : NULL;
	fit = labels && json_string_value(json_object_get(labels, key)) &&
	      fits(pattern, json_string_value(json_object_get(labels, key)));
	json_decref(labels);
	return fit;
}

const char *cost_policy_centre(const struct cost_policy *policy, const char *labels_json,
			       const char *user, const char *pipeline, const char *path)
{
	for (size_t i = 0; i < policy->centre_count; i++) {
		const struct policy_centre *centre = &policy->centres[i];

		if (fits(centre->user, user) && fits(centre->pipeline, pipeline) &&
		    path_fits(centre->path, path) &&
		    label_fits(centre->label, centre->label_value, labels_json))
			return centre->name;
	}
	return NULL;
}

bool cost_budget_fits(const struct cost_budget *budget, const char *labels_json, const char *user,
		      const char *pipeline, const char *centre)
{
	const char *const texts[] = {
		[COST_BUDGET_PIPELINE] = pipeline,
		[COST_BUDGET_USER] = user,
		[COST_BUDGET_COST_CENTRE] = centre,
	};

	if (budget->kind == COST_BUDGET_LABEL)
		return label_fits(budget->label, budget->value, labels_json);
	return fits(budget->value, texts[budget->kind]);
}

static bool type_fits(const char *pattern, const char *type)
{
	char family[FAMILY_SIZE];

	if (!pattern || !type)
		return !pattern;
	return fits(pattern, type) ||
	       fits(pattern, text_cut(type, strcspn(type, ".-"), family, sizeof(family)));
}

double cost_policy_factor(const struct cost_policy *policy, const char *provider, const char *type,
			  const char *region, const char *purchase, const char **ret_name)
{
	*ret_name = NULL;
	for (size_t i = 0; i < policy->factor_count; i++) {
		const struct policy_factor *factor = &policy->factors[i];

		if (!fits(factor->provider, provider) || !type_fits(factor->families, type) ||
		    !fits(factor->regions, region) ||
		    !fits(factor->purchase, purchase && *purchase ? purchase : "on_demand"))
			continue;
		*ret_name = factor->name;
		return factor->factor;
	}
	return 1;
}

double policy_machine_usd_hour(const struct policy_machine *machine)
{
	return (machine->usd_year + machine->usd_year_people) / HOURS_A_YEAR +
	       machine->power_w / 1000 * machine->usd_kwh;
}

/* "4,200", "0.15": two decimals where there are any. */
static const char *amount(double number, char text[NUMBER_SIZE])
{
	int64_t hundredths = llround(number * 100), whole = hundredths / 100;
	char groups[NUMBER_SIZE] = "";
	int len;

	for (; whole >= 1000; whole /= 1000) {
		char behind[NUMBER_SIZE];

		snprintf(behind, sizeof(behind), ",%03d%.20s", (int)(whole % 1000), groups);
		memcpy(groups, behind, sizeof(groups));
	}
	len = snprintf(text, NUMBER_SIZE, "%d%.20s", (int)whole, groups);
	if (hundredths % 100)
		snprintf(text + len, NUMBER_SIZE - (size_t)len, ".%02d", (int)(hundredths % 100));
	return text;
}

static void say_machine(const struct policy_machine *machine, char words[COST_POLICY_WORDS])
{
	char year[NUMBER_SIZE], people[NUMBER_SIZE], power[NUMBER_SIZE], kwh[NUMBER_SIZE];
	int len = snprintf(words, COST_POLICY_WORDS, "machine %.48s: %s USD a year", machine->hosts,
			   amount(machine->usd_year, year));

	if (machine->usd_year_people > 0)
		len += snprintf(words + len, COST_POLICY_WORDS - (size_t)len, ", %s for people",
				amount(machine->usd_year_people, people));
	if (machine->power_w > 0)
		snprintf(words + len, COST_POLICY_WORDS - (size_t)len, ", %s W at %s USD/kWh",
			 amount(machine->power_w, power), amount(machine->usd_kwh, kwh));
}

bool cost_policy_machine(const struct cost_policy *policy, const char *hostname,
			 double *ret_usd_hour, char words[COST_POLICY_WORDS])
{
	for (size_t i = 0; hostname && i < policy->machine_count; i++) {
		const struct policy_machine *machine = &policy->machines[i];

		if (!fits(machine->hosts, hostname))
			continue;
		*ret_usd_hour = policy_machine_usd_hour(machine);
		if (words)
			say_machine(machine, words);
		return true;
	}
	return false;
}
