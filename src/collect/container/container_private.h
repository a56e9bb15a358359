/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include "collect/container/container.h"
#include "collect/container/container_owner.h"

struct containers {
	struct container_parts parts;
	struct container_owners *owners;
};
