/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stdint.h>

/*
 * Bounds that both sides of a batch keep to: options of an agent are no larger, and the lake
 * believes no more (lake/store/boundary.h).
 */
#define BOUND_PRICE_USD_HOUR 10000 /* of one host; the most expensive ones cost some hundred */
#define BOUND_CPUS           65536 /* of one host; Linux is built for 8,192 at most */
#define BOUND_MEMORY_BYTES   (UINT64_C(1) << 50) /* of one host, or asked for */
