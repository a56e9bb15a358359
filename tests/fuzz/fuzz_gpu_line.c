/* SPDX-License-Identifier: Apache-2.0 */
/* A line from a hostile program in the place of tracer-gpu. A line that is accepted is written back
 * the same. */
#include "fuzz.h"

#include <string.h>

#include "gpu/line.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len)
{
	struct gpu_line line, again;
	struct buffer out;

	if (gpu_line_read((const char *)bytes, len, &line) < 0)
		return 0;
	buffer_init(&out, 0);
	gpu_line_write(&out, &line);
	MUST(!out.failed && out.len == len + 1 && memcmp(out.data, bytes, len) == 0);
	MUST(gpu_line_read(out.data, out.len - 1, &again) == 0);
	MUST(memcmp(&line, &again, sizeof(line)) == 0);
	buffer_clear(&out);
	return 0;
}
