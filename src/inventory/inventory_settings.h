/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stddef.h>
#include <stdint.h>

#include "base/cleanup.h"
#include "base/error.h"

/* The settings of what is listed: inventory.yaml (docs/operate.md). Secrets are in other files. */
#define INVENTORY_FILE_BYTES (1u << 20)
#define INVENTORY_ACCOUNTS   64
#define INVENTORY_NAMES      64 /* regions or projects of an account */

struct inventory_names {
	char **items;
	size_t count;
};

struct inventory_account {
	char *name;     /* for people; of one account only */
	char *provider; /* "aws", "gcp" */
	/* AWS: as of its SDKs, "profile" is a section; GCP: the key of a service account. "": those
	 * that the provider gives to the machine or container that the lake runs on. */
	char *credentials_file, *profile;
	char *role, *external_id;        /* AWS: an ARN that is assumed; "": none */
	struct inventory_names regions;  /* AWS; none: all that the account uses */
	struct inventory_names projects; /* GCP; none: that of the key, or the machine */
	char *endpoint;                  /* "": the provider's; of another one, for tests */
	char *metadata_endpoint;         /* "": the provider's; for tests */
	uint64_t interval_ns;            /* between the starts of two listings */
	uint64_t timeout_ns;             /* of a request */
	uint64_t page_size;              /* machines or volumes of an answer */
};

struct inventory_settings {
	struct inventory_account *accounts;
	size_t count;
};

/* Reads a file. -ENOENT: it is missing; -EINVAL with "FILE:LINE:COLUMN: what is wrong"; -errno. */
int inventory_settings_read(const char *path, struct inventory_settings **ret, struct error *err);
/* The same of a text, which messages call origin; an empty one has no accounts. */
int inventory_settings_parse(const char *text, size_t len, const char *origin,
			     struct inventory_settings **ret, struct error *err);
void inventory_settings_free(struct inventory_settings *settings);
DEFINE_CLEANUP(struct inventory_settings *, inventory_settings_free)
