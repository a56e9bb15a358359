/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <string.h>

#include "inventory/aws/aws_list.h"
#include "inventory/aws/aws_session.h"
#include "inventory/fetch/fetch.h"
#include "inventory/provider.h"

#define REGIONS_MAX 100

static int list_part(struct aws_session *session, const char *region, const char *what,
		     int (*list)(struct aws_session *, const char *, struct error *))
{
	struct error words = { "" };
	int rc = list(session, region, &words);

	return listing_part(session->listing, region, what, rc, &words);
}

static int list_region(struct aws_session *session, const char *region)
{
	int rc = list_part(session, region, "machines", aws_list_machines);

	return rc ? rc : list_part(session, region, "volumes", aws_list_volumes);
}

/* All that the account has enabled. */
static int find_regions(struct aws_session *session, json_t **ret, struct error *err)
{
	CLEANUP(json_decrefp) json_t *answer = NULL;
	const struct aws_call call = { .service = "ec2",
				       .region = session->home,
				       .action = "DescribeRegions",
				       .version = AWS_EC2_VERSION,
				       .path = "/" };
	int rc = aws_ask(session, &call, &answer, err);

	if (rc)
		return rc;
	*ret = json_incref(json_object_get(answer, "regionInfo"));
	return json_array_size(*ret) > 0 && json_array_size(*ret) <= REGIONS_MAX
		       ? 0
		       : error_set(err, -EPROTO, "ec2 DescribeRegions: the answer has no regions");
}

static int list_enabled(struct aws_session *session, struct error *err)
{
	CLEANUP(json_decrefp) json_t *regions = NULL;
	int rc = find_regions(session, &regions, err);
	json_t *region;
	size_t i;

	if (rc)
		return rc;
	json_array_foreach(regions, i, region)
	{
		const char *name = listing_text(region, "regionName");

		if (strspn(name, "abcdefghijklmnopqrstuvwxyz0123456789-") != strlen(name) ||
		    !*name || strlen(name) > 40)
			return error_set(err, -EPROTO,
					 "ec2 DescribeRegions: a region's name is none");
		rc = list_region(session, name);
		if (rc)
			return rc;
	}
	return 0;
}

static int list(struct listing *listing, struct error *err)
{
	const struct inventory_names *regions = &listing->account->regions;
	CLEANUP(aws_session_clear) struct aws_session session = { .listing = listing };
	int rc = aws_session_open(&session, listing, err);

	if (rc == 0 && regions->count == 0)
		return list_enabled(&session, err);
	for (size_t i = 0; rc == 0 && i < regions->count; i++)
		rc = list_region(&session, regions->items[i]);
	return rc;
}

const struct inventory_provider INVENTORY_AWS = { .name = "aws", .list = list };
