/* SPDX-License-Identifier: Apache-2.0 */
#include "worker/captcha_channel.h"

#include <errno.h>
#include <poll.h>
#include <string.h>
#include <unistd.h>

#include <apr_strings.h>

#define WAITING 128 /* questions that the kernel keeps for the watchdog */

idv_error_t *idv_captcha_channel_open(int *descriptor, apr_pool_t *pool)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    int fd = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);

    if (fd < 0)
        return idv_error_apr(pool, errno, "opening the captcha channel");
    /* An address of nothing but the family has the kernel choose a name. */
    if (bind(fd, (struct sockaddr *)&address, sizeof(sa_family_t)) < 0
        || listen(fd, WAITING) < 0) {
        int cause = errno;

        close(fd);
        return idv_error_apr(pool, cause, "listening on the captcha channel");
    }
    *descriptor = fd;
    return NULL;
}

idv_error_t *idv_captcha_channel_of(int descriptor,
                                    idv_captcha_channel_t *channel,
                                    apr_pool_t *pool)
{
    channel->descriptor = descriptor;
    channel->address_length = sizeof(channel->address);
    if (getsockname(descriptor, (struct sockaddr *)&channel->address,
                    &channel->address_length) < 0)
        return idv_error_apr(pool, errno, "naming the captcha channel");
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
