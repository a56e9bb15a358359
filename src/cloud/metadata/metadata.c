/* SPDX-License-Identifier: Apache-2.0 */
#include "cloud/metadata/metadata.h"

#include <arpa/inet.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/clock.h"
#include "base/http/http_url.h"
#include "cloud/machine/firmware.h"
#include "cloud/metadata/metadata_ask.h"
#include "cloud/metadata/metadata_source.h"

#define ROUND_NS        (10 * NS_PER_S) /* of all questions together */
#define WATCH_NS        (5 * NS_PER_S)  /* as AWS recommends */
#define WATCH_SELDOM_NS (60 * NS_PER_S) /* after so many failures: */
#define WATCH_FAILURES  5

static const uint64_t waits_ns[] = { 2 * NS_PER_S, 10 * NS_PER_S, 60 * NS_PER_S, 600 * NS_PER_S };

#define TRIES (1 + sizeof(waits_ns) / sizeof(waits_ns[0]))

struct metadata {
	const struct metadata_source *source; /* NULL: no service is asked */
	struct metadata_listener listener;
	struct metadata_ask *ask;
	struct firmware firmware;
	struct cloud_machine machine, asked; /* asked: of the round in progress */
	const char *by;                      /* static, or in firmware */
	bool busy, answered;
	unsigned tries, watch_failures;
	uint64_t now_ns, due_ns, round_ns; /* round_ns: when the round in progress began */
	struct error words;
};

/* A loopback or link-local address, or fd00:ec2::254, where AWS answers by IPv6. */
static bool is_near(const char *host)
{
	struct in6_addr six, aws;
	struct in_addr four;

	if (inet_pton(AF_INET, host, &four) == 1)
		return ntohl(four.s_addr) >> 24 == 127 || ntohl(four.s_addr) >> 16 == 0xa9fe;
	if (inet_pton(AF_INET6, host, &six) == 1)
		return IN6_IS_ADDR_LOOPBACK(&six) || IN6_IS_ADDR_LINKLOCAL(&six) ||
		       (inet_pton(AF_INET6, "fd00:ec2::254", &aws) == 1 &&
			IN6_ARE_ADDR_EQUAL(&six, &aws));
	return strcmp(host, "localhost") == 0;
}

static int check(const struct metadata_options *options, struct error *err)
{
	struct http_url url;

	if (strcmp(options->cloud, "auto") != 0 && strcmp(options->cloud, "off") != 0 &&
	    !metadata_source(options->cloud))
		return error_set(err, -EINVAL, "cloud must be auto, off, aws or gcp, not '%s'",
				 options->cloud);
	if (*options->provider && metadata_source(options->cloud) &&
	    strcmp(options->provider, options->cloud) != 0)
		return error_set(err, -EINVAL,
				 "provider is '%s' and cloud is '%s': give one of them",
				 options->provider, options->cloud);
	if (!*options->url)
		return 0;
	if (http_url_parse(options->url, &url, err) < 0)
		return -EINVAL;
	if (!url.local && !is_near(url.host))
		return error_set(err, -EINVAL,
				 "metadata-url must have a loopback or link-local address, not "
				 "'%s'",
				 url.host);
	return 0;
}

/* Which service is asked, and why. */
static void choose(struct metadata *metadata, const struct metadata_options *options)
{
	if (strcmp(options->cloud, "off") == 0) {
		metadata->by = "the option cloud is off";
	} else if (strcmp(options->cloud, "auto") != 0) {
		metadata->source = metadata_source(options->cloud);
		metadata->by = "the option cloud";
	} else if (*options->provider) {
		metadata->source = metadata_source(options->provider);
		metadata->by = "the option provider";
	} else if (*metadata->firmware.provider) {
		metadata->source = metadata_source(metadata->firmware.provider);
		metadata->by = metadata->firmware.by;
	} else {
		metadata->by = "no option and no firmware names a cloud";
	}
}

/* What the firmware says is true without any answer. */
static void take_firmware(struct metadata *metadata)
{
	const struct firmware *firmware = &metadata->firmware;

	if (!metadata->source || strcmp(firmware->provider, metadata->source->provider) != 0)
		return;
	cloud_machine_init(&metadata->machine, metadata->source->provider);
	cloud_machine_set(&metadata->machine, CLOUD_INSTANCE_ID, firmware->instance_id);
	cloud_machine_set(&metadata->machine, CLOUD_INSTANCE_TYPE, firmware->instance_type);
}

int metadata_new(struct metadata **ret, struct event_base *base,
		 const struct metadata_options *options, const struct metadata_listener *listener,
		 struct error *err)
{
	struct metadata *metadata;
	int result = check(options, err);

	if (result < 0)
		return result;
	metadata = calloc(1, sizeof(*metadata));
	if (!metadata)
		return error_set(err, -ENOMEM, "no memory to ask a metadata service");
	cloud_machine_init(&metadata->machine, "");
	cloud_machine_init(&metadata->asked, "");
	metadata->listener = *listener;
	firmware_read(&metadata->firmware, options->root);
	choose(metadata, options);
	take_firmware(metadata);
	if (metadata->source)
		result =
			metadata_ask_new(&metadata->ask, base, metadata->source, options->url, err);
	if (result < 0)
		metadata_free(metadata);
	else
		*ret = metadata;
	return result;
}

void metadata_free(struct metadata *metadata)
{
	if (!metadata)
		return;
	metadata_ask_free(metadata->ask);
	cloud_machine_clear(&metadata->machine);
	cloud_machine_clear(&metadata->asked);
	free(metadata);
}

/* A round for the machine failed: the next try is later. */
static void put_off(struct metadata *metadata, const struct error *words)
{
	metadata->words = *words;
	cloud_machine_clear(&metadata->asked);
	if (metadata->tries < TRIES)
		metadata->due_ns = metadata->now_ns + waits_ns[metadata->tries - 1];
}

/* The service must speak of the instance that the firmware names. */
static bool is_another(const struct metadata *metadata)
{
	const char *known = metadata->firmware.instance_id;

	return *known && strcmp(metadata->source->provider, metadata->firmware.provider) == 0 &&
	       strcmp(known, metadata->asked.facts[CLOUD_INSTANCE_ID]) != 0;
}

static void on_machine(int error, const struct error *words, void *context)
{
	struct metadata *metadata = context;
	struct error another;

	metadata->busy = false;
	if (error == 0 && is_another(metadata)) {
		error = error_set(
			&another, -EPROTO, "the service names instance %s, the firmware %s",
			metadata->asked.facts[CLOUD_INSTANCE_ID], metadata->firmware.instance_id);
		words = &another;
	}
	if (error) {
		put_off(metadata, words);
	} else {
		cloud_machine_clear(&metadata->machine);
		metadata->machine = metadata->asked;
		cloud_machine_init(&metadata->asked, "");
		metadata->answered = true;
		metadata->words = (struct error){ 0 };
		metadata->due_ns = metadata->now_ns;
	}
	metadata->listener.changed(metadata->listener.context);
}

static void on_notice(const struct metadata_notice *notice, void *context)
{
	const struct metadata *metadata = context;

	metadata->listener.noticed(notice, metadata->listener.context);
}

static void on_watched(int error, const struct error *words, void *context)
{
	struct metadata *metadata = context;

	metadata->busy = false;
	metadata->watch_failures = error && error != -EAGAIN ? metadata->watch_failures + 1 : 0;
	metadata->due_ns = metadata->now_ns +
			   (metadata->watch_failures < WATCH_FAILURES ? WATCH_NS : WATCH_SELDOM_NS);
}

static bool is_over(const struct metadata *metadata)
{
	return !metadata->source || metadata->answered || metadata->tries == TRIES;
}

static void start(struct metadata *metadata)
{
	metadata->busy = true;
	metadata->round_ns = metadata->now_ns;
	if (metadata->answered) {
		metadata_ask_notices(metadata->ask, on_notice, on_watched, metadata);
		return;
	}
	metadata->tries++;
	cloud_machine_clear(&metadata->asked);
	cloud_machine_init(&metadata->asked, metadata->source->provider);
	metadata_ask_machine(metadata->ask, &metadata->asked, on_machine, metadata);
}

/* A service that answers each question, but slowly. */
static void give_up_round(struct metadata *metadata)
{
	struct error words;

	metadata_ask_drop(metadata->ask);
	error_set(&words, -ETIMEDOUT, "the service did not answer all questions within %lld s",
		  ROUND_NS / NS_PER_S);
	if (metadata->answered)
		on_watched(-ETIMEDOUT, &words, metadata);
	else
		on_machine(-ETIMEDOUT, &words, metadata);
}

void metadata_tick(struct metadata *metadata, uint64_t now_ns)
{
	metadata->now_ns = now_ns;
	if (metadata->busy) {
		if (now_ns - metadata->round_ns > ROUND_NS)
			give_up_round(metadata);
		return;
	}
	if (!metadata->source || now_ns < metadata->due_ns)
		return;
	if (!is_over(metadata) || (metadata->answered && cloud_machine_is_spot(&metadata->machine)))
		start(metadata);
}

const struct cloud_machine *metadata_machine(const struct metadata *metadata)
{
	return &metadata->machine;
}

struct metadata_status metadata_status(const struct metadata *metadata)
{
	return (struct metadata_status){
		.provider = metadata->source ? metadata->source->provider : "",
		.by = metadata->by,
		.answered = metadata->answered,
		.asking = metadata->busy,
		.over = is_over(metadata),
		.words = metadata->words.text,
	};
}
