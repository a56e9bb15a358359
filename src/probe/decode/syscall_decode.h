/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include "probe/decode/process_decode.h"

/* Records of counted system calls (abi/syscall.h). */
decode_function syscall_decode;
