/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_CORE_HTTP_SYNTAX_H
#define IDV_CORE_HTTP_SYNTAX_H

/*
 * HTTP syntax that is needed without httpd: the end of a request head in
 * incoming bytes, and the Bearer token of a caller.
 *
 * Pure; uses only the caller's memory. Threads: no state. Failures: none;
 * invalid syntax has a result of its own.
 */
#include <apr.h>

/*
 * --- the head of a request ---
 *
 * The head of an HTTP/1 request (RFC 9112, 2.1) ends with the empty line after
 * the request line and the fields. Nothing else is checked: data that is not an
 * HTTP/1 request line ends with its line, and an overlong head ends at the
 * limit; the server then refuses it.
 */

#define IDV_REQUEST_HEAD_MAX ((apr_size_t)64 * 1024) /* bytes */

/* Progress within a head; zero at first. */
typedef struct {
    apr_size_t length;
    apr_size_t line;    /* length of its last line so far */
    apr_size_t version; /* bytes of "HTTP/" seen in the first line */
    int lines;          /* complete lines, not counting leading empty ones */
    int is_complete;
} idv_request_head_t;

/* Processes newly received TEXT. LINE_MAX is the maximum length of a request
 * line in bytes. Non-zero if the head is complete, now or before. */
int idv_request_head_add(idv_request_head_t *head, const char *text,
                         apr_size_t length, apr_size_t line_max);

/* --- the token of a caller --- */

#define IDV_BEARER_TOKEN_MAX 512 /* characters; keys and secrets are shorter   \
                                  */

/* The token of RFC 6750, 2.1 in VALUE, an Authorization header (NULL: absent),
 * up to its end. The scheme is case-insensitive (RFC 9110, 11.1). NULL for
 * another scheme, a missing or overlong token, and one with an invalid
 * character. */
const char *idv_bearer_token_parse(const char *value);

#endif
