/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <jansson.h>
#include <stdbool.h>

#include "base/error.h"
#include "inventory/listing.h"

/* Requests to Compute Engine with a token of a service account: of the key in the account's file,
 * or of the machine that the lake runs on (metadata service). What is throttled is asked again
 * (retry.h); a token that has expired is renewed once. */
struct gcp_session {
	struct listing *listing;
	char *authorization; /* a header; secret */
	char project[64];    /* of the key or the machine */
	bool renewed;
};

int gcp_session_open(struct gcp_session *session, struct listing *listing, struct error *err);
void gcp_session_clear(struct gcp_session *session);
/* Gets a new token: reads the key again. */
int gcp_session_renew(struct gcp_session *session, struct error *err);

/* An aggregated list of a project ("instances", "disks"): take is called with each page. fields:
 * the part of an answer that is wanted. Errors as of inventory_list. */
int gcp_ask_pages(struct gcp_session *session, const char *project, const char *list,
		  const char *fields,
		  int (*take)(void *context, const json_t *page, struct error *err), void *context,
		  struct error *err);
#define GCP_PAGES 2000

/* What is wrong where Google answers with another status than 200, as of aws_fault. */
int gcp_fault(const char *what, long status, const json_t *answer, struct error *err);
