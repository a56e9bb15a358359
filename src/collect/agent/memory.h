/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

/* Once, when all parts are made: gives back what only the start needed, memory that was freed and
 * pages of code (libbpf's loader, OpenSSL's start: some 3 MiB) that are read again from the page
 * cache if they are ever run again. */
void memory_settle(void);
/* Gives freed memory back to the system; cheap enough to be done every few seconds. */
void memory_trim(void);
