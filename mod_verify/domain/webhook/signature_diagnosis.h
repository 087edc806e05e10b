/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_DOMAIN_WEBHOOK_SIGNATURE_DIAGNOSIS_H
#define IDV_DOMAIN_WEBHOOK_SIGNATURE_DIAGNOSIS_H

/*
 * Diagnoses why a receiver rejects the signature of a delivery. A developer
 * provides what the server received (Service-Signature and body) and computed;
 * the usual mistakes are tried one by one, and those that explain the data are
 * reported.
 *
 * The result consists of codes. It contains neither the secret nor a signature
 * made with it, so nobody can obtain signatures this way; whether a signature
 * is correct is known to every receiver anyway.
 *
 * Memory: the given pool; data derived from the secret is wiped. Threads: pure.
 * Failures: none; unreadable input is a finding.
 */
#include "core/clock.h"
#include "core/crypto.h"

/* Maximum clock difference accepted by a receiver that follows the
 * documentation. */
#define IDV_SIGNATURE_TOLERANCE (300 * IDV_SECOND)

typedef enum {
#define IDV_SIGNATURE_FINDING(name, code, meaning) IDV_SIGNATURE_##name,
#include "domain/webhook/signature_findings.def"
#undef IDV_SIGNATURE_FINDING
    IDV_SIGNATURE_FINDING_COUNT
} idv_signature_finding_t;

/* The API name. */
const char *idv_signature_finding_name(idv_signature_finding_t finding);

/* A sentence for the developer. */
const char *idv_signature_finding_meaning(idv_signature_finding_t finding);

/* The developer's input; NULL: not provided. */
typedef struct {
    idv_bytes_t secret;   /* of the endpoint, "whsec_..." */
    const char *sent;     /* the body of the delivery */
    const char *header;   /* Service-Signature as it arrived */
    const char *received; /* the body as it arrived */
    const char *computed; /* the receiver's own result */
    idv_time_t now;
} idv_signature_question_t;

/* The findings about QUESTION, one bit each: 1u << finding. */
unsigned idv_signature_diagnose(const idv_signature_question_t *question,
                                apr_pool_t *pool);

#endif
