/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#pragma once
#include <linux/bpf.h>
#include <bpf/bpf_core_read.h>
#include <bpf/bpf_helpers.h>

#include "probe/bpf/core/core_types.h"

/* Loops. */

/* Since 5.17 the verifier looks at a turn of a loop once; before, at every one. A turn returns
 * whether it was the last. */
#define LOOP_STEPS_MAX 1024 /* before 5.17 */

#define LOOP(most, turn, context)                                                            \
	do {                                                                                 \
		if (bpf_core_enum_value_exists(enum bpf_func_id___has_loop,                  \
					       BPF_FUNC_loop___has_loop))                    \
			bpf_loop(most, turn, context, 0);                                    \
		else                                                                         \
			for (__u32 each = 0;                                                 \
			     each < (most) && each < LOOP_STEPS_MAX && !turn(each, context); \
			     each++) {                                                       \
			}                                                                    \
	} while (0)
