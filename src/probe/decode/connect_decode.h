/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include "probe/decode/process_decode.h"

/* Records of connections that could not be made (abi/connect.h). */
decode_function connect_decode;
