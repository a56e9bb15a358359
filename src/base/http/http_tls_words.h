/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <openssl/ssl.h>

/* OpenSSL's callback for each certificate of a server: leaves its verdict as it is, and writes what
 * is wrong and what to do into the session's struct http_tls_words (SSL_get_app_data). What a
 * certificate says of itself is hostile: names are taken only where they are plain text. */
int http_tls_verified(int ok, X509_STORE_CTX *store);
