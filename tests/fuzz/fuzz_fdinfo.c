/* SPDX-License-Identifier: Apache-2.0 */
/* A fdinfo text of a driver about a client of a DRM device. It is read twice, so that differences
 * are computed, too. */
#include "fuzz.h"

#include <string.h>

#include "gpu/fdinfo.h"

static void check(const struct fdinfo *info)
{
	MUST(info->engine_count <= FDINFO_ENGINES);
	MUST(memchr(info->driver, '\0', FDINFO_NAME) && memchr(info->device, '\0', FDINFO_NAME));
	for (size_t i = 0; i < info->engine_count; i++)
		MUST(info->engines[i].name[0] && memchr(info->engines[i].name, '\0', FDINFO_NAME));
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len)
{
	char *whole = strndup((const char *)bytes, len),
	     *half = strndup((const char *)bytes, len / 2);
	struct fdinfo earlier, later;
	uint64_t busy_ns;

	MUST(whole && half);
	(void)fdinfo_read(half, &earlier);
	if (fdinfo_read(whole, &later))
		MUST(*later.driver);
	check(&earlier);
	check(&later);
	if (!fdinfo_busy(&earlier, &later, 1000000000, &busy_ns))
		MUST(busy_ns == 0);
	(void)fdinfo_busy(NULL, &later, 1000000000, &busy_ns);
	MUST(!fdinfo_busy(&later, &later, 1000000000, &busy_ns) || busy_ns == 0);
	free(whole);
	free(half);
	return 0;
}
