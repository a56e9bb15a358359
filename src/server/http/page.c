/* SPDX-License-Identifier: Apache-2.0 */
#include "server/http/page.h"

#include <string.h>

#include "base/text.h"
#include "server/api/handlers.h"

static const struct page_file *find_exactly(const char *path)
{
	for (size_t i = 0; i < PAGE_FILES_COUNT; i++)
		if (strcmp(PAGE_FILES[i].path, path) == 0)
			return &PAGE_FILES[i];
	return NULL;
}

const struct page_file *page_find(const char *path)
{
	const struct page_file *file = find_exactly(path);

	/* "/../x" is no address of the page's, though nothing is looked up on disk. */
	if (file || strchr(text_basename(path), '.') || strstr(path, "/."))
		return file;
	return find_exactly("/index.html");
}

/* Vite puts the hash of what it bundles into the names below /assets/. */
int get_page(struct request *request, struct reply *reply)
{
	const struct page_file *file = page_find(request->path);

	if (!file)
		return reply_problem(reply, 404, "the dashboard has no such file");
	reply->type = file->type;
	reply->fixed = file->bytes;
	reply->fixed_len = (size_t)(file->end - file->bytes);
	reply->fixed_etag = file->etag;
	reply->immutable = text_starts_with(file->path, "/assets/");
	return 0;
}
