/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Names of receivers, with a getaddrinfo() of the test's own: names that begin
 * with "hang" hang until the test lets them fail.
 */
#include "unit/unit.h"

#include <arpa/inet.h>
#include <netdb.h>
#include <poll.h>
#include <pthread.h>
#include <stdio.h>

#include "out/lookup_queue.h"
#include "out/name_table.h"

#define HANGING 64
#define DEADLINE 20000 /* ms, of what ought to happen at once */

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t released = PTHREAD_COND_INITIALIZER;
static int hanging, lookups;

/* Threads of an earlier test may still be looking up. */
static int count_lookups(void)
{
    int count;

    pthread_mutex_lock(&mutex);
    count = lookups;
    pthread_mutex_unlock(&mutex);
    return count;
}

static void forget_lookups(void)
{
    pthread_mutex_lock(&mutex);
    lookups = 0;
    pthread_mutex_unlock(&mutex);
}

static void hang(void)
{
    while (hanging)
        pthread_cond_wait(&released, &mutex);
}

static void let_go(void)
{
    pthread_mutex_lock(&mutex);
    hanging = 0;
    pthread_cond_broadcast(&released);
    pthread_mutex_unlock(&mutex);
}

int getaddrinfo(const char *host, const char *service,
                const struct addrinfo *hints, struct addrinfo **answers)
{
    struct {
        struct addrinfo answer;
        struct sockaddr_in address;
    } * one;
    int hangs = strncmp(host, "hang", 4) == 0;

    (void)service;
    (void)hints;
    pthread_mutex_lock(&mutex);
    lookups++;
    if (hangs)
        hang();
    pthread_mutex_unlock(&mutex);
    if (hangs)
        return EAI_AGAIN;
    one = calloc(1, sizeof(*one));
    if (!one)
        abort();
    one->address.sin_family = AF_INET;
    one->address.sin_addr.s_addr = htonl(0x08080808);
    one->answer.ai_addr = (struct sockaddr *)&one->address;
    one->answer.ai_addrlen = sizeof(one->address);
    *answers = &one->answer;
    return 0;
}

void freeaddrinfo(struct addrinfo *answers)
{
    free(answers);
}

static void known(void *baton, const idv_known_name_t *name)
{
    *(idv_http_result_t *)baton = name->result;
}

/* Collects until *RESULT is known, or nothing comes any more. */
static void collect(idv_name_table_t *names, const idv_http_result_t *result)
{
    while ((int)*result < 0) {
        struct pollfd fds[IDV_NAME_TABLE_DESCRIPTORS];

        for (int i = 0; i < IDV_NAME_TABLE_DESCRIPTORS; i++)
            fds[i] =
                (struct pollfd){idv_name_table_descriptor(names, i), POLLIN, 0};
        if (poll(fds, IDV_NAME_TABLE_DESCRIPTORS, DEADLINE) <= 0)
            return;
        for (int i = 0; i < IDV_NAME_TABLE_DESCRIPTORS; i++)
            if (fds[i].revents)
                assert_true(idv_name_table_collect(names, fds[i].fd));
    }
}

/* What HOST turns out to be at NOW; -1: that is not known in time. */
static int result_of(idv_name_table_t *names, const char *host, idv_time_t now)
{
    const idv_name_question_t question = {host, "org_other", now};
    idv_http_result_t result = (idv_http_result_t)-1;
    idv_name_waiter_t waiter = {.known = known, .baton = &result};
    const idv_known_name_t *name =
        idv_name_table_find(names, &question, &waiter);

    if (name)
        return (int)name->result;
    collect(names, &result);
    idv_name_waiter_forget(&waiter);
    return (int)result;
}

static idv_name_table_t *make_names(apr_pool_t *pool)
{
    idv_name_table_t *names;

    assert_null(idv_name_table_create(NULL, &names, pool));
    forget_lookups();
    return names;
}

static void begin_hanging(idv_name_table_t *names, idv_name_waiter_t *waiters,
                          idv_http_result_t *result)
{
    pthread_mutex_lock(&mutex);
    hanging = 1;
    pthread_mutex_unlock(&mutex);
    for (int i = 0; i < HANGING; i++) {
        char host[32];
        const idv_name_question_t question = {host, "org_hanging",
                                              idv_time_now()};

        snprintf(host, sizeof(host), "hang%d.example", i);
        waiters[i] = (idv_name_waiter_t){.known = known, .baton = result};
        assert_null(idv_name_table_find(names, &question, &waiters[i]));
    }
}

static void proven_names_wait_for_no_others(void **state)
{
    idv_name_table_t *names = make_names(*state);
    idv_name_waiter_t waiters[HANGING];
    idv_http_result_t result = (idv_http_result_t)-1;
    idv_time_t now = idv_time_now(), later = now + 11 * IDV_MINUTE;

    assert_int_equal(result_of(names, "good.example", now), IDV_HTTP_OK);
    begin_hanging(names, waiters, &result);
    assert_int_equal(result_of(names, "good.example", later), IDV_HTTP_OK);
    assert_int_equal(count_lookups() >= 2, 1); /* it was looked up again */
    assert_int_equal(result_of(names, "192.0.2.1", now), IDV_HTTP_OK);
    assert_int_equal((int)result, -1); /* and they still hang */
    let_go();
    collect(names, &result);
    assert_int_equal(result, IDV_HTTP_DNS_ERROR);
    for (int i = 0; i < HANGING; i++)
        idv_name_waiter_forget(&waiters[i]);
}

/* COUNT of them have begun, and no more. */
static void wait_for_lookups(int count)
{
    for (int i = 0; i < DEADLINE && count_lookups() < count; i++)
        poll(NULL, 0, 1);
    assert_int_equal(count_lookups(), count);
}

/* Right after a start, when no name has proved anything. */
static void new_names_wait_for_no_other_owner(void **state)
{
    idv_name_table_t *names = make_names(*state);
    idv_name_waiter_t waiters[HANGING], shared;
    idv_http_result_t result = (idv_http_result_t)-1;
    idv_http_result_t shared_result = (idv_http_result_t)-1;
    idv_time_t now = idv_time_now();
    const idv_name_question_t of_both = {"shared.example", "org_hanging", now};

    begin_hanging(names, waiters, &result);
    shared = (idv_name_waiter_t){.known = known, .baton = &shared_result};
    assert_null(idv_name_table_find(names, &of_both, &shared));
    assert_int_equal(result_of(names, "good.example", now), IDV_HTTP_OK);
    assert_int_equal(result_of(names, "better.example", now), IDV_HTTP_OK);
    /* Who asks for it in its own turn has it looked up for all. */
    assert_int_equal(result_of(names, "shared.example", now), IDV_HTTP_OK);
    assert_int_equal(shared_result, IDV_HTTP_OK);
    assert_int_equal((int)result, -1); /* the others still hang */
    wait_for_lookups(2 + 3);
    let_go();
    collect(names, &result);
    for (int i = 0; i < HANGING; i++)
        idv_name_waiter_forget(&waiters[i]);
}

/* Each gets its turn once those before it have ended, but for those that nobody
 * waits for any more. */
static void the_rest_follows(void **state)
{
    idv_name_table_t *names = make_names(*state);
    idv_name_waiter_t waiters[HANGING];
    idv_http_result_t result = (idv_http_result_t)-1;
    const int given_up = 10;

    begin_hanging(names, waiters, &result);
    for (int i = HANGING - given_up; i < HANGING; i++)
        idv_name_waiter_forget(&waiters[i]);
    let_go();
    for (int i = 0; i < HANGING - given_up; i++)
        while (waiters[i].link) {
            result = (idv_http_result_t)-1;
            collect(names, &result);
            assert_int_equal(result, IDV_HTTP_DNS_ERROR);
        }
    assert_int_equal(count_lookups(), HANGING - given_up);
}

static void too_many_cannot_be_resolved(void **state)
{
    idv_name_table_t *names = make_names(*state);
    idv_name_waiter_t waiters[IDV_LOOKUPS_WAITING + 2], last;
    idv_http_result_t result = (idv_http_result_t)-1;
    const idv_known_name_t *name;
    char host[32];
    idv_name_question_t question = {host, "org_hanging", idv_time_now()};

    pthread_mutex_lock(&mutex);
    hanging = 1;
    pthread_mutex_unlock(&mutex);
    for (int i = 0; i < IDV_LOOKUPS_WAITING + 2; i++) {
        snprintf(host, sizeof(host), "hang%d.example", i);
        waiters[i] = (idv_name_waiter_t){.known = known, .baton = &result};
        assert_null(idv_name_table_find(names, &question, &waiters[i]));
    }
    snprintf(host, sizeof(host), "hanglast.example");
    last = (idv_name_waiter_t){0};
    name = idv_name_table_find(names, &question, &last);
    assert_non_null(name);
    assert_int_equal(name->result, IDV_HTTP_DNS_ERROR);
    assert_int_equal(result_of(names, "good.example", question.now),
                     IDV_HTTP_OK);
    let_go();
    for (int i = 0; i < IDV_LOOKUPS_WAITING + 2; i++)
        idv_name_waiter_forget(&waiters[i]);
}

static void remembers_for_some_seconds(void **state)
{
    idv_name_table_t *names = make_names(*state);
    idv_time_t now = idv_time_now();

    assert_int_equal(result_of(names, "good.example", now), IDV_HTTP_OK);
    assert_int_equal(result_of(names, "good.example", now + 10 * IDV_SECOND),
                     IDV_HTTP_OK);
    assert_int_equal(count_lookups(), 1);
    assert_int_equal(result_of(names, "good.example", now + IDV_MINUTE),
                     IDV_HTTP_OK);
    assert_int_equal(count_lookups(), 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        pooled_test(proven_names_wait_for_no_others),
        pooled_test(new_names_wait_for_no_other_owner),
        pooled_test(the_rest_follows),
        pooled_test(too_many_cannot_be_resolved),
        pooled_test(remembers_for_some_seconds),
    };

    return unit_run("out/name_table", tests);
}
