/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_WORKER_CAPTCHA_CHECK_H
#define IDV_WORKER_CAPTCHA_CHECK_H

/*
 * How a captcha token is checked: a thread of a child, which must not speak to
 * the provider itself, asks the watchdog over a local socket and waits for the
 * one byte of the verdict, never longer than its deadline. The watchdog asks
 * the provider and gives the verdict back.
 *
 * The channel. Its socket listens from the start of the server process on,
 * under a name that the kernel gives out (Linux' abstract namespace): no file
 * has to be placed, and children of an older generation reach the new watchdog.
 * Who asks must have the watchdog's own user id. A question is one packet: the
 * client's address, a newline, the token.
 *
 * The checker. At most IDV_CAPTCHA_CHECKS_MAX checks are under way, each for at
 * most the configured time; one more is answered at once by the end of its
 * connection. Nothing is kept: a watchdog that dies leaves its askers without
 * an answer. Every failure is the verdict IDV_CAPTCHA_FAILED.
 *
 * Threads: idv_captcha_ask() may be called by every thread of every child, the
 * checker belongs to the watchdog's loop. Memory: the checker's is that of the
 * watchdog's process; a check has a pool of its own, whose secrets are wiped.
 */
#include <sys/socket.h>
#include <sys/un.h>

#include "core/clock.h"
#include "domain/account/captcha.h"

/* Bytes: any token of the interface in UTF-8, and an address. */
#define IDV_CAPTCHA_QUESTION_MAX 20480

#define IDV_CAPTCHA_CHECKS_MAX 64

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

/* In a child: asks and waits at most WAIT milliseconds. No answer is
 * IDV_CAPTCHA_FAILED. */
idv_captcha_verdict_t idv_captcha_ask(const idv_captcha_channel_t *channel,
                                      const char *token, const char *remote_ip,
                                      idv_time_t wait, apr_pool_t *pool);

/* --- the watchdog's side --- */

struct idv_worker_t;
typedef struct idv_captcha_checker_t idv_captcha_checker_t;

/* Takes questions from CHANNEL; the configuration has to have a provider. */
idv_error_t *idv_captcha_checker_create(struct idv_worker_t *worker,
                                        const idv_captcha_channel_t *channel,
                                        idv_captcha_checker_t **checker,
                                        apr_pool_t *pool) IDV_CHECKED;

/* Takes no more questions; checks under way go on. */
void idv_captcha_checker_stop(idv_captcha_checker_t *checker);

#endif
