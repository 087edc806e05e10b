/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_METHODS_PASSPORT_PASSPORT_READING_H
#define IDV_METHODS_PASSPORT_PASSPORT_READING_H

/*
 * The reading of a passport's chip: what an app sent, and what the server knows
 * of its session, in; findings out. It runs in the sandboxed analyzer, once for
 * each submission, and makes every check but those that need the session's rule
 * (passport_decision.h).
 *
 * What the caller gives, and has to see to:
 * - The dump of this session (chip_dump.h).
 * - The CSCAs that the organization trusts. Their certificates are public.
 * - The challenge that the server made for this session: eight random bytes,
 *   given to one app once, forgotten after five minutes and after the first
 *   submission. Without it no signature of a challenge proves anything.
 * - The seed and the answers of the relay, where there was one
 *   (chip_authentication.h). DG14 is taken out of the dump, whatever the relay
 *   names.
 * - The time, by which of two certificates with one key the valid one is taken
 *   and centuries are settled.
 * - OpenSSL ready for a sandbox (public_key.h), its random generator too, which
 *   blinds what is computed with the relay's key.
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
    idv_bytes_t challenge;         /* the server's; length 0: none was made */
    const idv_chip_relay_t *relay; /* NULL: none was begun */
} idv_passport_evidence_t;

/* Reads the chip. A dump without EF.SOD or DG1, or with a DG1 that is no zone,
 * is not readable and has a hint; whatever else is wrong stands in the checks.
 * Fails only for lack of memory. `milliseconds` is left zero. */
idv_error_t *idv_passport_read(const idv_passport_evidence_t *evidence,
                               idv_passport_findings_t **findings,
                               apr_pool_t *result) IDV_CHECKED;

#endif
