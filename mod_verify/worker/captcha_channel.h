/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_WORKER_CAPTCHA_CHANNEL_H
#define IDV_WORKER_CAPTCHA_CHANNEL_H

/*
 * How a thread of a child has a captcha token checked without speaking to the
 * provider itself: it asks the watchdog over a local socket and waits for the
 * one byte of the verdict, never longer than its deadline.
 *
 * The socket listens from the start of the server process on, under a name
 * that the kernel gives out (Linux' abstract namespace), so no file has to be
 * placed, and children of an older generation reach the new watchdog. Who asks
 * must have the watchdog's own user id.
 *
 * A question is one packet: the client's address, a newline, the token.
 */
#include <sys/socket.h>
#include <sys/un.h>

#include "core/clock.h"
#include "domain/captcha.h"

/* Bytes: any token of the interface in UTF-8, and an address. */
#define IDV_CAPTCHA_QUESTION_MAX 20480

typedef struct {
    int descriptor; /* listens; for the watchdog */
    struct sockaddr_un address;
    socklen_t address_length;
} idv_captcha_channel_t;

/* Opens the listening socket in the parent; who called closes it, if ever. */
idv_error_t *idv_captcha_channel_open(int *descriptor,
                                      apr_pool_t *pool) IDV_CHECKED;

/* The channel of such a socket. */
idv_error_t *idv_captcha_channel_of(int descriptor,
                                    idv_captcha_channel_t *channel,
                                    apr_pool_t *pool) IDV_CHECKED;

/* Asks and waits at most WAIT milliseconds. No answer is IDV_CAPTCHA_FAILED. */
idv_captcha_verdict_t idv_captcha_ask(const idv_captcha_channel_t *channel,
                                      const char *token, const char *remote_ip,
                                      idv_time_t wait, apr_pool_t *pool);

#endif
