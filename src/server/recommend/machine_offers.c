/* SPDX-License-Identifier: Apache-2.0 */
#include "server/recommend/machine_offers.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "server/recommend/pattern_list.h"

#define MACHINES_MAX 4096 /* types of all providers, and own ones */
#define REGIONS_MAX  128
#define ANY_ARCH     "any"
#define OPEN_BAND    0.3 /* of "> 20 %" */

static const char *const PROVIDERS[] = { "aws", "gcp" };
static const char *const PURCHASES[] = { "on_demand", "spot" };
#define PURCHASE_COUNT (sizeof(PURCHASES) / sizeof(PURCHASES[0]))

struct making {
	struct machine_offers *offers;
	const struct recommend_request *request;
	const struct measured_host *measured;
	size_t offer_room;
};

static int add_offer(struct making *making, const struct recommend_offer *offer)
{
	struct machine_offers *offers = making->offers;

	if (offers->offer_count == RECOMMEND_PRICED_MAX)
		return 0;
	if (offers->offer_count == making->offer_room) {
		size_t room = making->offer_room ? 2 * making->offer_room : MACHINES_MAX;
		struct recommend_offer *grown = reallocarray(offers->offers, room, sizeof(*grown));

		if (!grown)
			return -ENOMEM;
		offers->offers = grown;
		making->offer_room = room;
	}
	offers->offers[offers->offer_count++] = *offer;
	return 0;
}

/* The measured one where none is asked for; of a provider in which nothing was measured its base
 * region. */
static bool wants_region(const struct making *making, const char *provider, const char *region)
{
	const struct measured_host *measured = making->measured;
	struct cloud_list list;

	if (making->request->regions)
		return pattern_list_matches(making->request->regions, region);
	if (*measured->region && strcmp(measured->machine.provider, provider) == 0)
		return strcmp(measured->region, region) == 0;
	return cloud_list(provider, &list) == 0 && strcmp(list.region, region) == 0;
}

/* Fills the regions of a provider; *ret_first: where they begin. */
static void take_regions(struct making *making, const char *provider, size_t *ret_first)
{
	struct machine_offers *offers = making->offers;
	char region[CLOUD_REGION_SIZE], last[CLOUD_REGION_SIZE] = "";

	*ret_first = offers->region_count;
	while (offers->region_count < REGIONS_MAX && cloud_region_next(provider, last, region)) {
		memcpy(last, region, sizeof(last));
		if (wants_region(making, provider, region))
			memcpy(offers->regions[offers->region_count++], region, sizeof(region));
	}
}

static int price_type(struct making *making, const char *provider, size_t first_region)
{
	struct machine_offers *offers = making->offers;
	size_t machine = offers->machine_count - 1;
	const char *type = offers->types[machine].type;
	int rc = 0;

	for (size_t i = first_region; i < offers->region_count; i++)
		for (size_t k = 0; rc == 0 && k < PURCHASE_COUNT; k++) {
			struct cloud_interruption band = { 0, -1, "" };
			bool spot = strcmp(PURCHASES[k], "spot") == 0;
			struct cloud_price price;

			if (!pattern_list_matches(making->request->purchase, PURCHASES[k]) ||
			    cloud_price(provider, offers->regions[i], type, PURCHASES[k], 0,
					&price))
				continue;
			if (spot)
				(void)cloud_interruption(provider, offers->regions[i], type, &band);
			rc = add_offer(making, &(struct recommend_offer){
						       .machine = machine,
						       .region = offers->regions[i],
						       .purchase = PURCHASES[k],
						       .usd_hour = price.usd_hour,
						       .exact = price.exact,
						       .taken_back = spot,
						       .interrupted = band.high < 1 ? band.high
										    : 2 * band.low,
						       .interruption = band.words,
					       });
		}
	return rc;
}

static bool has_gpus(const struct making *making, const struct cloud_machine_type *type)
{
	const struct measured_host *measured = making->measured;
	bool asked = making->request->types || making->request->families;

	if (measured->gpus > 0)
		return type->instance.gpus >= measured->gpus &&
		       strcmp(type->instance.gpu, measured->type.instance.gpu) == 0;
	/* Of a part of one the catalogue has the name alone. */
	return asked || (!(type->instance.gpus > 0) && !*type->instance.gpu);
}

static bool wants_arch(const struct making *making, const char *arch)
{
	const char *asked = making->request->arch;

	if (asked && *asked)
		return strcmp(asked, ANY_ARCH) == 0 || pattern_list_matches(asked, arch);
	return !*making->measured->machine.arch ||
	       strcmp(making->measured->machine.arch, arch) == 0;
}

static bool leaves_out(size_t *count, bool condition)
{
	*count += condition;
	return condition;
}

static bool wants_type(struct making *making, const struct cloud_machine_type *type)
{
	const struct recommend_request *request = making->request;
	struct machine_offers *offers = making->offers;

	return pattern_list_matches(request->types, type->type) &&
	       pattern_list_matches(request->families, type->family) &&
	       !leaves_out(&offers->burstable, type->burstable && !request->burstable) &&
	       !leaves_out(&offers->bare_metal, type->bare_metal && !request->bare_metal) &&
	       !leaves_out(&offers->gpus, !has_gpus(making, type)) &&
	       !leaves_out(&offers->other_arch, !wants_arch(making, type->instance.arch));
}

static struct recommend_machine machine_of(const char *provider,
					   const struct cloud_machine_type *type)
{
	return (struct recommend_machine){
		.provider = provider,
		.type = type->type,
		.family = type->family,
		.arch = type->instance.arch,
		.cpus = type->instance.vcpus,
		.threads_per_core = type->threads_per_core,
		.clock_ghz = type->clock_ghz,
		.memory_bytes = (double)type->instance.memory_bytes,
		.storage_bytes_s = type->storage_bytes_s,
		.network_bytes_s = type->network_bytes_s,
		.burstable = type->burstable,
		.previous_generation = type->previous_generation,
	};
}

static bool wants_provider(const struct making *making, const char *provider)
{
	const char *measured = making->measured->machine.provider;
	struct cloud_list list;

	if (making->request->own_only)
		return false;
	if (making->request->providers)
		return pattern_list_matches(making->request->providers, provider);
	return cloud_list(measured, &list) || strcmp(measured, provider) == 0;
}

static int add_provider(struct making *making, const char *provider)
{
	struct machine_offers *offers = making->offers;
	struct cloud_machine_type type = { .type = "" };
	char last[CLOUD_TYPE_SIZE] = "";
	size_t first;
	int rc = 0;

	take_regions(making, provider, &first);
	while (rc == 0 && offers->machine_count < MACHINES_MAX &&
	       cloud_machine_type_next(provider, last, &type)) {
		memcpy(last, type.type, sizeof(last));
		if (!wants_type(making, &type))
			continue;
		offers->types[offers->machine_count] = type;
		offers->machines[offers->machine_count] =
			machine_of(provider, &offers->types[offers->machine_count]);
		offers->machine_count++;
		rc = price_type(making, provider, first);
	}
	return rc;
}

static int add_own(struct making *making)
{
	struct machine_offers *offers = making->offers;
	int rc = 0;

	for (size_t i = 0; rc == 0 && i < making->request->own_count; i++) {
		const struct own_machine *own = &making->request->own[i];

		offers->machines[offers->machine_count] = (struct recommend_machine){
			.provider = "",
			.type = own->name,
			.family = "",
			.arch = "",
			.cpus = own->cpus,
			.memory_bytes = own->memory_bytes,
			.storage_bytes_s = own->storage_bytes_s,
			.network_bytes_s = own->network_bytes_s,
		};
		rc = add_offer(making, &(struct recommend_offer){ .machine = offers->machine_count,
								  .region = "",
								  .purchase = "",
								  .usd_hour = own->usd_hour,
								  .exact = true,
								  .interrupted = -1,
								  .interruption = "" });
		offers->machine_count++;
	}
	return rc;
}

int machine_offers_make(struct machine_offers *offers, const struct recommend_request *request,
			const struct measured_host *measured)
{
	struct making making = { .offers = offers, .request = request, .measured = measured };
	size_t most = MACHINES_MAX + OWN_MACHINES_MAX;
	int rc;

	*offers = (struct machine_offers){ 0 };
	offers->machines = calloc(most, sizeof(*offers->machines));
	offers->types = calloc(most, sizeof(*offers->types));
	offers->regions = calloc(REGIONS_MAX, sizeof(*offers->regions));
	if (!offers->machines || !offers->types || !offers->regions)
		return -ENOMEM;
	rc = add_own(&making);
	for (size_t i = 0; rc == 0 && i < sizeof(PROVIDERS) / sizeof(PROVIDERS[0]); i++)
		if (wants_provider(&making, PROVIDERS[i]))
			rc = add_provider(&making, PROVIDERS[i]);
	return rc;
}

void machine_offers_clear(struct machine_offers *offers)
{
	free(offers->machines);
	free(offers->offers);
	free(offers->types);
	free(offers->regions);
	*offers = (struct machine_offers){ 0 };
}
