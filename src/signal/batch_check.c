#include "signal/batch_check.h"

#include "base/buffer.h"
#include "base/text.h"
#include "base/utf8.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define ID_LIMIT 128

static int check_id(const char *name, const char *text, struct error *err)
{
	if (strlen(text) > ID_LIMIT)
		return error_set(err, -EPROTO, "the batch has a %s of %zu bytes; at most %d", name,
				 strlen(text), ID_LIMIT);
	return 0;
}

/* protobuf-c points an absent text at a constant: that one is empty, and so never replaced. */
static int repair(char **text, struct error *err)
{
	struct buffer repaired;
	size_t len = strlen(*text);

	if (utf8_valid(*text, len))
		return 0;
	buffer_init(&repaired, 3 * len);
	utf8_repair(*text, len, &repaired);
	if (repaired.failed) {
		buffer_clear(&repaired);
		return error_set(err, -ENOMEM, "no memory to unpack a batch");
	}
	free(*text);
	*text = buffer_take(&repaired);
	return 0;
}

static int check_text(const ProtobufCFieldDescriptor *field, char **text, struct error *err)
{
	int r = text_ends_with(field->name, "_id") ? check_id(field->name, *text, err) : 0;

	return r ? r : repair(text, err);
}

static int check_message(ProtobufCMessage *message, struct error *err);

/* One value of a field: a text or a message; numbers are what they are. */
static int check_value(const ProtobufCFieldDescriptor *field, void *value, struct error *err)
{
	ProtobufCMessage *const *message = value;

	if (field->type == PROTOBUF_C_TYPE_STRING)
		return check_text(field, value, err);
	if (field->type == PROTOBUF_C_TYPE_MESSAGE && *message)
		return check_message(*message, err);
	return 0;
}

static int check_field(const ProtobufCFieldDescriptor *field, ProtobufCMessage *message,
		       struct error *err)
{
	void *member = (char *)message + field->offset;
	size_t count;
	int r = 0;

	if (field->type != PROTOBUF_C_TYPE_STRING && field->type != PROTOBUF_C_TYPE_MESSAGE)
		return 0;
	if (field->label != PROTOBUF_C_LABEL_REPEATED)
		return check_value(field, member, err);
	count = *(const size_t *)((const char *)message + field->quantifier_offset);
	for (size_t i = 0; !r && i < count; i++)
		r = check_value(field, *(void ***)member + i, err);
	return r;
}

static int check_message(ProtobufCMessage *message, struct error *err)
{
	const ProtobufCMessageDescriptor *descriptor = message->descriptor;
	int r = 0;

	for (unsigned i = 0; !r && i < descriptor->n_fields; i++)
		r = check_field(&descriptor->fields[i], message, err);
	return r;
}

static int check_present(const char *what, const char *text, struct error *err)
{
	return *text ? 0 : error_set(err, -EPROTO, "the batch has no %s", what);
}

static int check_keys(const Signal__Batch *batch, struct error *err)
{
	int r = check_present("agent_id", batch->agent_id, err);

	if (!r)
		r = check_present("host_id", batch->host_id, err);
	if (!r)
		r = check_present("boot_id", batch->boot_id, err);
	if (!r && !batch->sequence)
		r = error_set(err, -EPROTO, "the batch has no sequence");
	for (size_t i = 0; !r && i < batch->n_runs; i++)
		r = check_present("run_id of a run", batch->runs[i]->run_id, err);
	for (size_t i = 0; !r && i < batch->n_tasks; i++)
		r = check_present("task_id of a task", batch->tasks[i]->task_id, err);
	return r;
}

int batch_check(Signal__Batch *batch, struct error *err)
{
	int r = check_keys(batch, err);

	return r ? r : check_message(&batch->base, err);
}
