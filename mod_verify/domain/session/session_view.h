/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_DOMAIN_SESSION_SESSION_VIEW_H
#define IDV_DOMAIN_SESSION_SESSION_VIEW_H

/*
 * The representations of a session: the API object, the snapshot in events, and
 * the widget's view.
 *
 * A session that was never announced as verified, or that a reviewer rejected,
 * shows the reasons but not what passed, even if its cancellation was counted.
 * A session contains no secrets; the client secret is passed separately where
 * it is shown, once.
 *
 * Memory: texts live in the given pool. Threads: pure. Failures: none.
 */
#include "core/json_writer.h"
#include "domain/session/session.h"

/* Parts of the API object that are not part of the session. */
typedef struct {
    const char *client_secret; /* create response only */
    const char *url;           /* create response only: the hosted page */
    int expand_results;
    /* With expand_results: the hash of the credential that the session minted,
     * and its method; NULL: no valid credential. */
    const char *credential_hash;
    idv_method_t credential_method;
    int expand_document;
    int expand_workflow;
    int show_delivery;           /* delivery_jurisdiction was given */
    const char *ip_jurisdiction; /* with show_delivery; NULL: unknown */
    int jurisdiction_mismatch;   /* with show_delivery */
} idv_session_view_t;

/* Parts of the widget's view that are not part of the session. */
typedef struct {
    const char *vp_token;      /* shown while verified; NULL: none */
    const char *passkey;       /* "save", "use"; NULL: neither is possible */
    int trust_reuse_available; /* the person can be asked to share */
    int lacks_email;           /* no address can be proved: the session has
                                * none, or the service sends no mail */
    int is_phone;              /* the view is for the phone of a handoff */
    const char *client_secret; /* of that phone, once; NULL: none */
    const apr_array_header_t *passport_apps; /* const char *: links of apps that
                                              * read chips; NULL: none */
    const char *liveness_provider; /* external processor of the person's
                                    * pictures; NULL: none */
    const char *organization_name;
    const char *brand; /* see domain/account/brand.h; NULL: none */
    int sighting_days; /* retention of picture and document codes; 0: not
                        * kept */
    int risk_days;     /* retention of risk assessments */
    const char *const *parts_received; /* parts of evidence; NULL-terminated */
    int reviews; /* flag: the workflow can hold the session for a manual
                  * review */
} idv_session_widget_t;

/* The version of the output of idv_session_text() without a view, in the form
 * of store/session/session_answer.h, and the oldest stored version that still
 * unpacks to the same text. Rows store such texts, so increase the version with
 * every change of either. */
#define IDV_SESSION_TEXT_VERSION 3
#define IDV_SESSION_TEXT_VERSION_LEAST 2

/* The session object of the API. VIEW may be NULL. `last_error` is present only
 * if the session failed. */
const char *idv_session_text(const idv_session_t *session,
                             const idv_session_view_t *view, apr_pool_t *pool);

/* `data.object` of verification_session.* events. */
const char *idv_session_snapshot(const idv_session_t *session,
                                 apr_pool_t *pool);

/* Whether the workflow has passive checks; `passive_checks` in the widget's
 * view. */
int idv_session_has_passive_checks(const idv_session_t *session);

/* The widget's view. `methods` are those that can be submitted now. EXTRA may
 * be NULL. */
const char *idv_session_widget_text(const idv_session_t *session,
                                    const idv_workflow_t *workflow,
                                    const idv_session_widget_t *extra,
                                    apr_pool_t *pool);

#endif
