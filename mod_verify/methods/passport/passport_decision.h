/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_METHODS_PASSPORT_PASSPORT_DECISION_H
#define IDV_METHODS_PASSPORT_PASSPORT_DECISION_H

/*
 * Decides on the chip of a passport: takes findings, the time and the rule;
 * returns an outcome with one reason for each check that did not pass.
 *
 * - Findings that are not readable are UNREADABLE with the hint.
 * - The zone of the chip is judged by the rules of documents
 *   (document_decision.h): issuer, expiry, age, plausibility, use by other
 *   persons. Its checks follow those of the chip.
 * - If passive authentication proves the zone, its form is not a sign of
 *   forgery: a fault of form, like a deviation of the security object, is a
 *   note or the doubt NONCONFORMING.
 * - A failed check of the chip or of the zone is FAILED. Alterations and data
 *   not from the issuer take precedence over expiry and age, because unsigned
 *   data proves nothing.
 * - An undetermined check is a doubt, and makes the outcome UNDETERMINED, so
 *   that the workflow decides what follows. Undetermined checks without a
 *   doubt: a portrait that cannot be read (not needed here); chip
 *   authentication by itself; active authentication of a chip that has no key
 *   for it, or proved itself by chip authentication; `chip_cloning`, unless the
 *   rule demands a genuine chip; revocation, if the rule accepts an unknown
 *   status.
 * - `chip_cloning` passes if the chip signed the server's challenge or proved
 *   the key of DG14, and the data groups with these keys are its issuer's. A
 *   failed proof fails it under any rule: a genuine chip does not answer
 *   wrongly.
 * - The certificates must be valid at NOW, unless the rule accepts expired
 *   ones; the caller supplies the signer's revocation status, one of three
 *   values.
 * - The assurance is `signed` if passive authentication passed as a whole, else
 *   `decoded`.
 *
 * Memory: the result pool; the outcome holds no personal data except the age.
 * Threads: pure.
 */
#include "domain/trust/revocation.h"
#include "methods/document/document_decision.h"
#include "methods/passport/passport_findings.h"

/* The requirements of the session. */
typedef struct {
    idv_document_rule_t document; /* `now` also applies to the certificates */
    idv_revocation_t revocation;
    int accept_unknown_revocation;
    int accept_expired_certificates;
    int require_genuine_chip;
    const idv_document_t *printed; /* a zone read from a photo of the same
                                      document; NULL: none */
} idv_passport_rule_t;

/* Decides; fails only for lack of memory. `verification_result` is the passport
 * summary of the interface: this method has no selfie, so liveness_score is 0.
 * chip_passive_auth_passed means that passive authentication passed as a whole,
 * at the time of the rule; chip_active_auth_passed that the chip proved to be
 * genuine, in either of the two ways; age_verified, identity_verified and
 * age_estimate are as for documents. */
idv_error_t *idv_passport_decide(const idv_passport_findings_t *findings,
                                 const idv_passport_rule_t *rule,
                                 idv_method_outcome_t **outcome,
                                 apr_pool_t *result) IDV_CHECKED;

#endif
