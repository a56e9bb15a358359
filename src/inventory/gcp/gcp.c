/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <stdio.h>

#include "base/cleanup.h"
#include "inventory/gcp/gcp_list.h"
#include "inventory/gcp/gcp_session.h"
#include "inventory/provider.h"

/* A list that failed before its first page has no region of its own: its error is the account's. */
static int list_part(struct gcp_session *session, const char *project, const char *what,
		     int (*list)(struct gcp_session *, const char *, struct gcp_regions *,
				 struct error *),
		     struct error *err)
{
	CLEANUP(json_decrefp) json_t *complete = json_object();
	struct gcp_regions regions = { complete };
	int rc = list(session, project, &regions, err), written;

	written = gcp_regions_write(&regions, session->listing, what, rc, err);
	if (written)
		return error_set(err, written, "what was listed is not written");
	return rc && json_object_size(complete) == 0 ? rc : 0;
}

static int list_project(struct gcp_session *session, const char *project, struct error *err)
{
	struct listing *listing = session->listing;
	int rc;

	snprintf(listing->account_id, sizeof(listing->account_id), "%s", project);
	rc = list_part(session, project, "machines", gcp_list_machines, err);
	return rc ? rc : list_part(session, project, "volumes", gcp_list_disks, err);
}

static int list(struct listing *listing, struct error *err)
{
	const struct inventory_names *projects = &listing->account->projects;
	CLEANUP(gcp_session_clear) struct gcp_session session = { .listing = listing };
	int rc = gcp_session_open(&session, listing, err), first = 0;

	if (rc)
		return rc;
	if (projects->count == 0 && !*session.project)
		return error_set(err, -EINVAL, "account %s needs 'projects': its key names none",
				 listing->account->name);
	if (projects->count == 0)
		return list_project(&session, session.project, err);
	/* Each project, also after one that refuses. */
	for (size_t i = 0; i < projects->count; i++) {
		struct error words = { "" };

		rc = list_project(&session, projects->items[i], &words);
		if (rc && !first)
			first = error_set(err, rc, "%s", error_text(&words));
	}
	return first;
}

const struct inventory_provider INVENTORY_GCP = { .name = "gcp", .list = list };
