/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stdbool.h>

#include "collect/runtime/container_facts.h"

/* What containerd (in whichever of its namespaces, at most RUNTIME_FILE_NAMESPACES are looked at)
 * and CRI-O keep of a container below /run, with root before it. false: nothing, or nothing
 * that says more than its path. id holds no '/'. */
#define RUNTIME_FILE_NAMESPACES 64

bool runtime_file_read(const char *root, const char *runtime, const char *id,
		       struct container_facts *ret);
