/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_METHODS_PASSPORT_PASSPORT_CHECKS_H
#define IDV_METHODS_PASSPORT_PASSPORT_CHECKS_H

/*
 * All checks on the chip of a passport, and every reason for which a check does
 * not pass.
 *
 * A check is passed, failed or undetermined. One that does not apply (a
 * portrait that was not sent, a printed zone that nobody read) is neither made
 * nor listed. The reason determines whether a check is failed or undetermined.
 * The contents of DG1 have their own checks and reasons, those of document.h.
 *
 * A deviation (the fourth list) is an undetermined check of the form of data
 * that a signature proves all the same: it is not a sign of forgery. It is a
 * NOTE, which has no consequence, or a DOUBT, for which the workflow decides
 * the consequence (`on_nonconforming`).
 *
 * The lists below are the only place where their codes are defined. Codes are
 * part of the API: add, never rename.
 *
 * Memory: a table of checks is a value. Threads: pure.
 */
#include <apr.h>

/* `last_error` of the session: X(name, code, message for the applicant,
 * category). */
#define IDV_PASSPORT_ERRORS(X)                                                 \
    X(UNVERIFIED, "document_unverified",                                       \
      "The document could not be verified.", "verification_declined")          \
    X(CERTIFICATE_EXPIRED, "document_certificate_expired",                     \
      "The document's own certificate is not valid any more.",                 \
      "verification_declined")                                                 \
    X(ISSUER_UNKNOWN, "document_issuer_unknown",                               \
      "The issuer of the document is not known here.",                         \
      "verification_declined")                                                 \
    X(CHIP_UNPROVEN, "chip_not_proven",                                        \
      "The document's chip did not show that it is genuine.",                  \
      "verification_declined")                                                 \
    X(UNDETERMINED, "document_undetermined",                                   \
      "Not all of the document could be checked.", "verification_declined")

/* In the order of listing. The last four are made by the decision
 * (passport_decision.h), all others while the chip's files are read. */
#define IDV_PASSPORT_CHECKS(X)                                                 \
    X(SECURITY_OBJECT, "security_object")                                      \
    X(SECURITY_OBJECT_SIGNATURE, "security_object_signature")                  \
    X(SECURITY_OBJECT_TYPE, "security_object_type")                            \
    X(SECURITY_OBJECT_VERSION, "security_object_version")                      \
    X(SECURITY_OBJECT_SIGNERS, "security_object_signers")                      \
    X(SIGNATURE_SCHEME, "signature_scheme")                                    \
    X(DOCUMENT_SIGNER, "document_signer")                                      \
    X(CERTIFICATE_CHAIN, "certificate_chain")                                  \
    X(DATA_GROUP_HASHES, "data_group_hashes")                                  \
    X(DATA_GROUP_LIST, "data_group_list")                                      \
    X(ISSUING_STATE, "issuing_state")                                          \
    X(DOCUMENT_TYPE, "document_type")                                          \
    X(DATE_OF_BIRTH_CROSS_CHECK, "date_of_birth_cross_check")                  \
    X(PORTRAIT, "portrait")                                                    \
    X(ACTIVE_AUTHENTICATION, "active_authentication")                          \
    X(CHALLENGE_SIGNATURE_FORM, "challenge_signature_form")                    \
    X(CHIP_AUTHENTICATION, "chip_authentication")                              \
    X(CERTIFICATE_VALIDITY, "certificate_validity")                            \
    X(CERTIFICATE_REVOCATION, "certificate_revocation")                        \
    X(PRINTED_ZONE, "printed_zone")                                            \
    X(CHIP_CLONING, "chip_cloning")

/* X(name, code, check, resulting state, last_error). If several checks do not
 * pass, `last_error` is that of the first one in this order. */
#define IDV_PASSPORT_REASONS(X)                                                \
    X(SECURITY_OBJECT_MALFORMED, "security_object_malformed",                  \
      SECURITY_OBJECT, FAILED, UNVERIFIED)                                     \
    X(NOT_SIGNED_DATA, "not_signed_data", SECURITY_OBJECT, FAILED, UNVERIFIED) \
    X(SIGNED_DATA_VERSION_WRONG, "signed_data_version_wrong",                  \
      SECURITY_OBJECT, FAILED, UNVERIFIED)                                     \
    X(CONTENT_TYPE_WRONG, "content_type_wrong", SECURITY_OBJECT, FAILED,       \
      UNVERIFIED)                                                              \
    X(LDS_SECURITY_OBJECT_MALFORMED, "lds_security_object_malformed",          \
      SECURITY_OBJECT, FAILED, UNVERIFIED)                                     \
    X(LDS_VERSION_UNKNOWN, "lds_version_unknown", SECURITY_OBJECT, FAILED,     \
      UNVERIFIED)                                                              \
    X(SIGNED_CONTENT_TYPE_MISMATCH, "signed_content_type_mismatch",            \
      SECURITY_OBJECT_SIGNATURE, FAILED, UNVERIFIED)                           \
    X(MESSAGE_DIGEST_MISMATCH, "message_digest_mismatch",                      \
      SECURITY_OBJECT_SIGNATURE, FAILED, UNVERIFIED)                           \
    X(SIGNATURE_WRONG, "signature_wrong", SECURITY_OBJECT_SIGNATURE, FAILED,   \
      UNVERIFIED)                                                              \
    X(DOCUMENT_SIGNER_MALFORMED, "document_signer_malformed",                  \
      DOCUMENT_SIGNER, FAILED, UNVERIFIED)                                     \
    X(DOCUMENT_SIGNER_UNFIT, "document_signer_unfit", DOCUMENT_SIGNER, FAILED, \
      UNVERIFIED)                                                              \
    X(CSCA_SIGNATURE_WRONG, "csca_signature_wrong", CERTIFICATE_CHAIN, FAILED, \
      UNVERIFIED)                                                              \
    X(DOCUMENT_SIGNER_REVOKED, "document_signer_revoked",                      \
      CERTIFICATE_REVOCATION, FAILED, UNVERIFIED)                              \
    X(DATA_GROUP_HASH_WRONG, "data_group_hash_wrong", DATA_GROUP_HASHES,       \
      FAILED, UNVERIFIED)                                                      \
    X(DATA_GROUP_NOT_SIGNED, "data_group_not_signed", DATA_GROUP_HASHES,       \
      FAILED, UNVERIFIED)                                                      \
    X(ISSUING_STATE_MISMATCH, "issuing_state_mismatch", ISSUING_STATE, FAILED, \
      UNVERIFIED)                                                              \
    X(PRINTED_ZONE_MISMATCH, "printed_zone_mismatch", PRINTED_ZONE, FAILED,    \
      UNVERIFIED)                                                              \
    X(CHALLENGE_MISMATCH, "challenge_mismatch", ACTIVE_AUTHENTICATION, FAILED, \
      UNVERIFIED)                                                              \
    X(CHALLENGE_SIGNATURE_WRONG, "challenge_signature_wrong",                  \
      ACTIVE_AUTHENTICATION, FAILED, UNVERIFIED)                               \
    X(CHIP_KEY_WRONG, "chip_key_wrong", CHIP_AUTHENTICATION, FAILED,           \
      UNVERIFIED)                                                              \
    X(CHIP_DATA_MISMATCH, "chip_data_mismatch", CHIP_AUTHENTICATION, FAILED,   \
      UNVERIFIED)                                                              \
    X(CHIP_NOT_GENUINE, "chip_not_genuine", CHIP_CLONING, FAILED, UNVERIFIED)  \
    X(DOCUMENT_SIGNER_EXPIRED, "document_signer_expired",                      \
      CERTIFICATE_VALIDITY, FAILED, CERTIFICATE_EXPIRED)                       \
    X(CSCA_EXPIRED, "csca_expired", CERTIFICATE_VALIDITY, FAILED,              \
      CERTIFICATE_EXPIRED)                                                     \
    X(DOCUMENT_SIGNER_NOT_YET_VALID, "document_signer_not_yet_valid",          \
      CERTIFICATE_VALIDITY, FAILED, UNVERIFIED)                                \
    X(CSCA_NOT_YET_VALID, "csca_not_yet_valid", CERTIFICATE_VALIDITY, FAILED,  \
      UNVERIFIED)                                                              \
    X(CSCA_UNKNOWN, "csca_unknown", CERTIFICATE_CHAIN, UNDETERMINED,           \
      ISSUER_UNKNOWN)                                                          \
    X(DOCUMENT_SIGNER_MISSING, "document_signer_missing", DOCUMENT_SIGNER,     \
      UNDETERMINED, UNVERIFIED)                                                \
    X(DOCUMENT_SIGNER_KEY_UNSUPPORTED, "document_signer_key_unsupported",      \
      DOCUMENT_SIGNER, UNDETERMINED, UNVERIFIED)                               \
    X(CSCA_KEY_UNSUPPORTED, "csca_key_unsupported", CERTIFICATE_CHAIN,         \
      UNDETERMINED, UNVERIFIED)                                                \
    X(SIGNATURE_ALGORITHM_UNSUPPORTED, "signature_algorithm_unsupported",      \
      SECURITY_OBJECT_SIGNATURE, UNDETERMINED, UNVERIFIED)                     \
    X(HASH_ALGORITHM_UNSUPPORTED, "hash_algorithm_unsupported",                \
      DATA_GROUP_HASHES, UNDETERMINED, UNVERIFIED)                             \
    X(DATA_GROUP_LIST_MISMATCH, "data_group_list_mismatch", DATA_GROUP_LIST,   \
      UNDETERMINED, UNVERIFIED)                                                \
    X(DATA_GROUP_NOT_ANNOUNCED, "data_group_not_announced", DATA_GROUP_LIST,   \
      UNDETERMINED, UNVERIFIED)                                                \
    X(ISSUING_STATE_UNKNOWN, "issuing_state_unknown", ISSUING_STATE,           \
      UNDETERMINED, ISSUER_UNKNOWN)                                            \
    X(SIGNATURE_SCHEME_UNUSUAL, "signature_scheme_unusual", SIGNATURE_SCHEME,  \
      UNDETERMINED, UNDETERMINED)                                              \
    X(SECURITY_OBJECT_TYPE_UNUSUAL, "security_object_type_unusual",            \
      SECURITY_OBJECT_TYPE, UNDETERMINED, UNDETERMINED)                        \
    X(SECURITY_OBJECT_VERSION_UNUSUAL, "security_object_version_unusual",      \
      SECURITY_OBJECT_VERSION, UNDETERMINED, UNDETERMINED)                     \
    X(SEVERAL_SIGNERS, "several_signers", SECURITY_OBJECT_SIGNERS,             \
      UNDETERMINED, UNDETERMINED)                                              \
    X(CHALLENGE_SIGNATURE_IN_DER, "challenge_signature_in_der",                \
      CHALLENGE_SIGNATURE_FORM, UNDETERMINED, UNDETERMINED)                    \
    X(DOCUMENT_TYPE_MISMATCH, "document_type_mismatch", DOCUMENT_TYPE,         \
      UNDETERMINED, UNVERIFIED)                                                \
    X(DATE_OF_BIRTH_CONTRADICTION, "date_of_birth_contradiction",              \
      DATE_OF_BIRTH_CROSS_CHECK, UNDETERMINED, UNVERIFIED)                     \
    X(PORTRAIT_UNREADABLE, "portrait_unreadable", PORTRAIT, UNDETERMINED,      \
      UNVERIFIED)                                                              \
    X(REVOCATION_UNKNOWN, "revocation_unknown", CERTIFICATE_REVOCATION,        \
      UNDETERMINED, UNVERIFIED)                                                \
    X(ACTIVE_AUTHENTICATION_UNSUPPORTED, "active_authentication_unsupported",  \
      ACTIVE_AUTHENTICATION, UNDETERMINED, CHIP_UNPROVEN)                      \
    X(ACTIVE_AUTHENTICATION_NOT_DONE, "active_authentication_not_done",        \
      ACTIVE_AUTHENTICATION, UNDETERMINED, CHIP_UNPROVEN)                      \
    X(ACTIVE_AUTHENTICATION_KEY_UNPROVEN,                                      \
      "active_authentication_key_unproven", ACTIVE_AUTHENTICATION,             \
      UNDETERMINED, CHIP_UNPROVEN)                                             \
    X(ACTIVE_AUTHENTICATION_ALGORITHM_UNSUPPORTED,                             \
      "active_authentication_algorithm_unsupported", ACTIVE_AUTHENTICATION,    \
      UNDETERMINED, CHIP_UNPROVEN)                                             \
    X(CHALLENGE_NOT_OURS, "challenge_not_ours", ACTIVE_AUTHENTICATION,         \
      UNDETERMINED, CHIP_UNPROVEN)                                             \
    X(CHIP_AUTHENTICATION_UNSUPPORTED, "chip_authentication_unsupported",      \
      CHIP_AUTHENTICATION, UNDETERMINED, CHIP_UNPROVEN)                        \
    X(CHIP_AUTHENTICATION_NOT_DONE, "chip_authentication_not_done",            \
      CHIP_AUTHENTICATION, UNDETERMINED, CHIP_UNPROVEN)                        \
    X(CHIP_AUTHENTICATION_KEY_UNPROVEN, "chip_authentication_key_unproven",    \
      CHIP_AUTHENTICATION, UNDETERMINED, CHIP_UNPROVEN)                        \
    X(CHIP_AUTHENTICATION_REFUSED, "chip_authentication_refused",              \
      CHIP_AUTHENTICATION, UNDETERMINED, CHIP_UNPROVEN)                        \
    X(CHIP_NOT_PROVEN_GENUINE, "chip_not_proven_genuine", CHIP_CLONING,        \
      UNDETERMINED, CHIP_UNPROVEN)

/* The checks of form, and the effect of their deviations. */
#define IDV_PASSPORT_DEVIATIONS(X)                                             \
    X(ISSUING_STATE, DOUBT)                                                    \
    X(SIGNATURE_SCHEME, DOUBT)                                                 \
    X(SECURITY_OBJECT_TYPE, NOTE)                                              \
    X(SECURITY_OBJECT_VERSION, NOTE)                                           \
    X(SECURITY_OBJECT_SIGNERS, NOTE)                                           \
    X(CHALLENGE_SIGNATURE_FORM, NOTE)

typedef enum {
    IDV_PASSPORT_DEVIATION_NONE, /* not a check of form */
    IDV_PASSPORT_DEVIATION_NOTE,
    IDV_PASSPORT_DEVIATION_DOUBT
} idv_passport_deviation_t;

typedef enum {
#define X(name, code, message, category) IDV_PASSPORT_ERROR_##name,
    IDV_PASSPORT_ERRORS(X)
#undef X
        IDV_PASSPORT_ERROR_COUNT
} idv_passport_error_t;

typedef enum {
#define X(name, code) IDV_PASSPORT_CHECK_##name,
    IDV_PASSPORT_CHECKS(X)
#undef X
        IDV_PASSPORT_CHECK_COUNT
} idv_passport_check_t;

typedef enum {
    IDV_PASSPORT_REASON_NONE,
#define X(name, code, check, state, error) IDV_PASSPORT_REASON_##name,
    IDV_PASSPORT_REASONS(X)
#undef X
        IDV_PASSPORT_REASON_COUNT
} idv_passport_reason_t;

typedef enum {
    IDV_PASSPORT_NOT_MADE,
    IDV_PASSPORT_PASSED,
    IDV_PASSPORT_FAILED,
    IDV_PASSPORT_UNDETERMINED
} idv_passport_state_t;

/* The checks before this one are made while the chip's files are read. */
#define IDV_PASSPORT_CHECKS_OF_READING IDV_PASSPORT_CHECK_CERTIFICATE_VALIDITY

/* Zero: no check was made. The reason is valid if the check was made. */
typedef struct {
    unsigned char is_made[IDV_PASSPORT_CHECK_COUNT];
    idv_passport_reason_t reasons[IDV_PASSPORT_CHECK_COUNT];
} idv_passport_checks_t;

/* Records that a check was made and passed; an earlier record remains. */
void idv_passport_checks_pass(idv_passport_checks_t *checks,
                              idv_passport_check_t name);

/* Records why a check does not pass; of several reasons the first in the order
 * of the list remains, so that a failure replaces a doubt. */
void idv_passport_checks_object(idv_passport_checks_t *checks,
                                idv_passport_reason_t reason);

/* The state of a check. */
idv_passport_state_t
idv_passport_checks_state(const idv_passport_checks_t *checks,
                          idv_passport_check_t name);

/* Non-zero if every check of passive authentication on the chip's files was
 * made and passed: the security object, its signature and signer, the chain to
 * a CSCA, the hashes, the issuing state. An issuing state that cannot be
 * compared is not a contradiction. */
int idv_passport_checks_prove_data(const idv_passport_checks_t *checks);

/* The effect of an undetermined check NAME. */
idv_passport_deviation_t
idv_passport_check_deviation(idv_passport_check_t name);

/* The codes of the lists; the reverse gives -1 for unknown text. NULL for
 * IDV_PASSPORT_REASON_NONE. */
const char *idv_passport_check_code(idv_passport_check_t name);
int idv_passport_check_find(const char *code);
const char *idv_passport_reason_code(idv_passport_reason_t reason);
int idv_passport_reason_find(const char *code);

/* The check of a reason (not NONE), and the state that results. */
idv_passport_check_t idv_passport_reason_check(idv_passport_reason_t reason);
idv_passport_state_t idv_passport_reason_state(idv_passport_reason_t reason);
idv_passport_error_t idv_passport_reason_error(idv_passport_reason_t reason);

#endif
