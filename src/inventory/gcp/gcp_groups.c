/* SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/log.h"
#include "inventory/gcp/gcp_list.h"
#include "inventory/gcp/gcp_session.h"

#define FIELDS "nextPageToken,unreachables,items/*/instanceGroupManagers(name,baseInstanceName)"
#define SUFFIX 5 /* of a name: "-" and four letters or digits */

static int take_page(void *context, const json_t *page, struct error *err)
{
	json_t *groups = context, *scope, *group;
	const char *name;
	size_t i;

	json_object_foreach(json_object_get(page, "items"), name, scope)
		json_array_foreach(json_object_get(scope, "instanceGroupManagers"), i,
				   group) if (*listing_text(group, "baseInstanceName"))
			json_object_set(groups, listing_text(group, "baseInstanceName"),
					json_object_get(group, "name"));
	return 0;
}

json_t *gcp_groups(struct gcp_session *session, const char *project)
{
	json_t *groups = json_object();
	struct error words = { "" };

	if (gcp_ask_pages(session, project, "instanceGroupManagers", FIELDS, take_page, groups,
			  &words))
		log_debug("no names of groups: %s", error_text(&words));
	return groups;
}

/* The managed group that made a machine names it by its base name and a suffix. */
static const char *managed_group(const json_t *groups, const char *name)
{
	size_t len = strlen(name);
	char base[64];

	if (len <= SUFFIX || len - SUFFIX >= sizeof(base) || name[len - SUFFIX] != '-')
		return "";
	snprintf(base, sizeof(base), "%.*s", (int)(len - SUFFIX), name);
	return listing_text(groups, base);
}

void gcp_group_of(const json_t *groups, const char *name, const json_t *labels, char *ret,
		  size_t size)
{
	const char *cluster = listing_text(labels, "goog-k8s-cluster-name");
	const char *pool = listing_text(labels, "goog-k8s-node-pool-name");
	const char *dataproc = listing_text(labels, "goog-dataproc-cluster-name");
	const char *managed = managed_group(groups, name);

	*ret = '\0';
	if (*cluster)
		snprintf(ret, size, "GKE, node pool %s of cluster %s", *pool ? pool : "-", cluster);
	else if (*dataproc)
		snprintf(ret, size, "Dataproc, cluster %s", dataproc);
	else if (*managed)
		snprintf(ret, size, "instance group %s", managed);
}
