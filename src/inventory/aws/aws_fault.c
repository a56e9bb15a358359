/* SPDX-License-Identifier: Apache-2.0 */
#include "inventory/aws/aws_fault.h"

#include <errno.h>
#include <string.h>

#include "inventory/aws/aws_session.h"

#define MESSAGE_MAX 200

/* https://docs.aws.amazon.com/AWSEC2/latest/APIReference/errors-overview.html, and "Common Errors"
 * of the other services. */
static const struct {
	const char *code;
	int rc;
	const char *words; /* instead of the provider's; NULL: its own */
} FAULTS[] = {
	{ "RequestLimitExceeded", -EAGAIN, NULL },
	{ "Throttling", -EAGAIN, NULL },
	{ "ThrottlingException", -EAGAIN, NULL },
	{ "ThrottledException", -EAGAIN, NULL },
	{ "TooManyRequestsException", -EAGAIN, NULL },
	{ "RequestThrottled", -EAGAIN, NULL },
	{ "SlowDown", -EAGAIN, NULL },
	{ "InternalError", -EAGAIN, NULL },
	{ "InternalFailure", -EAGAIN, NULL },
	{ "ServiceUnavailable", -EAGAIN, NULL },
	{ "Unavailable", -EAGAIN, NULL },
	{ "ExpiredToken", -EKEYEXPIRED, "the credentials have expired: renew credentials-file" },
	{ "ExpiredTokenException", -EKEYEXPIRED,
	  "the credentials have expired: renew credentials-file" },
	{ "RequestExpired", -EKEYEXPIRED,
	  "the request or its credentials have expired: renew credentials-file, and compare the "
	  "clock of this host" },
	{ "InvalidClientTokenId", -EKEYEXPIRED,
	  "AWS does not know the key: it was removed, or is "
	  "of another partition" },
	{ "UnrecognizedClientException", -EKEYEXPIRED,
	  "AWS does not know the key: it was removed, or is of another partition" },
	{ "InvalidAccessKeyId", -EKEYEXPIRED, "AWS does not know the key: it was removed" },
	/* (AWS's own text quotes the signed headers, and a session's token among them.) */
	{ "SignatureDoesNotMatch", -EACCES,
	  "the secret of the key is wrong, or the clock of this host" },
	{ "IncompleteSignature", -EACCES, "the key has a form that no key of AWS has" },
	/* Keys were accepted before: it is the region. */
	{ "AuthFailure", -EACCES,
	  "the region refuses this account: it is not enabled, or a policy "
	  "forbids it" },
	{ "OptInRequired", -EACCES, "the account has not enabled this region or service" },
	{ "UnauthorizedOperation", -EACCES,
	  "the policy does not allow it (docs/sweep.md has one "
	  "that does)" },
};

/* EC2: Errors/Error/Code; STS: Error/Code; JSON: __type, "prefix#Code". */
static const char *code_of(const json_t *answer, const char **ret_message)
{
	const json_t *fault = json_object_get(answer, "Error");
	const json_t *faults = json_object_get(answer, "Errors");
	const char *code, *hash;

	if (!fault)
		fault = json_object_get(faults, "Error");
	*ret_message = listing_text(fault, "Message");
	code = listing_text(fault, "Code");
	if (fault)
		return code;
	*ret_message = listing_text(answer, "message");
	if (!**ret_message)
		*ret_message = listing_text(answer, "Message");
	code = listing_text(answer, "__type");
	hash = strrchr(code, '#');
	return hash ? hash + 1 : code;
}

static int rc_of_status(long status)
{
	if (status == 429 || status >= 500)
		return -EAGAIN;
	return status == 401 || status == 403 ? -EACCES : -EPROTO;
}

int aws_fault(const struct aws_call *call, long status, const json_t *answer, struct error *err)
{
	const char *message = "", *code = code_of(answer, &message);

	for (size_t i = 0; i < sizeof(FAULTS) / sizeof(FAULTS[0]); i++)
		if (strcmp(FAULTS[i].code, code) == 0)
			return error_set(err, FAULTS[i].rc, "%s %s in %s: %s: %.*s", call->service,
					 call->action, call->region, code, MESSAGE_MAX,
					 FAULTS[i].words ? FAULTS[i].words : message);
	return error_set(err, rc_of_status(status), "%s %s in %s: status %ld%s%s%s%.*s",
			 call->service, call->action, call->region, status, *code ? ", " : "", code,
			 *message ? ": " : "", MESSAGE_MAX, message);
}
