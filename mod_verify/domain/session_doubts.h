/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_DOMAIN_SESSION_DOUBTS_H
#define IDV_DOMAIN_SESSION_DOUBTS_H

/*
 * What the beginning of a session gives reason to doubt, before a workflow's
 * checks, and without any: a browser that declares a jurisdiction and is seen
 * in another; a VP token that is used by somebody else than its person, or in
 * many sessions.
 *
 * Doubts are signals of risk. They become an assessment of the session, which
 * may raise its risk_tier, only when one of them fired: of a session without
 * doubts nothing is kept.
 *
 * Memory: strings are borrowed. Threads: pure.
 */
#include "domain/risk.h"
#include "domain/session.h"
#include "domain/vp_token_use.h"

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

#endif
