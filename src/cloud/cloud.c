/* SPDX-License-Identifier: Apache-2.0 */
#include "cloud/cloud.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "cloud/catalogue.h"

#define FAMILY_SIZE   64
#define GIB           ((double)(1 << 30))
#define MILLION       1000000
#define DEFAULT_VCPUS 1
#define DEFAULT_GIB   4
#define CUSTOM_FACTOR 1.05
/* More than any has. */
#define CUSTOM_VCPUS 1024
#define CUSTOM_MIB   (64 << 20)

/* Fields of the lines. */
enum { PROVIDER_BASE = 2, PROVIDER_DATE, PROVIDER_SPOT_DATE, PROVIDER_SOURCE };
enum { TYPE_VCPUS = 3, TYPE_MIB, TYPE_ARCH, TYPE_USD, TYPE_GPUS, TYPE_GPU };
enum { FACTOR = 4, FACTOR_EXACT, FACTOR_SIZES };
enum { WEIGHT_FAMILY = 2, WEIGHT_VCPU, WEIGHT_GIB, WEIGHT_GPU };

/* "m6id" of "m6id.large", "n2" of "n2-standard-4". */
static const char *family_of(const char *type, char family[FAMILY_SIZE])
{
	return text_cut(type, strcspn(type, ".-"), family, FAMILY_SIZE);
}

/* "large", "standard-4". */
static const char *size_of(const char *type)
{
	const char *end = type + strcspn(type, ".-");

	return *end ? end + 1 : end;
}

static const char *or_empty(const char *text)
{
	return text ? text : "";
}

/* A custom machine type of GCP, "n2-custom-8-16384", or "custom-8-16384" of N1: 5 % above what a
 * predefined one of these vCPUs and MiB costs, as are those of N1 (0.033174 and 0.004446 USD for
 * 0.031611 and 0.004237). Extended memory is not known. */
static int custom_instance(const char *type, struct cloud_instance *ret)
{
	const char *custom = strstr(type, "custom-"), *at = custom ? custom + 7 : "";
	struct catalogue_line weights;
	char family[FAMILY_SIZE] = "n1", *end = NULL;
	unsigned long vcpus = isdigit((unsigned char)*at) ? strtoul(at, &end, 10) : 0, mib = 0;

	if (vcpus && *end == '-' && isdigit((unsigned char)end[1]))
		mib = strtoul(end + 1, &end, 10);
	if (!mib || *end || vcpus > CUSTOM_VCPUS || mib > CUSTOM_MIB)
		return -ENOENT;
	if (custom > type)
		family_of(type, family);
	if (custom > type && custom != type + strlen(family) + 1)
		return -ENOENT;
	if (!CATALOGUE_FIND(&weights, "weight", "gcp", family))
		return -ENOENT;
	*ret = (struct cloud_instance){
		.vcpus = (double)vcpus,
		.memory_bytes = (uint64_t)mib << 20,
		.arch = strcmp(family, "n4a") == 0 ? "arm64" : "x86_64",
		.usd_hour = CUSTOM_FACTOR *
			    ((double)vcpus * catalogue_number(&weights, WEIGHT_VCPU) +
			     (double)mib / 1024 * catalogue_number(&weights, WEIGHT_GIB)),
	};
	return 0;
}

int cloud_instance(const char *provider, const char *type, struct cloud_instance *ret)
{
	struct catalogue_line line;

	if (!CATALOGUE_FIND(&line, "type", or_empty(provider), or_empty(type)))
		return strcmp(or_empty(provider), "gcp") == 0 ? custom_instance(or_empty(type), ret)
							      : -ENOENT;
	*ret = (struct cloud_instance){
		.vcpus = catalogue_number(&line, TYPE_VCPUS),
		.memory_bytes = (uint64_t)catalogue_number(&line, TYPE_MIB) << 20,
		.arch = *line.fields[TYPE_ARCH].text == 'a' ? "arm64" : "x86_64",
		.usd_hour = catalogue_number(&line, TYPE_USD),
		.gpus = catalogue_number(&line, TYPE_GPUS),
	};
	catalogue_text(&line, TYPE_GPU, ret->gpu, sizeof(ret->gpu));
	return 0;
}

/* Multiplies a price by the factor of a line for the type's family; false: there is none. */
static bool multiply(const char *kind, const char *provider, const char *region, const char *type,
		     struct cloud_price *price, double *ret_factor)
{
	char family[FAMILY_SIZE];
	struct catalogue_line line;
	double factor;

	if (!CATALOGUE_FIND(&line, kind, provider, region, family_of(type, family)) &&
	    !CATALOGUE_FIND(&line, kind, provider, region, "*"))
		return false;
	factor = catalogue_number(&line, FACTOR);
	(void)catalogue_listed(&line, FACTOR_SIZES, size_of(type), &factor);
	price->usd_hour *= factor;
	price->exact = price->exact && catalogue_number(&line, FACTOR_EXACT) > 0;
	*ret_factor = factor;
	return true;
}

/* What a price in the base region becomes in another. */
static void move_price(const char *provider, const char *region, const char *type,
		       struct cloud_price *price)
{
	double factor;

	if (!multiply("factor", provider, region, type, price, &factor))
		price->exact = false;
}

static int catalogue_price(const char *provider, const char *region, const char *type, bool spot,
			   struct cloud_price *ret)
{
	struct cloud_price price = { .usd_hour = 0 };
	struct cloud_instance instance;
	struct catalogue_line about;
	char base[32], date[16], spot_date[16], less[64] = "";
	double factor = 1;

	if (cloud_instance(provider, type, &instance) ||
	    !CATALOGUE_FIND(&about, "provider", provider))
		return -ENOENT;
	price.usd_hour = instance.usd_hour;
	price.exact = !strstr(type, "custom-");
	catalogue_text(&about, PROVIDER_BASE, base, sizeof(base));
	catalogue_text(&about, PROVIDER_DATE, date, sizeof(date));
	catalogue_text(&about, PROVIDER_SPOT_DATE, spot_date, sizeof(spot_date));
	if (!*region)
		price.exact = false;
	else if (strcmp(region, base) != 0)
		move_price(provider, region, type, &price);
	if (spot && !multiply("spot", provider, *region ? region : base, type, &price, &factor))
		return -ENOENT;
	if (!(price.usd_hour > 0))
		return -ENOENT;
	if (strcmp(date, spot_date) != 0 && spot)
		snprintf(less, sizeof(less), " less %.0f %% of %s", 100 * (1 - factor), spot_date);
	snprintf(price.source, sizeof(price.source), "%.8s %s, %.32s%s, list of %s%s", provider,
		 spot ? "spot" : "on demand", *region ? region : base,
		 price.exact ? "" : " (estimated)", date, less);
	*ret = price;
	return 0;
}

int cloud_price(const char *provider, const char *region, const char *type, const char *purchase,
		double configured_usd_hour, struct cloud_price *ret)
{
	if (configured_usd_hour > 0) {
		*ret = (struct cloud_price){ .usd_hour = configured_usd_hour,
					     .exact = true,
					     .source = "configured" };
		return 0;
	}
	return catalogue_price(or_empty(provider), or_empty(region), or_empty(type),
			       strcmp(or_empty(purchase), "spot") == 0, ret);
}

/* The line with what a vCPU, a GiB and a GPU of the type's family cost, or the medians. */
static void find_weights(const char *provider, const char *type, struct catalogue_line *ret)
{
	char family[FAMILY_SIZE];

	if (!CATALOGUE_FIND(ret, "weight", provider, family_of(type, family)) &&
	    !CATALOGUE_FIND(ret, "weight", provider, "*"))
		(void)CATALOGUE_FIND(ret, "weight", "*", "*");
}

static void in_millionths(const double parts[CLOUD_WEIGHTS], uint32_t ret_ppm[CLOUD_WEIGHTS])
{
	double sum = parts[CLOUD_CPU] + parts[CLOUD_MEMORY] + parts[CLOUD_GPU];

	ret_ppm[CLOUD_CPU] = (uint32_t)lround(parts[CLOUD_CPU] / sum * MILLION);
	ret_ppm[CLOUD_GPU] = (uint32_t)lround(parts[CLOUD_GPU] / sum * MILLION);
	if (ret_ppm[CLOUD_GPU] > MILLION - ret_ppm[CLOUD_CPU])
		ret_ppm[CLOUD_GPU] = MILLION - ret_ppm[CLOUD_CPU];
	ret_ppm[CLOUD_MEMORY] = MILLION - ret_ppm[CLOUD_CPU] - ret_ppm[CLOUD_GPU];
}

/* What a GPU costs by the medians; those of families are of their own GPUs alone. */
static double usual_gpu(const char *provider)
{
	struct catalogue_line line = { 0 };

	if (!CATALOGUE_FIND(&line, "weight", provider, "*"))
		(void)CATALOGUE_FIND(&line, "weight", "*", "*");
	return catalogue_number(&line, WEIGHT_GPU);
}

/* What the GPUs of an instance of the catalogue cost: as the family's, or what its vCPUs and memory
 * leave of the price. */
static double gpu_part(const char *provider, const struct cloud_instance *instance,
		       const struct catalogue_line *weights, double others)
{
	double usd = catalogue_number(weights, WEIGHT_GPU);

	if (*weights->fields[WEIGHT_FAMILY].text != '*')
		return instance->gpus * (usd > 0 ? usd : usual_gpu(provider));
	if (!(instance->usd_hour > 0))
		return instance->gpus * usd;
	return instance->usd_hour > others ? instance->usd_hour - others : 0;
}

void cloud_weights(const char *provider, const char *type, const struct cloud_size *size,
		   uint32_t ret_ppm[CLOUD_WEIGHTS])
{
	struct cloud_instance instance = { .vcpus = DEFAULT_VCPUS };
	struct catalogue_line weights = { 0 };
	double gib = DEFAULT_GIB, parts[CLOUD_WEIGHTS] = { 0 };

	find_weights(or_empty(provider), or_empty(type), &weights);
	if (cloud_instance(provider, type, &instance) == 0) {
		gib = (double)instance.memory_bytes / GIB;
	} else if (size && size->vcpus > 0 && size->memory_bytes > 0) {
		instance.vcpus = size->vcpus;
		gib = (double)size->memory_bytes / GIB;
	}
	parts[CLOUD_CPU] = instance.vcpus * catalogue_number(&weights, WEIGHT_VCPU);
	parts[CLOUD_MEMORY] = gib * catalogue_number(&weights, WEIGHT_GIB);
	if (instance.gpus > 0)
		parts[CLOUD_GPU] = gpu_part(or_empty(provider), &instance, &weights,
					    parts[CLOUD_CPU] + parts[CLOUD_MEMORY]);
	else if (size && size->gpus > 0)
		parts[CLOUD_GPU] = size->gpus * usual_gpu(or_empty(provider));
	in_millionths(parts, ret_ppm);
}

bool cloud_has_region(const char *provider, const char *region)
{
	struct catalogue_line line;
	char base[32];

	if (CATALOGUE_FIND(&line, "factor", or_empty(provider), or_empty(region)))
		return true;
	return CATALOGUE_FIND(&line, "provider", or_empty(provider)) &&
	       strcmp(catalogue_text(&line, PROVIDER_BASE, base, sizeof(base)), or_empty(region)) ==
		       0;
}

int cloud_list(const char *provider, struct cloud_list *ret)
{
	struct catalogue_line line;

	if (!CATALOGUE_FIND(&line, "provider", or_empty(provider)))
		return -ENOENT;
	catalogue_text(&line, PROVIDER_BASE, ret->region, sizeof(ret->region));
	catalogue_text(&line, PROVIDER_DATE, ret->date, sizeof(ret->date));
	catalogue_text(&line, PROVIDER_SPOT_DATE, ret->spot_date, sizeof(ret->spot_date));
	catalogue_text(&line, PROVIDER_SOURCE, ret->source, sizeof(ret->source));
	return 0;
}
