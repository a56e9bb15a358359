/* SPDX-License-Identifier: Apache-2.0 */
#include "signal/redact/redact.h"

#include "base/cleanup.h"
#include "base/text.h"
#include "signal/redact/redact_command.h"
#include "signal/redact/redact_login.h"
#include "signal/redact/redact_name.h"
#include "signal/redact/redact_named.h"
#include "signal/redact/redact_option.h"
#include "signal/redact/redact_pair.h"
#include "signal/redact/redact_position.h"
#include "signal/redact/redact_script.h"
#include "signal/redact/redact_shape.h"
#include "signal/redact/redact_shell.h"
#include "signal/redact/redact_url.h"
#include "signal/redact/redact_value.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

#define BEARER_LEAST 16 /* bytes behind "Bearer " that cannot be a word */

static bool find_bearer(const struct redact_text *text, size_t at, struct redact_place *ret)
{
	static const char scheme[] = "Bearer ";
	const char *bytes = text->bytes;
	size_t value = at + sizeof(scheme) - 1;

	if ((bytes[at] != 'B' && bytes[at] != 'b') || text->len - at < sizeof(scheme) ||
	    strncasecmp(bytes + at, scheme, sizeof(scheme) - 1) != 0 ||
	    (at && redact_is_name_byte(bytes[at - 1])))
		return false;
	*ret = (struct redact_place){ .value = value,
				      .end = redact_word_end(bytes, text->len, value) };
	return ret->end - value >= BEARER_LEAST &&
	       redact_value_hides(REDACT_SECRET, bytes + value, ret->end - value);
}

static bool find_shape(const struct redact_text *text, size_t at, struct redact_place *ret)
{
	size_t bytes = redact_shape(text->bytes, text->len, at);

	*ret = (struct redact_place){ .value = at, .end = at + bytes };
	return bytes > 0;
}

/* The next place behind `at` where something may begin: not within a word. */
static size_t next_start(const char *text, size_t len, size_t at)
{
	bool in_word = text_is_alnum(text[at]);

	for (at++; in_word && at < len && text_is_alnum(text[at]);)
		at++;
	return at;
}

/* Keeps in mind which quote is open behind text[at, next). */
static void pass(struct redact_text *text, size_t at, size_t next)
{
	for (; at < next; at++) {
		char byte = text->bytes[at];
		bool is_escaped = at && text->bytes[at - 1] == '\\' && text->quote != '\'';

		if ((byte != '"' && byte != '\'') || is_escaped)
			continue;
		if (text->quote == byte)
			text->quote = '\0';
		else if (!text->quote)
			text->quote = byte;
	}
}

/* Appends text, masked. shell: its commands, or NULL. */
static bool mask(struct redact_text *text, struct redact_shell *shell, struct buffer *out)
{
	size_t before = out->len, copied = 0;
	struct redact_place place;

	for (size_t at = 0; at < text->len;) {
		while (shell && shell->secret.end <= at && redact_shell_next(shell))
			;
		if (shell && shell->secret.value <= at && at < shell->secret.end) {
			buffer_append(out, text->bytes + copied, at - copied);
			if (shell->secret.value == at)
				buffer_append_text(out, REDACT_MASK);
			at = copied = shell->secret.end;
		} else if (find_shape(text, at, &place) || redact_url(text, at, &place) ||
			   redact_named(text, at, &place) || redact_pair(text, at, &place) ||
			   find_bearer(text, at, &place)) {
			pass(text, at, place.value);
			buffer_append(out, text->bytes + copied, place.value - copied);
			buffer_append_text(out, REDACT_MASK);
			at = copied = place.end;
		} else {
			size_t next = next_start(text->bytes, text->len, at);

			if (shell && shell->secret.value > at && shell->secret.value < next)
				next = shell->secret.value;
			pass(text, at, next);
			at = next;
		}
	}
	buffer_append(out, text->bytes + copied, text->len - copied);
	return out->failed || out->len - before != text->len ||
	       memcmp(out->data + before, text->bytes, text->len) != 0;
}

bool redact_text(const char *text, struct buffer *out)
{
	struct redact_text whole = { .bytes = text, .len = strlen(text) };

	return mask(&whole, NULL, out);
}

char *redact_copy(const char *text, char *copy, size_t size)
{
	CLEANUP(buffer_clear) struct buffer masked = { 0 };

	buffer_init(&masked, 0);
	redact_text(text, &masked);
	(void)snprintf(copy, size, "%s", masked.failed || !masked.data ? "" : masked.data);
	return copy;
}

/* What its command says of an argument, and of the one before. */
struct said {
	const struct redact_option *option, *before;
	const char *attached, *attached_before; /* "" where nothing is */
};

static void say(struct redact_command *command, size_t at, struct said *said)
{
	said->before = said->option;
	said->attached_before = said->attached;
	said->attached = "";
	said->option = redact_option(command, at, &said->attached);
}

/* What of the argument at `at` is a secret because of the arguments around it. */
static bool find_given(const struct redact_command *command, size_t at, const struct said *said,
		       struct redact_place *ret)
{
	const char *arg = command->args[at], *option = at ? command->args[at - 1] : "";
	size_t option_len = strlen(option);
	bool is_value;

	*ret = (struct redact_place){ .value = 0, .end = strlen(arg) };
	if (said->option && *said->attached) {
		ret->value = (size_t)(said->attached - arg);
		return redact_option_hides(said->option, said->attached, ret->end - ret->value);
	}
	if (redact_position(command, at, ret))
		return true;
	is_value = option[0] == '-' && !redact_is_option(arg, ret->end);
	if (is_value && said->before && !*said->attached_before &&
	    said->before->where & (REDACT_NEXT | REDACT_NAMES))
		return redact_option_hides(said->before, arg, ret->end);
	if (redact_login(command, at, ret))
		return true;
	if (!is_value)
		return false;
	*ret = (struct redact_place){ .value = 0, .end = strlen(arg) };
	for (size_t i = 0; i < option_len; i++) {
		if (!redact_is_name_byte(option[i]))
			return false;
	}
	return redact_value_hides(redact_name_kind(option, option_len), arg, ret->end);
}

static bool mask_words(struct redact_text *text, size_t from, struct buffer *out)
{
	struct redact_shell shell = { .text = text->bytes, .at = from };

	return mask(text, &shell, out);
}

/* Words of a command are between blanks, in a script and in arguments of ssh or parallel. */
static bool mask_arg(const struct redact_command *command, size_t at, struct buffer *out)
{
	const char *arg = command->args[at];
	enum redact_script script = redact_script(command, at);
	struct redact_text text = { .bytes = arg,
				    .len = strlen(arg),
				    .whole = script == REDACT_NO_SCRIPT,
				    .is_code = script == REDACT_CODE };
	size_t word = 0;
	const char *sign;

	while (arg[word] && arg[word] != ' ' && arg[word] != '\t' && arg[word] != '\n')
		word++;
	if (!arg[word] || script == REDACT_CODE)
		return mask(&text, NULL, out);
	sign = strncmp(arg, "--", 2) == 0 ? memchr(arg, '=', word) : NULL;
	return mask_words(&text, sign ? (size_t)(sign + 1 - arg) : 0, out);
}

size_t redact_argv(const char *const *args, size_t count, struct buffer *out)
{
	struct said said = { .attached = "" };
	struct redact_command command;
	size_t changed = 0;

	redact_command_init(&command, args, count);
	for (size_t i = 0; i < count; i++) {
		struct redact_place place;

		say(&command, i, &said);
		if (find_given(&command, i, &said, &place)) {
			buffer_append(out, args[i], place.value);
			buffer_append_text(out, REDACT_MASK);
			buffer_append_text(out, args[i] + place.end);
			changed += place.end - place.value != sizeof(REDACT_MASK) - 1 ||
				   strncmp(args[i] + place.value, REDACT_MASK,
					   sizeof(REDACT_MASK) - 1) != 0;
		} else if (said.option && *said.attached && said.option->where & REDACT_NAMES) {
			buffer_append_text(out, args[i]);
		} else {
			changed += mask_arg(&command, i, out);
		}
		buffer_append_char(out, '\0');
	}
	return changed;
}
