/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

/*
 * What an hour of a machine costs, as far as lists and settings know. The store asks when a host
 * reports itself, and keeps the answer with the host by time (table host_prices), so that new lists
 * and settings do not change what is over.
 */
struct machine {
	/* "": unknown; purchase: on_demand, spot */
	const char *hostname, *provider, *region, *instance_type, *purchase;
	double configured_usd_hour; /* on the host; 0: not configured */
	double listed_usd_hour;     /* of a price file; 0: none */
	const char *list;           /* what it is called */
};

struct machine_price {
	double usd_hour;  /* 0: unknown */
	char source[256]; /* for people: where the price is from */
};

/* Any thread may call price. NULL: only configured prices are known. */
struct machine_prices {
	void (*price)(void *context, const struct machine *machine, struct machine_price *ret);
	void *context;
};
