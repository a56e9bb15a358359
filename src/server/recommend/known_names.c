/* SPDX-License-Identifier: Apache-2.0 */
#include "server/recommend/known_names.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "cloud/machine_type.h"
#include "server/http/filter.h"

#define WORDS(...) ((const char *const[]){ __VA_ARGS__, NULL })

static const char *const PROVIDERS[] = { "aws", "gcp", NULL };

static bool is_word(const char *const *words, const char *pattern)
{
	for (size_t i = 0; words[i]; i++)
		if (text_matches(pattern, words[i]))
			return true;
	return false;
}

static bool is_type(const char *pattern, bool family)
{
	for (size_t i = 0; PROVIDERS[i]; i++) {
		struct cloud_machine_type type = { .type = "" };
		char last[CLOUD_TYPE_SIZE] = "";

		while (cloud_machine_type_next(PROVIDERS[i], last, &type)) {
			memcpy(last, type.type, sizeof(last));
			if (text_matches(pattern, family ? type.family : type.type))
				return true;
		}
	}
	return false;
}

static bool is_region(const char *pattern)
{
	for (size_t i = 0; PROVIDERS[i]; i++) {
		char region[CLOUD_REGION_SIZE], last[CLOUD_REGION_SIZE] = "";

		while (cloud_region_next(PROVIDERS[i], last, region)) {
			memcpy(last, region, sizeof(last));
			if (text_matches(pattern, region))
				return true;
		}
	}
	return false;
}

enum list { LIST_TYPES, LIST_FAMILIES, LIST_REGIONS, LIST_WORDS };

static bool is_known(enum list list, const char *const *words, const char *pattern)
{
	if (list == LIST_WORDS)
		return is_word(words, pattern);
	return list == LIST_REGIONS ? is_region(pattern) : is_type(pattern, list == LIST_FAMILIES);
}

static int refuse(const char *name, enum list list, const char *const *words, const char *pattern,
		  struct error *err)
{
	struct error known = { "" };
	size_t len = 0;

	for (size_t i = 0; words && words[i] && len < sizeof(known.text); i++)
		len += (size_t)snprintf(known.text + len, sizeof(known.text) - len, "%s%s",
					i ? ", " : "; there are ", words[i]);
	if (list == LIST_TYPES && is_type(pattern, true))
		return error_set(err, -EINVAL,
				 "no type is called \"%s\"; that is a family: families", pattern);
	if (list == LIST_FAMILIES && is_type(pattern, false))
		return error_set(err, -EINVAL, "no family is called \"%s\"; that is a type: types",
				 pattern);
	return error_set(err, -EINVAL, "%s: nothing is called \"%s\"%s", name, pattern, known.text);
}

static int check(const char *name, const char *patterns, enum list list, const char *const *words,
		 struct error *err)
{
	char pattern[FILTER_TEXT_MAX + 1];

	for (const char *at = patterns; at && *at;) {
		size_t len = strcspn(at, ",");

		text_cut(at, len, pattern, sizeof(pattern));
		if (len > 0 && !is_known(list, words, pattern))
			return refuse(name, list, words, pattern, err);
		at += len + (at[len] == ',');
	}
	return 0;
}

int known_names_check(const struct recommend_request *request, struct error *err)
{
	const struct {
		const char *name, *patterns;
		enum list list;
		const char *const *words;
	} LISTS[] = {
		{ "purchase", request->purchase, LIST_WORDS, WORDS("on_demand", "spot") },
		{ "arch", request->arch, LIST_WORDS, WORDS("x86_64", "arm64", "any") },
		{ "providers", request->providers, LIST_WORDS, PROVIDERS },
		{ "types", request->types, LIST_TYPES, NULL },
		{ "families", request->families, LIST_FAMILIES, NULL },
		{ "regions", request->regions, LIST_REGIONS, NULL },
	};
	int rc = 0;

	for (size_t i = 0; rc == 0 && i < sizeof(LISTS) / sizeof(LISTS[0]); i++)
		rc = check(LISTS[i].name, LISTS[i].patterns, LISTS[i].list, LISTS[i].words, err);
	return rc;
}
