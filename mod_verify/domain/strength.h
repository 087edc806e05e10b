/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_DOMAIN_STRENGTH_H
#define IDV_DOMAIN_STRENGTH_H

/*
 * The ranking of credential strengths, weakest first (interface, "Credential
 * strength ranking"). A credential satisfies any requirement at its rank or
 * below, never above. The order of the list is the ranking. Constant data.
 */
#include <apr_pools.h>

#include "core/error.h"

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

/* The strength named VALUE in lower case. Method values that are no rank of
 * their own count as the rank they have (`selfie_match` and `selfie_liveness`
 * as document_capture, `nfc_passport` as the method table says, `student` and
 * `parental_consent` as self_attestation); IDV_STRENGTH_NONE for NULL and for
 * anything else. */
idv_strength_t idv_strength_parse(const char *value);

/* Non-zero when a credential of HAVE satisfies the requirement WANT. */
int idv_strength_satisfies(idv_strength_t have, idv_strength_t want);

#endif
