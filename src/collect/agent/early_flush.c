/* SPDX-License-Identifier: Apache-2.0 */
#include "collect/agent/early_flush.h"

bool early_flush_is_due(const struct early_flush *early, uint64_t images, uint64_t now_ns,
			uint64_t interval_ns)
{
	return images != early->images && now_ns - early->sent_ns >= interval_ns;
}

void early_flush_sent(struct early_flush *early, uint64_t images, uint64_t now_ns)
{
	if (images == early->images)
		return;
	early->images = images;
	early->sent_ns = now_ns;
}
