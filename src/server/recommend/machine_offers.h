/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include "cloud/machine_type.h"
#include "server/recommend/recommend_request.h"
#include "tune/recommend/recommend.h"

/* The machines that a request lets one use, and what they are offered for: of the catalogue, and
 * those that it describes. */
struct measured_host {
	struct recommend_machine machine; /* of the rows that the caller has */
	const char *region, *purchase;
	struct cloud_machine_type type; /* owns texts of the machine */
	double gpus;
};

struct machine_offers {
	struct recommend_machine *machines;
	struct recommend_offer *offers; /* sorted by machine */
	size_t machine_count, offer_count;
	size_t burstable, bare_metal, gpus, other_arch; /* types that were left out for that */
	struct cloud_machine_type *types;               /* owns texts, beside machines */
	char (*regions)[CLOUD_REGION_SIZE];             /* owns texts */
	size_t region_count;
};

/* 0, or -ENOMEM. machine_offers_clear in any case. The request stays. */
int machine_offers_make(struct machine_offers *offers, const struct recommend_request *request,
			const struct measured_host *measured);
void machine_offers_clear(struct machine_offers *offers);
