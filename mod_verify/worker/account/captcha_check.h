/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_WORKER_ACCOUNT_CAPTCHA_CHECK_H
#define IDV_WORKER_ACCOUNT_CAPTCHA_CHECK_H

/*
 * Checks captcha tokens. A thread of a child must not contact the provider
 * itself; it asks the watchdog over a local socket and waits, until its
 * deadline, for the one-byte verdict. The watchdog asks the provider and
 * returns the verdict.
 *
 * The channel: its socket listens from the start of the server process under a
 * name assigned by the kernel (Linux' abstract namespace), so no file is
 * needed, and children of an older generation reach the new watchdog. A client
 * must have the watchdog's user id. A question is one packet: the client's
 * address, a newline, the token.
 *
 * The checker: at most IDV_CAPTCHA_CHECKS_MAX checks run, each for at most the
 * configured time; the connection of a further one is closed at once. Nothing
 * is stored: if the watchdog dies, open questions get no answer. Every failure
 * is the verdict IDV_CAPTCHA_FAILED.
 *
 * Threads: any thread of any child may call idv_captcha_ask(); the checker
 * belongs to the watchdog's loop. Memory: the checker's is that of the
 * watchdog's process; a check has its own pool, whose secrets are wiped.
 */
#include <sys/socket.h>
#include <sys/un.h>

#include "core/clock.h"
#include "domain/account/captcha.h"

/* Bytes: any token that the API accepts, in UTF-8, and an address. */
#define IDV_CAPTCHA_QUESTION_MAX 20480

#define IDV_CAPTCHA_CHECKS_MAX 64

typedef struct {
    int descriptor; /* listening socket; for the watchdog */
    struct sockaddr_un address;
    socklen_t address_length;
} idv_captcha_channel_t;

/* Opens the listening socket in the parent; closing it is up to the caller. */
idv_error_t *idv_captcha_channel_open(int *descriptor,
                                      apr_pool_t *pool) IDV_CHECKED;

/* The channel of a listening socket. */
idv_error_t *idv_captcha_channel_of(int descriptor,
                                    idv_captcha_channel_t *channel,
                                    apr_pool_t *pool) IDV_CHECKED;

/* In a child: asks and waits at most WAIT milliseconds. Without an answer
 * IDV_CAPTCHA_FAILED. */
idv_captcha_verdict_t idv_captcha_ask(const idv_captcha_channel_t *channel,
                                      const char *token, const char *remote_ip,
                                      idv_time_t wait, apr_pool_t *pool);

/* --- the watchdog's side --- */

struct idv_worker_t;
typedef struct idv_captcha_checker_t idv_captcha_checker_t;

/* Accepts questions from CHANNEL; the configuration must have a provider. */
idv_error_t *idv_captcha_checker_create(struct idv_worker_t *worker,
                                        const idv_captcha_channel_t *channel,
                                        idv_captcha_checker_t **checker,
                                        apr_pool_t *pool) IDV_CHECKED;

/* Accepts no more questions; running checks continue. */
void idv_captcha_checker_stop(idv_captcha_checker_t *checker);

#endif
