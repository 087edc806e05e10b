/* SPDX-License-Identifier: Apache-2.0 */
#include "core/place_table.h"

#include <errno.h>
#include <string.h>

#include <apr_strings.h>

static const int is_fair[] = {
#define IDV_PLACE_KIND(name, text, fair, use) fair,
    IDV_PLACE_KINDS(IDV_PLACE_KIND)
#undef IDV_PLACE_KIND
};

idv_error_t *idv_place_table_prepare(idv_place_table_t *table, apr_pool_t *pool)
{
    pthread_mutexattr_t attributes;
    int fault;

    if (table->is_prepared)
        return NULL;
    fault = pthread_mutexattr_init(&attributes);
    if (fault)
        return idv_error_apr(pool, fault, "preparing a lock");
    fault =
        pthread_mutexattr_setpshared(&attributes, PTHREAD_PROCESS_SHARED);
    if (!fault)
        fault =
            pthread_mutexattr_setrobust(&attributes, PTHREAD_MUTEX_ROBUST);
    if (!fault)
        fault = pthread_mutex_init(&table->mutex, &attributes);
    pthread_mutexattr_destroy(&attributes);
    if (fault)
        return idv_error_apr(pool, fault, "preparing a lock");
    table->is_prepared = 1;
    return NULL;
}

static void lock(idv_place_table_t *table)
{
    /* A process killed with the lock has at worst left one place half written,
     * which still ends by its deadline, whatever that is: see is_held(). */
    if (pthread_mutex_lock(&table->mutex) == EOWNERDEAD)
        pthread_mutex_consistent(&table->mutex);
}

static void unlock(idv_place_table_t *table)
{
    pthread_mutex_unlock(&table->mutex);
}

static int is_held(const idv_place_t *place, idv_time_t now)
{
    return place->ticket && place->until > now;
}

/* How many places of a kind are held, in all and by the parties of a claim. */
typedef struct {
    int node, child, address, credential, group;
    int child_address, child_group; /* places that the child holds of them */
} tally_t;

static int is_same(const char *name, const char *held)
{
    return *name && strncmp(name, held, IDV_PLACE_NAME_SIZE - 1) == 0;
}

static void add(const idv_place_t *place, const idv_place_claim_t *claim,
                tally_t *tally)
{
    int in_child = place->child == claim->child;
    int of_address = is_same(claim->address, place->address);
    int of_group = is_same(claim->group, place->group);

    tally->node++;
    tally->child += in_child;
    tally->address += of_address;
    tally->group += of_group;
    tally->child_address += in_child && of_address;
    tally->child_group += in_child && of_group;
    tally->credential += is_same(claim->credential, place->credential);
}

/* Counts what is held, and finds a place that is not. */
static idv_place_t *count(idv_place_table_t *table,
                          const idv_place_claim_t *claim, tally_t *tally)
{
    idv_place_t *vacant = NULL;

    memset(tally, 0, sizeof(*tally));
    for (int i = 0; i < IDV_PLACE_COUNT; i++) {
        idv_place_t *place = &table->places[i];

        if (!is_held(place, claim->now)) {
            vacant = vacant ? vacant : place;
            continue;
        }
        if (place->kind != claim->kind)
            continue;
        add(place, claim, tally);
    }
    return vacant;
}

static int is_over(int held, int limit)
{
    return limit > 0 && held >= limit;
}

/* Whether who holds OWN of HELD places has as many as are free. */
static int takes_all(int own, int held, int limit)
{
    return own > 0 && limit > 0 && own >= limit - held;
}

static idv_place_verdict_t judge(const idv_place_claim_t *claim,
                                 const idv_place_limits_t *limits,
                                 const tally_t *tally)
{
    int shares = is_fair[claim->kind];

    if (is_over(tally->credential, limits->credential))
        return IDV_PLACE_CREDENTIAL_FULL;
    if (is_over(tally->node, limits->node))
        return IDV_PLACE_NODE_FULL;
    if (is_over(tally->child, limits->child))
        return IDV_PLACE_CHILD_FULL;
    if (shares
        && (takes_all(tally->group, tally->node, limits->node)
            || takes_all(tally->child_group, tally->child, limits->child)))
        return IDV_PLACE_GROUP_FULL;
    if (is_over(tally->address, limits->address)
        || (shares
            && (takes_all(tally->address, tally->node, limits->node)
                || takes_all(tally->child_address, tally->child,
                             limits->child))))
        return IDV_PLACE_ADDRESS_FULL;
    return IDV_PLACE_GRANTED;
}

idv_place_verdict_t idv_place_take(idv_place_table_t *table,
                                   const idv_place_claim_t *claim,
                                   const idv_place_limits_t *limits,
                                   apr_uint64_t *ticket)
{
    idv_place_verdict_t verdict;
    idv_place_t *place;
    tally_t tally;

    *ticket = 0;
    lock(table);
    place = count(table, claim, &tally);
    verdict = place ? judge(claim, limits, &tally) : IDV_PLACE_NODE_FULL;
    if (verdict == IDV_PLACE_GRANTED) {
        place->ticket = 0;
        place->until = claim->until;
        place->child = claim->child;
        place->kind = claim->kind;
        apr_cpystrn(place->address, claim->address, IDV_PLACE_NAME_SIZE);
        apr_cpystrn(place->credential, claim->credential, IDV_PLACE_NAME_SIZE);
        apr_cpystrn(place->group, claim->group, IDV_PLACE_NAME_SIZE);
        *ticket = place->ticket = ++table->tickets;
    } else {
        table->refused[claim->kind]++;
    }
    unlock(table);
    return verdict;
}

void idv_place_extend(idv_place_table_t *table, apr_uint64_t ticket,
                      idv_time_t until)
{
    lock(table);
    for (int i = 0; i < IDV_PLACE_COUNT; i++) {
        if (table->places[i].ticket == ticket)
            table->places[i].until = until;
    }
    unlock(table);
}

void idv_place_give(idv_place_table_t *table, apr_uint64_t ticket)
{
    lock(table);
    for (int i = 0; i < IDV_PLACE_COUNT; i++) {
        if (table->places[i].ticket == ticket)
            table->places[i].ticket = 0;
    }
    unlock(table);
}

void idv_place_count_late(idv_place_table_t *table, idv_place_kind_t kind)
{
    lock(table);
    table->late[kind]++;
    unlock(table);
}

void idv_place_look(idv_place_table_t *table, idv_place_kind_t kind,
                    idv_time_t now, idv_place_statistics_t *statistics)
{
    statistics->held = 0;
    lock(table);
    for (int i = 0; i < IDV_PLACE_COUNT; i++) {
        const idv_place_t *place = &table->places[i];

        statistics->held += is_held(place, now) && place->kind == kind;
    }
    statistics->refused = table->refused[kind];
    statistics->late = table->late[kind];
    unlock(table);
}
