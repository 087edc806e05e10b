/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_METHODS_MDL_MDL_DECISION_H
#define IDV_METHODS_MDL_MDL_DECISION_H

/*
 * Decides on a mobile document: takes findings, the revocation status, the time
 * and the rule; returns an outcome with one reason per check that did not pass.
 *
 * - Every check of the analysis must have passed. An answer that is unreadable,
 *   declines, is empty or lacks requested data is UNREADABLE: it proves nothing
 *   against the person, who is asked again.
 * - Revocation has three values. A published status that could not be read is
 *   undetermined, never "revoked" and never "good". If the issuer publishes
 *   none, there is no check. The workflow decides what follows from a doubt.
 * - A deviation of the signer's certificate that extends no trust is noted, or
 *   undetermined, as the organization chooses.
 * - The age follows from the date of birth if given, else from the statements
 *   age_over_NN (ISO/IEC 18013-5, 7.2.5): at least the highest NN that is true,
 *   less than the lowest that is false. A false statement may be outdated by a
 *   birthday, so the date of birth takes precedence; a true one cannot.
 * - The date is that of the session's jurisdiction, the earliest if it has
 *   several (domain/value/jurisdiction.h). A document is valid on its expiry
 *   day.
 * - The assurance is `signed` if the analysis proved the document, else there
 *   is none. This method does not establish who holds the device.
 *
 * Memory: the result pool; the outcome holds no personal data except the age.
 * Threads: pure.
 */
#include "domain/method/method_outcome.h"
#include "domain/trust/revocation.h"
#include "methods/mdl/mdl_findings.h"

/* `last_error` of the session: X(name, code, message for the applicant,
 * category). */
#define IDV_MDL_ERRORS(X)                                                      \
    X(UNREADABLE, "wallet_response_unreadable",                                \
      "The answer of the wallet could not be read.", "technical_error")        \
    X(NOT_PROVIDED, "document_not_provided",                                   \
      "The wallet did not provide what was asked for.",                        \
      "verification_declined")                                                 \
    X(DECLINED, "wallet_declined", "You declined in your wallet.",             \
      "verification_declined")                                                 \
    X(UNVERIFIED, "document_unverified",                                       \
      "The document could not be verified.", "verification_declined")          \
    X(NOT_ACCEPTED, "document_not_accepted",                                   \
      "This document is not accepted.", "verification_declined")               \
    X(REVOKED, "document_revoked", "The document is no longer valid.",         \
      "verification_declined")                                                 \
    X(EXPIRED, "document_expired", "The document has expired.",                \
      "verification_declined")                                                 \
    X(REUSED, "document_reused", "This document was shown before.",            \
      "verification_declined")                                                 \
    X(UNDER_AGE, "under_age",                                                  \
      "The document does not show the required age.",                          \
      "verification_declined")                                                 \
    X(STATUS_UNKNOWN, "document_status_unknown",                               \
      "Whether the document is still valid could not be found out.",           \
      "verification_declined")                                                 \
    X(AGE_UNDETERMINED, "age_undetermined",                                    \
      "The document does not say whether the required age is reached.",        \
      "verification_declined")                                                 \
    X(NONCONFORMING, "document_undetermined",                                  \
      "Whether the document is genuine could not be found out.",               \
      "verification_declined")                                                 \
    X(NOT_RETURNED, "wallet_not_returned",                                     \
      "The wallet did not lead back to the page that asked.",                  \
      "verification_declined")

typedef enum {
#define X(name, code, message, category) IDV_MDL_ERROR_##name,
    IDV_MDL_ERRORS(X)
#undef X
} idv_mdl_error_t;

/* The entry of the list. Static. */
const idv_method_error_t *idv_mdl_error(idv_mdl_error_t error);

/* The requirements of the session, and facts from its caller. */
typedef struct {
    idv_time_t now;
    const char *jurisdiction; /* of the session: DE, US-MD; NULL: unknown */
    int required_age;         /* exact completed years; 0: no age required */
    int requires_identity;    /* flag: names, date of birth and number */
    int accepts_expired;      /* flag: an expired document is accepted, but no
                                 expired signature */
    int doubts_deviations;    /* flag: a deviation of the signer's certificate
                                 is a doubt, else a note */
    int document_of_another_person; /* flag: another person submitted its
                                     * number */
    /* By the lists that the findings name; unused if they name none. */
    idv_revocation_t issuer_revocation; /* of crl_addresses */
    idv_revocation_t credential_status; /* of the status or identifier list */
} idv_mdl_rule_t;

/* Decides; an internal error for findings that lack checks.
 * `verification_result` has the members common to all summaries of the
 * interface, and `document_type`: this method has no selfie, so liveness_score
 * is 0; age_estimate is the lowest age that the document shows, 0 if it shows
 * none. The hint of UNREADABLE is the code of the error. */
idv_error_t *idv_mdl_decide(const idv_mdl_findings_t *findings,
                            const idv_mdl_rule_t *rule,
                            idv_method_outcome_t **outcome,
                            apr_pool_t *result) IDV_CHECKED;

#endif
