/* SPDX-License-Identifier: Apache-2.0 */
#include "server/recommend/pattern_list.h"

#include <string.h>

#include "base/text.h"
#include "server/http/filter.h"

bool pattern_list_matches(const char *patterns, const char *text)
{
	char pattern[FILTER_TEXT_MAX + 1];

	if (!patterns || !*patterns)
		return true;
	for (const char *at = patterns;; at += strcspn(at, ",") + 1) {
		size_t len = strcspn(at, ",");

		if (len > 0 && text_matches(text_cut(at, len, pattern, sizeof(pattern)), text))
			return true;
		if (!at[len])
			return false;
	}
}
