/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stddef.h>

/* Secrets that are known by their shape, whatever they are called: keys of AWS, GitHub, GitLab,
 * Slack, Google, Stripe, OpenAI and others, npm, PyPI, Hugging Face; JSON web tokens; PEM private
 * keys. */

/* Bytes of the secret that begins at text[at], or 0. text has len bytes. */
size_t redact_shape(const char *text, size_t len, size_t at);
