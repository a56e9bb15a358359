#include "base/error.h"

#include <stdio.h>

int error_set(struct error *err, int code, const char *format, ...)
{
	va_list args;

	if (!err)
		return code;
	va_start(args, format);
	vsnprintf(err->text, sizeof(err->text), format, args);
	va_end(args);
	return code;
}

const char *error_text(const struct error *err)
{
	return err && err->text[0] ? err->text : "unknown error";
}
