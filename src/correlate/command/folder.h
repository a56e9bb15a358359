/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stdbool.h>
#include <stddef.h>

/*
 * The folder a file lies in, as a name: the last component of the path, joined to cwd; of a folder
 * "workflow" (where Snakemake's own layout puts the Snakefile) the one above. fallback: where there
 * is none.
 */
void folder_name(const char *cwd, const char *path, const char *fallback, char *name, size_t size);
/* A path joined to cwd, without "." and "..", as far as its text tells. false: it does not fit, or
 * is not absolute. */
bool folder_join(const char *cwd, const char *path, char *ret, size_t size);
