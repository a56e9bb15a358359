#include "lake/check.h"

#include "base/utf8.h"
#include "lake/table.h"

#include <errno.h>
#include <string.h>

static int check_text(const char *text, const ProtobufCFieldDescriptor *field, struct error *err)
{
	if (text && !utf8_valid(text, strlen(text)))
		return error_set(err, -EPROTO, "the batch holds a %s that is no UTF-8",
				 field->name);
	return 0;
}

static int check_message(const ProtobufCMessage *message, struct error *err);

/* One value of a field. */
static int check_value(const ProtobufCFieldDescriptor *field, const void *value, struct error *err)
{
	if (field->type == PROTOBUF_C_TYPE_STRING)
		return check_text(*(const char *const *)value, field, err);
	if (field->type == PROTOBUF_C_TYPE_MESSAGE && *(const ProtobufCMessage *const *)value)
		return check_message(*(const ProtobufCMessage *const *)value, err);
	return 0;
}

static int check_repeated(const ProtobufCMessage *message, const ProtobufCFieldDescriptor *field,
			  struct error *err)
{
	const char *base = (const char *)message;
	size_t count = *(const size_t *)(base + field->quantifier_offset);
	const void *const *values = *(const void *const *const *)(base + field->offset);
	int rc = 0;

	for (size_t i = 0; i < count && !rc; i++)
		rc = check_value(field, &values[i], err);
	return rc;
}

/* Depth is that of signal.proto: batch, record, figures or label. */
static int check_message(const ProtobufCMessage *message, struct error *err)
{
	int rc = 0;

	for (unsigned i = 0; i < message->descriptor->n_fields && !rc; i++) {
		const ProtobufCFieldDescriptor *field = &message->descriptor->fields[i];

		if (field->label == PROTOBUF_C_LABEL_REPEATED)
			rc = check_repeated(message, field, err);
		else
			rc = check_value(field, (const char *)message + field->offset, err);
	}
	return rc;
}

static int check_id(const char *id, const char *what, struct error *err)
{
	size_t len = id ? strlen(id) : 0;

	if (!len)
		return error_set(err, -EPROTO, "the batch lacks a %s", what);
	if (len > BATCH_ID_MAX)
		return error_set(err, -EPROTO, "the batch has a %s of %zu bytes, at most %d", what,
				 len, BATCH_ID_MAX);
	return 0;
}

static int check_run(const Signal__Run *run, struct error *err)
{
	if (run->n_labels > BATCH_LABELS_MAX)
		return error_set(err, -EPROTO, "a run has %zu labels, at most %d", run->n_labels,
				 BATCH_LABELS_MAX);
	return check_id(run->run_id, "run_id of a run", err);
}

int check_batch(const Signal__Batch *batch, struct error *err)
{
	int rc = check_id(batch->host_id, "host_id", err);

	if (!rc)
		rc = check_id(batch->boot_id, "boot_id", err);
	if (!rc)
		rc = check_id(batch->agent_id, "agent_id", err);
	if (!rc && !batch->sequence)
		rc = error_set(err, -EPROTO, "the batch lacks a sequence");
	for (size_t i = 0; i < batch->n_runs && !rc; i++)
		rc = check_run(batch->runs[i], err);
	for (size_t i = 0; i < batch->n_tasks && !rc; i++)
		rc = check_id(batch->tasks[i]->task_id, "task_id of a task", err);
	return rc ? rc : check_message(&batch->base, err);
}
