/* SPDX-License-Identifier: Apache-2.0 */
#include "out/name_table.h"

#include <arpa/inet.h>
#include <netdb.h>
#include <netinet/in.h>
#include <stdlib.h>
#include <string.h>

#include <apr_hash.h>
#include <apr_strings.h>

#include "out/address_guard.h"
#include "out/lookup_queue.h"
#include "out/thread_crew.h"

#define KEPT_GOOD (20 * IDV_SECOND)
#define KEPT_BAD (5 * IDV_SECOND)
#define KEPT_BAD_MAX (2 * IDV_MINUTE)
#define MAX_NAMES 4096   /* known ones at a time; more are forgotten */
#define MAX_ADDRESSES 32 /* of a name; one with more is refused */
#define STACK_SIZE (256 * 1024)

/* A name that has resolved for this long without a failure is proven. A name
 * server that wants to block the proven names' crew must answer for that long
 * each time. */
#define PROVEN_AFTER (10 * IDV_MINUTE)

/* The crews of threads that look names up. */
enum { ANY_NAME, PROVEN_NAME };

static const int crew_threads[IDV_NAME_TABLE_DESCRIPTORS] = {
    [ANY_NAME] = 16,
    [PROVEN_NAME] = 8,
};

typedef enum {
    KNOWN,
    WAITING,  /* for its turn, as long as an exchange waits for it */
    LOOKED_UP /* a thread looks it up at this moment */
} state_t;

typedef struct {
    apr_pool_t *pool; /* of this name alone */
    state_t state;
    int crew;              /* that looks it up */
    idv_time_t good_since; /* of its last success in a row; 0: it failed */
    idv_time_t good_until;
    idv_known_name_t known;
    idv_name_waiter_t *waiters;
} name_t;

struct idv_name_table_t {
    apr_pool_t *pool;
    const apr_array_header_t *allowed;
    idv_thread_crew_t *crews[IDV_NAME_TABLE_DESCRIPTORS];
    idv_lookup_queue_t *queues[IDV_NAME_TABLE_DESCRIPTORS];
    apr_hash_t *by_host;
};

/* One look-up, which a thread of a crew does. */
typedef struct {
    idv_crew_job_t job; /* the first member */
    int failed;         /* no answer, or an empty or too long one */
    int count;
    idv_time_t duration; /* without its wait for a thread */
    struct sockaddr_storage addresses[MAX_ADDRESSES];
    char host[];
} lookup_t;

/* --- on a thread of a crew --- */

static void read_answers(const struct addrinfo *answer, lookup_t *lookup)
{
    lookup->failed = !answer;
    for (; answer; answer = answer->ai_next) {
        if (lookup->count == MAX_ADDRESSES) {
            lookup->failed = 1;
            return;
        }
        memcpy(&lookup->addresses[lookup->count++], answer->ai_addr,
               answer->ai_addrlen);
    }
}

static void look_up(idv_thread_crew_t *crew, idv_crew_job_t *job)
{
    static const struct addrinfo hints = {.ai_family = AF_UNSPEC,
                                          .ai_socktype = SOCK_STREAM};
    lookup_t *lookup = (lookup_t *)job;
    struct addrinfo *answers = NULL;
    idv_time_t begun = idv_time_now();

    lookup->failed = 1;
    if (getaddrinfo(lookup->host, NULL, &hints, &answers) == 0) {
        read_answers(answers, lookup);
        freeaddrinfo(answers);
    }
    lookup->duration = idv_time_now() - begun;
    idv_thread_crew_hand_in(crew, job);
}

static void free_lookup(idv_crew_job_t *job)
{
    free(job);
}

static idv_crew_job_t *create_lookup(const char *host)
{
    lookup_t *lookup = calloc(1, sizeof(*lookup) + strlen(host) + 1);

    if (!lookup)
        abort();
    memcpy(lookup->host, host, strlen(host) + 1);
    return &lookup->job;
}

/* --- what is known of a name --- */

/* The result for an owner with too many waiting names. */
static const idv_known_name_t not_found = {IDV_HTTP_DNS_ERROR, NULL};

static const char *format_address(const struct sockaddr *address,
                                  apr_pool_t *pool)
{
    char text[INET6_ADDRSTRLEN];

    if (address->sa_family == AF_INET6) {
        const struct sockaddr_in6 *ipv6 = (const void *)address;

        inet_ntop(AF_INET6, &ipv6->sin6_addr, text, sizeof(text));
        return apr_pstrcat(pool, "[", text, "]", NULL);
    }
    inet_ntop(AF_INET,
              &((const struct sockaddr_in *)(const void *)address)->sin_addr,
              text, sizeof(text));
    return apr_pstrdup(pool, text);
}

static idv_known_name_t judge(const idv_name_table_t *table,
                              const lookup_t *lookup, apr_pool_t *pool)
{
    idv_known_name_t known = {IDV_HTTP_DNS_ERROR, NULL};

    if (lookup->failed)
        return known;
    known.result = IDV_HTTP_OK;
    for (int i = 0; i < lookup->count; i++) {
        const struct sockaddr *address =
            (const struct sockaddr *)&lookup->addresses[i];

        if (idv_address_refusal(address, table->allowed)) {
            known.result = IDV_HTTP_ADDRESS_FORBIDDEN;
            known.addresses = NULL;
            return known;
        }
        known.addresses = known.addresses
                            ? apr_pstrcat(pool, known.addresses, ",",
                                          format_address(address, pool), NULL)
                            : format_address(address, pool);
    }
    return known;
}

void idv_name_waiter_forget(idv_name_waiter_t *waiter)
{
    if (!waiter->link)
        return;
    *waiter->link = waiter->next;
    if (waiter->next)
        waiter->next->link = waiter->link;
    waiter->link = NULL;
}

static void wait_for(name_t *name, idv_name_waiter_t *waiter)
{
    waiter->next = name->waiters;
    waiter->link = &name->waiters;
    if (waiter->next)
        waiter->next->link = &waiter->next;
    name->waiters = waiter;
}

/* How long a failure is cached: in proportion to the time that the lookup took,
 * because repeating one that fails at once costs little. */
static idv_time_t kept_bad(const lookup_t *lookup)
{
    idv_time_t kept = 6 * lookup->duration;

    return kept < KEPT_BAD     ? KEPT_BAD
         : kept > KEPT_BAD_MAX ? KEPT_BAD_MAX
                               : kept;
}

static void note(name_t *name, const lookup_t *lookup, idv_time_t now)
{
    if (name->known.result != IDV_HTTP_OK) {
        name->good_since = 0;
        name->good_until = now + kept_bad(lookup);
        return;
    }
    if (!name->good_since)
        name->good_since = now;
    name->good_until = now + KEPT_GOOD;
}

static name_t *find_name(const idv_name_table_t *table, const char *host)
{
    return apr_hash_get(table->by_host, host, APR_HASH_KEY_STRING);
}

static int is_wanted(void *baton, const char *host)
{
    const name_t *name = find_name(baton, host);

    return name && name->state == WAITING && name->waiters;
}

/* Hands as many look-ups to CREW as may begin now. */
static void begin_lookups(const idv_name_table_t *table, int crew)
{
    const char *host;

    while ((host = idv_lookup_queue_begin(table->queues[crew]))) {
        find_name(table, host)->state = LOOKED_UP;
        idv_thread_crew_do(table->crews[crew], create_lookup(host));
    }
}

static void on_looked_up(void *baton, idv_crew_job_t *job)
{
    idv_name_table_t *table = baton;
    const lookup_t *lookup = (const lookup_t *)job;
    name_t *name = find_name(table, lookup->host);

    idv_lookup_queue_end(table->queues[name->crew], lookup->host);
    name->state = KNOWN;
    name->known = judge(table, lookup, name->pool);
    note(name, lookup, idv_time_now());
    while (name->waiters) {
        idv_name_waiter_t *waiter = name->waiters;

        idv_name_waiter_forget(waiter);
        waiter->known(waiter->baton, &name->known);
    }
}

/* --- the table --- */

static const idv_thread_crew_work_t looking_up = {
    .work = look_up,
    .done = on_looked_up,
    .discard = free_lookup,
    .stack_size = STACK_SIZE,
};

idv_error_t *idv_name_table_create(const apr_array_header_t *allowed,
                                   idv_name_table_t **out, apr_pool_t *pool)
{
    idv_name_table_t *table = apr_pcalloc(pool, sizeof(*table));

    table->pool = pool;
    table->allowed = allowed;
    table->by_host = apr_hash_make(pool);
    for (int i = 0; i < IDV_NAME_TABLE_DESCRIPTORS; i++) {
        table->queues[i] =
            idv_lookup_queue_create(crew_threads[i], is_wanted, table, pool);
        IDV_TRY(idv_thread_crew_create(crew_threads[i], &looking_up, table,
                                       &table->crews[i], pool));
    }
    *out = table;
    return NULL;
}

int idv_name_table_descriptor(const idv_name_table_t *table, int index)
{
    return idv_thread_crew_descriptor(table->crews[index]);
}

int idv_name_table_collect(idv_name_table_t *table, int fd)
{
    for (int i = 0; i < IDV_NAME_TABLE_DESCRIPTORS; i++)
        if (fd == idv_thread_crew_descriptor(table->crews[i])) {
            idv_thread_crew_collect(table->crews[i]);
            begin_lookups(table, i);
            return 1;
        }
    return 0;
}

static int is_proven(const name_t *name, idv_time_t now)
{
    return name->good_since && now - name->good_since >= PROVEN_AFTER;
}

/* Forgets names that nobody waits for; those that are proven only when
 * PROVEN. */
static void forget_idle(idv_name_table_t *table, idv_time_t now, int proven)
{
    apr_hash_index_t *index = apr_hash_first(NULL, table->by_host);

    for (; index; index = apr_hash_next(index)) {
        name_t *name = apr_hash_this_val(index);
        const char *host = apr_hash_this_key(index);

        if (name->state == LOOKED_UP || name->waiters
            || (!proven && is_proven(name, now)))
            continue;
        apr_hash_set(table->by_host, host, APR_HASH_KEY_STRING, NULL);
        apr_pool_destroy(name->pool);
    }
}

static void make_room(idv_name_table_t *table, idv_time_t now)
{
    for (int proven = 0; proven <= 1; proven++)
        if (apr_hash_count(table->by_host) >= MAX_NAMES)
            forget_idle(table, now, proven);
}

static int is_address(const char *host)
{
    struct in6_addr address;

    return inet_pton(AF_INET, host, &address) == 1
        || inet_pton(AF_INET6, host, &address) == 1;
}

/* A new entry for HOST. GOOD_SINCE is what was known of the name before. */
static name_t *add_name(idv_name_table_t *table, const char *host,
                        idv_time_t good_since, idv_time_t now)
{
    apr_pool_t *pool;
    name_t *name;

    make_room(table, now);
    apr_pool_create(&pool, table->pool);
    name = apr_pcalloc(pool, sizeof(*name));
    name->pool = pool;
    name->state = WAITING;
    name->good_since = good_since;
    name->crew =
        is_proven(name, now) || is_address(host) ? PROVEN_NAME : ANY_NAME;
    apr_hash_set(table->by_host, apr_pstrdup(pool, host), APR_HASH_KEY_STRING,
                 name);
    return name;
}

const idv_known_name_t *idv_name_table_find(idv_name_table_t *table,
                                            const idv_name_question_t *question,
                                            idv_name_waiter_t *waiter)
{
    name_t *name = find_name(table, question->host);
    idv_time_t good_since = 0;

    if (name && name->state == KNOWN) {
        if (question->now < name->good_until)
            return &name->known;
        good_since = name->good_since;
        apr_hash_set(table->by_host, question->host, APR_HASH_KEY_STRING, NULL);
        apr_pool_destroy(name->pool);
        name = NULL;
    }
    if (!name)
        name = add_name(table, question->host, good_since, question->now);
    if (name->state == WAITING
        && !idv_lookup_queue_add(table->queues[name->crew], question->owner,
                                 question->host))
        return &not_found;
    wait_for(name, waiter);
    begin_lookups(table, name->crew);
    return NULL;
}
