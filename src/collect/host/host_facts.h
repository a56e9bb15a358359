/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include "base/error.h"
#include "base/id.h"
#include "signal.pb-c.h"

/* Who this host is. Texts are owned. */
struct host_facts {
	struct id host_id, boot_id;
	char *hostname, *kernel, *arch, *os;
	uint32_t cpus;
	uint64_t memory_bytes;
	int64_t booted_at;
};

/* Reads the facts. host_id stands for /etc/machine-id (hashed: the id itself is confidential,
 * machine-id(5)); a host without one gets a random one, kept in the state folder as `machine-id`
 * (with state_folder NULL it lasts as long as the boot). root is "" but for tests. */
int host_facts_read(struct host_facts *ret, const char *root, const char *state_folder,
		    struct error *err);
/* It is called otherwise: another host of the same machine. -EINVAL: no name for a host. */
int host_facts_rename(struct host_facts *facts, const char *name, struct error *err);
void host_facts_clear(struct host_facts *facts);
/* Fills the facts into a message, which borrows the texts. */
void host_facts_message(const struct host_facts *facts, Signal__Host *ret);
