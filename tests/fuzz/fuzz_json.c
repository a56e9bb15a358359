/* SPDX-License-Identifier: Apache-2.0 */
/* Any text written as JSON: jansson must accept it, and read back the same text if it was UTF-8. */
#include "fuzz.h"

#include <jansson.h>
#include <string.h>

#include "base/json.h"
#include "base/utf8.h"

static void write_texts(const char *text, size_t len, bool pretty, struct buffer *out)
{
	char key[65] = "";
	struct json json;

	memcpy(key, text, len < 64 ? len : 64);
	json_init(&json, out, pretty);
	json_object_begin(&json);
	json_key(&json, key);
	json_array_begin(&json);
	json_text_len(&json, text, len);
	json_text_len(&json, text, len);
	json_array_end(&json);
	json_object_end(&json);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len)
{
	const char *text = (const char *)bytes;

	for (int pretty = 0; pretty < 2; pretty++) {
		struct buffer out;
		json_t *read, *value;

		buffer_init(&out, 0);
		write_texts(text, len, pretty, &out);
		MUST(!out.failed && utf8_valid(out.data, out.len));
		read = json_loadb(out.data, out.len, JSON_ALLOW_NUL, NULL);
		MUST(read);
		value = json_array_get(json_object_iter_value(json_object_iter(read)), 1);
		if (utf8_valid(text, len)) {
			MUST(json_string_length(value) == len);
			MUST(!memcmp(json_string_value(value), text, len));
		}
		json_decref(read);
		buffer_clear(&out);
	}
	return 0;
}
