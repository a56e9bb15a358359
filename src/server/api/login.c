/* SPDX-License-Identifier: Apache-2.0 */
#include <microhttpd.h>
#include <stdio.h>

#include "base/clock.h"
#include "base/json.h"
#include "server/api/handlers.h"
#include "server/server.h"
#include "server/http/session.h"

static const char PAGE_SPENT[] =
	"<!doctype html><html lang=\"en\"><meta charset=\"utf-8\"><title>Tracer: log in</title>"
	"<h1>This link does not work any more</h1>"
	"<p>A login link works once, for five minutes. Make a new one on the machine where Tracer "
	"runs:</p><pre>sudo tracer up</pre><p>and open the link that it prints.</p></html>\n";

int post_login_links(struct request *request, struct reply *reply)
{
	struct server *server = request->server;
	char code[SESSION_SECRET_SIZE], url[sizeof(server->url) + SESSION_SECRET_SIZE + 16];
	struct json json;

	sessions_code(server->sessions, clock_real_ns(), code);
	request_audit(request, "login-link.create", NULL, "done");
	snprintf(url, sizeof(url), "%s/login?code=%s", server->url, code);
	json_init(&json, &reply->body, false);
	json_object_begin(&json);
	json_key(&json, "url");
	json_text(&json, url);
	json_key(&json, "expires_s");
	json_u64(&json, SESSION_CODE_LIFE_S);
	json_object_end(&json);
	return 0;
}

static void write_cookie(const struct server *server, const char *secret, int life_s,
			 struct reply *reply)
{
	snprintf(reply->cookie, sizeof(reply->cookie),
		 "%s=%s; Path=/; Max-Age=%d; HttpOnly; SameSite=Strict%s", server->session_cookie,
		 secret, life_s, server->tls ? "; Secure" : "");
}

int get_login(struct request *request, struct reply *reply)
{
	struct server *server = request->server;
	const char *code = request_text(request, "code");
	char secret[SESSION_SECRET_SIZE];

	if (!code || sessions_login(server->sessions, clock_real_ns(), code, secret)) {
		reply->status = MHD_HTTP_FORBIDDEN;
		reply->type = TYPE_HTML;
		buffer_append_text(&reply->body, PAGE_SPENT);
		return 0;
	}
	request_audit(request, "login", NULL, "done");
	write_cookie(server, secret, SESSION_LIFE_S, reply);
	reply->status = MHD_HTTP_SEE_OTHER;
	reply->location = "/";
	reply->type = NULL;
	return 0;
}

/* Needs no scope: a browser is as logged out where its session ended before. A page elsewhere
 * cannot send the cookie along (SameSite). */
int post_logout(struct request *request, struct reply *reply)
{
	struct server *server = request->server;
	const char *secret = MHD_lookup_connection_value(request->connection, MHD_COOKIE_KIND,
							 server->session_cookie);

	if (secret)
		sessions_logout(server->sessions, clock_real_ns(), secret);
	write_cookie(server, "", 0, reply);
	reply->status = MHD_HTTP_NO_CONTENT;
	reply->type = NULL;
	return 0;
}
