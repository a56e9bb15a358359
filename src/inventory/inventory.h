/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stddef.h>

#include "base/error.h"
#include "inventory/inventory_settings.h"

/*
 * Lists the machines and volumes of an account at its provider, over HTTPS, with read-only rights.
 * What it finds is lines: JSON objects, each of one "kind":
 *
 *   machine  account, provider, account_id, region, zone, id, name, hostname, type, purchase
 *            ("on_demand", "spot"), image, state ("running", "stopped" …), group, owner, tags,
 *            launched_at (RFC 3339)
 *   volume   account, provider, account_id, region, zone, id, name, type, owner, tags, bytes,
 *            attached_to (a machine's id; "": none), created_at, detached_at ("": unknown)
 *   region   account, account_id, region, what ("machines", "volumes"), complete, count, error:
 *            after its machines or volumes. Where it is not complete, one that is missing may
 *            still exist.
 *   listing  account, provider, account_id, at, until_at, complete, error: the last line
 *
 * No line holds a secret. Texts have no control characters and at most INVENTORY_TEXT bytes.
 */
#define INVENTORY_TEXT      256
#define INVENTORY_TAGS      50          /* of a machine or volume; AWS allows 50 */
#define INVENTORY_LINE      (32u << 10) /* bytes of a line, at most */
#define INVENTORY_ROWS      200000      /* of an account, machines and volumes */
#define INVENTORY_LISTING_S 600         /* within which an account is listed */

struct inventory_sink {
	/* Takes a line without its line break; an error ends the listing with it. */
	int (*line)(void *context, const char *line, size_t len);
	void *context;
};

/* Blocks until all is listed. Where a part is not listed, its line "region" and the line "listing"
 * say why, and the first of these errors is returned, with words. -EACCES: the provider refuses;
 * -EKEYEXPIRED: the credentials have expired; -EAGAIN: it goes on asking to come later;
 * -ETIMEDOUT; -EPROTO: an answer has another form; -ENOENT, -EINVAL: credentials are missing or are
 * none. One listing a process at a time. */
int inventory_list(const struct inventory_account *account, const struct inventory_sink *sink,
		   struct error *err);
