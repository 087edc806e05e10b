/* SPDX-License-Identifier: Apache-2.0 */
#include "unit/unit.h"

#include <stdio.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/place_table.h"

#define NOW ((idv_time_t)1000000)

static idv_place_table_t *table(void **state)
{
    idv_place_table_t *made = apr_pcalloc(*state, sizeof(*made));

    assert_null(idv_place_table_prepare(made, *state));
    return made;
}

static idv_place_verdict_t take(idv_place_table_t *places,
                                const idv_place_limits_t *limits,
                                idv_place_claim_t claim)
{
    apr_uint64_t ticket;
    idv_place_verdict_t verdict;

    claim.address = claim.address ? claim.address : "";
    claim.credential = claim.credential ? claim.credential : "";
    claim.group = claim.group ? claim.group : "";
    claim.now = claim.now ? claim.now : NOW;
    claim.until = claim.until ? claim.until : NOW + IDV_MINUTE;
    verdict = idv_place_take(places, &claim, limits, &ticket);
    assert_true((verdict == IDV_PLACE_GRANTED) == (ticket != 0));
    return verdict;
}

/* How many places a claim comes to when it is made again and again. */
static int take_all(idv_place_table_t *places, const idv_place_limits_t *limits,
                    idv_place_claim_t claim, idv_place_verdict_t *last)
{
    int count = 0;

    while ((*last = take(places, limits, claim)) == IDV_PLACE_GRANTED)
        count++;
    return count;
}

static void holds_each_limit(void **state)
{
    static const struct {
        idv_place_limits_t limits;
        int count;
        idv_place_verdict_t last;
    } cases[] = {
        {{.node = 5, .child = 9}, 5, IDV_PLACE_NODE_FULL},
        {{.node = 5, .child = 3}, 3, IDV_PLACE_CHILD_FULL},
        {{.node = 5, .address = 2}, 2, IDV_PLACE_ADDRESS_FULL},
        {{.node = 5, .credential = 1}, 1, IDV_PLACE_CREDENTIAL_FULL},
        {{.node = 0}, IDV_PLACE_COUNT, IDV_PLACE_NODE_FULL},
    };
    const idv_place_claim_t claim = {.address = "192.0.2.1",
                                     .credential = "key", .child = 7};
    idv_place_verdict_t last;

    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        idv_place_table_t *places = table(state);

        assert_int_equal(take_all(places, &cases[i].limits, claim, &last),
                         cases[i].count);
        assert_int_equal(last, cases[i].last);
    }
}

static void counts_each_name_and_kind_by_itself(void **state)
{
    const idv_place_limits_t limits = {.node = 100, .child = 10, .address = 4,
                                       .credential = 2};
    idv_place_claim_t claim = {.address = "a", .credential = "k", .child = 1};
    idv_place_table_t *places = table(state);
    idv_place_verdict_t last;

    assert_int_equal(take_all(places, &limits, claim, &last), 2);
    claim.credential = "l";
    assert_int_equal(take_all(places, &limits, claim, &last), 2);
    claim.credential = "m";
    assert_int_equal(take(places, &limits, claim), IDV_PLACE_ADDRESS_FULL);
    claim.kind = IDV_PLACE_UPLOAD;
    assert_int_equal(take(places, &limits, claim), IDV_PLACE_GRANTED);
    claim.kind = IDV_PLACE_BODY;
    claim.address = "b";
    assert_int_equal(take(places, &limits, claim), IDV_PLACE_GRANTED);
    /* Without a name nothing is shared but child and node. */
    claim.address = claim.credential = "";
    assert_int_equal(take_all(places, &limits, claim, &last), 5);
    assert_int_equal(last, IDV_PLACE_CHILD_FULL);
    claim.child = 2;
    assert_int_equal(take(places, &limits, claim), IDV_PLACE_GRANTED);
}

static void leaves_a_newcomer_a_place(void **state)
{
    const idv_place_limits_t limits = {.node = 32};
    idv_place_table_t *places = table(state);
    idv_place_verdict_t last;
    char group[16];
    int held = 0;

    assert_int_equal(take_all(places, &limits,
                              (idv_place_claim_t){.kind = IDV_PLACE_UPLOAD,
                                                  .group = "first"}, &last),
                     16);
    assert_int_equal(last, IDV_PLACE_GROUP_FULL);
    assert_int_equal(take_all(places, &limits,
                              (idv_place_claim_t){.kind = IDV_PLACE_UPLOAD,
                                                  .address = "192.0.2.1"},
                              &last),
                     8);
    assert_int_equal(last, IDV_PLACE_ADDRESS_FULL);
    for (int i = 0; i < 8; i++) {
        snprintf(group, sizeof(group), "group_%d", i);
        held += take(places, &limits,
                     (idv_place_claim_t){.kind = IDV_PLACE_UPLOAD,
                                         .group = group})
            == IDV_PLACE_GRANTED;
    }
    assert_int_equal(held, 8);
}

/* A child that is nearly full leaves its places to newcomers, too. */
static void leaves_a_newcomer_a_place_in_each_child(void **state)
{
    const idv_place_limits_t limits = {.node = 32, .child = 8};
    idv_place_table_t *places = table(state);
    idv_place_claim_t claim = {.kind = IDV_PLACE_UPLOAD, .group = "first",
                               .child = 1};
    idv_place_verdict_t last;

    assert_int_equal(take_all(places, &limits, claim, &last), 4);
    assert_int_equal(last, IDV_PLACE_GROUP_FULL);
    claim.group = "second";
    assert_int_equal(take_all(places, &limits, claim, &last), 2);
    claim.group = "third";
    assert_int_equal(take(places, &limits, claim), IDV_PLACE_GRANTED);
    claim.group = "fourth";
    assert_int_equal(take(places, &limits, claim), IDV_PLACE_GRANTED);
    claim.group = "fifth";
    assert_int_equal(take(places, &limits, claim), IDV_PLACE_CHILD_FULL);
    claim.child = 2;
    claim.group = "first";
    assert_int_equal(take_all(places, &limits, claim, &last), 4);
}

static void ends_by_itself_and_by_its_ticket(void **state)
{
    const idv_place_limits_t limits = {.node = 1};
    idv_place_table_t *places = table(state);
    idv_place_claim_t claim = {.address = "", .credential = "", .group = "",
                               .now = NOW, .until = NOW + 10};
    idv_place_statistics_t statistics;
    apr_uint64_t first, second;

    assert_int_equal(idv_place_take(places, &claim, &limits, &first),
                     IDV_PLACE_GRANTED);
    claim.now = NOW + 9;
    assert_int_equal(idv_place_take(places, &claim, &limits, &second),
                     IDV_PLACE_NODE_FULL);
    claim.now = NOW + 10;
    claim.until = NOW + 20;
    assert_int_equal(idv_place_take(places, &claim, &limits, &second),
                     IDV_PLACE_GRANTED);
    /* Whose time was over does not take the next one's. */
    idv_place_give(places, first);
    idv_place_look(places, IDV_PLACE_BODY, NOW + 11, &statistics);
    assert_int_equal(statistics.held, 1);
    assert_int_equal(statistics.refused, 1);
    idv_place_give(places, second);
    idv_place_count_late(places, IDV_PLACE_BODY);
    idv_place_look(places, IDV_PLACE_BODY, NOW + 11, &statistics);
    assert_int_equal(statistics.held, 0);
    assert_int_equal(statistics.late, 1);
}

static void lasts_longer_when_it_is_extended(void **state)
{
    const idv_place_limits_t limits = {.node = 2};
    idv_place_table_t *places = table(state);
    idv_place_claim_t claim = {.address = "", .credential = "", .group = "",
                               .kind = IDV_PLACE_ANSWER, .now = NOW,
                               .until = NOW + 10};
    idv_place_statistics_t statistics;
    apr_uint64_t first, second;

    assert_int_equal(idv_place_take(places, &claim, &limits, &first),
                     IDV_PLACE_GRANTED);
    assert_int_equal(idv_place_take(places, &claim, &limits, &second),
                     IDV_PLACE_GRANTED);
    idv_place_extend(places, first, NOW + 20);
    idv_place_look(places, IDV_PLACE_ANSWER, NOW + 11, &statistics);
    assert_int_equal(statistics.held, 1);
    /* One that was given back stays free. */
    idv_place_give(places, first);
    idv_place_extend(places, first, NOW + 20);
    idv_place_look(places, IDV_PLACE_ANSWER, NOW + 11, &statistics);
    assert_int_equal(statistics.held, 0);
}

/* Preparing again, as a restart does, keeps what is held; and a process that
 * ends with the lock does not keep it. */
static void outlives_processes(void **state)
{
    const idv_place_limits_t limits = {.node = 2};
    idv_place_table_t *places =
        mmap(NULL, sizeof(*places), PROT_READ | PROT_WRITE,
             MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    pid_t child;
    int status;

    assert_ptr_not_equal(places, MAP_FAILED);
    assert_null(idv_place_table_prepare(places, *state));
    child = fork();
    if (child == 0) {
        int taken = take(places, &limits, (idv_place_claim_t){0})
            == IDV_PLACE_GRANTED;

        pthread_mutex_lock(&places->mutex);
        _exit(taken ? 0 : 1);
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
    assert_null(idv_place_table_prepare(places, *state));
    assert_int_equal(take(places, &limits, (idv_place_claim_t){0}),
                     IDV_PLACE_GRANTED);
    assert_int_equal(take(places, &limits, (idv_place_claim_t){0}),
                     IDV_PLACE_NODE_FULL);
    munmap(places, sizeof(*places));
}

#define THREADS 4
#define ROUNDS 2000

static idv_place_table_t *shared;

static void *take_and_give(void *unused)
{
    const idv_place_limits_t limits = {.node = 3};
    const idv_place_claim_t claim = {.address = "", .credential = "",
                                     .group = "", .now = NOW,
                                     .until = NOW + IDV_MINUTE};
    idv_place_statistics_t statistics;
    apr_uint64_t ticket;
    apr_size_t faults = 0;

    (void)unused;
    for (int i = 0; i < ROUNDS; i++) {
        if (idv_place_take(shared, &claim, &limits, &ticket)
            != IDV_PLACE_GRANTED)
            continue;
        idv_place_look(shared, IDV_PLACE_BODY, NOW, &statistics);
        faults += statistics.held < 1 || statistics.held > 3;
        idv_place_give(shared, ticket);
    }
    return (void *)faults;
}

static void is_exact_under_concurrency(void **state)
{
    pthread_t threads[THREADS];
    idv_place_statistics_t statistics;

    shared = table(state);
    for (int i = 0; i < THREADS; i++)
        assert_int_equal(
            pthread_create(&threads[i], NULL, take_and_give, NULL), 0);
    for (int i = 0; i < THREADS; i++) {
        void *faults;

        pthread_join(threads[i], &faults);
        assert_null(faults);
    }
    idv_place_look(shared, IDV_PLACE_BODY, NOW, &statistics);
    assert_int_equal(statistics.held, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        pooled_test(holds_each_limit),
        pooled_test(counts_each_name_and_kind_by_itself),
        pooled_test(leaves_a_newcomer_a_place),
        pooled_test(leaves_a_newcomer_a_place_in_each_child),
        pooled_test(ends_by_itself_and_by_its_ticket),
        pooled_test(lasts_longer_when_it_is_extended),
        pooled_test(outlives_processes),
        pooled_test(is_exact_under_concurrency),
    };

    return unit_run("core/place_table", tests);
}
