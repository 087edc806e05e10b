/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_METHODS_DOCUMENT_DOCUMENT_H
#define IDV_METHODS_DOCUMENT_DOCUMENT_H

/*
 * An identity document after reading: its data, the checks of its
 * machine-readable part, and the comparison of two such parts.
 *
 * The parsers (mrz.h, aamva.h) create one from text; document_findings.h
 * carries it from the sandboxed reader to the watchdog; document_decision.h
 * judges it. A document that could be read is never an error: its faults are
 * checks, each with a reason.
 *
 * The four lists below (kinds, sources, checks, reasons) are the only place
 * where their codes are defined. Codes are part of the API: add, never rename.
 *
 * Memory: the pool given to the parser; holds personal data, so that pool must
 * not outlive the decision. Threads: immutable once returned; all functions
 * except those that record checks are pure. Nothing fails.
 */
#include <apr_tables.h>

#include "domain/value/civil_date.h"

/* The kind of the document. */
#define IDV_DOCUMENT_KINDS(X)                                                  \
    X(DRIVER_LICENSE, "driver_license")                                        \
    X(ID_CARD, "id_card")                                                      \
    X(PASSPORT, "passport")                                                    \
    X(VISA, "visa")

/* The source of the data. */
#define IDV_DOCUMENT_SOURCES(X)                                                \
    X(PDF417_AAMVA, "pdf417_aamva")                                            \
    X(MRZ_TD1, "mrz_td1")                                                      \
    X(MRZ_TD2, "mrz_td2")                                                      \
    X(MRZ_TD3, "mrz_td3")                                                      \
    X(MRZ_MRVA, "mrz_mrva")                                                    \
    X(MRZ_MRVB, "mrz_mrvb")                                                    \
    X(MRZ_ID_FRA, "mrz_id_fra")

/* All checks: first those of the readers, then those of the decision. */
#define IDV_DOCUMENT_CHECKS(X)                                                 \
    X(CHECK_DIGIT_DOCUMENT_NUMBER, "check_digit_document_number")              \
    X(CHECK_DIGIT_DATE_OF_BIRTH, "check_digit_date_of_birth")                  \
    X(CHECK_DIGIT_DATE_OF_EXPIRY, "check_digit_date_of_expiry")                \
    X(CHECK_DIGIT_OPTIONAL_DATA, "check_digit_optional_data")                  \
    X(CHECK_DIGIT_COMPOSITE, "check_digit_composite")                          \
    X(CHARACTERS, "characters")                                                \
    X(DOCUMENT_CODE, "document_code")                                          \
    X(ISSUER, "issuer")                                                        \
    X(ISSUER_CROSS_CHECK, "issuer_cross_check")                                \
    X(MANDATORY_ELEMENTS, "mandatory_elements")                                \
    X(DOCUMENT_NUMBER, "document_number")                                      \
    X(NAMES, "names")                                                          \
    X(NATIONALITY, "nationality")                                              \
    X(SEX, "sex")                                                              \
    X(DATE_OF_BIRTH, "date_of_birth")                                          \
    X(DATE_OF_ISSUE, "date_of_issue")                                          \
    X(DATE_OF_EXPIRY, "date_of_expiry")                                        \
    X(DATE_FORM, "date_form")                                                  \
    X(AGE_DATES_CROSS_CHECK, "age_dates_cross_check")                          \
    X(BARCODE_CROSS_REFERENCE, "barcode_cross_reference")                      \
    X(DOCUMENT_NUMBER_FORMAT, "document_number_format")                        \
    X(DOCUMENT_NUMBER_HOLDER, "document_number_holder")                        \
    X(INVENTORY_NUMBER, "inventory_number")                                    \
    X(NAME_TRUNCATION, "name_truncation")                                      \
    X(VALIDITY_TERM, "validity_term")                                          \
    X(TEST_ISSUER, "test_issuer")                                              \
    X(EXPIRY, "expiry")                                                        \
    X(AGE, "age")                                                              \
    X(DOCUMENT_REUSED, "document_reused")                                      \
    X(DOCUMENT_PORTRAIT, "document_portrait")                                  \
    X(PRINTED_FRONT, "printed_front")                                          \
    X(PICTURE_RECAPTURE, "picture_recapture")                                  \
    X(PICTURE_PASTE, "picture_paste")

/* Why a check did not pass: X(name, code, check, last_error). If several fail,
 * `last_error` of the session is that of the first one in this order, because a
 * document that is not authentic proves nothing. The entries of last_error are
 * IDV_DOCUMENT_ERRORS in document_decision.h. */
#define IDV_DOCUMENT_REASONS(X)                                                \
    X(CHECK_DIGIT_DOCUMENT_NUMBER_WRONG, "check_digit_document_number_wrong",  \
      CHECK_DIGIT_DOCUMENT_NUMBER, UNVERIFIED)                                 \
    X(CHECK_DIGIT_DATE_OF_BIRTH_WRONG, "check_digit_date_of_birth_wrong",      \
      CHECK_DIGIT_DATE_OF_BIRTH, UNVERIFIED)                                   \
    X(CHECK_DIGIT_DATE_OF_EXPIRY_WRONG, "check_digit_date_of_expiry_wrong",    \
      CHECK_DIGIT_DATE_OF_EXPIRY, UNVERIFIED)                                  \
    X(CHECK_DIGIT_OPTIONAL_DATA_WRONG, "check_digit_optional_data_wrong",      \
      CHECK_DIGIT_OPTIONAL_DATA, UNVERIFIED)                                   \
    X(CHECK_DIGIT_COMPOSITE_WRONG, "check_digit_composite_wrong",              \
      CHECK_DIGIT_COMPOSITE, UNVERIFIED)                                       \
    X(CHARACTERS_INVALID, "characters_invalid", CHARACTERS, UNVERIFIED)        \
    X(DOCUMENT_CODE_INVALID, "document_code_invalid", DOCUMENT_CODE,           \
      UNVERIFIED)                                                              \
    X(ISSUER_UNKNOWN, "issuer_unknown", ISSUER, UNVERIFIED)                    \
    X(ISSUER_MISMATCH, "issuer_mismatch", ISSUER_CROSS_CHECK, UNVERIFIED)      \
    X(MANDATORY_ELEMENT_MISSING, "mandatory_element_missing",                  \
      MANDATORY_ELEMENTS, UNVERIFIED)                                          \
    X(DOCUMENT_NUMBER_MISSING, "document_number_missing", DOCUMENT_NUMBER,     \
      UNVERIFIED)                                                              \
    X(DOCUMENT_NUMBER_INVALID, "document_number_invalid", DOCUMENT_NUMBER,     \
      UNVERIFIED)                                                              \
    X(NATIONALITY_UNKNOWN, "nationality_unknown", NATIONALITY, UNVERIFIED)     \
    X(SEX_INVALID, "sex_invalid", SEX, UNVERIFIED)                             \
    X(DATE_OF_BIRTH_MISSING, "date_of_birth_missing", DATE_OF_BIRTH,           \
      UNVERIFIED)                                                              \
    X(DATE_OF_BIRTH_INVALID, "date_of_birth_invalid", DATE_OF_BIRTH,           \
      UNVERIFIED)                                                              \
    X(DATE_OF_BIRTH_IN_FUTURE, "date_of_birth_in_future", DATE_OF_BIRTH,       \
      UNVERIFIED)                                                              \
    X(DATE_OF_BIRTH_IMPLAUSIBLE, "date_of_birth_implausible", DATE_OF_BIRTH,   \
      UNVERIFIED)                                                              \
    X(DATE_OF_ISSUE_INVALID, "date_of_issue_invalid", DATE_OF_ISSUE,           \
      UNVERIFIED)                                                              \
    X(DATE_OF_ISSUE_IN_FUTURE, "date_of_issue_in_future", DATE_OF_ISSUE,       \
      UNVERIFIED)                                                              \
    X(DATE_OF_ISSUE_IMPLAUSIBLE, "date_of_issue_implausible", DATE_OF_ISSUE,   \
      UNVERIFIED)                                                              \
    X(DATE_OF_EXPIRY_MISSING, "date_of_expiry_missing", DATE_OF_EXPIRY,        \
      UNVERIFIED)                                                              \
    X(DATE_OF_EXPIRY_INVALID, "date_of_expiry_invalid", DATE_OF_EXPIRY,        \
      UNVERIFIED)                                                              \
    X(DATE_OF_EXPIRY_IMPLAUSIBLE, "date_of_expiry_implausible",                \
      DATE_OF_EXPIRY, UNVERIFIED)                                              \
    X(AGE_DATES_MISMATCH, "age_dates_mismatch", AGE_DATES_CROSS_CHECK,         \
      UNVERIFIED)                                                              \
    X(BARCODE_MISMATCH, "barcode_mismatch", BARCODE_CROSS_REFERENCE,           \
      UNVERIFIED)                                                              \
    X(DOCUMENT_NUMBER_FORMAT_WRONG, "document_number_format_wrong",            \
      DOCUMENT_NUMBER_FORMAT, UNVERIFIED)                                      \
    X(VALIDITY_TERM_IMPOSSIBLE, "validity_term_impossible", VALIDITY_TERM,     \
      UNVERIFIED)                                                              \
    X(TEST_ISSUER_REFUSED, "test_issuer_refused", TEST_ISSUER, NOT_ACCEPTED)   \
    X(EXPIRED, "expired", EXPIRY, EXPIRED)                                     \
    X(UNDER_AGE, "under_age", AGE, UNDER_AGE)                                  \
    X(SAME_PICTURE_TWICE, "same_picture_twice", DOCUMENT_REUSED, REUSED)       \
    X(PICTURE_OF_ANOTHER_SESSION, "picture_of_another_session",                \
      DOCUMENT_REUSED, REUSED)                                                 \
    X(DOCUMENT_OF_ANOTHER_PERSON, "document_of_another_person",                \
      DOCUMENT_REUSED, REUSED)                                                 \
    X(PRINTED_DATE_OF_BIRTH_DIFFERS, "printed_date_of_birth_differs",          \
      PRINTED_FRONT, UNDETERMINED)                                             \
    X(PRINTED_DATE_OF_EXPIRY_DIFFERS, "printed_date_of_expiry_differs",        \
      PRINTED_FRONT, UNDETERMINED)                                             \
    X(PRINTED_NUMBER_DIFFERS, "printed_number_differs", PRINTED_FRONT,         \
      UNDETERMINED)                                                            \
    X(PRINTED_HOLDER_DIFFERS, "printed_holder_differs", PRINTED_FRONT,         \
      UNDETERMINED)                                                            \
    X(DOCUMENT_PORTRAIT_MISSING, "document_portrait_missing",                  \
      DOCUMENT_PORTRAIT, UNDETERMINED)                                         \
    X(NAMES_MISSING, "names_missing", NAMES, UNDETERMINED)                     \
    X(NAMES_INVALID, "names_invalid", NAMES, UNDETERMINED)                     \
    X(DATE_AMBIGUOUS, "date_ambiguous", DATE_FORM, UNDETERMINED)               \
    X(ADDRESS_ELSEWHERE, "address_elsewhere", ISSUER_CROSS_CHECK,              \
      UNDETERMINED)                                                            \
    X(DESCRIPTIVE_ELEMENT_MISSING, "descriptive_element_missing",              \
      MANDATORY_ELEMENTS, UNDETERMINED)                                        \
    X(DISCRIMINATOR_MISSING, "discriminator_missing", MANDATORY_ELEMENTS,      \
      UNDETERMINED)                                                            \
    X(MANDATORY_ELEMENTS_UNKNOWN, "mandatory_elements_unknown",                \
      MANDATORY_ELEMENTS, UNDETERMINED)                                        \
    X(DOCUMENT_NUMBER_FORMAT_UNUSUAL, "document_number_format_unusual",        \
      DOCUMENT_NUMBER_FORMAT, UNDETERMINED)                                    \
    X(DOCUMENT_NUMBER_HOLDER_MISMATCH, "document_number_holder_mismatch",      \
      DOCUMENT_NUMBER_HOLDER, UNDETERMINED)                                    \
    X(VALIDITY_TERM_UNUSUAL, "validity_term_unusual", VALIDITY_TERM,           \
      UNDETERMINED)                                                            \
    X(INVENTORY_NUMBER_UNUSUAL, "inventory_number_unusual", INVENTORY_NUMBER,  \
      UNDETERMINED)                                                            \
    X(NAME_TRUNCATION_UNUSUAL, "name_truncation_unusual", NAME_TRUNCATION,     \
      UNDETERMINED)                                                            \
    X(AGE_UNDETERMINED, "age_undetermined", AGE, AGE_UNDETERMINED)             \
    X(SURNAME_MISSING, "surname_missing", NAMES, UNDETERMINED)                 \
    X(COUNTRY_ELEMENT_MISSING, "country_element_missing", MANDATORY_ELEMENTS,  \
      UNDETERMINED)                                                            \
    X(DATE_ZERO_FILLED, "date_zero_filled", DATE_FORM, UNDETERMINED)           \
    X(DATE_WITHOUT_ZEROS, "date_without_zeros", DATE_FORM, UNDETERMINED)       \
    X(DOCUMENT_NUMBER_FORMAT_UNKNOWN, "document_number_format_unknown",        \
      DOCUMENT_NUMBER_FORMAT, UNDETERMINED)                                    \
    X(DOCUMENT_NUMBER_HOLDER_UNKNOWN, "document_number_holder_unknown",        \
      DOCUMENT_NUMBER_HOLDER, UNDETERMINED)                                    \
    X(INVENTORY_NUMBER_UNKNOWN, "inventory_number_unknown", INVENTORY_NUMBER,  \
      UNDETERMINED)                                                            \
    X(NAME_TRUNCATION_UNKNOWN, "name_truncation_unknown", NAME_TRUNCATION,     \
      UNDETERMINED)                                                            \
    X(PRINTED_FRONT_UNREAD, "printed_front_unread", PRINTED_FRONT,             \
      UNDETERMINED)                                                            \
    X(PICTURE_HAS_RASTER, "picture_has_raster", PICTURE_RECAPTURE,             \
      UNDETERMINED)                                                            \
    X(PICTURE_HAS_PASTE, "picture_has_paste", PICTURE_PASTE, UNDETERMINED)

/* Reasons that are evidence neither for nor against a document; the workflow
 * decides what follows. */
#define IDV_DOCUMENT_UNDETERMINED(X)                                           \
    X(PRINTED_DATE_OF_BIRTH_DIFFERS)                                           \
    X(PRINTED_DATE_OF_EXPIRY_DIFFERS)                                          \
    X(PRINTED_NUMBER_DIFFERS)                                                  \
    X(PRINTED_HOLDER_DIFFERS)                                                  \
    X(DOCUMENT_PORTRAIT_MISSING)                                               \
    X(NAMES_MISSING)                                                           \
    X(NAMES_INVALID)                                                           \
    X(DATE_AMBIGUOUS)                                                          \
    X(ADDRESS_ELSEWHERE)                                                       \
    X(DESCRIPTIVE_ELEMENT_MISSING)                                             \
    X(DISCRIMINATOR_MISSING)                                                   \
    X(MANDATORY_ELEMENTS_UNKNOWN)                                              \
    X(DOCUMENT_NUMBER_FORMAT_UNUSUAL)                                          \
    X(DOCUMENT_NUMBER_HOLDER_MISMATCH)                                         \
    X(VALIDITY_TERM_UNUSUAL)                                                   \
    X(INVENTORY_NUMBER_UNUSUAL)                                                \
    X(NAME_TRUNCATION_UNUSUAL)                                                 \
    X(AGE_UNDETERMINED)

/* Fields that an issuer may write unlike the standard: no check digit covers
 * them, or the check digits are right, and neither the age nor the issuer
 * depends on them. Such a deviation is undetermined in a photographed zone with
 * correct check digits, and in a barcode. */
#define IDV_DOCUMENT_UNUSUAL_FORM(X)                                           \
    X(CHARACTERS_INVALID)                                                      \
    X(DOCUMENT_CODE_INVALID)                                                   \
    X(DOCUMENT_NUMBER_INVALID)                                                 \
    X(NATIONALITY_UNKNOWN)                                                     \
    X(SEX_INVALID)                                                             \
    X(DATE_OF_BIRTH_INVALID)                                                   \
    X(DATE_OF_EXPIRY_MISSING)                                                  \
    X(DATE_OF_EXPIRY_INVALID)

/* Notes: there is nothing to compare a document with, its issuer deviates from
 * the standard without effect, or a risk was seen. Their check is also
 * undetermined, and nothing follows. */
#define IDV_DOCUMENT_SILENT(X)                                                 \
    X(SURNAME_MISSING)                                                         \
    X(COUNTRY_ELEMENT_MISSING)                                                 \
    X(DATE_ZERO_FILLED)                                                        \
    X(DATE_WITHOUT_ZEROS)                                                      \
    X(DOCUMENT_NUMBER_FORMAT_UNKNOWN)                                          \
    X(DOCUMENT_NUMBER_HOLDER_UNKNOWN)                                          \
    X(INVENTORY_NUMBER_UNKNOWN)                                                \
    X(NAME_TRUNCATION_UNKNOWN)                                                 \
    X(PRINTED_FRONT_UNREAD)                                                    \
    X(PICTURE_HAS_RASTER)                                                      \
    X(PICTURE_HAS_PASTE)

/* `issuing_country` of the issuers for tests only: Utopia of ICAO Doc 9303
 * (UTO) and the AAMVA issuer number 000000. */
#define IDV_DOCUMENT_TEST_ISSUER "UT"

typedef enum {
#define X(name, code) IDV_DOCUMENT_##name,
    IDV_DOCUMENT_KINDS(X)
#undef X
        IDV_DOCUMENT_KIND_COUNT
} idv_document_kind_t;

typedef enum {
#define X(name, code) IDV_DOCUMENT_SOURCE_##name,
    IDV_DOCUMENT_SOURCES(X)
#undef X
        IDV_DOCUMENT_SOURCE_COUNT
} idv_document_source_t;

typedef enum {
#define X(name, code) IDV_DOCUMENT_CHECK_##name,
    IDV_DOCUMENT_CHECKS(X)
#undef X
        IDV_DOCUMENT_CHECK_COUNT
} idv_document_check_name_t;

typedef enum {
    IDV_DOCUMENT_REASON_NONE,
#define X(name, code, check, error) IDV_DOCUMENT_REASON_##name,
    IDV_DOCUMENT_REASONS(X)
#undef X
        IDV_DOCUMENT_REASON_COUNT
} idv_document_reason_t;

/* A check that was made; the reason is NONE exactly if it passed. */
typedef struct {
    idv_document_check_name_t name;
    idv_document_reason_t reason;
} idv_document_check_t;

typedef struct {
    idv_document_kind_t kind;
    idv_document_source_t source;
    const char *issuing_country; /* alpha-2, EU, UN, UT; NULL: unknown */
    const char *issuing_region;  /* ISO 3166-2 without the country, or NULL */
    const char *number;          /* without fillers; NULL: none */
    const char *surname;         /* UTF-8; NULL: none */
    const char *given_names;     /* separated by single spaces; NULL: none */
    const char *nationality;     /* as issuing_country; NULL: none or unknown */
    char sex;                    /* M, F, X; 0: not stated */
    idv_date_t date_of_birth;    /* may be partial (civil_date.h) */
    idv_date_t earlier_birth; /* the other date allowed by a zone's two-digit
                               * year, a century before date_of_birth; year 0:
                               * the century is known */
    idv_date_t date_of_issue;
    idv_date_t date_of_expiry;   /* inclusive; year 0: does not expire */
    char truncation[4]; /* T, N or U of surname, first and middle names each, -
                           if not stated; "": the source has no such flags */
    int repairs;                 /* places where the readers differed */
    apr_array_header_t *checks;  /* of idv_document_check_t, each name once */
} idv_document_t;

/* An empty document with room for its checks. */
idv_document_t *idv_document_create(idv_document_source_t source,
                                    apr_pool_t *pool);

/* Records one check. A second record of the same name replaces the first only
 * if that one had passed or was silent, so the first failure of a check
 * remains. */
void idv_document_check(idv_document_t *document,
                        idv_document_check_name_t name,
                        idv_document_reason_t reason);

/* Records the check of REASON (not NONE): failed for that reason if FAILED is
 * not zero, else passed. */
void idv_document_conclude(idv_document_t *document,
                           idv_document_reason_t reason, int failed);

/* The record of a check; NULL if it was not made. */
const idv_document_check_t *
idv_document_find_check(const idv_document_t *document,
                        idv_document_check_name_t name);

/* The codes of the lists, never NULL for a member; the reverse gives -1 for
 * unknown text. NULL for IDV_DOCUMENT_REASON_NONE. */
const char *idv_document_kind_code(idv_document_kind_t kind);
int idv_document_kind_find(const char *code);
const char *idv_document_source_code(idv_document_source_t source);
int idv_document_source_find(const char *code);
const char *idv_document_check_code(idv_document_check_name_t name);
int idv_document_check_find(const char *code);
const char *idv_document_reason_code(idv_document_reason_t reason);
int idv_document_reason_find(const char *code);

/* The check of a reason (not for NONE). */
idv_document_check_name_t
idv_document_reason_check(idv_document_reason_t reason);

/* The ages on the complete date ON that the date of birth allows in all
 * possible centuries; negative if it is after ON. DOCUMENT has a date of
 * birth. */
idv_age_range_t idv_document_age(const idv_document_t *document, idv_date_t on);

/* The date for plausibility: that of the place where the day begins first, so
 * that time zones never put a birth or issue in the future. */
idv_date_t idv_document_reading_date(idv_time_t now);

/* Non-zero if a document read on the date TODAY may expire on the complete date
 * EXPIRY: from 30 years before to 50 years after. */
int idv_document_expiry_is_plausible(idv_date_t expiry, idv_date_t today);

/* Non-zero if the codes of two sources are independent: they are printed and
 * encoded separately, so that together they confirm one card, and a forger has
 * to forge both. A barcode and the zone of a card are independent; one code
 * seen twice is not, nor are codes on different documents. */
int idv_document_sources_are_independent(idv_document_source_t a,
                                         idv_document_source_t b);

/* Non-zero if a check that did not pass for this reason is undetermined. */
int idv_document_reason_is_undetermined(idv_document_reason_t reason);

/* Non-zero if a check is undetermined for this reason and leaves no doubt. */
int idv_document_reason_is_silent(idv_document_reason_t reason);

/* Non-zero if every document of this kind shows the portrait of its holder;
 * some visas do not. */
int idv_document_kind_has_portrait(idv_document_kind_t kind);

/* Non-zero if the code of this source is on the back of cards whose front has
 * the portrait. */
int idv_document_source_is_on_back(idv_document_source_t source);

/* Non-zero if a reader of this source must have made this check. */
int idv_document_check_is_due(idv_document_source_t source,
                              idv_document_check_name_t name);

/*
 * --- two codes of one submission ---
 *
 * Codes write names differently: a machine-readable zone transliterates and
 * truncates (ICAO Doc 9303-3, 4.6 and 6), a barcode does not. So surnames are
 * compared by their letters only, any letter other than A to Z matches one to
 * three of these, and one name may be the beginning of the other. Dates must
 * agree if both codes have them; an open century agrees with either. Numbers
 * are not compared between codes of different kinds: the two often have
 * different numbers on one card.
 */

/* The result of a comparison, which may be impossible. */
typedef enum {
    IDV_DOCUMENT_NOT_COMPARED,
    IDV_DOCUMENT_DIFFERS,
    IDV_DOCUMENT_MATCHES
} idv_document_comparison_t;

/* Whether A and B are of the same document. NOT_COMPARED if they share too
 * little: one of them has no complete date of birth. */
idv_document_comparison_t idv_document_compare(const idv_document_t *a,
                                               const idv_document_t *b);

/* Non-zero if B matches A and also agrees on all data that both kinds of code
 * have: issuing country, names, the dates of birth and expiry, all of which are
 * required, and no other sex. Missing data confirms nothing. */
int idv_document_confirms(const idv_document_t *a, const idv_document_t *b);

#endif
