/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_DOMAIN_GATE_GATE_H
#define IDV_DOMAIN_GATE_GATE_H

/*
 * The age gate without httpd: what its two cookies say, what a `Require`
 * demands, which requests are navigations, and where a visitor may be sent.
 *
 *     visit   the browser is on its way through a session; it names the session
 *             and the page that the visitor asked for
 *     proof   the browser has been verified
 *
 * Both are sealed (core/keyring.h) for one gate, organization, workflow and
 * origin, so that neither can be forged, changed, or used anywhere else. A
 * proof names the session that it comes from and no person: only the server
 * that sealed it can read it. Of the age it has no more than a demand can ask
 * for, which is the tier that the person reached.
 *
 * Memory: results live in the given pool. Threads: pure. A cookie that is not
 * ours, or not valid here, is NULL or 0 and not an error.
 */
#include "core/keyring.h"
#include "domain/law/compliance.h"

#define IDV_GATE_NAME_MAX 32          /* bytes of the name of a gate */
#define IDV_GATE_COOKIE_MAX 4096      /* bytes of a sealed cookie */
#define IDV_GATE_DESTINATION_MAX 1024 /* bytes of a path with its query */

/* Below this path the module answers on every host that has gates. */
#define IDV_GATE_ROOT "/.verify-gate/"

/* --- names --- */

/* Non-zero for 1 to IDV_GATE_NAME_MAX lower-case letters, digits and hyphens.
 */
int idv_gate_name_is_valid(const char *name);

/* --- targets --- */

/* What a VerifyGate directive refers to. */
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

/* Reads WORDS, which follow `verified-age`; what is wrong with them, or NULL.
 */
const char *idv_gate_demand_parse(const char *words, idv_gate_demand_t *demand);

/* --- the proof --- */

typedef struct {
    const char *session_id;
    idv_time_t expires;
    idv_time_t checked; /* when the database last confirmed it */
    int age;            /* years that are proved; 0: none */
    int identity;       /* flag */
    /* What the workflow verifies for; `lawful` asks the rules about it. */
    idv_use_case_t use_case;
    idv_article_t article;
    idv_channel_t channel;
} idv_gate_proof_t;

/* The age that a proof may state for a session that is verified: the tier that
 * AGE completed years reach, or REQUIRED, which the session was held to. */
int idv_gate_proved_age(int age, int required);

/* Non-zero when PROOF meets DEMAND. LAWFUL_AGE is what the rules demand of the
 * visitor, 0 where they demand nothing or are not known: then any proof of an
 * age will do. */
int idv_gate_is_met(const idv_gate_demand_t *demand,
                    const idv_gate_proof_t *proof, int lawful_age);

/* --- the visit --- */

typedef struct {
    idv_time_t began;
    const char *nonce;       /* random; a new one for each session */
    const char *session_id;  /* NULL: none was created yet */
    const char *destination; /* idv_gate_destination_is_safe() */
} idv_gate_visit_t;

#define IDV_GATE_VISIT_VALIDITY (7 * IDV_DAY) /* a review may take days */

/* --- cookies --- */

/* For whom cookies are sealed. */
typedef struct {
    const idv_keyring_t *keyring;
    const char *gate, *organization_id, *workflow_id;
    const char *origin; /* "https://shop.example" */
} idv_gate_place_t;

/* The value of the cookie NAME in HEADER, or NULL. */
const char *idv_gate_cookie(const char *header, const char *name,
                            apr_pool_t *pool);

idv_error_t *idv_gate_proof_seal(const idv_gate_place_t *place,
                                 const idv_gate_proof_t *proof,
                                 const char **cookie,
                                 apr_pool_t *pool) IDV_CHECKED;

/* The proof in COOKIE (NULL: none) that is valid at NOW, or NULL. */
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

/* --- requests --- */

/* The header fields by which a navigation is recognized; NULL: absent. */
typedef struct {
    int is_read; /* flag: GET or HEAD */
    const char *fetch_mode, *fetch_dest, *accept, *requested_with, *purpose;
} idv_gate_head_t;

/* Non-zero when a person is to see the answer as a page of its own. A browser
 * that says what it fetches is believed; of others, those that ask for HTML. */
int idv_gate_is_navigation(const idv_gate_head_t *head);

/* Non-zero for a path of the same host, perhaps with a query, that no browser
 * or proxy reads as the address of another host, and that is not the gate's
 * own. */
int idv_gate_destination_is_safe(const char *text);

#endif
