/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A name server of the tests' own, in a library that httpd is started with
 * (LD_PRELOAD): names below ".names.test" are 127.0.0.1, and while the file
 * that VERIFY_HANGING_NAMES names exists, whoever asks for one of them waits,
 * half a minute at most, as one waits for a server that does not answer. Each
 * question is a line of that file. All other names are the system's matter.
 */
#include <dlfcn.h>
#include <fcntl.h>
#include <netdb.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define DOMAIN ".names.test"
#define LOOKS 600 /* at the file */
#define PAUSE 50  /* ms between them */

static int is_ours(const char *host)
{
    size_t length = host ? strlen(host) : 0;

    return length > strlen(DOMAIN)
        && strcmp(host + length - strlen(DOMAIN), DOMAIN) == 0;
}

static void note(const char *path, const char *host)
{
    char line[300];
    int length = snprintf(line, sizeof(line), "%s\n", host);
    int fd = open(path, O_WRONLY | O_APPEND | O_CLOEXEC);

    if (fd < 0)
        return;
    if (write(fd, line, (size_t)length) != length)
        abort();
    close(fd);
}

/* Non-zero when nobody answered in half a minute. */
static int hang(const char *host)
{
    const char *path = getenv("VERIFY_HANGING_NAMES");
    int looks = 0;

    if (!path)
        return 0;
    note(path, host);
    while (looks < LOOKS && access(path, F_OK) == 0) {
        poll(NULL, 0, PAUSE);
        looks++;
    }
    return looks == LOOKS;
}

int getaddrinfo(const char *host, const char *service,
                const struct addrinfo *hints, struct addrinfo **answers)
{
    int (*systems)(const char *, const char *, const struct addrinfo *,
                   struct addrinfo **);

    *(void **)&systems = dlsym(RTLD_NEXT, "getaddrinfo");
    if (!is_ours(host))
        return systems(host, service, hints, answers);
    return hang(host) ? EAI_AGAIN
                      : systems("127.0.0.1", service, hints, answers);
}
