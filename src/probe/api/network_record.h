/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include "probe/api/record.h"

/* What an image moved through sockets of one kind; counts since it began. Of one that ended it
 * comes before the record that says so, and again before a residual. */
struct probe_network {
	struct probe_key key;
	uint64_t image_seq;
	const char *family;   /* inet inet6 unix other */
	const char *protocol; /* tcp udp stream dgram other */
	bool loopback;        /* with this very host, by IPv4 or IPv6 */
	bool replaced;        /* the image ends by an exec */
	uint64_t rx_bytes, tx_bytes, rx_calls, tx_calls;
	uint64_t connects, accepts, connect_failures, resets, retransmits, connect_ns;
};
