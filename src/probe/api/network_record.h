/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include "probe/api/record.h"

#define PROBE_PEER_MAX 64

/* The use of one kind of socket by an image; counts are cumulative since the image began. For an
 * image that ended, it precedes the record of its end, and comes once more before a residual. */
struct probe_network {
	struct probe_key key;
	uint64_t image_seq;
	const char *family;   /* inet inet6 unix other */
	const char *protocol; /* tcp udp stream dgram other */
	bool loopback;        /* with this host itself, by IPv4 or IPv6 */
	bool replaced;        /* the image ended by an exec */
	uint64_t rx_bytes, tx_bytes, rx_calls, tx_calls;
	uint64_t connects, accepts, connect_failures, resets, retransmits, connect_ns;
	char peer[PROBE_PEER_MAX]; /* of the last of `connects`, "192.0.2.1:443"; "": there is none
				    */
};

/* A connection that a process could not make: each address, protocol and error of an image when it
 * fails first and, if it failed again, once more when the image ends, ahead of the record of that
 * end. What a process leaves open fails after its exit record. */
struct probe_connect_failure {
	struct probe_key key;
	uint64_t at_ns;
	char peer[PROBE_PEER_MAX]; /* "192.0.2.1:443", "[2001:db8::1]:443" */
	bool udp;                  /* else TCP */
	uint32_t count;            /* of attempts that failed so; at_ns is of the last */
	int error;                 /* errno; 0: the program gave up before there was an answer */
	uint64_t waited_ns;        /* since the first packet; 0: none was sent, or UDP */
};
