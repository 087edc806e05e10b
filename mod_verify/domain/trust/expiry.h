/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_DOMAIN_TRUST_EXPIRY_H
#define IDV_DOMAIN_TRUST_EXPIRY_H

/*
 * Expiry of things that need renewal: editions of trust lists, their
 * certificates, and the certificates of reader identities. verifyctl shows
 * their states; the watchdog reports them before and after their end.
 *
 * Threads: pure. Failures: none.
 */
#include "core/clock.h"

/* Maximum advance notice before an end. */
#define IDV_EXPIRY_LIST_NOTICE (3 * IDV_DAY)
#define IDV_EXPIRY_CERTIFICATE_NOTICE (30 * IDV_DAY)

typedef enum {
    IDV_EXPIRY_CURRENT,
    IDV_EXPIRY_DUE,    /* ends soon */
    IDV_EXPIRY_OVERDUE /* has ended */
} idv_expiry_state_t;

/* "current", "due", "overdue". */
const char *idv_expiry_state_value(idv_expiry_state_t state);

/* State of a list edition issued at ISSUED (0: not stated) whose publisher
 * announced the next for NEXT_UPDATE (0: none): due three days before, or from
 * the second half of its term, whichever is later. */
idv_expiry_state_t idv_expiry_of_list(idv_time_t issued, idv_time_t next_update,
                                      idv_time_t now);

/* State of a certificate valid until NOT_AFTER: due 30 days before. */
idv_expiry_state_t idv_expiry_of_certificate(idv_time_t not_after,
                                             idv_time_t now);

#endif
