/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_DOMAIN_METHOD_METHOD_H
#define IDV_DOMAIN_METHOD_METHOD_H

/*
 * All verification methods of the API, and the two scales that rank their
 * results: the assurance of the evidence and the strength of the resulting
 * credential. On both, the order of the list is the ranking, weakest first; a
 * higher rank satisfies a lower one, never the reverse.
 *
 * The table of methods gives for each its value, its role in a workflow, the
 * strength that it counts as, and the highest assurance that it reaches on its
 * own. A method of kind RESERVED cannot run in this version; publishing a
 * workflow with it is refused. The API does not rank `nfc_passport`; a chip
 * with a verified signature counts as `mdl`, the other method that relies on
 * the issuer's signature.
 *
 * Memory: constant data; parsed values live in the given pool. Threads: pure.
 * Failures: only when parsing, an internal error for text that was not written
 * here.
 */
#include <apr_pools.h>

#include "core/json.h"
#include "core/json_writer.h"

/*
 * Assurance of a result's evidence:
 *
 * - decoded: a code was read and is consistent in itself. AAMVA barcodes and
 *   machine-readable zones are not signed: a barcode generator and a screen are
 *   enough to forge one. The age is the one stated by the code.
 * - consistent: two independent codes of the document, a barcode and a
 *   machine-readable zone, agree. A forger must produce both and know how each
 *   encodes the same person. `identity_verified` starts here.
 * - signed: the issuer's signature over the data was verified. A forger needs
 *   the issuer's key; a thief needs the document.
 * - signed_and_present: likewise, and a live person matched the signed
 *   portrait.
 *
 * Each level has a ceiling for `confidence`, the certainty of the reading (0 to
 * 1) times the ceiling: a perfectly read barcode is still only a barcode.
 */
#define IDV_ASSURANCES(X)                                                      \
    X(DECODED, "decoded", 0.5)                                                 \
    X(CONSISTENT, "consistent", 0.75)                                          \
    X(SIGNED, "signed", 0.95)                                                  \
    X(SIGNED_AND_PRESENT, "signed_and_present", 1.0)

typedef enum {
    IDV_ASSURANCE_NONE, /* nothing was read, or nothing is required */
#define X(name, value, ceiling) IDV_ASSURANCE_##name,
    IDV_ASSURANCES(X)
#undef X
    IDV_ASSURANCE_COUNT
} idv_assurance_t;

/* The API value; NULL for none. */
const char *idv_assurance_value(idv_assurance_t assurance);

/* The assurance named VALUE; IDV_ASSURANCE_NONE for NULL and anything else. */
idv_assurance_t idv_assurance_parse(const char *value);

/* The confidence of evidence of this assurance that was read with confidence
 * READING (0 to 1); three decimals. 0 for none. */
double idv_assurance_confidence(idv_assurance_t assurance, double reading);

/* Non-zero if evidence of this assurance establishes an identity. */
int idv_assurance_identifies(idv_assurance_t assurance);

/* Credential strengths (interface, "Credential strength ranking"). A credential
 * satisfies any requirement at its rank or below. */
#define IDV_STRENGTHS(X)                                                       \
    X(SELF_ATTESTATION, "self_attestation")                                    \
    X(FACIAL_AGE, "facial_age")                                                \
    X(CARRIER_LOOKUP, "carrier_lookup")                                        \
    X(OPEN_BANKING, "open_banking")                                            \
    X(DOCUMENT_CAPTURE, "document_capture")                                    \
    X(MDL, "mdl")                                                              \
    X(MID, "mid")                                                              \
    X(EUDI_PID, "eudi_pid")

typedef enum {
    IDV_STRENGTH_NONE, /* no requirement, or no credential */
#define X(name, value) IDV_STRENGTH_##name,
    IDV_STRENGTHS(X)
#undef X
    IDV_STRENGTH_COUNT
} idv_strength_t;

/* The value in requests ("document_capture"); NULL for none. */
const char *idv_strength_value(idv_strength_t strength);

/* The value in responses ("DOCUMENT_CAPTURE"); NULL for none. */
const char *idv_strength_upper(idv_strength_t strength);

/* The strength named VALUE in lower case. Method values without a rank of their
 * own have the rank of another (`selfie_match` and `selfie_liveness`:
 * document_capture, `nfc_passport`: see the method table, `student` and
 * `parental_consent`: self_attestation). IDV_STRENGTH_NONE for NULL and
 * anything else. */
idv_strength_t idv_strength_parse(const char *value);

/* Non-zero if a credential of HAVE satisfies the requirement WANT. */
int idv_strength_satisfies(idv_strength_t have, idv_strength_t want);

/* Name, value, kind, strength, highest assurance. */
#define IDV_METHODS(X)                                                         \
    X(MDL, "mdl", PRIMARY, MDL, SIGNED)                                        \
    X(DOCUMENT_CAPTURE, "document_capture", PRIMARY, DOCUMENT_CAPTURE,         \
      CONSISTENT)                                                              \
    X(NFC_PASSPORT, "nfc_passport", PRIMARY, MDL, SIGNED)                      \
    X(SELFIE_LIVENESS, "selfie_liveness", LAYER, DOCUMENT_CAPTURE, NONE)       \
    X(SELFIE_MATCH, "selfie_match", LAYER, DOCUMENT_CAPTURE, NONE)             \
    X(SELF_ATTESTATION, "self_attestation", LAYER, SELF_ATTESTATION, NONE)     \
    X(IP_ANALYSIS, "ip_analysis", SUPPLEMENTARY, NONE, NONE)                   \
    X(DEVICE_RISK, "device_risk", SUPPLEMENTARY, NONE, NONE)                   \
    X(GEOLOCATION, "geolocation", SUPPLEMENTARY, NONE, NONE)                   \
    X(MID, "mid", RESERVED, MID, NONE)                                         \
    X(EUDI_PID, "eudi_pid", RESERVED, EUDI_PID, NONE)                          \
    X(FACIAL_AGE, "facial_age", RESERVED, FACIAL_AGE, NONE)                    \
    X(CARRIER_LOOKUP, "carrier_lookup", RESERVED, CARRIER_LOOKUP, NONE)        \
    X(OPEN_BANKING, "open_banking", RESERVED, OPEN_BANKING, NONE)              \
    X(PARENTAL_CONSENT, "parental_consent", RESERVED, SELF_ATTESTATION, NONE)  \
    X(STUDENT, "student", RESERVED, SELF_ATTESTATION, NONE)                    \
    X(WALLET_PASS, "wallet_pass", RESERVED, NONE, NONE)

typedef enum {
    IDV_METHOD_PRIMARY,       /* can carry a verification on its own */
    IDV_METHOD_LAYER,         /* in addition to a primary method */
    IDV_METHOD_SUPPLEMENTARY, /* a passive check, in nodes of type checks */
    IDV_METHOD_RESERVED       /* named by the API, cannot run */
} idv_method_kind_t;

typedef enum {
#define X(name, value, kind, strength, reach) IDV_METHOD_##name,
    IDV_METHODS(X)
#undef X
        IDV_METHOD_COUNT,
    IDV_METHOD_NONE = -1
} idv_method_t;

/* A set of methods, one bit each. */
typedef apr_uint32_t idv_method_set_t;
#define IDV_METHOD_BIT(method) ((idv_method_set_t)1 << (method))

/* An ordered list of methods without duplicates. */
typedef struct {
    int count;
    idv_method_t items[IDV_METHOD_COUNT];
} idv_method_list_t;

/* The API value ("document_capture"); NULL for none. */
const char *idv_method_value(idv_method_t method);

/* The value in credentials and grants ("DOCUMENT_CAPTURE"). */
const char *idv_method_upper(idv_method_t method);

/* The method named VALUE in lower case; IDV_METHOD_NONE for anything else. */
idv_method_t idv_method_parse(const char *value);

/* The role of METHOD (not NONE) and the strength that it counts as. */
idv_method_kind_t idv_method_kind(idv_method_t method);
idv_strength_t idv_method_strength(idv_method_t method);

/* The highest assurance that METHOD (not NONE) can reach; NONE unless it is a
 * primary method. */
idv_assurance_t idv_method_reach(idv_method_t method);

/* Appends METHOD (not NONE) unless LIST contains it. */
void idv_method_list_add(idv_method_list_t *list, idv_method_t method);

/* Non-zero if LIST contains METHOD. */
int idv_method_list_has(const idv_method_list_t *list, idv_method_t method);

/* The strongest primary method of LIST, the first among equals; IDV_METHOD_NONE
 * if there is none. */
idv_method_t idv_method_list_strongest(const idv_method_list_t *list);

/* An array of values. New reference. */
json_t *idv_method_list_json(const idv_method_list_t *list);

/* The list from an array made by idv_method_list_json(); internal error for
 * anything else. */
idv_error_t *idv_method_list_load(const json_t *array, idv_method_list_t *list,
                                  apr_pool_t *pool) IDV_CHECKED;

/* The same array written as text, and parsed from it. */
void idv_method_list_write(idv_json_writer_t *writer, const char *key,
                           const idv_method_list_t *list);
idv_error_t *idv_method_list_read(const char *json, idv_method_list_t *list,
                                  apr_pool_t *pool) IDV_CHECKED;

#endif
