/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/report/cost/cost_amounts.h"

#include <errno.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "cli/report/cost/cost_rounding.h"
#include "cost/share_out.h"

#define NUSD_MAX 1e17 /* a hundred million dollars: no table has more */

typedef unsigned __int128 wide;

static const struct {
	const char *key, *shown;
} parts[COST_PARTS] = {
	{ "used_usd", "used" },
	{ "unused_usd", "unused" },
	{ "idle_usd", "idle" },
};

/* Amounts are shown in units of 10^-decimals dollars. */
struct scale {
	int64_t least_nusd; /* of the whole */
	int decimals;
	int64_t unit_nusd;
};

/* Cents, and more decimals where the sum is small. */
static const struct scale *scale_of(int64_t whole_nusd)
{
	static const struct scale scales[] = {
		{ 100000000000, 2, 10000000 },
		{ 1000000000, 4, 100000 },
		{ 10000000, 6, 1000 },
		{ 0, 9, 1 },
	};
	size_t i = 0;

	while (whole_nusd < scales[i].least_nusd)
		i++;
	return &scales[i];
}

/* Whole nano-dollars; -1: not known. */
static int64_t nusd_of(const json_t *object, const char *key)
{
	const json_t *value = json_object_get(object, key);
	double nusd = json_is_number(value) ? json_number_value(value) * 1e9 : -1;

	return nusd >= 0 && nusd < NUSD_MAX ? llround(nusd) : -1;
}

static int64_t rounded(const struct scale *scale, int64_t nusd)
{
	return nusd > 0 ? (nusd + scale->unit_nusd / 2) / scale->unit_nusd : 0;
}

/* "$12.34"; "<$0.01" for what is more than nothing. What is not known gets no text. */
static int set_text(json_t *object, const char *key, const struct scale *scale, int64_t units,
		    int64_t nusd)
{
	int64_t one = 1000000000 / scale->unit_nusd;
	bool little = units == 0 && nusd > 0;
	char text[64];

	if (nusd < 0)
		return 0;
	if (little)
		units = 1;
	(void)snprintf(text, sizeof(text), "%s$%lld.%0*lld", little ? "<" : "",
		       (long long)(units / one), scale->decimals, (long long)(units % one));
	return json_object_set_new(object, key, json_string(text)) ? -ENOMEM : 0;
}

static int set_parts(json_t *object, const struct scale *scale, const int64_t units[COST_PARTS],
		     const int64_t nusd[COST_PARTS], bool known)
{
	int64_t cost_units = 0, cost_nusd = 0;
	int rc = 0;

	for (size_t i = 0; i < COST_PARTS; i++) {
		if (rc == 0 && known)
			rc = set_text(object, parts[i].shown, scale, units[i], nusd[i]);
		cost_units += units[i];
		cost_nusd += nusd[i];
	}
	return rc == 0 && known ? set_text(object, "cost", scale, cost_units, cost_nusd) : rc;
}

/* 0 for what is not known. Whether all parts are known. */
static bool parts_of(const json_t *object, int64_t nusd[COST_PARTS])
{
	bool known = true;

	for (size_t i = 0; i < COST_PARTS; i++) {
		nusd[i] = nusd_of(object, parts[i].key);
		known &= nusd[i] >= 0;
		nusd[i] = nusd[i] < 0 ? 0 : nusd[i];
	}
	return known;
}

static int share_out(int64_t units, const int64_t *nusd, size_t count, int64_t *ret)
{
	wide *weights CLEANUP(freep) = calloc(count + 1, sizeof(*weights));

	if (!weights)
		return -ENOMEM;
	for (size_t i = 0; i < count; i++)
		weights[i] = nusd[i] > 0 ? (wide)nusd[i] : 0;
	return cost_share_out(units, weights, count, ret);
}

/* What is known of all rows, in nano-dollars, and how it is shown. */
struct sums {
	const struct scale *scale;
	bool known;
	int64_t nusd[COST_PARTS], units[COST_PARTS];
	int64_t cost_nusd, unallocated_nusd, unallocated_units;
};

static int make_sums(json_t *document, struct sums *ret)
{
	int64_t halves[2], units[2] = { 0 }, whole, whole_units;
	int rc;

	*ret = (struct sums){ .unallocated_nusd = nusd_of(document, "unallocated_usd") };
	ret->known = parts_of(document, ret->nusd);
	for (size_t i = 0; i < COST_PARTS; i++)
		ret->cost_nusd += ret->nusd[i];
	halves[0] = ret->cost_nusd;
	halves[1] = ret->unallocated_nusd > 0 ? ret->unallocated_nusd : 0;
	whole = halves[0] + halves[1];
	ret->scale = scale_of(whole);
	whole_units = rounded(ret->scale, whole);
	rc = share_out(whole_units, halves, 2, units);
	ret->unallocated_units = units[1];
	if (rc == 0)
		rc = share_out(units[0], ret->nusd, COST_PARTS, ret->units);
	if (rc == 0)
		rc = set_parts(document, ret->scale, ret->units, ret->nusd, ret->known);
	if (rc == 0)
		rc = set_text(document, "no_run", ret->scale, units[1], ret->unallocated_nusd);
	if (rc == 0 && ret->known)
		rc = set_text(document, "whole", ret->scale, whole_units, whole);
	return rc;
}

/* Rows that are not all that there is: each is rounded by itself, its parts add up to it. */
static int round_each(const struct sums *sums, const int64_t (*nusd)[COST_PARTS], size_t count,
		      int64_t (*ret)[COST_PARTS])
{
	int rc = 0;

	for (size_t i = 0; rc == 0 && i < count; i++) {
		int64_t cost = 0;

		for (size_t part = 0; part < COST_PARTS; part++)
			cost += nusd[i][part];
		rc = share_out(rounded(sums->scale, cost), nusd[i], COST_PARTS, ret[i]);
	}
	return rc;
}

static int set_costs(json_t *rows, const struct sums *sums)
{
	size_t count = json_array_size(rows), i;
	int64_t(*nusd)[COST_PARTS] CLEANUP(freep) = calloc(count + 1, sizeof(*nusd));
	int64_t(*units)[COST_PARTS] CLEANUP(freep) = calloc(count + 1, sizeof(*units));
	bool *known CLEANUP(freep) = calloc(count + 1, sizeof(*known));
	int64_t left[COST_PARTS];
	json_t *row;
	int rc;

	if (!nusd || !units || !known)
		return -ENOMEM;
	memcpy(left, sums->nusd, sizeof(left));
	json_array_foreach(rows, i, row)
	{
		known[i] = parts_of(row, nusd[i]);
		for (size_t part = 0; part < COST_PARTS; part++)
			left[part] -= nusd[i][part];
	}
	if (left[0] || left[1] || left[2])
		rc = round_each(sums, nusd, count, units);
	else
		rc = cost_round(nusd, count, sums->units, units);
	json_array_foreach(rows, i, row) if (rc == 0) rc =
		set_parts(row, sums->scale, units[i], nusd[i], known[i]);
	return rc;
}

static int set_unallocated(json_t *rows, const struct sums *sums)
{
	size_t count = json_array_size(rows), i;
	int64_t *nusd CLEANUP(freep) = calloc(count + 1, sizeof(*nusd));
	int64_t *units CLEANUP(freep) = calloc(count + 1, sizeof(*units)), sum = 0;
	json_t *row;
	int rc = 0;

	if (!nusd || !units)
		return -ENOMEM;
	json_array_foreach(rows, i, row)
	{
		nusd[i] = nusd_of(row, "unallocated_usd");
		units[i] = rounded(sums->scale, nusd[i]);
		sum += nusd[i] > 0 ? nusd[i] : 0;
	}
	if (sum == sums->unallocated_nusd)
		rc = share_out(sums->unallocated_units, nusd, count, units);
	json_array_foreach(rows, i, row) if (rc == 0) rc =
		set_text(row, "no_run", sums->scale, units[i], nusd[i]);
	return rc;
}

int cost_amounts_set(json_t *document, json_t *rows)
{
	struct sums sums;
	int rc = make_sums(document, &sums);

	if (rc == 0)
		rc = set_costs(rows, &sums);
	return rc == 0 ? set_unallocated(rows, &sums) : rc;
}

int cost_amounts_set_halves(json_t *object, const char *const keys[2], const char *const shown[2])
{
	int64_t nusd[2] = { nusd_of(object, keys[0]), nusd_of(object, keys[1]) }, units[2] = { 0 };
	int64_t whole = (nusd[0] > 0 ? nusd[0] : 0) + (nusd[1] > 0 ? nusd[1] : 0);
	const struct scale *scale = scale_of(whole);
	int rc = share_out(rounded(scale, whole), nusd, 2, units);

	for (size_t i = 0; rc == 0 && i < 2; i++)
		rc = set_text(object, shown[i], scale, units[i], nusd[i]);
	return rc;
}
