/* SPDX-License-Identifier: Apache-2.0 */
#include "worker/captcha_channel.h"

#include <errno.h>
#include <poll.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>

#include <apr_strings.h>

#define WAITING 128 /* questions that the kernel keeps for the watchdog */

static apr_status_t close_descriptor(void *baton)
{
    close((int)(intptr_t)baton);
    return APR_SUCCESS;
}

idv_error_t *idv_captcha_channel_open(idv_captcha_channel_t *channel,
                                      apr_pool_t *pool)
{
    int fd = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);

    if (fd < 0)
        return idv_error_apr(pool, errno, "opening the captcha channel");
    apr_pool_cleanup_register(pool, (void *)(intptr_t)fd, close_descriptor,
                              apr_pool_cleanup_null);
    channel->descriptor = fd;
    channel->address.sun_family = AF_UNIX;
    /* An address of nothing but the family has the kernel choose a name. */
    if (bind(fd, (struct sockaddr *)&channel->address, sizeof(sa_family_t)) < 0)
        return idv_error_apr(pool, errno, "naming the captcha channel");
    channel->address_length = sizeof(channel->address);
    if (getsockname(fd, (struct sockaddr *)&channel->address,
                    &channel->address_length) < 0
        || listen(fd, WAITING) < 0)
        return idv_error_apr(pool, errno, "listening on the captcha channel");
    return NULL;
}

static idv_captcha_verdict_t await(int fd, idv_time_t deadline)
{
    char verdict;

    for (;;) {
        struct pollfd ready = {.fd = fd, .events = POLLIN};
        idv_time_t left = deadline - idv_time_now();
        int count = left > 0 ? poll(&ready, 1, (int)left) : 0;

        if (count < 0 && errno == EINTR)
            continue;
        if (count <= 0 || recv(fd, &verdict, 1, MSG_DONTWAIT) != 1
            || verdict < 0 || verdict > IDV_CAPTCHA_FAILED)
            return IDV_CAPTCHA_FAILED;
        return (idv_captcha_verdict_t)verdict;
    }
}

idv_captcha_verdict_t idv_captcha_ask(const idv_captcha_channel_t *channel,
                                      const char *token, const char *remote_ip,
                                      idv_time_t wait, apr_pool_t *pool)
{
    const char *question = apr_pstrcat(pool, remote_ip, "\n", token, NULL);
    idv_captcha_verdict_t verdict = IDV_CAPTCHA_FAILED;
    size_t length = strlen(question);
    int fd = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);

    if (fd < 0)
        return IDV_CAPTCHA_FAILED;
    /* Neither waits: a full queue is no answer, and so is a full buffer. */
    if (length <= IDV_CAPTCHA_QUESTION_MAX
        && connect(fd, (const struct sockaddr *)&channel->address,
                   channel->address_length) == 0
        && send(fd, question, length, MSG_NOSIGNAL) == (ssize_t)length)
        verdict = await(fd, idv_time_now() + wait);
    close(fd);
    return verdict;
}
