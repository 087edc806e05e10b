/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_METHODS_MDL_DEVICE_AUTHENTICATION_H
#define IDV_METHODS_MDL_DEVICE_AUTHENTICATION_H

/*
 * Checks that the device with the document answered this very request: its
 * signature or MAC over the session transcript, ISO/IEC 18013-5, 9.1.3.
 *
 * A MAC uses a key agreed by the device's and the reader's keys (9.1.3.5). With
 * OpenID4VP the reader's key is the one that answers are encrypted for (ISO/IEC
 * TS 18013-7).
 *
 * If the answer matches no accepted transcript, all others are tried, so that
 * the findings can name the one that the wallet signed: the most frequent fault
 * between wallets and verifiers, and otherwise invisible. Such a match is still
 * not accepted.
 *
 * Memory: the pool; derived keys are wiped with it. Threads: pure.
 */
#include "methods/mdl/mdl_findings.h"
#include "methods/mdl/mdoc.h"

typedef struct {
    const idv_mdoc_document_t *document;
    EVP_PKEY *device_key;
    EVP_PKEY *reader_key;             /* private; NULL: none */
    const idv_session_parts_t *parts;
    unsigned accepted;                /* IDV_HANDOVER_BIT */
} idv_device_authentication_t;

/* Checks it, and records the check and the matching transcript in FINDINGS. */
void idv_device_authenticate(const idv_device_authentication_t *device,
                             idv_mdl_findings_t *findings, apr_pool_t *pool);

#endif
