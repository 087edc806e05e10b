/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_METHODS_DOCUMENT_DOCUMENT_DECISION_H
#define IDV_METHODS_DOCUMENT_DOCUMENT_DECISION_H

/*
 * Decides on a photographed document: takes findings, the time and the rule;
 * returns an outcome with one reason per failed check.
 *
 * - Findings that are not readable, or whose readers disagree, are UNREADABLE
 *   with the hint. A wrong read that is accepted is worse than no read.
 * - If a picture does not show the whole document, and the document has not
 *   failed, that picture is requested again (UNREADABLE, `cut_off`), unless the
 *   rule accepts it: a person who cannot take a better picture is not asked
 *   forever.
 * - Every check of the readers must have passed, and the issuer must be known
 *   here. A partial date of birth by the issuer is not a failure by itself.
 * - The date is that of the session's jurisdiction, the earliest if it has
 *   several (domain/value/jurisdiction.h). A document is valid on its expiry
 *   day.
 * - The age is the exact number of completed years on that date; a person born
 *   on 29 February is a year older on 1 March. With a partial date of birth the
 *   person passes if even the latest possible date is old enough, is under age
 *   if even the earliest is not, and otherwise the age is undetermined.
 * - If another person submitted the same picture or the same number, that
 *   leaves a doubt, as an undetermined age does: the workflow decides what
 *   follows.
 * - A kind of document that has a portrait must show one. If the portrait is on
 *   a side that was not sent, that side is requested (UNREADABLE,
 *   `front_missing`); if all sides were sent and none shows a portrait, that
 *   leaves a doubt. Documents of test issuers belong to nobody and need none;
 *   without models for faces it is not searched.
 * - The print of the front is compared with the code (print_comparison.h). A
 *   date or number different from the code's leaves a doubt, and so does
 *   legible print that agrees with the code neither on the surname nor on a
 *   date of birth or expiry. Unreadable print leaves none, unless the portrait
 *   is on the photo of a barcode. Print that agrees sets
 *   `barcode_cross_ref_match` but does not raise the assurance, because a
 *   forger of the code can print the same.
 * - Impossible data fails: an age over 120, a licence for a child, a term or a
 *   number that the state does not give. Data that is only unusual for the
 *   state leaves a doubt (licence_rules.h).
 * - Test issuers (UTO, AAMVA 000000) pass only if the rule allows them, for
 *   demonstrations and sandboxes. Anybody may use their documents, so they
 *   never count as another person's.
 * - The assurance is `consistent` if an independent second code says the same,
 *   else `decoded`: no code of a photographed document is signed.
 *
 * Memory: the result pool; the outcome holds no personal data except the age.
 * Threads: pure.
 */
#include "domain/method/method_outcome.h"
#include "methods/document/document_findings.h"

/* `last_error` of the session: X(name, code, message for the applicant). */
#define IDV_DOCUMENT_ERRORS(X)                                                 \
    X(UNVERIFIED, "document_unverified",                                       \
      "The document could not be verified.")                                   \
    X(NOT_ACCEPTED, "document_not_accepted",                                   \
      "This document is not accepted.")                                        \
    X(EXPIRED, "document_expired", "The document has expired.")                \
    X(REUSED, "document_reused",                                               \
      "This document, or this picture of it, was shown before.")               \
    X(UNDER_AGE, "under_age",                                                  \
      "The document does not show the required age.")                          \
    X(UNDETERMINED, "document_undetermined",                                   \
      "Not all of the document could be checked.")                             \
    X(AGE_UNDETERMINED, "age_undetermined",                                    \
      "The document does not show the exact date of birth.")

/* Earlier uses of the document elsewhere; all zero: none. */
typedef struct {
    int same_picture_twice;         /* both sides are one file */
    int picture_of_another_session; /* another person submitted the file */
    int document_of_another_person; /* another person submitted the number */
} idv_document_sightings_t;

/* The requirements of the session. */
typedef struct {
    idv_time_t now;
    const char *jurisdiction; /* of the session: DE, US-MD; NULL: unknown */
    int required_age;         /* exact completed years; 0: no age required */
    const char *born_before;  /* YYYY-MM-DD, an additional requirement; NULL:
                               * none */
    int accept_expired;       /* non-zero: an expired document is accepted */
    int accept_cut;           /* non-zero: a picture may show a part */
    int accept_test_issuers;  /* non-zero: for demonstrations */
    int is_authentic; /* an issuer's signature proves the text (chips). A mark
                       * of forgery on a photographed document is then a
                       * deviation from the standard and a doubt
                       * (NONCONFORMING) */
    idv_document_sightings_t seen;
} idv_document_rule_t;

/* Non-zero if REASON (not NONE) is about how a document is written: a deviation
 * if its issuer's signature proves it, otherwise usually a mark of forgery. */
int idv_document_reason_is_of_form(idv_document_reason_t reason);

/* Decides; fails only for lack of memory. `verification_result` is the
 * document-capture summary of the interface: this method has no selfie, so
 * liveness_score is 0 and face_match_passed false; age_estimate is the lowest
 * age that the document allows, 0 if it shows none. identity_verified needs a
 * document that passes as the person's own, whatever the age, and an assurance
 * that identifies; age_verified means that the document shows an age, and the
 * required one. A document that fails for the age sets facts.younger_than,
 * whatever its other faults. */
idv_error_t *idv_document_decide(const idv_document_findings_t *findings,
                                 const idv_document_rule_t *rule,
                                 idv_method_outcome_t **outcome,
                                 apr_pool_t *result) IDV_CHECKED;

#endif
