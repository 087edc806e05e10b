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

/* Whether a VP token is used by the verified person. A token is a bearer
 * credential: anyone who holds it can use it, and it reveals only that somebody
 * was verified. The only evidence is to compare the e-mail address and phone
 * number of the session with those of the token's person. */
typedef enum {
    IDV_SAME_PERSON_UNKNOWN, /* nothing to compare, or an unproven match */
    IDV_SAME_PERSON_YES,
    IDV_SAME_PERSON_NO
} idv_same_person_t;

/* Session identifiers of a kind that the token's person also has. */
typedef struct {
    int equal;     /* equal to the person's */
    int different; /* different from the person's */
    int claimed;   /* flag: named by a browser, which proves nothing */
} idv_same_person_facts_t;

/* A single difference decides. */
idv_same_person_t idv_same_person(const idv_same_person_facts_t *facts);

/* RESULTS (JSON array or NULL) with the use of a token at NOW appended: the
 * check `vp_token_same_person` for YES or NO, absent for UNKNOWN. Keeps only
 * the newest entries, as many as a session stores. */
const char *idv_vp_token_results(const char *results, idv_same_person_t same,
                                 idv_time_t now, apr_pool_t *pool);

/* Non-zero if a browser created SESSION and was detected elsewhere than it
 * declared. Sessions created by a server are not checked, because a server may
 * know its customer's location better than an IP address shows. */
int idv_session_is_elsewhere(const idv_session_t *session);

/* The token used in a session. */
typedef struct {
    const char *credential_id; /* NULL: none */
    idv_same_person_t same_person;
    apr_int64_t sessions; /* in the policy's window, including this one */
} idv_session_token_t;

/* Facts for the assessment at the start of SESSION. */
void idv_session_doubts_facts(const idv_session_t *session,
                              const idv_session_token_t *token,
                              idv_risk_facts_t *facts);

/* Adds findings about the document's pictures to FACTS, if there are any. */
void idv_session_picture_facts(const idv_session_t *session,
                               idv_risk_facts_t *facts);

/* Fills FACTS with what is known without counting, for CHECKS of SESSION. The
 * strings are borrowed from SESSION. */
void idv_session_checks_facts(const idv_session_t *session,
                              const idv_method_list_t *checks,
                              idv_risk_facts_t *facts);

#endif
