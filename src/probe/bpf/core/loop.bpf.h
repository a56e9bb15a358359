/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#pragma once
#include <linux/bpf.h>
#include <bpf/bpf_core_read.h>
#include <bpf/bpf_helpers.h>

#include "probe/bpf/core/core_types.h"

/* Loops over many steps. */

/* Since 5.17 (bpf_loop) the verifier checks one step of a loop; before, it checks every step. step
 * returns whether it was the last. */
#define LOOP_STEPS_MAX 1024 /* before 5.17 */

#define LOOP(most, step, context)                                                            \
	do {                                                                                 \
		if (bpf_core_enum_value_exists(enum bpf_func_id___has_loop,                  \
					       BPF_FUNC_loop___has_loop))                    \
			bpf_loop(most, step, context, 0);                                    \
		else                                                                         \
			for (__u32 each = 0;                                                 \
			     each < (most) && each < LOOP_STEPS_MAX && !step(each, context); \
			     each++) {                                                       \
			}                                                                    \
	} while (0)
