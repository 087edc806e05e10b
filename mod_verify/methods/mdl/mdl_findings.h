/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_METHODS_MDL_MDL_FINDINGS_H
#define IDV_METHODS_MDL_MDL_FINDINGS_H

/*
 * Findings: the results of verify-analyze for the answer of a wallet, and their
 * JSON format. This is the only writer and the only reader of that format.
 *
 * The lists below are the only place where the codes of checks and reasons are
 * defined. Codes are part of the API: add, never rename. A check that was made
 * passed, failed, or is undetermined; the reason determines which of the last
 * two. A check that could not be made, because an earlier one failed, has no
 * record.
 *
 * The document's personal data is included only if every check of the analysis
 * passed, so that nothing is concluded from unproved data. The check
 * ISSUER_CERTIFICATE_FORM covers deviations that extend no trust; its findings
 * count as passed here.
 *
 * The format is a JSON object with all members of the table in mdl_findings.c,
 * and "checks", "ages", "crl_addresses":
 *
 *   "checks": [ { "name": code, "result": "passed"|"failed"|"undetermined",
 *                 "reason": code|null } ],
 *   "ages":   [ { "over": 21, "is_true": bool } ],
 *   "crl_addresses": [ text ]
 *
 * Times are Unix milliseconds (0: none), dates ISO 8601, bytes base64url; null
 * means missing. The writer runs in a sandbox that a hostile wallet may have
 * taken over, so the reader trusts nothing: sizes, types, codes and dates are
 * checked, and a contradiction is an error.
 *
 * Memory: the result pool, which then holds personal data. Threads: pure.
 */
#include <apr_tables.h>

#include "domain/value/civil_date.h"
#include "methods/mdl/issuer_certificate.h"
#include "methods/mdl/session_transcript.h"

/* Bytes of the longest findings, mostly the portrait. */
#define IDV_MDL_FINDINGS_MAX ((apr_size_t)768 * 1024)
#define IDV_MDL_PORTRAIT_MAX ((apr_size_t)384 * 1024) /* bytes of a picture */
#define IDV_MDL_AGES_MAX 32                           /* statements */

/* All checks in order: first those of the analysis, from ISSUER_REVOCATION on
 * those of the decision. */
#define IDV_MDL_CHECKS(X)                                                      \
    X(RESPONSE_ENCRYPTION, "response_encryption")                              \
    X(RESPONSE_FORMAT, "response_format")                                      \
    X(DOCUMENT_RETURNED, "document_returned")                                  \
    X(DOCUMENT_TYPE, "document_type")                                          \
    X(ISSUER_CERTIFICATE, "issuer_certificate")                                \
    X(ISSUER_CERTIFICATE_FORM, "issuer_certificate_form")                      \
    X(ISSUER_TRUST, "issuer_trust")                                            \
    X(ISSUER_CERTIFICATE_VALIDITY, "issuer_certificate_validity")              \
    X(ISSUER_SIGNATURE, "issuer_signature")                                    \
    X(SIGNING_TIME, "signing_time")                                            \
    X(CREDENTIAL_VALIDITY, "credential_validity")                              \
    X(DIGESTS, "digests")                                                      \
    X(DEVICE_KEY, "device_key")                                                \
    X(DEVICE_AUTHENTICATION, "device_authentication")                          \
    X(KEY_AUTHORIZATIONS, "key_authorizations")                                \
    X(REQUESTED_ELEMENTS, "requested_elements")                                \
    X(ELEMENT_TYPES, "element_types")                                          \
    X(ISSUING_PLACE, "issuing_place")                                          \
    X(ISSUER_REVOCATION, "issuer_revocation")                                  \
    X(CREDENTIAL_STATUS, "credential_status")                                  \
    X(DOCUMENT_EXPIRY, "document_expiry")                                      \
    X(IDENTITY_ELEMENTS, "identity_elements")                                  \
    X(DOCUMENT_REUSED, "document_reused")                                      \
    X(AGE, "age")

/* Why a check did not pass: X(name, code, check, result, last_error). If
 * several did not, `last_error` of the session is that of the first in this
 * order; reasons that leave something undetermined come last. The entries of
 * last_error are IDV_MDL_ERRORS in mdl_decision.h. */
#define IDV_MDL_REASONS(X)                                                     \
    X(RESPONSE_NOT_ENCRYPTED, "response_not_encrypted", RESPONSE_ENCRYPTION,   \
      FAILED, UNREADABLE)                                                      \
    X(RESPONSE_NOT_DECRYPTED, "response_not_decrypted", RESPONSE_ENCRYPTION,   \
      FAILED, UNREADABLE)                                                      \
    X(RESPONSE_MALFORMED, "response_malformed", RESPONSE_FORMAT, FAILED,       \
      UNREADABLE)                                                              \
    X(RESPONSE_STATE_WRONG, "response_state_wrong", RESPONSE_FORMAT, FAILED,   \
      UNREADABLE)                                                              \
    X(RESPONSE_VERSION_UNKNOWN, "response_version_unknown", RESPONSE_FORMAT,   \
      FAILED, UNREADABLE)                                                      \
    X(RESPONSE_STATUS_ERROR, "response_status_error", DOCUMENT_RETURNED,       \
      FAILED, NOT_PROVIDED)                                                    \
    X(DOCUMENT_MISSING, "document_missing", DOCUMENT_RETURNED, FAILED,         \
      NOT_PROVIDED)                                                            \
    X(WALLET_DECLINED, "wallet_declined", DOCUMENT_RETURNED, FAILED, DECLINED) \
    X(DOCUMENT_NOT_REQUESTED, "document_not_requested", DOCUMENT_TYPE, FAILED, \
      UNVERIFIED)                                                              \
    X(OTHER_DOCUMENT_TYPE, "other_document_type", DOCUMENT_TYPE, FAILED,       \
      NOT_ACCEPTED)                                                            \
    X(DOCUMENT_TYPE_MISMATCH, "document_type_mismatch", DOCUMENT_TYPE, FAILED, \
      UNVERIFIED)                                                              \
    X(ISSUER_CERTIFICATE_MISSING, "issuer_certificate_missing",                \
      ISSUER_CERTIFICATE, FAILED, UNVERIFIED)                                  \
    X(ISSUER_CERTIFICATE_MALFORMED, "issuer_certificate_malformed",            \
      ISSUER_CERTIFICATE, FAILED, UNVERIFIED)                                  \
    X(ISSUER_CERTIFICATE_PROFILE_WRONG, "issuer_certificate_profile_wrong",    \
      ISSUER_CERTIFICATE, FAILED, UNVERIFIED)                                  \
    X(ISSUER_ALGORITHM_NOT_ALLOWED, "issuer_algorithm_not_allowed",            \
      ISSUER_SIGNATURE, FAILED, UNVERIFIED)                                    \
    X(ISSUER_KEY_UNSUITABLE, "issuer_key_unsuitable", ISSUER_SIGNATURE,        \
      FAILED, UNVERIFIED)                                                      \
    X(ISSUER_SIGNATURE_WRONG, "issuer_signature_wrong", ISSUER_SIGNATURE,      \
      FAILED, UNVERIFIED)                                                      \
    X(DIGEST_ALGORITHM_UNKNOWN, "digest_algorithm_unknown", DIGESTS, FAILED,   \
      UNVERIFIED)                                                              \
    X(DIGEST_MISSING, "digest_missing", DIGESTS, FAILED, UNVERIFIED)           \
    X(DIGEST_WRONG, "digest_wrong", DIGESTS, FAILED, UNVERIFIED)               \
    X(ELEMENT_TWICE, "element_twice", DIGESTS, FAILED, UNVERIFIED)             \
    X(RANDOM_TOO_SHORT, "random_too_short", DIGESTS, FAILED, UNVERIFIED)       \
    X(DEVICE_KEY_MALFORMED, "device_key_malformed", DEVICE_KEY, FAILED,        \
      UNVERIFIED)                                                              \
    X(DEVICE_ALGORITHM_NOT_ALLOWED, "device_algorithm_not_allowed",            \
      DEVICE_AUTHENTICATION, FAILED, UNVERIFIED)                               \
    X(DEVICE_KEY_UNSUITABLE, "device_key_unsuitable", DEVICE_AUTHENTICATION,   \
      FAILED, UNVERIFIED)                                                      \
    X(DEVICE_MAC_WITHOUT_KEY, "device_mac_without_key", DEVICE_AUTHENTICATION, \
      FAILED, UNVERIFIED)                                                      \
    X(DEVICE_MAC_WRONG, "device_mac_wrong", DEVICE_AUTHENTICATION, FAILED,     \
      UNVERIFIED)                                                              \
    X(DEVICE_SIGNATURE_WRONG, "device_signature_wrong", DEVICE_AUTHENTICATION, \
      FAILED, UNVERIFIED)                                                      \
    X(HANDOVER_NOT_ACCEPTED, "handover_not_accepted", DEVICE_AUTHENTICATION,   \
      FAILED, UNVERIFIED)                                                      \
    X(DEVICE_ELEMENT_NOT_AUTHORIZED, "device_element_not_authorized",          \
      KEY_AUTHORIZATIONS, FAILED, UNVERIFIED)                                  \
    X(ELEMENT_NOT_REQUESTED, "element_not_requested", REQUESTED_ELEMENTS,      \
      FAILED, UNVERIFIED)                                                      \
    X(ELEMENT_MISSING, "element_missing", REQUESTED_ELEMENTS, FAILED,          \
      NOT_PROVIDED)                                                            \
    X(ELEMENT_TYPE_WRONG, "element_type_wrong", ELEMENT_TYPES, FAILED,         \
      UNVERIFIED)                                                              \
    X(ISSUING_PLACE_MISMATCH, "issuing_place_mismatch", ISSUING_PLACE, FAILED, \
      UNVERIFIED)                                                              \
    X(SIGNED_OUTSIDE_CERTIFICATE, "signed_outside_certificate", SIGNING_TIME,  \
      FAILED, UNVERIFIED)                                                      \
    X(VALIDITY_CONTRADICTORY, "validity_contradictory", CREDENTIAL_VALIDITY,   \
      FAILED, UNVERIFIED)                                                      \
    X(AGE_STATEMENTS_CONTRADICT, "age_statements_contradict", AGE, FAILED,     \
      UNVERIFIED)                                                              \
    X(IDENTITY_ELEMENT_MISSING, "identity_element_missing", IDENTITY_ELEMENTS, \
      FAILED, NOT_PROVIDED)                                                    \
    X(ISSUER_NOT_TRUSTED, "issuer_not_trusted", ISSUER_TRUST, FAILED,          \
      NOT_ACCEPTED)                                                            \
    X(ISSUER_REVOKED, "issuer_revoked", ISSUER_REVOCATION, FAILED, REVOKED)    \
    X(CREDENTIAL_REVOKED, "credential_revoked", CREDENTIAL_STATUS, FAILED,     \
      REVOKED)                                                                 \
    X(ISSUER_CERTIFICATE_NOT_CURRENT, "issuer_certificate_not_current",        \
      ISSUER_CERTIFICATE_VALIDITY, FAILED, EXPIRED)                            \
    X(CREDENTIAL_NOT_YET_VALID, "credential_not_yet_valid",                    \
      CREDENTIAL_VALIDITY, FAILED, EXPIRED)                                    \
    X(CREDENTIAL_EXPIRED, "credential_expired", CREDENTIAL_VALIDITY, FAILED,   \
      EXPIRED)                                                                 \
    X(DOCUMENT_EXPIRED, "document_expired", DOCUMENT_EXPIRY, FAILED, EXPIRED)  \
    X(UNDER_AGE, "under_age", AGE, FAILED, UNDER_AGE)                          \
    X(DOCUMENT_OF_ANOTHER_PERSON, "document_of_another_person",                \
      DOCUMENT_REUSED, UNDETERMINED, REUSED)                                   \
    X(ISSUER_REVOCATION_UNKNOWN, "issuer_revocation_unknown",                  \
      ISSUER_REVOCATION, UNDETERMINED, STATUS_UNKNOWN)                         \
    X(CREDENTIAL_STATUS_UNKNOWN, "credential_status_unknown",                  \
      CREDENTIAL_STATUS, UNDETERMINED, STATUS_UNKNOWN)                         \
    X(AGE_UNDETERMINED, "age_undetermined", AGE, UNDETERMINED,                 \
      AGE_UNDETERMINED)                                                        \
    X(ISSUER_PURPOSE_NOT_CRITICAL, "issuer_purpose_not_critical",              \
      ISSUER_CERTIFICATE_FORM, UNDETERMINED, NONCONFORMING)                    \
    X(ISSUER_PURPOSE_BROAD, "issuer_purpose_broad", ISSUER_CERTIFICATE_FORM,   \
      UNDETERMINED, NONCONFORMING)                                             \
    X(ISSUER_KEY_USAGE_NOT_CRITICAL, "issuer_key_usage_not_critical",          \
      ISSUER_CERTIFICATE_FORM, UNDETERMINED, NONCONFORMING)                    \
    X(ISSUER_KEY_USAGE_BROAD, "issuer_key_usage_broad",                        \
      ISSUER_CERTIFICATE_FORM, UNDETERMINED, NONCONFORMING)                    \
    X(ISSUER_TERM_LONG, "issuer_term_long", ISSUER_CERTIFICATE_FORM,           \
      UNDETERMINED, NONCONFORMING)                                             \
    X(ISSUER_AUTHORITY_KEY_MISSING, "issuer_authority_key_missing",            \
      ISSUER_CERTIFICATE_FORM, UNDETERMINED, NONCONFORMING)                    \
    X(ISSUER_PLACE_UNUSUAL, "issuer_place_unusual", ISSUER_CERTIFICATE_FORM,   \
      UNDETERMINED, NONCONFORMING)                                             \
    X(AUTHORITY_PATH_OPEN, "authority_path_open", ISSUER_CERTIFICATE_FORM,     \
      UNDETERMINED, NONCONFORMING)                                             \
    X(AUTHORITY_KEY_USAGE_NARROW, "authority_key_usage_narrow",                \
      ISSUER_CERTIFICATE_FORM, UNDETERMINED, NONCONFORMING)                    \
    X(ISSUER_SELF_SIGNED, "issuer_self_signed", ISSUER_CERTIFICATE_FORM,       \
      UNDETERMINED, NONCONFORMING)                                             \
    X(ISSUER_IS_AUTHORITY, "issuer_is_authority", ISSUER_CERTIFICATE_FORM,     \
      UNDETERMINED, NONCONFORMING)                                             \
    X(ISSUER_KEY_USAGE_WRONG, "issuer_key_usage_wrong", ISSUER_CERTIFICATE_FORM,\
      UNDETERMINED, NONCONFORMING)                                             \
    X(ISSUER_PURPOSE_MISSING, "issuer_purpose_missing", ISSUER_CERTIFICATE_FORM,\
      UNDETERMINED, NONCONFORMING)

typedef enum {
#define X(name, code) IDV_MDL_CHECK_##name,
    IDV_MDL_CHECKS(X)
#undef X
        IDV_MDL_CHECK_COUNT
} idv_mdl_check_name_t;

typedef enum {
    IDV_MDL_REASON_NONE,
#define X(name, code, check, result, error) IDV_MDL_REASON_##name,
    IDV_MDL_REASONS(X)
#undef X
        IDV_MDL_REASON_COUNT
} idv_mdl_reason_t;

typedef enum {
    IDV_MDL_PASSED,
    IDV_MDL_FAILED,
    IDV_MDL_UNDETERMINED
} idv_mdl_result_t;

/* A check that was made; the reason is NONE exactly if it passed. */
typedef struct {
    idv_mdl_check_name_t name;
    idv_mdl_reason_t reason;
} idv_mdl_check_t;

/* age_over_NN, ISO/IEC 18013-5, 7.2.5. */
typedef struct {
    int over; /* 0 to 99 */
    int is_true;
} idv_mdl_age_t;

/* The elements of ISO/IEC 18013-5, table 5, that sessions request; NULL, empty
 * or year 0 if not given. */
typedef struct {
    const char *family_name;
    const char *given_name;
    const char *document_number;
    const char *issuing_authority;
    const char *issuing_country;      /* alpha-2 */
    const char *issuing_jurisdiction; /* ISO 3166-2 */
    idv_date_t birth_date, issue_date, expiry_date;
    idv_bytes_t portrait;             /* JPEG or JPEG 2000, not parsed */
} idv_mdl_person_t;

typedef struct {
    apr_array_header_t *checks; /* of idv_mdl_check_t, each name once; the form
                                 * of a pinned signer once for each reason */
    const char *fault;          /* place of a format error; NULL: none */
    int is_encrypted;           /* flag: it was encrypted and could be
                                 * decrypted */

    /* How the device bound its answer to this session. */
    int has_device_mac;
    const char *device_algorithm;           /* NULL: unknown */
    idv_handover_t handover;                /* the matching one; NONE: no
                                             * match */
    idv_handover_variant_t handover_variant; /* AS_AGREED if none matched */

    /* Who signed what. */
    const char *doc_type; /* NULL: no document */
    const char *issuer_algorithm;
    const char *issuer_country, *issuer_region; /* of the signer's subject */
    const char *issuer_serial, *issuer_fingerprint; /* hexadecimal */
    idv_profile_fault_t issuer_profile;
    const char *anchor_fingerprint; /* NULL: no anchor certifies the signer */
    const char *anchor_list;        /* origin of that anchor */
    idv_time_t issuer_not_after;
    apr_array_header_t *crl_addresses; /* of const char * */
    idv_time_t signed_at, valid_from, valid_until, expected_update;

    /* Where the issuer publishes revocation; NULL, 0, empty: nowhere. */
    const char *status_list_address;
    apr_int64_t status_list_index;
    const char *identifier_list_address;
    idv_bytes_t identifier;

    /* The document's data; all empty unless every check passed. */
    idv_mdl_person_t person;
    apr_array_header_t *ages; /* of idv_mdl_age_t */
} idv_mdl_findings_t;

/* Empty findings. */
idv_mdl_findings_t *idv_mdl_findings_create(apr_pool_t *pool);

/* Records the check of REASON as failed for it, unless that check has failed
 * already. */
void idv_mdl_fail(idv_mdl_findings_t *findings, idv_mdl_reason_t reason);

/* Records that a check passed, unless it has a record. */
void idv_mdl_pass(idv_mdl_findings_t *findings, idv_mdl_check_name_t name);

/* The record of a check; NULL if it was not made. */
const idv_mdl_check_t *idv_mdl_find_check(const idv_mdl_findings_t *findings,
                                          idv_mdl_check_name_t name);

/* Non-zero for a deviation in form; its effect is up to the organization
 * (trust_policy). */
int idv_mdl_reason_is_of_form(idv_mdl_reason_t reason);

/* Non-zero if every check that was made passed. */
int idv_mdl_all_passed(const idv_mdl_findings_t *findings);

/* Non-zero if every check of the analysis was made and passed: then the
 * findings contain data that an issuer signed and its holder's device presented
 * here. */
int idv_mdl_is_proved(const idv_mdl_findings_t *findings);

/* Non-zero if the answer has the form of an answer to the request: it came as
 * requested, could be decrypted and parsed, and was not empty. All other faults
 * are those of its sender. */
int idv_mdl_is_answer(const idv_mdl_findings_t *findings);

/* Why the wallet declined, as stated in a response that came as requested and
 * could be parsed (OpenID4VP 1.0, 8.5; ISO/IEC 18013-5, table 8); NONE: it did
 * not. */
idv_mdl_reason_t idv_mdl_declined(const idv_mdl_findings_t *findings);

/* The codes; the reverse gives -1 for unknown text. NULL for
 * IDV_MDL_REASON_NONE. */
const char *idv_mdl_check_code(idv_mdl_check_name_t name);
int idv_mdl_check_find(const char *code);
const char *idv_mdl_reason_code(idv_mdl_reason_t reason);
int idv_mdl_reason_find(const char *code);

/* The check of a reason (not for NONE), and its result. */
idv_mdl_check_name_t idv_mdl_reason_check(idv_mdl_reason_t reason);
idv_mdl_result_t idv_mdl_reason_result(idv_mdl_reason_t reason);

/* Writes findings as compact JSON. */
idv_error_t *idv_mdl_findings_write(const idv_mdl_findings_t *findings,
                                    const char **text, apr_size_t *length,
                                    apr_pool_t *pool) IDV_CHECKED;

/* Parses the output of the sandboxed child; any deviation from the format is an
 * internal error that names the place and never a value. */
idv_error_t *idv_mdl_findings_read(const char *text, apr_size_t length,
                                   idv_mdl_findings_t **findings,
                                   apr_pool_t *result) IDV_CHECKED;

#endif
