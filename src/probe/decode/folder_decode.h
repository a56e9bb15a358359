/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include "probe/decode/process_decode.h"

/* Records of folders that were made for tasks (abi/folder.h). */
decode_function folder_decode;
