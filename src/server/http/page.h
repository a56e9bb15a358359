/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stddef.h>

/* A file of the dashboard, embedded by the build (web.cmake writes the table). */
struct page_file {
	const char *path; /* "/index.html", "/assets/index-3f9a.js" */
	const char *type;
	const char *etag; /* SHA-256 as hex */
	const unsigned char *bytes, *end;
};

extern const struct page_file PAGE_FILES[];
extern const size_t PAGE_FILES_COUNT;

/* The file for a path as it was sent: itself, or index.html for one that names no file (no dot in
 * its last part), so that the page's own addresses can be opened directly. NULL: not found. */
const struct page_file *page_find(const char *path);
