/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

/* A new and empty store, as a copy of the one that the build made (make_store.c): to make one in
 * each test takes longer than most of them. Asserts that it could be written. */
void new_store_copy(const char *path);
