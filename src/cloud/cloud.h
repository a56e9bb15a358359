/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stdbool.h>
#include <stdint.h>

/*
 * What a machine costs, from a small catalogue that is embedded in the program (its date and
 * sources are in catalogue.tsv). Pure: no network.
 */
struct cloud_price {
	double usd_hour;
	bool exact;       /* false: estimated (another date, or a region by its family's factor) */
	char source[128]; /* for people: "configured", "aws on-demand us-east-1, 2026-07-20" */
};

/* The price of a host: what was configured (> 0) wins; else the catalogue's on-demand price. region
 * "" or NULL: the catalogue's base region, estimated. -ENOENT: neither is known. */
int cloud_price(const char *provider, const char *region, const char *type,
		double configured_usd_hour, struct cloud_price *ret);

struct cloud_instance {
	double vcpus;
	uint64_t memory_bytes;
	const char *arch; /* "x86_64", "arm64"; static */
	double usd_hour;  /* on demand in the base region (us-east-1, us-central1); 0: unknown */
};

/* -ENOENT: not in the catalogue. */
int cloud_instance(const char *provider, const char *type, struct cloud_instance *ret);
