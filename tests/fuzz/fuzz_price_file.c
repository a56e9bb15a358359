/* SPDX-License-Identifier: Apache-2.0 */
/* A hostile price file: its first byte is the size of the pieces in which it is read. */
#include "fuzz.h"

#include <errno.h>
#include <math.h>
#include <string.h>

#include "cloud/prices/price_file.h"

static int take(void *count, const struct price_entry *entry)
{
	MUST(*entry->region && strlen(entry->region) < PRICE_TEXT_SIZE);
	MUST(*entry->type && strlen(entry->type) < PRICE_TEXT_SIZE);
	MUST(!strpbrk(entry->region, ",\"'\n") && !strpbrk(entry->type, ",\"'\n"));
	MUST(!strcmp(entry->provider, "aws") || !strcmp(entry->provider, "gcp"));
	MUST(!strcmp(entry->purchase, "on_demand") || !strcmp(entry->purchase, "spot"));
	MUST(entry->usd_hour > 0 && entry->usd_hour <= 10000);
	++*(uint64_t *)count;
	return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len)
{
	uint64_t count = 0;
	struct price_file *file = price_file_new(take, &count);
	size_t piece = len && bytes[0] ? bytes[0] : 1;
	struct price_summary summary;
	struct error err = { "" };
	int rc = 0;

	MUST(file);
	for (size_t at = 1; !rc && at < len; at += piece)
		rc = price_file_feed(file, (const char *)bytes + at,
				     len - at < piece ? len - at : piece, &err);
	if (!rc)
		rc = price_file_end(file, &summary, &err);
	MUST(rc == 0 || rc == -EINVAL || rc == -EFBIG);
	MUST(rc == 0 || *err.text);
	MUST(rc || (count > 0 && summary.prices == count));
	price_file_free(file);
	return 0;
}
