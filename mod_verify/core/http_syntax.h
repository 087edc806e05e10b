/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_CORE_HTTP_SYNTAX_H
#define IDV_CORE_HTTP_SYNTAX_H

/*
 * What is read of HTTP itself, apart from httpd: where the head of a request
 * ends in bytes that are still coming, and the Bearer token of a caller.
 *
 * Pure; no memory but the caller's. Threads: no state. Nothing fails: what is
 * not of the syntax has an answer of its own.
 */
#include <apr.h>

/* --- the head of a request ---
 *
 * The head of an HTTP/1 request (RFC 9112, 2.1) ends with the empty line behind
 * the request line and the fields. Nothing else of it is judged: what is no
 * request line of HTTP/1 ends with its line, and what is longer than any head
 * ends with the limit, for the server to refuse. */

#define IDV_REQUEST_HEAD_MAX ((apr_size_t)64 * 1024) /* bytes */

/* How far a head has come; zero at first. */
typedef struct {
    apr_size_t length;
    apr_size_t line;    /* length of its last line so far */
    apr_size_t version; /* bytes of "HTTP/" seen in the first line */
    int lines;          /* that have ended, without empty ones before the first */
    int is_complete;
} idv_request_head_t;

/* Looks at TEXT, which has come. LINE_MAX: the bytes that a request line may
 * have. Non-zero when the head is complete, also when it was before. */
int idv_request_head_add(idv_request_head_t *head, const char *text,
                         apr_size_t length, apr_size_t line_max);

/* --- the token of a caller --- */

#define IDV_BEARER_TOKEN_MAX 512 /* characters; keys and secrets have fewer */

/* The token of RFC 6750, 2.1 within VALUE, the value of an Authorization header,
 * up to its end; the name of the scheme may be in any case (RFC 9110, 11.1).
 * NULL for another scheme, for no token, for one that is longer, and for one
 * with a character that tokens do not have. VALUE may be NULL: no header. */
const char *idv_bearer_token_parse(const char *value);

#endif
