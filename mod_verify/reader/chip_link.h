/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_READER_CHIP_LINK_H
#define IDV_READER_CHIP_LINK_H

/*
 * The link to a chip on a PC/SC reader: sends commands and receives responses,
 * plain at first and in a secure channel (methods/passport/secure_messaging.h)
 * once access was gained.
 *
 * Memory: the given pool; with it the link is closed and its keys are wiped.
 * Threads: one. Failures: internal errors with a text for the operator, without
 * any data that was read.
 */
#include "methods/passport/secure_messaging.h"

#define IDV_CHIP_GOOD 0x9000 /* the status of a successful command */

typedef struct idv_chip_link_t idv_chip_link_t;

/* Waits at most SECONDS for a chip on READER, or (NULL) on the first reader
 * that has one. */
idv_error_t *idv_chip_link_open(const char *reader, int seconds,
                                idv_chip_link_t **link,
                                apr_pool_t *pool) IDV_CHECKED;

/* Sends COMMAND unchanged. */
idv_error_t *idv_chip_link_transmit(idv_chip_link_t *link, idv_bytes_t command,
                                    idv_bytes_t *response,
                                    apr_pool_t *pool) IDV_CHECKED;

/* Sends COMMAND, through the secure channel if there is one. DATA is the
 * response without its STATUS. */
idv_error_t *idv_chip_link_send(idv_chip_link_t *link,
                                const idv_chip_apdu_t *command,
                                idv_bytes_t *data, int *status,
                                apr_pool_t *pool) IDV_CHECKED;

/* Protects everything sent from now on by CHANNEL, which is copied. */
void idv_chip_link_secure(idv_chip_link_t *link,
                          const idv_secure_channel_t *channel);

#endif
