/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "cloud/machine/machine.h"
#include "cloud/metadata/metadata_notice.h"

struct event_base;

/*
 * Learns from a cloud's metadata service who this machine is and, on a spot instance, that it will
 * be taken away. It asks only where an option names the cloud, or the firmware does (firmware.h).
 * Five tries, the last ten minutes after the one before; a service that hangs, lies, redirects or
 * refuses changes nothing but the status. All in the caller's loop.
 */
struct metadata;

struct metadata_options {     /* copied */
	const char *cloud;    /* "auto": as provider or the firmware says; "off"; "aws", "gcp" */
	const char *provider; /* that this host is configured with; "": none */
	/* Of the service: a loopback or link-local address; "": the provider's own. */
	const char *url;
	const char *root; /* "" but for tests: where /sys is */
};

struct metadata_listener {
	/* A round of questions about the machine ended: metadata_machine and metadata_status have
	 * its outcome. */
	void (*changed)(void *context);
	/* A notice; called again with each poll that finds it. */
	void (*noticed)(const struct metadata_notice *notice, void *context);
	void *context;
};

struct metadata_status {
	const char *provider; /* of which machine this is taken to be; "": none */
	const char *by;       /* why: what says so, or that nothing does */
	bool answered;        /* the service said who this machine is */
	bool asking;          /* a round of questions is in progress */
	bool over;            /* it is not asked any more for that */
	const char *words;    /* why it did not; "": it did, or was not asked yet */
};

/* -EINVAL with words: an option. base is not owned. Nothing is sent yet. */
int metadata_new(struct metadata **ret, struct event_base *base,
		 const struct metadata_options *options, const struct metadata_listener *listener,
		 struct error *err);
void metadata_free(struct metadata *metadata); /* NULL is fine */
/* Asks if it is time to. now_ns: CLOCK_BOOTTIME or any clock that goes on. About once a second. */
void metadata_tick(struct metadata *metadata, uint64_t now_ns);
/* What is known now: by the firmware alone, or by the service. Valid until the next tick. */
const struct cloud_machine *metadata_machine(const struct metadata *metadata);
struct metadata_status metadata_status(const struct metadata *metadata);
