/* SPDX-License-Identifier: Apache-2.0 */
#include "server/http/auth.h"

#include <errno.h>
#include <microhttpd.h>
#include <openssl/evp.h>
#include <string.h>
#include <strings.h>

#include "base/clock.h"
#include "base/text.h"
#include "server/access/peer.h"
#include "server/http/route.h"
#include "server/server.h"
#include "server/http/session.h"
#include "server/access/token_use.h"
#include "server/access/tokens.h"
#include "server/http/tls.h"

bool auth_route(struct request *request, const char *method, struct reply *reply)
{
	const char *allow;

	switch (route_find(method, request->path, &request->route, request->param, &allow)) {
	case ROUTE_FOUND:
		return true;
	case ROUTE_NO_METHOD:
		reply->allow = allow;
		reply_problem(reply, 405, "this path does not take %s: use %s", method, allow);
		return false;
	case ROUTE_BAD_PATH:
		reply_problem(reply, 400,
			      "the path must be percent-encoded UTF-8 without control characters, "
			      "and a name in it at most %d bytes",
			      REQUEST_PARAM_MAX);
		return false;
	case ROUTE_NO_PATH:
		break;
	}
	reply_problem(reply, 404,
		      "there is nothing at this path: see docs/api.md for what there is");
	return false;
}

/* Sets what the token grants, or request->no_token: why it grants nothing. */
static enum scope scope_of_token(struct request *request, const char *secret)
{
	request->no_token = tokens_find(request->server->tokens, secret, &request->grant);
	if (request->no_token)
		return SCOPE_NONE;
	request->reader = request->grant.reader;
	return request->grant.scope;
}

static enum scope scope_of_session(struct request *request)
{
	const char *secret = MHD_lookup_connection_value(request->connection, MHD_COOKIE_KIND,
							 request->server->session_cookie);

	if (!secret || strcmp(request->route->method, "GET") != 0)
		return SCOPE_NONE;
	if (!sessions_valid(request->server->sessions, clock_real_ns(), secret))
		return SCOPE_NONE;
	request->reader.all = true;
	return SCOPE_READ;
}

#define BASIC_MAX 512

/* "Basic " and base64 of USER:TOKEN, of whatever user. */
static enum scope scope_of_basic(struct request *request, const char *encoded)
{
	unsigned char text[BASIC_MAX / 4 * 3 + 1];
	size_t len = strlen(encoded);
	int decoded = len <= BASIC_MAX
			      ? EVP_DecodeBlock(text, (const unsigned char *)encoded, (int)len)
			      : -1;
	const char *token;

	if (decoded < 0)
		return SCOPE_NONE;
	text[decoded] = '\0';
	token = strchr((const char *)text, ':');
	return token ? scope_of_token(request, token + 1) : SCOPE_NONE;
}

/* Engines send a token as they can: Tower's client as a password, Weblog of old only in its URL.
 * Such a token does no more than name things. */
static enum scope scope_of_engine(struct request *request, const char *header, bool *ret_given)
{
	const char *token =
		MHD_lookup_connection_value(request->connection, MHD_GET_ARGUMENT_KIND, "token");

	*ret_given = header || token;
	if (header && strncasecmp(header, "Basic ", 6) == 0)
		return scope_of_basic(request, header + 6 + strspn(header + 6, " "));
	return token && !header ? scope_of_token(request, token) : SCOPE_NONE;
}

/* The user at the other end of the UNIX socket. */
static enum scope scope_of_peer(struct request *request)
{
	struct peers *peers = request->server->peers;
	const union MHD_ConnectionInfo *info =
		peers ? MHD_get_connection_info(request->connection,
						MHD_CONNECTION_INFO_CONNECTION_FD)
		      : NULL;

	return info && peers_reader(peers, info->connect_fd, &request->reader) ? SCOPE_READ
									       : SCOPE_NONE;
}

/* *ret_given: there was something to judge. */
static enum scope scope_of_caller(struct request *request, bool *ret_given)
{
	const char *header =
		MHD_lookup_connection_value(request->connection, MHD_HEADER_KIND, "Authorization");
	enum scope scope;

	*ret_given = true;
	if (header && strncasecmp(header, "Bearer ", 7) == 0)
		return scope_of_token(request, header + 7 + strspn(header + 7, " "));
	if (request->route->scope == SCOPE_TELL)
		return scope_of_engine(request, header, ret_given);
	*ret_given = header != NULL;
	if (header)
		return SCOPE_NONE;
	scope = scope_of_peer(request);
	return scope == SCOPE_NONE ? scope_of_session(request) : scope;
}

/* An agent's own certificate, where the lake wants one beside the token. */
static bool has_certificate(struct request *request, struct reply *reply)
{
	struct tls *tls = request->server->tls;
	struct error words = { "" };

	if (request->route->scope != SCOPE_INGEST || !tls ||
	    tls_client_is_known(tls, request->connection, &words))
		return true;
	request->server->metrics.refused++;
	reply_problem(reply, 403, "%s", error_text(&words));
	return false;
}

/* Why a token that was given is not accepted. */
static const char *words_of(int no_token)
{
	switch (no_token) {
	case -EKEYEXPIRED:
		return "this token has expired: make another with `tracer-lake token create`";
	case -EKEYREVOKED:
		return "this token was revoked";
	default:
		return "this lake does not know the token: take one from its tokens folder, or "
		       "make one with `tracer-lake token create`";
	}
}

static void refuse(const struct request *request, bool given, struct reply *reply)
{
	request->server->metrics.refused++;
	if (request->held != SCOPE_NONE)
		reply_problem(reply, 403, "this token may %s, and this path needs %s",
			      token_scope_name(request->held),
			      token_scope_name(request->route->scope));
	else if (given)
		reply_problem(reply, 401, "%s", words_of(request->no_token));
	else
		reply_problem(reply, 401,
			      "send a token as \"Authorization: Bearer TOKEN\", or log in with the "
			      "link that `tracer up` prints");
}

/* Counts the request among those of its token. */
static bool enter(struct request *request, struct reply *reply)
{
	const struct token_grant *grant = &request->grant;
	struct token_limits limits = grant->limits;
	char from[TOKEN_FROM_SIZE];

	if (!grant->use)
		return true;
	/* A token of all hosts has as many requests as these, where it was not made with a limit.
	 */
	if (grant->scope == SCOPE_ADMIN && !limits.requests_at_once)
		limits.requests_at_once = TOKEN_LIMIT_MAX;
	request_from(request, from);
	request->entered =
		token_use_enter(tokens_uses(request->server->tokens), grant->use, &limits, from);
	if (request->entered)
		return true;
	request->server->metrics.limited++;
	reply->retry_after_s = 1;
	reply_problem(reply, 429, "this token has as many requests at once as it may have");
	return false;
}

void auth_end(struct request *request)
{
	if (request->entered)
		token_use_leave(tokens_uses(request->server->tokens), request->grant.use);
	request->entered = false;
}

/* Who may not read all runs gets nothing from what is about more than runs. */
static bool may_see(struct request *request, struct reply *reply)
{
	if (request->route->scope != SCOPE_READ || request->reader.all || request->route->of_runs)
		return true;
	request->server->metrics.refused++;
	reply_problem(reply, 403, "%s, and this path is about more than these",
		      *request->grant.id
			      ? "this token may read the runs of some users or labels only"
			      : "without a token you may read your own runs only");
	return false;
}

bool auth_allow(struct request *request, struct reply *reply)
{
	bool given;

	if (request->route->scope == SCOPE_NONE)
		return true;
	request->held = scope_of_caller(request, &given);
	if (scope_allows(request->held, request->route->scope) && !may_see(request, reply))
		return false;
	if (scope_allows(request->held, request->route->scope))
		return has_certificate(request, reply) && enter(request, reply);
	refuse(request, given, reply);
	return false;
}
