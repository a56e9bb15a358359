/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stddef.h>

#include "base/error.h"

/* Machines that a person describes: those of a data centre, or any that no catalogue has. */
#define OWN_MACHINES_MAX 16
#define OWN_NAME_SIZE    48

struct own_machine {
	char name[OWN_NAME_SIZE];
	double cpus, memory_bytes, usd_hour;
	double storage_bytes_s, network_bytes_s; /* 0: not said */
};

/* Of a text such as "cpus=2,memory=8G,usd_hour=0.1"; several with ';' between them; also name,
 * storage and network (bytes a second). -EINVAL with words. */
int own_machines_read(const char *text, struct own_machine machines[OWN_MACHINES_MAX],
		      size_t *ret_count, struct error *err);
