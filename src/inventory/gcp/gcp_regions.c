/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "inventory/gcp/gcp_list.h"
#include "inventory/listing.h"

#define REGIONS_MAX 200

const char *gcp_last(const char *url)
{
	return text_basename(url);
}

char *gcp_region(const char *zone, char ret[64])
{
	size_t len;

	snprintf(ret, 64, "%s", zone);
	len = strlen(ret);
	if (len > 2 && ret[len - 2] == '-' && !strchr("0123456789", ret[len - 1]))
		ret[len - 2] = '\0';
	return ret;
}

json_t *gcp_tags(const json_t *resource)
{
	const json_t *labels = json_object_get(resource, "labels");
	json_t *tags = json_is_object(labels) ? json_copy((json_t *)labels) : json_object();

	if (*listing_text(tags, "tracer-idle"))
		json_object_set(tags, "tracer:idle", json_object_get(tags, "tracer-idle"));
	return tags;
}

static void note(struct gcp_regions *regions, const char *scope, bool complete)
{
	char region[64];
	json_t *before;

	gcp_region(gcp_last(scope), region);
	before = json_object_get(regions->complete, region);
	if (!*region || strcmp(scope, "global") == 0 ||
	    (!before && json_object_size(regions->complete) >= REGIONS_MAX))
		return;
	json_object_set_new(regions->complete, region,
			    json_boolean(complete && (!before || json_is_true(before))));
}

/* https://cloud.google.com/compute/docs/reference/rest/v1/instances/aggregatedList: a scope without
 * results has the warning NO_RESULTS_ON_PAGE; one that is not reached UNREACHABLE, or it is in
 * "unreachables". */
void gcp_regions_note(struct gcp_regions *regions, const json_t *page)
{
	const json_t *unreachable = json_object_get(page, "unreachables");
	const char *scope;
	json_t *part;
	size_t i;

	json_object_foreach(json_object_get(page, "items"), scope, part)
	{
		const char *code = listing_text(json_object_get(part, "warning"), "code");

		note(regions, scope, !*code || strcmp(code, "NO_RESULTS_ON_PAGE") == 0);
	}
	json_array_foreach(unreachable, i, part) if (json_is_string(part))
		note(regions, json_string_value(part), false);
}

int gcp_regions_write(const struct gcp_regions *regions, struct listing *listing, const char *what,
		      int rc, const struct error *err)
{
	struct error unreachable = { "" };
	const char *region;
	json_t *complete;

	error_set(&unreachable, 0, "Google did not reach a part of the region");
	json_object_foreach(regions->complete, region, complete)
	{
		bool reached = json_is_true(complete);
		int written = listing_part(listing, region, what, rc ? rc : (reached ? 0 : -EAGAIN),
					   rc ? err : &unreachable);

		if (written)
			return written;
	}
	return 0;
}
