/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_METHODS_PASSPORT_PASSPORT_READING_H
#define IDV_METHODS_PASSPORT_PASSPORT_READING_H

/*
 * Reads a passport's chip: takes the app's data and the server's data of its
 * session, returns findings. It runs in the sandboxed analyzer, once per
 * submission, and makes every check except those that need the session's rule
 * (passport_decision.h).
 *
 * The caller supplies and ensures:
 * - The dump of this session (chip_dump.h).
 * - The CSCAs that the organization trusts. Their certificates are public.
 * - The challenge that the server made for this session: eight random bytes,
 *   given to one app once, forgotten after five minutes and after the first
 *   submission. Without it the signature of a challenge proves nothing.
 * - The seed and the answers of the relay, if there was one
 *   (chip_authentication.h). DG14 always comes from the dump, whatever the
 *   relay names.
 * - The time, to choose the valid one of two certificates with one key, and to
 *   determine centuries.
 * - OpenSSL ready for a sandbox (public_key.h), including its random generator,
 *   which blinds computations with the relay's key.
 *
 * Memory: the result pool, which then holds personal data. Threads: pure.
 */
#include "methods/passport/chip_authentication.h"
#include "methods/passport/chip_dump.h"
#include "methods/passport/csca_list.h"
#include "methods/passport/passport_findings.h"

typedef struct {
    const idv_chip_dump_t *dump;
    const idv_csca_list_t *list;
    idv_time_t now;
    idv_bytes_t challenge;         /* the server's; length 0: none */
    const idv_chip_relay_t *relay; /* NULL: none */
} idv_passport_evidence_t;

/* Reads the chip. A dump without EF.SOD or DG1, or whose DG1 is not a zone, is
 * not readable and has a hint; all other faults are in the checks. Fails only
 * for lack of memory. `milliseconds` is left zero. */
idv_error_t *idv_passport_read(const idv_passport_evidence_t *evidence,
                               idv_passport_findings_t **findings,
                               apr_pool_t *result) IDV_CHECKED;

#endif
