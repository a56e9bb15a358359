/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "inventory/gcp/gcp_list.h"
#include "inventory/gcp/gcp_session.h"

#define GIB ((uint64_t)1 << 30)
#define FIELDS                                                                               \
	"nextPageToken,unreachables,items/*/warning/code,items/*/disks(id,name,zone,region," \
	"sizeGb,type,users,labels,status,creationTimestamp,lastAttachTimestamp,"             \
	"lastDetachTimestamp)"

struct disks {
	struct gcp_session *session;
	struct gcp_regions *regions;
};

/* A disk that no machine ever had is unused since it was made. */
static const char *detached_at(const json_t *disk)
{
	const char *detached = listing_text(disk, "lastDetachTimestamp");

	if (*detached || *listing_text(disk, "lastAttachTimestamp"))
		return detached;
	return listing_text(disk, "creationTimestamp");
}

static int write_disk(const struct disks *disks, const json_t *disk)
{
	CLEANUP(json_decrefp) json_t *tags = gcp_tags(disk);
	const char *zone = gcp_last(listing_text(disk, "zone"));
	const char *of_region = gcp_last(listing_text(disk, "region"));
	const char *user = json_string_value(json_array_get(json_object_get(disk, "users"), 0));
	unsigned long long gib = strtoull(listing_text(disk, "sizeGb"), NULL, 10);
	char region[64];

	if (!*listing_text(disk, "id") || strcmp(listing_text(disk, "status"), "DELETING") == 0 ||
	    (!*zone && !*of_region))
		return 0;
	return listing_volume(disks->session->listing,
			      &(struct listed_volume){
				      .region = gcp_region(*zone ? zone : of_region, region),
				      .zone = zone,
				      .id = listing_text(disk, "id"),
				      .name = listing_text(disk, "name"),
				      .type = gcp_last(listing_text(disk, "type")),
				      .attached_to = user ? gcp_last(user) : "",
				      .created_at = listing_text(disk, "creationTimestamp"),
				      .detached_at = user ? "" : detached_at(disk),
				      .bytes = gib < (1u << 24) ? gib * GIB : 0,
				      .tags = tags,
			      });
}

static int take_page(void *context, const json_t *page, struct error *err)
{
	const struct disks *disks = context;
	const char *name;
	json_t *scope, *disk;
	size_t i;
	int rc = 0;

	gcp_regions_note(disks->regions, page);
	json_object_foreach(json_object_get(page, "items"), name, scope)
		json_array_foreach(json_object_get(scope, "disks"), i, disk) if (rc == 0) rc =
			write_disk(disks, disk);
	return rc;
}

int gcp_list_disks(struct gcp_session *session, const char *project, struct gcp_regions *regions,
		   struct error *err)
{
	struct disks disks = { session, regions };

	return gcp_ask_pages(session, project, "disks", FIELDS, take_page, &disks, err);
}
