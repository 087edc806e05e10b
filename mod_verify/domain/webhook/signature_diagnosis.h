/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_DOMAIN_WEBHOOK_SIGNATURE_DIAGNOSIS_H
#define IDV_DOMAIN_WEBHOOK_SIGNATURE_DIAGNOSIS_H

/*
 * Why a receiver does not accept the signature of a delivery. A developer brings
 * what his server got (Service-Signature and body) and what it computed; the
 * usual mistakes are tried one after the other, and those are named that explain
 * what he brought.
 *
 * What is told are codes. Neither the secret nor a signature by it is in an
 * answer, so nobody learns to sign by asking; whether a signature is right, every
 * receiver knows as well.
 *
 * Memory: the given pool; what was derived of the secret is wiped. Threads: pure.
 * Failures: none; what cannot be read is a finding.
 */
#include "core/clock.h"
#include "core/crypto.h"

/* How far off the time in a header may be for a receiver that keeps to the
 * documentation. */
#define IDV_SIGNATURE_TOLERANCE (300 * IDV_SECOND)

typedef enum {
#define IDV_SIGNATURE_FINDING(name, code, meaning) IDV_SIGNATURE_##name,
#include "domain/webhook/signature_findings.def"
#undef IDV_SIGNATURE_FINDING
    IDV_SIGNATURE_FINDING_COUNT
} idv_signature_finding_t;

/* As the API names it. */
const char *idv_signature_finding_name(idv_signature_finding_t finding);

/* A sentence for the developer. */
const char *idv_signature_finding_meaning(idv_signature_finding_t finding);

/* NULL for what he does not bring. */
typedef struct {
    idv_bytes_t secret;   /* of the endpoint, "whsec_..." */
    const char *sent;     /* the body of the delivery */
    const char *header;   /* Service-Signature as it arrived */
    const char *received; /* the body as it arrived */
    const char *computed; /* what his server made of it */
    idv_time_t now;
} idv_signature_question_t;

/* A bit for each finding about QUESTION: 1u << finding. */
unsigned idv_signature_diagnose(const idv_signature_question_t *question,
                                apr_pool_t *pool);

#endif
