/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The floor of webhooks: libcurl and nothing else on one thread, POSTs over
 * kept connections.
 *
 *     sender URL CA BODY_BYTES COUNT CONNECTIONS
 *
 * Prints "<deliveries> <failed> <microseconds> <CPU microseconds>".
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#include <curl/curl.h>

typedef struct {
    const char *url, *ca;
    char *body;
    long body_bytes;
    struct curl_slist *headers;
    CURLM *multi;
    int poller;
    long long due; /* when libcurl wants to be called; -1: never */
    long unsent, open, done, failed;
} sender_t;

static long long wall(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec * 1000000LL + now.tv_nsec / 1000;
}

static size_t ignore(char *data, size_t size, size_t count, void *baton)
{
    (void)data;
    (void)baton;
    return size * count;
}

static int on_socket(CURL *easy, curl_socket_t fd, int what, void *baton,
                     void *known)
{
    sender_t *sender = baton;
    struct epoll_event event = {.data.fd = fd};

    (void)easy;
    if (what == CURL_POLL_REMOVE) {
        epoll_ctl(sender->poller, EPOLL_CTL_DEL, fd, NULL);
        return 0;
    }
    event.events = (what & CURL_POLL_IN ? EPOLLIN : 0u)
        | (what & CURL_POLL_OUT ? EPOLLOUT : 0u);
    epoll_ctl(sender->poller, known ? EPOLL_CTL_MOD : EPOLL_CTL_ADD, fd,
              &event);
    curl_multi_assign(sender->multi, fd, sender);
    return 0;
}

static int on_timer(CURLM *multi, long timeout_ms, void *baton)
{
    (void)multi;
    ((sender_t *)baton)->due =
        timeout_ms < 0 ? -1 : wall() + timeout_ms * 1000;
    return 0;
}

static void send_one(sender_t *sender)
{
    CURL *easy = curl_easy_init();

    curl_easy_setopt(easy, CURLOPT_URL, sender->url);
    curl_easy_setopt(easy, CURLOPT_CAINFO, sender->ca);
    curl_easy_setopt(easy, CURLOPT_POSTFIELDS, sender->body);
    curl_easy_setopt(easy, CURLOPT_POSTFIELDSIZE, sender->body_bytes);
    curl_easy_setopt(easy, CURLOPT_HTTPHEADER, sender->headers);
    curl_easy_setopt(easy, CURLOPT_WRITEFUNCTION, ignore);
    curl_easy_setopt(easy, CURLOPT_NOSIGNAL, 1L);
    curl_easy_setopt(easy, CURLOPT_PROXY, "");
    curl_multi_add_handle(sender->multi, easy);
    sender->unsent--;
    sender->open++;
}

static void collect(sender_t *sender)
{
    CURLMsg *message;
    int left;

    while ((message = curl_multi_info_read(sender->multi, &left))) {
        CURL *easy = message->easy_handle;
        long status = 0;

        curl_easy_getinfo(easy, CURLINFO_RESPONSE_CODE, &status);
        if (message->data.result != CURLE_OK || status != 204)
            sender->failed++;
        curl_multi_remove_handle(sender->multi, easy);
        curl_easy_cleanup(easy);
        sender->open--;
        sender->done++;
        if (sender->unsent)
            send_one(sender);
    }
}

/* Milliseconds until then, rounded up. */
static int wait_of(const sender_t *sender)
{
    long long rest = sender->due - wall();

    if (sender->due < 0)
        return -1;
    return rest <= 0 ? 0 : (int)((rest + 999) / 1000);
}

static void run(sender_t *sender)
{
    while (sender->open) {
        struct epoll_event events[256];
        int running;
        int ready = epoll_wait(sender->poller, events, 256, wait_of(sender));

        for (int i = 0; i < ready; i++) {
            int mask = (events[i].events & EPOLLIN ? CURL_CSELECT_IN : 0)
                | (events[i].events & EPOLLOUT ? CURL_CSELECT_OUT : 0)
                | (events[i].events & EPOLLERR ? CURL_CSELECT_ERR : 0);

            curl_multi_socket_action(sender->multi, events[i].data.fd, mask,
                                     &running);
        }
        if (sender->due >= 0 && wall() >= sender->due) {
            sender->due = -1; /* told anew when there is another */
            curl_multi_socket_action(sender->multi, CURL_SOCKET_TIMEOUT, 0,
                                     &running);
        }
        collect(sender);
    }
}

static long long cpu(void)
{
    struct rusage usage;

    getrusage(RUSAGE_SELF, &usage);
    return (usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) * 1000000LL
        + usage.ru_utime.tv_usec + usage.ru_stime.tv_usec;
}

int main(int count, char **arguments)
{
    static const char *const headers[] = {
        "Content-Type: application/json",
        ("Service-Signature: t=1700000000,v1=0123456789abcdef0123456789abcdef"
         "0123456789abcdef0123456789abcdef"),
        "webhook-id: evt_00000000000000000000000000",
        "webhook-timestamp: 1700000000",
        "webhook-signature: v1,MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY=",
    };
    sender_t sender = {.due = -1};
    long connections;
    long long begin;

    if (count != 6) {
        fprintf(stderr, "usage: sender URL CA BODY_BYTES COUNT CONNECTIONS\n");
        return 2;
    }
    sender.url = arguments[1];
    sender.ca = arguments[2];
    sender.body_bytes = strtol(arguments[3], NULL, 10);
    sender.unsent = strtol(arguments[4], NULL, 10);
    connections = strtol(arguments[5], NULL, 10);
    sender.body = malloc((size_t)sender.body_bytes + 1);
    if (!sender.body || curl_global_init(CURL_GLOBAL_ALL))
        return 1;
    memset(sender.body, 'x', (size_t)sender.body_bytes);
    for (size_t i = 0; i < sizeof(headers) / sizeof(*headers); i++)
        sender.headers = curl_slist_append(sender.headers, headers[i]);
    sender.poller = epoll_create1(EPOLL_CLOEXEC);
    sender.multi = curl_multi_init();
    curl_multi_setopt(sender.multi, CURLMOPT_SOCKETFUNCTION, on_socket);
    curl_multi_setopt(sender.multi, CURLMOPT_SOCKETDATA, &sender);
    curl_multi_setopt(sender.multi, CURLMOPT_TIMERFUNCTION, on_timer);
    curl_multi_setopt(sender.multi, CURLMOPT_TIMERDATA, &sender);
    curl_multi_setopt(sender.multi, CURLMOPT_MAXCONNECTS, connections);
    begin = wall();
    while (connections-- > 0 && sender.unsent)
        send_one(&sender);
    run(&sender);
    printf("%ld %ld %lld %lld\n", sender.done, sender.failed, wall() - begin,
           cpu());
    curl_multi_cleanup(sender.multi);
    curl_slist_free_all(sender.headers);
    free(sender.body);
    return 0;
}
