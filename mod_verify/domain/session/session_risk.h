/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_DOMAIN_SESSION_SESSION_RISK_H
#define IDV_DOMAIN_SESSION_SESSION_RISK_H

/*
 * What the risk engine (domain/risk/risk.h) is told of a session: facts, at two
 * moments.
 *
 * At the beginning, with or without checks in the workflow, there can be
 * doubts: a browser declares a jurisdiction and is seen in another; a VP token
 * is used by somebody else than its person, or in many sessions. They become an
 * assessment of the session, which may raise its risk_tier, only when a signal
 * fired: of a session without doubts nothing is kept.
 *
 * At a node of passive checks:
 *
 * - ip_analysis: what kind of address the person comes from, how many persons
 *   came by it, whether somebody there failed for age, and whether it is where
 *   the session's creation declared it, the document shown says, and the
 *   browser's clock is;
 * - device_risk: whether a program led the browser, how many persons used the
 *   device, whether somebody failed for age there, whether the operator blocks
 *   the person, and whether the document shown before, if one was, is somebody
 *   else's or several persons', and whether its picture seems to be of a screen
 *   or a print, or changed;
 * - geolocation: whether the address is in the session's jurisdiction.
 *
 * Which signal belongs to which check stands in IDV_RISK_SIGNALS. The level of
 * the assessment is the exit of the node. Passive checks replace no method and
 * mint no credential.
 *
 * Memory: facts borrow from the session, texts live in the given pool. Threads:
 * pure. Nothing fails.
 */
#include "domain/risk/risk.h"
#include "domain/session/session.h"

/* Whether a VP token is used by the person who was verified. A token is a
 * bearer: whoever has it can show it, and it says nothing of that person but
 * that somebody was verified. What can be compared are the e-mail address and
 * the phone number that the session names with those of the token's person. */
typedef enum {
    IDV_SAME_PERSON_UNKNOWN, /* nothing to compare, or a claim that fits */
    IDV_SAME_PERSON_YES,
    IDV_SAME_PERSON_NO
} idv_same_person_t;

/* Identifiers of the session whose kind the token's person has, too. */
typedef struct {
    int equal;     /* that are the person's */
    int different; /* that are not */
    int claimed;   /* flag: a browser named them, which proves nothing */
} idv_same_person_facts_t;

/* One that differs decides. */
idv_same_person_t idv_same_person(const idv_same_person_facts_t *facts);

/* RESULTS (JSON array or NULL) with what was seen of a token used at NOW: the
 * check `vp_token_same_person` says YES or NO, and is not there when UNKNOWN.
 * As many as a session keeps, the newest. */
const char *idv_vp_token_results(const char *results, idv_same_person_t same,
                                 idv_time_t now, apr_pool_t *pool);

/* Non-zero when a browser created SESSION and is seen elsewhere than it
 * declared. A server may know better than an address where its customer is, so
 * of its sessions this is not asked. */
int idv_session_is_elsewhere(const idv_session_t *session);

/* The token that was used in a session. */
typedef struct {
    const char *credential_id; /* NULL: none was */
    idv_same_person_t same_person;
    apr_int64_t sessions; /* in the policy's window, with this one */
} idv_session_token_t;

/* The facts of which the doubts about SESSION are made. */
void idv_session_doubts_facts(const idv_session_t *session,
                              const idv_session_token_t *token,
                              idv_risk_facts_t *facts);

/* Adds to FACTS what the pictures of the document tell, if they do. */
void idv_session_picture_facts(const idv_session_t *session,
                               idv_risk_facts_t *facts);

/* Fills FACTS with what is known without counting, for CHECKS of SESSION. The
 * strings are borrowed from it. */
void idv_session_checks_facts(const idv_session_t *session,
                              const idv_method_list_t *checks,
                              idv_risk_facts_t *facts);

#endif
