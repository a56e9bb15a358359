/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include "probe/abi/network.h"
#include "probe/decode/process_decode.h"

/* Records of the bytes and connections of sockets (abi/network.h). */
decode_function network_decode;
/* Sets the figures of sockets. */
void network_decode_figures(struct probe_figures *ret, const struct network_sums *sums);
