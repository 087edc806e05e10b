/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_DOMAIN_SESSION_SESSION_RISK_H
#define IDV_DOMAIN_SESSION_SESSION_RISK_H

/*
 * The facts about a session that the risk engine (domain/risk/risk.h) judges.
 * They are collected at two moments.
 *
 * At the start of a session, whether its workflow has passive checks or not:
 * a browser that declares one jurisdiction and is seen in another; a VP token
 * that somebody other than its person uses, or that is used in many sessions.
 * The session gets an assessment, which may raise its risk_tier, only if a
 * signal fired. Nothing is stored for a session without signals.
 *
 * At a node of passive checks:
 *
 * - ip_analysis: the kind of the person's IP address, the number of persons who
 *   used it, whether one of them failed for age, and whether the address agrees
 *   with the declared jurisdiction, the document and the browser's clock;
 * - device_risk: whether a program controls the browser, the number of persons
 *   who used the device, whether one of them failed for age, whether the
 *   operator blocks the person, whether a document shown earlier belongs to
 *   somebody else or to several persons, and whether its picture looks like a
 *   photo of a screen, a print or an edited picture;
 * - geolocation: whether the address is in the session's jurisdiction.
 *
 * IDV_RISK_SIGNALS assigns the signals to checks. The level of the assessment
 * selects the exit of the node. Passive checks replace no method and
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
