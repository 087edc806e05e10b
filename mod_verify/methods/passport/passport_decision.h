/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_METHODS_PASSPORT_PASSPORT_DECISION_H
#define IDV_METHODS_PASSPORT_PASSPORT_DECISION_H

/*
 * The verdict on the chip of a passport: findings, the clock and the rule in; an
 * outcome with one reason for each check that did not pass out.
 *
 * - Findings that are not readable are UNREADABLE with the hint.
 * - What the zone of the chip says is judged by the rules of documents
 *   (document_decision.h): issuer, expiry, age, plausibility, who else showed
 *   it. Its checks stand behind those of the chip.
 * - Where passive authentication proves the zone, how it is written makes nobody
 *   a forger: a fault of its form, as a deviation of the security object, is a
 *   note or the doubt NONCONFORMING.
 * - A failed check of the chip or of the zone is FAILED. What was altered or is
 *   not its issuer's goes before what has expired or is too young: nothing can be
 *   concluded from data that nobody vouches for.
 * - A check that is undetermined is a doubt, and makes the outcome UNDETERMINED,
 *   so that the workflow says what follows. Undetermined checks that are no
 *   doubt: a portrait that cannot be read (nothing here needs it); chip
 *   authentication by itself; active authentication of a chip that has no key for
 *   it, or proved itself by chip authentication; `chip_cloning`, unless the rule
 *   demands a genuine chip; revocation, where the rule accepts that nobody knows.
 * - `chip_cloning` passes when the chip signed the server's challenge or proved
 *   the key of DG14, and the data groups with these keys are its issuer's. A
 *   proof that failed fails it, whatever the rule demands: a genuine chip does
 *   not answer wrongly.
 * - The certificates must be valid at NOW, unless the rule accepts expired ones;
 *   whether the signer's was revoked is the caller's to find out, and to say in
 *   three values.
 * - The assurance is `signed` when passive authentication passed as a whole, else
 *   `decoded`.
 *
 * Memory: the result pool; the outcome holds no personal data but the age.
 * Threads: pure.
 */
#include "domain/trust/revocation.h"
#include "methods/document/document_decision.h"
#include "methods/passport/passport_findings.h"

/* What the session asks for. */
typedef struct {
    idv_document_rule_t document; /* `now` is that of the certificates, too */
    idv_revocation_t revocation;
    int accept_unknown_revocation;
    int accept_expired_certificates;
    int require_genuine_chip;
    const idv_document_t *printed; /* a zone that was read from a photo of the
                                      same document; NULL: none */
} idv_passport_rule_t;

/* Decides; fails only for lack of memory. `verification_result` is the passport
 * summary of the interface: there is no selfie in this method, so liveness_score
 * is 0. chip_passive_auth_passed says that passive authentication passed as a
 * whole, at the time of the rule; chip_active_auth_passed that the chip proved to
 * be genuine, in either of the two ways; age_verified, identity_verified and
 * age_estimate are as those of documents. */
idv_error_t *idv_passport_decide(const idv_passport_findings_t *findings,
                                 const idv_passport_rule_t *rule,
                                 idv_method_outcome_t **outcome,
                                 apr_pool_t *result) IDV_CHECKED;

#endif
