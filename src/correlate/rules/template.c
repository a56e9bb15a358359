/* SPDX-License-Identifier: Apache-2.0 */
#include "correlate/rules/template.h"

#include <string.h>

static const char *const places[PLACES] = {
	[PLACE_NAME] = "{name}",
	[PLACE_SUBCOMMAND] = "{subcommand}",
	[PLACE_SCRIPT] = "{script}",
};

/* The place that begins here; PLACES: none. */
static enum template_place place_at(const char *text)
{
	enum template_place place = 0;

	while (place < PLACES && strncmp(text, places[place], strlen(places[place])) != 0)
		place++;
	return place;
}

const char *template_fault(const char *text)
{
	while ((text = strpbrk(text, "{}"))) {
		enum template_place place = place_at(text);

		if (place == PLACES)
			return "a name may hold {name}, {subcommand} and {script}; another brace: ";
		text += strlen(places[place]);
	}
	return NULL;
}

bool template_has(const char *text, enum template_place place)
{
	return strstr(text, places[place]) != NULL;
}

char *template_fill(const char *text, const struct template_values *values, char *filled,
		    size_t size)
{
	size_t used = 0;

	while (*text) {
		enum template_place place = place_at(text);
		const char *piece = place < PLACES ? values->texts[place] : text;
		size_t len = place == PLACES ? 1 : piece ? strlen(piece) : 0;

		text += place < PLACES ? strlen(places[place]) : 1;
		if (!piece && used > 0 && filled[used - 1] == ' ')
			used--;
		else if (!piece && used == 0 && *text == ' ')
			text++;
		if (len > size - 1 - used)
			len = size - 1 - used;
		memcpy(filled + used, piece ? piece : "", len);
		used += len;
	}
	filled[used] = '\0';
	return filled;
}
