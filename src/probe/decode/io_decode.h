/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include "probe/decode/process_decode.h"

/* Records of requests to block devices (abi/io.h). */
decode_function io_decode;
