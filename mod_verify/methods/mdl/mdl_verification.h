/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_METHODS_MDL_MDL_VERIFICATION_H
#define IDV_METHODS_MDL_MDL_VERIFICATION_H

/*
 * The analysis of a wallet's answer: bytes and what was asked in, findings out.
 * It runs in the sandboxed verify-analyze, since the bytes are a stranger's.
 *
 * The checks are those of ISO/IEC 18013-5, 9.3 and OpenID4VP 1.0, B.2, in the
 * order of the list in mdl_findings.h:
 *
 * - the envelope (wallet_response.h) and the shape (mdoc.h);
 * - the document is of a type that was asked for, once, and its security object
 *   says the same type;
 * - the signer's certificate, whom it is trusted by, and that it is valid now
 *   (issuer_certificate.h); the issuer's signature over the security object,
 *   made while that certificate was valid, and valid now;
 * - the digest of every element that came, over its bytes as they came; no
 *   element twice; 16 random bytes at least (9.1.2.5);
 * - the device's key, its signature or MAC over the transcript, and that it was
 *   allowed to sign what it signed;
 * - the elements that were asked for and no others, of the right types; an age
 *   is answered by what follows from another (7.2.5);
 * - the country and region that the elements name are the signer's (9.3.1).
 *
 * Checks that do not depend on each other are all made, so that findings show
 * everything that is wrong. Revocation is not looked up here: the findings say
 * where it can be, and the decision is given what was found.
 *
 * What callers have to see to: OpenSSL is loaded before the sandbox is entered,
 * the answer belongs to this transaction, which is answered once, and the anchors
 * are those that the organization trusts. Findings tell nothing of who sent the
 * bytes.
 *
 * Memory: the pool. Threads: pure; the clock is in the request. Failures: an
 * internal error for a request that cannot be one; what is wrong with the
 * answer stands in the findings.
 */
#include "methods/mdl/mdl_findings.h"
#include "methods/mdl/mdl_request.h"

/* Examines BYTES (by channel as wallet_response.h says). */
idv_error_t *idv_mdl_verify(const idv_mdl_request_t *request, idv_bytes_t bytes,
                            idv_mdl_findings_t **findings,
                            apr_pool_t *pool) IDV_CHECKED;

#endif
