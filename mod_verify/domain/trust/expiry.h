/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_DOMAIN_TRUST_EXPIRY_H
#define IDV_DOMAIN_TRUST_EXPIRY_H

/*
 * What ends by itself unless somebody renews it: editions of trust lists,
 * certificates in these, and certificates as which wallets are asked. verifyctl
 * shows how each stands, and the watchdog tells of them before and after their
 * end.
 *
 * Threads: pure. Nothing fails.
 */
#include "core/clock.h"

/* How long before an end it is told of, at most. */
#define IDV_EXPIRY_LIST_NOTICE (3 * IDV_DAY)
#define IDV_EXPIRY_CERTIFICATE_NOTICE (30 * IDV_DAY)

typedef enum {
    IDV_EXPIRY_CURRENT,
    IDV_EXPIRY_DUE,    /* ends soon */
    IDV_EXPIRY_OVERDUE /* has ended */
} idv_expiry_state_t;

/* "current", "due", "overdue". */
const char *idv_expiry_state_value(idv_expiry_state_t state);

/* An edition of a list of ISSUED (0: not stated) whose publisher promised the
 * next for NEXT_UPDATE (0: did not): due three days before, or in the second half
 * of its time, whichever is later. */
idv_expiry_state_t idv_expiry_of_list(idv_time_t issued, idv_time_t next_update,
                                      idv_time_t now);

/* A certificate that holds until NOT_AFTER: due 30 days before. */
idv_expiry_state_t idv_expiry_of_certificate(idv_time_t not_after,
                                             idv_time_t now);

#endif
