/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_METHODS_MDL_MDL_VERIFICATION_H
#define IDV_METHODS_MDL_MDL_VERIFICATION_H

/*
 * The analysis of a wallet's answer: takes the bytes and the request, returns
 * findings. It runs in the sandboxed verify-analyze, since the bytes are
 * untrusted.
 *
 * The checks are those of ISO/IEC 18013-5, 9.3 and OpenID4VP 1.0, B.2, in the
 * order of the list in mdl_findings.h:
 *
 * - the envelope (wallet_response.h) and the shape (mdoc.h);
 * - the document is of a requested type, occurs once, and its security object
 *   names the same type;
 * - the signer's certificate, its trust anchor, and its validity now
 *   (issuer_certificate.h); the issuer's signature over the security object,
 *   made while that certificate was valid, and valid now;
 * - the digest of every received element, over its bytes as received; no
 *   element twice; at least 16 random bytes (9.1.2.5);
 * - the device's key, its signature or MAC over the transcript, and its
 *   authorization to sign the signed elements;
 * - the requested elements and no others, of the right types; a statement about
 *   another age that implies the requested one suffices (7.2.5);
 * - the country and region in the elements are the signer's (9.3.1).
 *
 * All independent checks are made, so that findings show every fault.
 * Revocation is not checked here: the findings name its lists, and the decision
 * receives the status.
 *
 * The caller ensures that OpenSSL is loaded before the sandbox is entered, that
 * the answer belongs to this transaction, which is answered once, and that the
 * anchors are those that the organization trusts. Findings do not identify the
 * sender of the bytes.
 *
 * Memory: the pool. Threads: pure; the clock is in the request. Failures: an
 * internal error for an invalid request; faults of the answer are in the
 * findings.
 */
#include "methods/mdl/mdl_findings.h"
#include "methods/mdl/mdl_request.h"

/* Examines BYTES, whose form depends on the channel (wallet_response.h). */
idv_error_t *idv_mdl_verify(const idv_mdl_request_t *request, idv_bytes_t bytes,
                            idv_mdl_findings_t **findings,
                            apr_pool_t *pool) IDV_CHECKED;

#endif
