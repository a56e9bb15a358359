/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include "probe/decode/process_decode.h"

/* Records of cgroups that were made or removed (abi/cgroup.h). */
decode_function cgroup_decode;
