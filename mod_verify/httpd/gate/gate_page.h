/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_HTTPD_GATE_GATE_PAGE_H
#define IDV_HTTPD_GATE_GATE_PAGE_H

/*
 * Pages for visitors whom a gate refuses, or who cannot continue a login. They
 * are in the brand of the organization and the language of the browser, offer
 * one next step, need no script and load nothing.
 *
 * Threads: one request, one thread. Memory: the pool of the request. Failures:
 * none; without the database the page has no brand.
 */
#include "httpd/gate/gate_visitor.h"

/* Answers R, a request of VISITOR, with PAGE; NEXT is the path of its next
 * step. */
void idv_gate_page(request_rec *r, idv_gate_visitor_t *visitor,
                   idv_gate_page_t page, const char *next);

/* The text of PAGE, for another answer to REQUEST; sets its headers. The brand
 * is that of ORGANIZATION_ID (NULL: none), NEXT may be NULL for no next
 * step. */
const char *idv_gate_page_text(idv_request_t *request,
                               const char *organization_id,
                               idv_gate_page_t page, const char *next);

#endif
