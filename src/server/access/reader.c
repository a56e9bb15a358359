/* SPDX-License-Identifier: Apache-2.0 */
#include "server/access/reader.h"

#include "base/buffer.h"
#include "base/json.h"

static void add_list(struct json *json, const char *key, const char (*texts)[READER_TEXT_SIZE],
		     size_t count)
{
	json_key(json, key);
	json_array_begin(json);
	for (size_t i = 0; i < count; i++)
		json_text(json, texts[i]);
	json_array_end(json);
}

const char *reader_param(const struct reader *reader, struct buffer *text)
{
	struct json json;

	buffer_init(text, 0);
	if (reader->all)
		return NULL;
	buffer_init(text, 0);
	json_init(&json, text, false);
	json_object_begin(&json);
	add_list(&json, "users", reader->users, reader->user_count);
	add_list(&json, "labels", reader->labels, reader->label_count);
	json_object_end(&json);
	return text->failed ? READER_OF_NOTHING : text->data;
}
