/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_CORE_REQUEST_HEAD_H
#define IDV_CORE_REQUEST_HEAD_H

/*
 * Finds the end of the head of an HTTP/1 request (RFC 9112, 2.1) in bytes that
 * come piece by piece: the empty line behind the request line and the fields.
 * It judges nothing else. What is no request line of HTTP/1 ends with its line,
 * and what is longer than any head with its limit, for the server to refuse.
 *
 * Pure; no memory but the value's own, which is zero at first.
 */
#include <apr.h>

#define IDV_REQUEST_HEAD_MAX ((apr_size_t)64 * 1024) /* bytes */

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

#endif
