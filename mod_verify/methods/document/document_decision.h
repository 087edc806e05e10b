/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_METHODS_DOCUMENT_DOCUMENT_DECISION_H
#define IDV_METHODS_DOCUMENT_DOCUMENT_DECISION_H

/*
 * The verdict on a photographed document: findings, the clock and the rule in;
 * an outcome with one reason per failed check out.
 *
 * - Findings that are not readable, or whose readers disagree, are UNREADABLE
 *   with the hint. A wrong read that passes as right is worse than no read.
 * - Every check of the readers must have passed, and the issuer must be one
 *   that is known here. A date of birth that the issuer left open in part is no
 *   failure by itself.
 * - The date is that of the session's jurisdiction, where it has several the
 *   earliest (domain/value/jurisdiction.h). A document is good on its expiry day.
 * - The age is the exact number of completed years on that date; who was born
 *   on 29 February is a year older on 1 March. With an open date of birth the
 *   person passes when even the youngest reading is of age, is under age when
 *   even the oldest is not, and otherwise the age is undetermined.
 * - A document of which the same picture or the same number was shown by
 *   somebody else leaves a doubt, as an undetermined age does: the workflow says
 *   what follows.
 * - A kind of document that has a portrait shows one. Where the portrait is on the
 *   other side than the code and that side was not sent, it is asked for
 *   (UNREADABLE, `front_missing`); where all was sent and no portrait is seen,
 *   that leaves a doubt. Documents of test issuers are nobody's, so that they
 *   need none; without models for faces it is not looked for.
 * - The print of the front is compared with the code (print_comparison.h). Another date
 *   or number than the code's leaves a doubt, and so does legible print that agrees with
 *   the code neither on the surname nor on a date of birth or expiry. Print that could
 *   not be read leaves none, unless the portrait is on the photo of a barcode. Print that
 *   agrees sets `barcode_cross_ref_match` and raises no assurance: whoever makes the code can
 *   print the same.
 * - What no issuer issues fails: an age over 120, a licence for a child, a term
 *   or a number that the state does not give; what is only unusual for that state
 *   leaves a doubt (licence_rules.h).
 * - Test issuers (UTO, AAMVA 000000) pass only where the rule allows them, for
 *   demonstrations and sandboxes. Everybody may have their documents, so
 *   these are nobody else's.
 * - The assurance is `consistent` when a second code that stands for itself
 *   says the same, else `decoded`: no code of a photographed document is signed.
 *
 * Memory: the result pool; the outcome holds no personal data but the age.
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

/* Where else the document was seen; all zero: nowhere. */
typedef struct {
    int same_picture_twice;         /* both sides are one file */
    int picture_of_another_session; /* the file was somebody else's */
    int document_of_another_person; /* the number was somebody else's */
} idv_document_sightings_t;

/* What the session asks for. */
typedef struct {
    idv_time_t now;
    const char *jurisdiction; /* of the session: DE, US-MD; NULL: unknown */
    int required_age;         /* exact completed years; 0: no age asked for */
    const char *born_before;  /* YYYY-MM-DD, besides; NULL: any day will do */
    int accept_expired;       /* non-zero: an expired document will do */
    int accept_test_issuers;  /* non-zero: for demonstrations */
    int is_authentic; /* an issuer's signature proves the text (chips): what would
                       * tell a forgery of a photographed document is a deviation
                       * from the standard here, and a doubt (NONCONFORMING) */
    idv_document_sightings_t seen;
} idv_document_rule_t;

/* Non-zero when REASON (not NONE) is about how a document is written: a
 * deviation, where its issuer's signature proves it, and otherwise what mostly
 * tells a forgery. */
int idv_document_reason_is_of_form(idv_document_reason_t reason);

/* Decides; fails only for lack of memory. `verification_result` is the
 * document-capture summary of the interface: there is no selfie in this method,
 * so liveness_score is 0 and face_match_passed false; age_estimate is the
 * lowest age that the document allows, 0 when it shows none. identity_verified
 * needs a document that passes as somebody's own, whatever the age, and an
 * assurance that identifies; age_verified says that the document shows an age,
 * and the required one. A document that fails for the age says so in
 * facts.younger_than, whatever else is wrong with it. */
idv_error_t *idv_document_decide(const idv_document_findings_t *findings,
                                 const idv_document_rule_t *rule,
                                 idv_method_outcome_t **outcome,
                                 apr_pool_t *result) IDV_CHECKED;

#endif
