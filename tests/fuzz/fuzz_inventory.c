/* SPDX-License-Identifier: Apache-2.0 */
/* What providers answer, and what lists accounts writes; the first byte says which. */
#include "fuzz.h"

#include <errno.h>
#include <jansson.h>
#include <string.h>

#include "base/cleanup.h"
#include "inventory/aws/aws_credentials.h"
#include "inventory/fetch/xml_tree.h"
#include "inventory/gcp/gcp_jwt.h"
#include "inventory/inventory_settings.h"
#include "server/inventory/inventory_rows.h"

static struct error err;

static void read_xml(const char *text, size_t len)
{
	CLEANUP(json_decrefp) json_t *tree = NULL;
	int rc = xml_tree_parse(text, len, &tree, &err);

	MUST(rc == 0 ? tree != NULL : rc == -EPROTO && *err.text);
}

static void read_row(const char *text, size_t len)
{
	CLEANUP(buffer_clear) struct buffer out = { 0 };
	struct inventory_row row;
	int rc;

	buffer_init(&out, 0);
	rc = inventory_row_read(text, len, &out, &row, &err);
	MUST(rc == -EPROTO ? out.len == 0 : rc == 0 && out.data[out.len - 1] == '\n');
	if (rc == 0) {
		CLEANUP(json_decrefp) json_t *again = json_loadb(out.data, out.len, 0, NULL);

		MUST(again && strlen(out.data) == out.len);
	}
}

static void read_credentials(const char *text, size_t len)
{
	struct aws_credentials found = { 0 };
	int rc = aws_credentials_parse(text, "f", "default", &found, &err);

	MUST(rc == 0 ? *found.key_id && *found.secret : rc == -ENOENT || rc == -EINVAL);
	aws_credentials_clear(&found);
}

static void read_key(const char *text, size_t len)
{
	struct gcp_key key = { 0 };
	int rc = gcp_key_parse(text, "f", &key, &err);

	MUST(rc == 0 ? *key.email && *key.pem : rc == -EINVAL);
	gcp_key_clear(&key);
}

static void read_settings(const char *text, size_t len)
{
	CLEANUP(inventory_settings_freep) struct inventory_settings *settings = NULL;
	int rc = inventory_settings_parse(text, len, "f", &settings, &err);

	MUST(rc == 0 ? settings->count <= INVENTORY_ACCOUNTS : rc == -EINVAL);
}

static void (*const READERS[])(const char *text, size_t len) = {
	read_xml, read_row, read_credentials, read_key, read_settings,
};

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len)
{
	size_t reader = len > 0 ? bytes[0] - (size_t)'0' : SIZE_MAX;
	char *text;

	if (reader >= sizeof(READERS) / sizeof(READERS[0]))
		return 0;
	text = calloc(1, len);
	MUST(text);
	memcpy(text, bytes + 1, len - 1);
	err = (struct error){ "" };
	READERS[reader](text, strlen(text));
	free(text);
	return 0;
}
