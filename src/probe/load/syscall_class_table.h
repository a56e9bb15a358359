/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stdint.h>

#include "probe/abi/syscall.h"

/* Sets the class (enum syscall_class) of each system call, by its number on this architecture. */
void syscall_class_table_fill(uint8_t classes[SYSCALL_NUMBERS]);
