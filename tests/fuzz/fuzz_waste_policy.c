/* SPDX-License-Identifier: Apache-2.0 */
/* Hostile settings of sweeps, and the texts that they are held against: YAML, a NUL, then texts
 * separated by NULs. The same texts are quoted for a shell. */
#include "fuzz.h"

#include <errno.h>
#include <string.h>

#include "base/cleanup.h"
#include "sweep/shell_quote.h"
#include "sweep/sweep_policy.h"

#define TEXTS 7

static void quote(const char *text)
{
	CLEANUP(buffer_clear) struct buffer out = { 0 };

	buffer_init(&out, 0);
	shell_quote(&out, text);
	if (out.failed)
		return;
	MUST(out.len > 0);
	for (size_t i = 0; i < out.len; i++)
		MUST((unsigned char)out.data[i] >= ' ' && out.data[i] != 0x7f);
}

static void use(const struct sweep_policy *policy, const char *text, size_t len)
{
	const char *texts[TEXTS] = { 0 };

	for (size_t i = 0, count = 0; i < len && count < TEXTS; i += strlen(text + i) + 1) {
		texts[count++] = text + i;
		quote(text + i);
	}
	const struct sweep_concerns concerns = { texts[0], texts[1], texts[2], texts[3],
						 texts[4], texts[5], texts[6] };
	if (sweep_policy_exempts(policy, &concerns))
		MUST(policy->exemption_count > 0);
	(void)sweep_policy_by_design(policy, texts[2], texts[6]);
	for (size_t i = 0; i < SWEEP_THRESHOLDS; i++)
		MUST(policy->thresholds[i] >= 0 && policy->thresholds[i] <= 1e15);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len)
{
	char *copy = malloc(len + 1);
	struct sweep_policy *policy = NULL;
	struct error err = { "" };
	size_t yaml_len;
	int rc;

	MUST(copy);
	if (len > 0)
		memcpy(copy, bytes, len);
	copy[len] = '\0';
	yaml_len = strlen(copy);
	rc = sweep_policy_parse(copy, yaml_len, "fuzz.yaml", &policy, &err);
	MUST(rc == 0 || rc == -EINVAL);
	MUST(rc == 0 || !strncmp(err.text, "fuzz.yaml:", 10));
	MUST(!strchr(err.text, '\n'));
	MUST((rc == 0) == (policy != NULL));
	if (policy && yaml_len < len)
		use(policy, copy + yaml_len + 1, len - yaml_len - 1);
	sweep_policy_free(policy);
	free(copy);
	return 0;
}
