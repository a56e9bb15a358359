/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stdbool.h>
#include <stddef.h>

/*
 * Writes the name of the folder that holds a file: the last component of its path, joined to cwd;
 * for a folder "workflow" (Snakemake's standard layout) the folder above. fallback: the name where
 * there is no folder.
 */
void folder_name(const char *cwd, const char *path, const char *fallback, char *name, size_t size);
/* Joins a path to cwd and removes "." and ".." from the text, without following links. false: it
 * does not fit, or is not absolute. */
bool folder_join(const char *cwd, const char *path, char *ret, size_t size);
