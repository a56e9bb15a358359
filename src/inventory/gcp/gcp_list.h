/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <jansson.h>

#include "base/error.h"

struct gcp_session;
struct listing;

/* Which regions an aggregated list has, and of which it is complete. */
struct gcp_regions {
	json_t *complete; /* an object: region to true or false; owned */
};

/* Notes the scopes of a page ("zones/us-central1-a", "regions/us-central1"), with those that Google
 * could not reach. */
void gcp_regions_note(struct gcp_regions *regions, const json_t *page);
/* Writes their lines "region", with the error of the list, if there is one (rc). */
int gcp_regions_write(const struct gcp_regions *regions, struct listing *listing, const char *what,
		      int rc, const struct error *err);

/* Write the machines, or disks, of a project to the listing, and notes regions; errors as of
 * inventory_list. */
int gcp_list_machines(struct gcp_session *session, const char *project, struct gcp_regions *regions,
		      struct error *err);
int gcp_list_disks(struct gcp_session *session, const char *project, struct gcp_regions *regions,
		   struct error *err);

/* The managed groups of a project: base names of machines to names of groups, an object that the
 * caller json_decref()s. Where Google refuses it is empty. */
json_t *gcp_groups(struct gcp_session *session, const char *project);
/* What keeps a machine, for people; "": nothing. */
void gcp_group_of(const json_t *groups, const char *name, const json_t *labels, char *ret,
		  size_t size);

/* The last part of a URL of Google's. */
const char *gcp_last(const char *url);
/* "us-central1" of "us-central1-a"; a region stays. Returns ret. */
char *gcp_region(const char *zone, char ret[64]);
/* Labels as tags; "tracer-idle" is also "tracer:idle", which no label may be called. The caller
 * json_decref()s it. */
json_t *gcp_tags(const json_t *resource);
