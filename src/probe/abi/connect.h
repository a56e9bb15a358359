/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#pragma once
#include <linux/types.h>

#include "probe/abi/process_head.h"

/*
 * Connections that could not be made. The kernel side reports each address, protocol and error of
 * an image when it fails first and, if it failed again, once more when the image ends.
 */
#define CONNECT_FAILURES_MAX 8 /* of one image that are reported; more are not */

struct connect_failure {
	__u64 at_ns;      /* of the last attempt (boot-time clock) */
	__u64 waited_ns;  /* since the first packet; 0: none was sent, or UDP */
	__u32 address[4]; /* in network byte order; of IPv4 the first, also through an IPv6 socket
			   */
	__u16 port;
	__u8 inet6, udp;
	__u32 error; /* errno; 0: the program closed the socket before there was an answer */
	__u32 count; /* of attempts that failed so */
	__u32 unused;
};

enum connect_report { CONNECT_SENT, CONNECT_NEW, CONNECT_AGAIN };

/* Those of the running image of a process. */
struct connect_failures {
	__u64 start_ns; /* of the process; with its pid (the key) it identifies the process */
	__u32 count;    /* of `list` */
	__u32 unused;
	struct connect_noted {
		struct connect_failure failure;
		__u32 report; /* enum connect_report */
		__u32 unused;
	} list[CONNECT_FAILURES_MAX];
};

struct process_connect_record {
	struct process_head head; /* cgroup_id, uid: 0 */
	struct connect_failure failure;
};
