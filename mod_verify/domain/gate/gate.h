/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_DOMAIN_GATE_GATE_H
#define IDV_DOMAIN_GATE_GATE_H

/*
 * The age gate without httpd: its two cookies, the demand of a `Require`, the
 * recognition of navigations, and safe destinations for a visitor.
 *
 *     visit   the browser is in the middle of a session; names the session and
 *             the page that the visitor requested
 *     proof   the browser was verified
 *
 * Both cookies are sealed (core/keyring.h) for one gate, organization, workflow
 * and origin, so that neither can be forged, changed, or used elsewhere. A
 * proof names the session that it comes from, but no person; only the server
 * that sealed it can read it. Its only age information is the tier that the
 * person reached, which is the most that a demand can ask for.
 *
 * Memory: results live in the given pool. Threads: pure. A foreign or invalid
 * cookie is NULL or 0, not an error.
 */
#include "core/keyring.h"
#include "domain/law/compliance.h"

#define IDV_GATE_NAME_MAX 32          /* bytes of a gate's name */
#define IDV_GATE_COOKIE_MAX 4096      /* bytes of a sealed cookie */
#define IDV_GATE_DESTINATION_MAX 1024 /* bytes of a path with its query */

/* On every host with gates the module answers below this path. */
#define IDV_GATE_ROOT "/.verify-gate/"

/* --- names --- */

/* Non-zero for 1 to IDV_GATE_NAME_MAX lower-case letters, digits and hyphens.
 */
int idv_gate_name_is_valid(const char *name);

/* --- targets --- */

/* The values of a VerifyGate directive. */
typedef struct {
    const char *name;
    const char *organization_id, *workflow_id;
} idv_gate_target_t;

/* --- demands --- */

typedef enum {
    IDV_GATE_AGE,      /* Require verified-age N */
    IDV_GATE_LAWFUL,   /* Require verified-age lawful */
    IDV_GATE_IDENTITY, /* Require verified-identity */
} idv_gate_kind_t;

typedef struct {
    idv_gate_kind_t kind;
    int age; /* of IDV_GATE_AGE, 1 to 99 */
} idv_gate_demand_t;

/* Parses WORDS, the text after `verified-age`. Returns what is wrong with them,
 * or NULL. */
const char *idv_gate_demand_parse(const char *words, idv_gate_demand_t *demand);

/* --- the proof --- */

typedef struct {
    const char *session_id;
    idv_time_t expires;
    idv_time_t checked; /* when the database last confirmed it */
    int age;            /* years proved; 0: none */
    int identity;       /* flag */
    /* The product of the workflow; `lawful` looks up the rules for it. */
    idv_use_case_t use_case;
    idv_article_t article;
    idv_channel_t channel;
} idv_gate_proof_t;

/* The age that a proof states for a verified session: the tier reached by AGE
 * completed years, or REQUIRED, the session's required age. */
int idv_gate_proved_age(int age, int required);

/* Non-zero if PROOF satisfies DEMAND. LAWFUL_AGE is the age that the rules
 * require of the visitor; 0 if they require none or are unknown, in which case
 * any proof of an age suffices. */
int idv_gate_is_met(const idv_gate_demand_t *demand,
                    const idv_gate_proof_t *proof, int lawful_age);

/* --- the visit --- */

typedef struct {
    idv_time_t began;
    const char *nonce;       /* random, per session */
    const char *session_id;  /* NULL: not created yet */
    const char *destination; /* idv_gate_destination_is_safe() */
} idv_gate_visit_t;

#define IDV_GATE_VISIT_VALIDITY (7 * IDV_DAY) /* a review may take days */

/* --- cookies --- */

/* What cookies are sealed for. */
typedef struct {
    const idv_keyring_t *keyring;
    const char *gate, *organization_id, *workflow_id;
    const char *origin; /* "https://shop.example" */
} idv_gate_place_t;

/* The value of cookie NAME in HEADER, or NULL. */
const char *idv_gate_cookie(const char *header, const char *name,
                            apr_pool_t *pool);

/* HEADER without the cookies NAME, whose values have no comma, everything else byte
 * by byte. HEADER itself
 * if it has none; NULL if nothing else remains. */
const char *idv_gate_cookies_without(const char *header, const char *name,
                                     apr_pool_t *pool);

idv_error_t *idv_gate_proof_seal(const idv_gate_place_t *place,
                                 const idv_gate_proof_t *proof,
                                 const char **cookie,
                                 apr_pool_t *pool) IDV_CHECKED;

/* The proof in COOKIE (NULL: none) if it is valid at NOW, else NULL. */
const idv_gate_proof_t *idv_gate_proof_open(const idv_gate_place_t *place,
                                            const char *cookie, idv_time_t now,
                                            apr_pool_t *pool);

idv_error_t *idv_gate_visit_seal(const idv_gate_place_t *place,
                                 const idv_gate_visit_t *visit,
                                 const char **cookie,
                                 apr_pool_t *pool) IDV_CHECKED;

const idv_gate_visit_t *idv_gate_visit_open(const idv_gate_place_t *place,
                                            const char *cookie, idv_time_t now,
                                            apr_pool_t *pool);

/* --- pages --- */

/* Pages for visitors who are not let in, texts in gate_texts.def: name, HTTP
 * status. LOGIN is for a login through OpenID Connect. */
#define IDV_GATE_PAGES(X)                                                      \
    X(FAILED, 403)                                                             \
    X(STOPPED, 403)                                                            \
    X(REVIEW, 403)                                                             \
    X(OPEN, 403)                                                               \
    X(COOKIES, 403)                                                            \
    X(ELSEWHERE, 403)                                                          \
    X(NOT_ENOUGH, 403)                                                         \
    X(PLACE, 403)                                                              \
    X(LIMIT, 429)                                                              \
    X(AWAY, 503)                                                               \
    X(INSECURE, 403)                                                           \
    X(LOGIN, 400)

typedef enum {
#define X(name, status) IDV_GATE_PAGE_##name,
    IDV_GATE_PAGES(X)
#undef X
        IDV_GATE_PAGE_COUNT
} idv_gate_page_t;

int idv_gate_page_status(idv_gate_page_t page);

/* --- requests --- */

/* Header fields that identify a navigation; NULL: absent. */
typedef struct {
    int is_read; /* flag: GET or HEAD */
    const char *fetch_mode, *fetch_dest, *accept, *requested_with, *purpose;
} idv_gate_head_t;

/* Non-zero if a person will see the response as a page of its own: as declared
 * by the browser's fetch metadata, or without it, if the request accepts
 * HTML. */
int idv_gate_is_navigation(const idv_gate_head_t *head);

/* Non-zero for a path on the same host, optionally with a query, that no
 * browser or proxy interprets as a URL on another host, and that is not one of
 * the gate's own. */
int idv_gate_destination_is_safe(const char *text);

#endif
