/* SPDX-License-Identifier: Apache-2.0 */
#include "cloud/metadata/metadata_source.h"

#include <string.h>

const struct metadata_source *metadata_source(const char *provider)
{
	static const struct metadata_source *const sources[] = { &metadata_aws, &metadata_gcp };

	for (size_t i = 0; i < sizeof(sources) / sizeof(sources[0]); i++)
		if (strcmp(sources[i]->provider, provider) == 0)
			return sources[i];
	return NULL;
}
