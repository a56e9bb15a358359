/* SPDX-License-Identifier: Apache-2.0 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <cmocka.h>

#include <arpa/inet.h>
#include <errno.h>
#include <event2/buffer.h>
#include <event2/bufferevent_ssl.h>
#include <event2/dns.h>
#include <event2/dns_struct.h>
#include <event2/event.h>
#include <event2/http.h>
#include <net/if.h>
#include <netinet/in.h>
#include <openssl/pem.h>
#include <openssl/ssl.h>
#include <openssl/x509v3.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mount.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/clock.h"
#include "base/file.h"
#include "base/http/http.h"

/*
 * Certificates and names, for real: in network and mount namespaces of its own, with a resolv.conf
 * that names a DNS server on 127.0.0.1:53, which knows lake.test and nothing else.
 */
static char folder[] = "/tmp/tracer-tls-XXXXXX";
static char ca_path[64], other_ca_path[64];
static EVP_PKEY *key;
static X509 *authority, *certificate, *expired;
static pid_t dns_pid;

static X509 *make_certificate(const char *name, const char *alternatives, int days, X509 *issuer)
{
	X509 *made = X509_new();
	X509V3_CTX context;
	ASN1_INTEGER_set(X509_get_serialNumber(made), 1 + days);
	X509_set_version(made, 2);
	X509_gmtime_adj(X509_getm_notBefore(made), -7 * 86400L);
	X509_gmtime_adj(X509_getm_notAfter(made), days * 86400L);
	X509_set_pubkey(made, key);
	X509_NAME_add_entry_by_txt(X509_get_subject_name(made), "CN", MBSTRING_ASC,
				   (const unsigned char *)name, -1, -1, 0);
	X509_set_issuer_name(made, X509_get_subject_name(issuer ? issuer : made));
	X509V3_set_ctx(&context, issuer ? issuer : made, made, NULL, NULL, 0);
	X509_EXTENSION *extension =
		alternatives
			? X509V3_EXT_conf_nid(NULL, &context, NID_subject_alt_name, alternatives)
			: X509V3_EXT_conf_nid(NULL, &context, NID_basic_constraints,
					      "critical,CA:TRUE");
	assert_non_null(extension);
	X509_add_ext(made, extension, -1);
	X509_EXTENSION_free(extension);
	assert_true(X509_sign(made, key, EVP_sha256()) > 0);
	return made;
}

static void write_pem(const char *path, X509 *one)
{
	FILE *file = fopen(path, "w");
	assert_non_null(file);
	assert_int_equal(PEM_write_X509(file, one), 1);
	fclose(file);
}

static void bind_over(const char *target, const char *text)
{
	char path[64];
	snprintf(path, sizeof(path), "%s/bound", folder);
	assert_int_equal(file_write(path, text, strlen(text), 0644, NULL), 0);
	assert_int_equal(mount(path, target, NULL, MS_BIND, NULL), 0);
	unlink(path);
}

static void on_question(struct evdns_server_request *request, void *context)
{
	bool known = false;
	for (int i = 0; i < request->nquestions; i++) {
		const struct evdns_server_question *question = request->questions[i];
		struct in_addr address = { .s_addr = htonl(INADDR_LOOPBACK) };
		if (strcasecmp(question->name, "silent.test") == 0)
			return;
		if (strcasecmp(question->name, "lake.test") != 0)
			continue;
		known = true;
		if (question->type == EVDNS_TYPE_A)
			evdns_server_request_add_a_reply(request, question->name, 1, &address, 60);
	}
	evdns_server_request_respond(request, known ? 0 : DNS_ERR_NOTEXIST);
}

static void serve_names(int ready)
{
	struct sockaddr_in address = { .sin_family = AF_INET,
				       .sin_port = htons(53),
				       .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
	struct event_base *base = event_base_new();
	int fd = socket(AF_INET, SOCK_DGRAM | SOCK_NONBLOCK, 0);
	if (bind(fd, (struct sockaddr *)&address, sizeof(address)) != 0)
		_exit(1);
	evdns_add_server_port_with_base(base, fd, 0, on_question, NULL);
	if (write(ready, "", 1) != 1)
		_exit(1);
	event_base_dispatch(base);
	_exit(0);
}

static int begin(void **state)
{
	struct ifreq loopback = { .ifr_name = "lo", .ifr_flags = IFF_UP };
	int ends[2];
	char byte;
	assert_non_null(mkdtemp(folder));
	snprintf(ca_path, sizeof(ca_path), "%s/ca.pem", folder);
	snprintf(other_ca_path, sizeof(other_ca_path), "%s/other.pem", folder);
	assert_int_equal(unshare(CLONE_NEWNS | CLONE_NEWNET), 0);
	assert_int_equal(mount("", "/", NULL, MS_REC | MS_PRIVATE, NULL), 0);
	bind_over("/etc/resolv.conf", "nameserver 127.0.0.1\n");
	bind_over("/etc/hosts", "127.0.0.1 localhost hosted.test\n");
	CLEANUP(closep) int fd = socket(AF_INET, SOCK_DGRAM, 0);
	assert_int_equal(ioctl(fd, SIOCSIFFLAGS, &loopback), 0);
	key = EVP_EC_gen("P-256");
	authority = make_certificate("test authority", NULL, 30, NULL);
	certificate = make_certificate("lake", "DNS:lake.test,IP:127.0.0.1", 30, authority);
	expired = make_certificate("lake", "DNS:lake.test,IP:127.0.0.1", -1, authority);
	X509 *other = make_certificate("another authority", NULL, 30, NULL);
	write_pem(ca_path, authority);
	write_pem(other_ca_path, other);
	X509_free(other);
	assert_int_equal(pipe(ends), 0);
	dns_pid = fork();
	if (dns_pid == 0)
		serve_names(ends[1]);
	assert_int_equal(read(ends[0], &byte, 1), 1);
	close(ends[0]);
	close(ends[1]);
	return 0;
}

static int end(void **state)
{
	kill(dns_pid, SIGKILL);
	waitpid(dns_pid, NULL, 0);
	X509_free(authority);
	X509_free(certificate);
	X509_free(expired);
	EVP_PKEY_free(key);
	return file_remove_tree(folder);
}

struct server {
	pid_t pid;
	unsigned port;
};

static void greet(struct evhttp_request *request, void *context)
{
	struct evbuffer *body = evbuffer_new();
	evbuffer_add_printf(body, "hello");
	evhttp_send_reply(request, 200, "OK", body);
	evbuffer_free(body);
}

static struct bufferevent *secure(struct event_base *base, void *context)
{
	return bufferevent_openssl_socket_new(base, -1, SSL_new(context), BUFFEREVENT_SSL_ACCEPTING,
					      BEV_OPT_CLOSE_ON_FREE);
}

static void serve(int fd, X509 *shown)
{
	struct event_base *base = event_base_new();
	struct evhttp *http = evhttp_new(base);
	SSL_CTX *context = SSL_CTX_new(TLS_server_method());
	if (shown) {
		SSL_CTX_use_certificate(context, shown);
		SSL_CTX_use_PrivateKey(context, key);
		evhttp_set_bevcb(http, secure, context);
	}
	evhttp_set_gencb(http, greet, NULL);
	evhttp_accept_socket(http, fd);
	event_base_dispatch(base);
	_exit(0);
}

/* shown NULL: no TLS. */
static struct server server_start(X509 *shown)
{
	struct server server;
	struct sockaddr_in address = { .sin_family = AF_INET,
				       .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
	socklen_t len = sizeof(address);
	CLEANUP(closep) int fd = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
	assert_int_equal(bind(fd, (struct sockaddr *)&address, len), 0);
	assert_int_equal(listen(fd, 8), 0);
	assert_int_equal(getsockname(fd, (struct sockaddr *)&address, &len), 0);
	server.port = ntohs(address.sin_port);
	server.pid = fork();
	if (server.pid == 0)
		serve(fd, shown);
	return server;
}

static void server_stop(struct server *server)
{
	kill(server->pid, SIGKILL);
	waitpid(server->pid, NULL, 0);
}

static int fetch(const char *scheme, const char *host, unsigned port, const char *ca,
		 uint64_t timeout_ns, struct error *words)
{
	char url[128];
	CLEANUP(freep) char *body = NULL;
	size_t len = 0;
	int status = 0;
	snprintf(url, sizeof(url), "%s://%s:%u", scheme, host, port);
	struct http_options options = {
		.url = url, .ca_file = ca, .timeout_ns = timeout_ns, .response_limit = 100
	};
	*words = (struct error){ 0 };
	int rc = http_fetch(&options, "GET", "/", NULL, NULL, 0, &status, &body, &len, words);
	if (rc == 0) {
		assert_int_equal(status, 200);
		assert_string_equal(body, "hello");
	}
	return rc;
}

static void a_certificate_that_is_trusted_and_named_so_is_accepted(void **state)
{
	CLEANUP(server_stop) struct server server = server_start(certificate);
	struct error words;
	assert_int_equal(fetch("https", "lake.test", server.port, ca_path, 0, &words), 0);
	assert_int_equal(fetch("https", "127.0.0.1", server.port, ca_path, 0, &words), 0);
}

static void a_certificate_for_another_name_is_refused(void **state)
{
	CLEANUP(server_stop) struct server server = server_start(certificate);
	struct error words;
	assert_int_equal(fetch("https", "localhost", server.port, ca_path, 0, &words), -EPROTO);
	assert_non_null(strstr(words.text, "for lake.test, 127.0.0.1, and not for localhost"));
}

static void a_certificate_of_an_unknown_authority_is_refused(void **state)
{
	CLEANUP(server_stop) struct server server = server_start(certificate);
	struct error words;
	assert_int_equal(fetch("https", "lake.test", server.port, other_ca_path, 0, &words),
			 -EPROTO);
	assert_non_null(strstr(words.text, "certificate of lake.test is not accepted"));
	assert_non_null(strstr(words.text, "\"test authority\"; give"));
	assert_int_equal(fetch("https", "lake.test", server.port, NULL, 0, &words), -EPROTO);
}

static void an_expired_certificate_is_refused(void **state)
{
	CLEANUP(server_stop) struct server server = server_start(expired);
	struct error words;
	assert_int_equal(fetch("https", "lake.test", server.port, ca_path, 0, &words), -EPROTO);
	assert_non_null(strstr(words.text, "certificate of lake.test expired at 20"));
	assert_non_null(strstr(words.text, "put a new one"));
}

static void a_certificate_of_tomorrow_is_refused_and_the_clocks_are_named(void **state)
{
	X509 *later = make_certificate("lake", "DNS:lake.test", 30, authority);
	X509_gmtime_adj(X509_getm_notBefore(later), 86400L);
	assert_true(X509_sign(later, key, EVP_sha256()) > 0);
	CLEANUP(server_stop) struct server server = server_start(later);
	struct error words;
	assert_int_equal(fetch("https", "lake.test", server.port, ca_path, 0, &words), -EPROTO);
	assert_non_null(strstr(words.text, "is not valid before 20"));
	assert_non_null(strstr(words.text, "set the clocks"));
	X509_free(later);
}

static void a_server_without_tls_is_refused(void **state)
{
	CLEANUP(server_stop) struct server server = server_start(NULL);
	struct error words;
	int rc = fetch("https", "lake.test", server.port, ca_path, 0, &words);
	assert_int_equal(rc, -EPROTO);
	assert_non_null(strstr(words.text, "does not speak TLS"));
}

static void a_ca_file_that_is_none_is_said_at_once(void **state)
{
	struct error words;
	assert_int_equal(fetch("https", "lake.test", 1, "/etc/hostname", 0, &words), -EINVAL);
	assert_non_null(strstr(words.text, "/etc/hostname"));
}

static void names_are_looked_up_without_the_c_library(void **state)
{
	CLEANUP(server_stop) struct server server = server_start(NULL);
	struct error words;
	assert_int_equal(fetch("http", "lake.test", server.port, NULL, 0, &words), 0);
	assert_int_equal(fetch("http", "hosted.test", server.port, NULL, 0, &words), 0);
	assert_int_equal(fetch("http", "localhost", server.port, NULL, 0, &words), 0);
	assert_int_equal(fetch("http", "unknown.test", server.port, NULL, 0, &words),
			 -EHOSTUNREACH);
	assert_non_null(strstr(words.text, "unknown.test"));
}

static void a_name_server_that_is_silent_times_out(void **state)
{
	struct error words;
	assert_int_equal(fetch("http", "silent.test", 80, NULL, 200 * NS_PER_MS, &words),
			 -ETIMEDOUT);
	assert_non_null(strstr(words.text, "silent.test"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_certificate_that_is_trusted_and_named_so_is_accepted),
		cmocka_unit_test(a_certificate_for_another_name_is_refused),
		cmocka_unit_test(a_certificate_of_an_unknown_authority_is_refused),
		cmocka_unit_test(an_expired_certificate_is_refused),
		cmocka_unit_test(a_certificate_of_tomorrow_is_refused_and_the_clocks_are_named),
		cmocka_unit_test(a_server_without_tls_is_refused),
		cmocka_unit_test(a_ca_file_that_is_none_is_said_at_once),
		cmocka_unit_test(names_are_looked_up_without_the_c_library),
		cmocka_unit_test(a_name_server_that_is_silent_times_out),
	};
	return cmocka_run_group_tests(tests, begin, end);
}
