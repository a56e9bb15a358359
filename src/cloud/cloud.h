/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stdbool.h>
#include <stdint.h>

/*
 * What a machine costs, from a small catalogue that is embedded in the program (its dates and
 * sources are in catalogue.tsv). Pure: no network. Texts may be NULL, which is as "". -ENOENT: not
 * in the catalogue.
 */
#define CLOUD_SOURCE_SIZE 160

struct cloud_price {
	double usd_hour;
	bool exact;                     /* false: estimated (another date, or region) */
	char source[CLOUD_SOURCE_SIZE]; /* for people: "aws spot, eu-west-1 (estimated), list of
					   2026-07-20 less 61 % of 2025-06-28" */
};

/* The price of a host: what was configured (> 0) wins; else the catalogue's. region "": the
 * catalogue's base region, estimated. purchase: "on_demand", "spot"; "" is on demand. */
int cloud_price(const char *provider, const char *region, const char *type, const char *purchase,
		double configured_usd_hour, struct cloud_price *ret);

struct cloud_instance {
	double vcpus;
	uint64_t memory_bytes;
	const char *arch; /* "x86_64", "arm64"; static */
	double usd_hour;  /* on demand in the base region (us-east-1, us-central1); 0: unknown */
	double gpus;      /* a part where instances share one */
	char gpu[32];     /* "NVIDIA T4"; "": none, or unknown */
};

int cloud_instance(const char *provider, const char *type, struct cloud_instance *ret);

/* How the price of a machine divides among its CPUs, memory and GPUs. */
enum cloud_weight { CLOUD_CPU, CLOUD_MEMORY, CLOUD_GPU, CLOUD_WEIGHTS };

struct cloud_size {
	double vcpus, gpus;
	uint64_t memory_bytes;
};

/* In millionths of the price; their sum is 1,000,000. By the price of a vCPU, a GiB and a GPU in
 * the type's family, or the provider's medians, or (on premises) AWS's. size is of the machine, for
 * a type that the catalogue has not, and GPUs that were attached to one of it; NULL, or without
 * vCPUs and memory: one vCPU and 4 GiB. */
void cloud_weights(const char *provider, const char *type, const struct cloud_size *size,
		   uint32_t ret_ppm[CLOUD_WEIGHTS]);

/* What the catalogue says of a provider: the region of its prices, their dates and those of its
 * spot prices, and from where they are. */
struct cloud_list {
	char region[40], date[16], spot_date[16], source[160];
};

/* Whether the catalogue has prices of a region. */
bool cloud_has_region(const char *provider, const char *region);
int cloud_list(const char *provider, struct cloud_list *ret);
