/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stdint.h>

#include "probe/abi/wait.h"

/* Sets what each system call may wait for (enum wait_state, enum wait_call), by its number on this
 * architecture. */
void syscall_wait_table_fill(uint8_t waits[WAIT_CALLS]);

/* Sets where each system call has its timeout (enum wait_limit), by its number. */
void syscall_limit_table_fill(uint8_t limits[WAIT_CALLS]);
