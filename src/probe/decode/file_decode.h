/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include "probe/decode/process_decode.h"

/* Records of the use of files (abi/file.h). path is a buffer of PATH_TEXT_SIZE bytes. */
int file_decode(char *path, const void *bytes, size_t size, const struct probe_handler *handler);
