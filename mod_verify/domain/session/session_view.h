/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_DOMAIN_SESSION_SESSION_VIEW_H
#define IDV_DOMAIN_SESSION_SESSION_VIEW_H

/*
 * The forms in which a session is shown: the object of the API, the snapshot of
 * events, and the view of the widget.
 *
 * A session that was never announced as verified, or that a reviewer rejected,
 * shows why and not what passed, also if its cancel was counted. Secrets are not
 * in a session; the client secret is passed where it is shown once.
 *
 * Memory: texts live in the given pool. Threads: pure. Nothing fails.
 */
#include "core/json_writer.h"
#include "domain/session/session.h"

/* What the API object shows beyond the session itself. */
typedef struct {
    const char *client_secret; /* create response only */
    const char *url;           /* create response only: the hosted page */
    int expand_results;
    /* With expand_results: the hash by which the credential that the session
     * minted can be named later, and its method; NULL: none is valid. */
    const char *credential_hash;
    idv_method_t credential_method;
    int expand_document;
    int show_delivery;              /* delivery_jurisdiction was passed */
    const char *ip_jurisdiction;    /* with show_delivery; NULL: unknown */
    int jurisdiction_mismatch;      /* with show_delivery */
} idv_session_view_t;

/* What the widget view shows beyond the session itself. */
typedef struct {
    const char *vp_token;      /* shown while verified; NULL: none */
    int trust_reuse_available; /* the person may be asked to share */
    int lacks_email;           /* there is no address that could be proved */
    int is_phone;              /* it is shown to the phone of a handoff */
    const char *client_secret; /* of that phone, once; NULL: none */
    const apr_array_header_t *passport_apps; /* of const char *: links of apps
                                                that read chips; NULL: none */
    const char *liveness_provider; /* who looks at pictures of a person besides
                                      this service; NULL: nobody */
    const char *organization_name;
    const char *brand; /* an object as domain/account/brand.h has it; NULL: none */
    int sighting_days; /* that codes of pictures and documents are kept; 0: none
                          are */
    int risk_days;     /* that assessments of risk are kept */
    const char *const *parts_received; /* of evidence; NULL-terminated */
    int reviews; /* the workflow may hold the session for a person to look */
} idv_session_widget_t;

/* The version of what idv_session_text() makes of a session without a view, in
 * the form of store/session/session_answer.h. Rows keep such texts, so it has to rise
 * with every change of either; and the least one that rows may have with it,
 * unless what they keep still unpacks to the same text. */
#define IDV_SESSION_TEXT_VERSION 3
#define IDV_SESSION_TEXT_VERSION_LEAST 2

/* The session object of the interface, as a value that WRITER writes or as a
 * text. VIEW may be NULL: nothing beyond. `last_error` is there when the session
 * failed, and absent otherwise. */
void idv_session_write(idv_json_writer_t *writer, const idv_session_t *session,
                       const idv_session_view_t *view);
const char *idv_session_text(const idv_session_t *session,
                             const idv_session_view_t *view, apr_pool_t *pool);

/* `data.object` of verification_session.* events. */
const char *idv_session_snapshot(const idv_session_t *session,
                                 apr_pool_t *pool);

/* Whether the workflow looks at more than what the person does, which the widget
 * view has as `passive_checks`. */
int idv_session_has_passive_checks(const idv_session_t *session);

/* The widget view. `methods` are those that may be submitted now. EXTRA may be
 * NULL. */
const char *idv_session_widget_text(const idv_session_t *session,
                                    const idv_workflow_t *workflow,
                                    const idv_session_widget_t *extra,
                                    apr_pool_t *pool);

#endif
