/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

/* What a cloud says that it will do with a spot instance. */
struct metadata_notice {
	const char *kind;  /* of the event, static: "spot_interruption", "spot_rebalance" */
	const char *words; /* for people, static: "takes this spot instance away" */
	char detail[64];   /* "terminate at 2026-11-29T12:00:00Z"; "": no more is known */
};
