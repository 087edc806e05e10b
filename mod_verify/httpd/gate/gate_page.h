/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_HTTPD_GATE_GATE_PAGE_H
#define IDV_HTTPD_GATE_GATE_PAGE_H

/*
 * Pages for visitors whom a gate does not let in: in the brand of the
 * organization and the language of the browser, with one next step. They need
 * no script and load nothing.
 *
 * Threads: one request, one thread. Memory: the pool of the request. Failures:
 * none; without the database the page has no brand.
 */
#include "httpd/gate/gate_visitor.h"

/* X(page, status). */
#define IDV_GATE_PAGES(X)                                                      \
    X(FAILED, HTTP_FORBIDDEN)                                                  \
    X(STOPPED, HTTP_FORBIDDEN)                                                 \
    X(REVIEW, HTTP_FORBIDDEN)                                                  \
    X(OPEN, HTTP_FORBIDDEN)                                                    \
    X(COOKIES, HTTP_FORBIDDEN)                                                 \
    X(ELSEWHERE, HTTP_FORBIDDEN)                                               \
    X(NOT_ENOUGH, HTTP_FORBIDDEN)                                              \
    X(PLACE, HTTP_FORBIDDEN)                                                   \
    X(LIMIT, HTTP_TOO_MANY_REQUESTS)                                           \
    X(AWAY, HTTP_SERVICE_UNAVAILABLE)                                          \
    X(INSECURE, HTTP_FORBIDDEN)

typedef enum {
#define X(name, status) IDV_GATE_PAGE_##name,
    IDV_GATE_PAGES(X)
#undef X
        IDV_GATE_PAGE_COUNT
} idv_gate_page_t;

/* Answers R, a request of VISITOR, with PAGE; NEXT is the path of its next
 * step. */
void idv_gate_page(request_rec *r, idv_gate_visitor_t *visitor,
                   idv_gate_page_t page, const char *next);

#endif
