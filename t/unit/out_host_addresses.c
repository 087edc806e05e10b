/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Addresses of a host, with a getaddrinfo() of the test's own that hangs, fails
 * or answers as it is told.
 */
#include "unit/unit.h"

#include <arpa/inet.h>
#include <netdb.h>
#include <netinet/in.h>
#include <pthread.h>

#include "out/host_addresses.h"

#define PATIENCE apr_time_from_sec(60)

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int hanging, failing;
static int begun, ended; /* look-ups */
static uint32_t address; /* of the host, in the order of this machine */

int getaddrinfo(const char *host, const char *service,
                const struct addrinfo *hints, struct addrinfo **answers)
{
    struct {
        struct addrinfo answer;
        struct sockaddr_in address;
    } *one = calloc(1, sizeof(*one));
    int fails;

    if (!one)
        abort();
    assert_string_equal(host, "redis.example");
    assert_string_equal(service, "6379");
    assert_int_equal(hints->ai_socktype, SOCK_STREAM);
    pthread_mutex_lock(&mutex);
    begun++;
    pthread_cond_broadcast(&changed);
    while (hanging)
        pthread_cond_wait(&changed, &mutex);
    ended++;
    fails = failing;
    one->address.sin_family = AF_INET;
    one->address.sin_addr.s_addr = htonl(address);
    pthread_cond_broadcast(&changed);
    pthread_mutex_unlock(&mutex);
    if (fails) {
        free(one);
        return EAI_AGAIN;
    }
    one->answer.ai_addr = (struct sockaddr *)&one->address;
    one->answer.ai_addrlen = sizeof(one->address);
    *answers = &one->answer;
    return 0;
}

void freeaddrinfo(struct addrinfo *answers)
{
    free(answers);
}

static void set(int hangs, int fails, uint32_t answer)
{
    pthread_mutex_lock(&mutex);
    hanging = hangs;
    failing = fails;
    address = answer;
    pthread_cond_broadcast(&changed);
    pthread_mutex_unlock(&mutex);
}

static void wait_for(const int *counter, int count)
{
    pthread_mutex_lock(&mutex);
    while (*counter < count)
        pthread_cond_wait(&changed, &mutex);
    pthread_mutex_unlock(&mutex);
}

static idv_host_addresses_t *create(apr_time_t now, apr_pool_t *pool)
{
    idv_host_addresses_t *addresses;

    begun = ended = 0;
    assert_null(idv_host_addresses_create("redis.example", "6379", now,
                                          &addresses, pool));
    return addresses;
}

/* The only address that is known at NOW; 0: none. Waits for one when LONG. */
static uint32_t get(idv_host_addresses_t *addresses, apr_time_t now,
                    int is_patient)
{
    idv_host_address_t found[IDV_HOST_MAX_ADDRESSES];
    int count = idv_host_addresses_get(
        addresses, now, apr_time_now() + (is_patient ? PATIENCE : 0), found);

    if (!count)
        return 0;
    assert_int_equal(count, 1);
    assert_int_equal(found[0].length, sizeof(struct sockaddr_in));
    return ntohl(((const struct sockaddr_in *)(const void *)&found[0].address)
                     ->sin_addr.s_addr);
}

static void waits_no_longer_than_told(void **state)
{
    idv_host_addresses_t *addresses;

    set(1, 0, 7);
    addresses = create(0, *state);
    wait_for(&begun, 1);
    assert_int_equal(get(addresses, 1, 0), 0); /* and returns, at that */
    assert_int_equal(get(addresses, 2, 0), 0);
    set(0, 0, 7);
    assert_int_equal(get(addresses, 3, 1), 7);
    assert_int_equal(begun, 1);
}

static void keeps_what_was_known(void **state)
{
    idv_host_addresses_t *addresses;
    apr_time_t now = IDV_HOST_KNOWN_FOR;

    set(0, 0, 7);
    addresses = create(0, *state);
    assert_int_equal(get(addresses, 1, 1), 7);
    assert_int_equal(get(addresses, now - 1, 1), 7);
    assert_int_equal(begun, 1);
    set(1, 0, 8);
    assert_int_equal(get(addresses, now, 1), 7);
    wait_for(&begun, 2);
    /* However long it hangs, one asks, and nobody waits. */
    assert_int_equal(get(addresses, 10 * now, 1), 7);
    set(0, 0, 8);
    wait_for(&ended, 2);
    while (get(addresses, now + 1, 1) != 8)
        sched_yield();
    assert_int_equal(begun, 2);
    /* A failure takes nothing away. */
    set(0, 1, 9);
    assert_int_equal(get(addresses, 3 * now, 1), 8);
    wait_for(&ended, 3);
    assert_int_equal(get(addresses, 3 * now, 1), 8);
}

static void asks_again_what_failed(void **state)
{
    idv_host_addresses_t *addresses;

    set(0, 1, 7);
    addresses = create(0, *state);
    wait_for(&ended, 1);
    assert_int_equal(get(addresses, IDV_HOST_PAUSE - 1, 1), 0);
    assert_int_equal(begun, 1);
    set(0, 0, 7);
    assert_int_equal(get(addresses, IDV_HOST_PAUSE, 1), 7);
}

static void asks_again_what_is_doubted(void **state)
{
    idv_host_addresses_t *addresses;

    set(0, 0, 7);
    addresses = create(0, *state);
    assert_int_equal(get(addresses, 1, 1), 7);
    idv_host_addresses_doubt(addresses);
    set(0, 0, 8);
    assert_int_equal(get(addresses, IDV_HOST_PAUSE - 1, 1), 7);
    assert_int_equal(begun, 1);
    assert_int_equal(get(addresses, IDV_HOST_PAUSE, 1) & ~15U, 0);
    wait_for(&ended, 2);
    while (get(addresses, IDV_HOST_PAUSE, 1) != 8)
        sched_yield();
}

/* The pool ends while a look-up hangs; what is left frees itself. */
static void leaves_a_hanging_lookup(void **state)
{
    apr_pool_t *pool;

    apr_pool_create(&pool, *state);
    set(1, 0, 7);
    create(0, pool);
    wait_for(&begun, 1);
    apr_pool_destroy(pool);
    set(0, 0, 7);
    wait_for(&ended, 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        pooled_test(waits_no_longer_than_told),
        pooled_test(keeps_what_was_known),
        pooled_test(asks_again_what_failed),
        pooled_test(asks_again_what_is_doubted),
        pooled_test(leaves_a_hanging_lookup),
    };

    return unit_run("out/host_addresses", tests);
}
