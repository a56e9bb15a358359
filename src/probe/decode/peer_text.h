/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stdbool.h>
#include <stdint.h>

#include "probe/api/network_record.h"

/* "192.0.2.1:443", "[2001:db8::1]:443"; the address is big-endian, of IPv4 its first number. */
void peer_text(const uint32_t address[4], unsigned port, bool inet6, char text[PROBE_PEER_MAX]);
