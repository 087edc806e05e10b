/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_WORKER_CAPTCHA_CHECKER_H
#define IDV_WORKER_CAPTCHA_CHECKER_H

/*
 * The watchdog's side of captcha checks: takes the questions of the channel,
 * asks the provider, gives the verdict back.
 *
 * At most IDV_CAPTCHA_CHECKS_MAX are under way, each for at most the configured
 * time; one more is answered at once that it failed. Nothing is kept: a
 * watchdog that dies leaves its askers without an answer, which is a failure.
 *
 * Threads and memory: see worker.h.
 */
#include "worker/captcha_channel.h"
#include "worker/worker.h"

#define IDV_CAPTCHA_CHECKS_MAX 64

typedef struct idv_captcha_checker_t idv_captcha_checker_t;

/* Takes questions from CHANNEL; the configuration has to have a provider. */
idv_error_t *idv_captcha_checker_create(idv_worker_t *worker,
                                        const idv_captcha_channel_t *channel,
                                        idv_captcha_checker_t **checker,
                                        apr_pool_t *pool) IDV_CHECKED;

/* Takes no more questions. */
void idv_captcha_checker_stop(idv_captcha_checker_t *checker);

#endif
