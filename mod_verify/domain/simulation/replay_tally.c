/* SPDX-License-Identifier: Apache-2.0 */
#include "domain/simulation/replay_tally.h"

#include <string.h>

#include <apr_strings.h>

#include "domain/account/billing.h"

#define SEPARATOR '>' /* between the two ends in a key of the matrix */

/* Numbers of reviews: before, then after. */
enum { HOLDS, UNDECIDED, TIME, REVIEW_NUMBERS };
/* Numbers of verifications. */
enum { BEFORE, LEAST, MOST, VERIFICATION_NUMBERS };

static void add(json_t *object, const char *key, apr_int64_t number)
{
    json_object_set_new(
        object, key,
        json_integer(json_integer_value(json_object_get(object, key))
                     + number));
}

static json_t *part(json_t *tally, const char *key)
{
    if (!json_object_get(tally, key))
        json_object_set_new(tally, key, json_object());
    return json_object_get(tally, key);
}

/* Adds COUNT numbers to the list KEY of OBJECT. */
static void add_numbers(json_t *object, const char *key,
                        const apr_int64_t *numbers, int count)
{
    const json_t *before = json_object_get(object, key);
    json_t *after = json_array();

    for (int i = 0; i < count; i++)
        json_array_append_new(
            after, json_integer(json_integer_value(
                                    json_array_get(before, (size_t)i))
                                + numbers[i]));
    json_object_set_new(object, key, after);
}

static void add_reviews(json_t *tally, const char *key,
                        const idv_replay_reviews_t *reviews)
{
    const apr_int64_t numbers[REVIEW_NUMBERS] = {
        [HOLDS] = reviews->holds,
        [UNDECIDED] = reviews->undecided,
        [TIME] = reviews->time,
    };

    add_numbers(part(tally, "reviews"), key, numbers, REVIEW_NUMBERS);
}

int idv_replay_tally_add(json_t *tally, const idv_replay_t *replay,
                         idv_time_t ended)
{
    const apr_int64_t counted[VERIFICATION_NUMBERS] = {
        [BEFORE] = replay->counted_before,
        [LEAST] = replay->counted_after > 0,
        [MOST] = replay->counted_after != 0,
    };
    char cell[64], month[16];

    apr_snprintf(cell, sizeof(cell), "%s%c%s", replay->before, SEPARATOR,
                 replay->after ? replay->after : "");
    apr_snprintf(month, sizeof(month), "%d", idv_billing_month(ended));
    add(tally, "processed", 1);
    add(tally, idv_replay_result_value(replay->result), 1);
    add(part(tally, "matrix"), cell, 1);
    if (replay->reason)
        add(part(tally, "reasons"), idv_replay_reason_value(replay->reason), 1);
    add_reviews(tally, "before", &replay->reviews_before);
    add_reviews(tally, "after", &replay->reviews_after);
    add_numbers(part(tally, "months"), month, counted, VERIFICATION_NUMBERS);
    if (replay->result == IDV_REPLAY_IS_SAME
        || idv_replay_tally_number(tally, "listed") >= IDV_REPLAY_LISTED_MAX)
        return 0;
    add(tally, "listed", 1);
    return 1;
}

apr_int64_t idv_replay_tally_number(const json_t *tally, const char *name)
{
    return json_integer_value(json_object_get(tally, name));
}

/* --- display --- */

static json_t *matrix(const json_t *tally, apr_pool_t *pool)
{
    json_t *list = json_array();
    const char *cell;
    json_t *count;

    json_object_foreach (json_object_get(tally, "matrix"), cell, count) {
        char *before = apr_pstrdup(pool, cell);
        char *after = strchr(before, SEPARATOR);

        *after++ = '\0';
        json_array_append_new(list, json_pack("{s:s, s:s?, s:O}", "before",
                                              before, "after",
                                              *after ? after : NULL, "count",
                                              count));
    }
    return list;
}

static json_t *reasons(const json_t *tally)
{
    json_t *list = json_array();
    const char *reason;
    json_t *count;

    json_object_foreach (json_object_get(tally, "reasons"), reason, count)
        json_array_append_new(list, json_pack("{s:s, s:O}", "reason", reason,
                                              "count", count));
    return list;
}

static apr_int64_t number_of(const json_t *list, int index)
{
    return json_integer_value(json_array_get(list, (size_t)index));
}

/* The duration of decided reviews; that of undecided ones is estimated from the
 * average. */
static json_t *reviews(const json_t *tally)
{
    const json_t *all = json_object_get(tally, "reviews");
    const json_t *before = json_object_get(all, "before");
    const json_t *after = json_object_get(all, "after");
    apr_int64_t decided = number_of(before, HOLDS);
    apr_int64_t undecided = number_of(after, UNDECIDED);
    json_t *estimate = json_null();

    if (decided)
        estimate = json_integer(
            (number_of(after, TIME)
             + number_of(before, TIME) / decided * undecided)
            / IDV_SECOND);
    return json_pack(
        "{s:{s:I, s:I}, s:{s:I, s:I, s:I, s:o}}", "before", "count", decided,
        "seconds", number_of(before, TIME) / IDV_SECOND, "after", "count",
        number_of(after, HOLDS), "undecided", undecided, "seconds",
        number_of(after, TIME) / IDV_SECOND, "estimated_seconds", estimate);
}

static json_t *range(const apr_int64_t *numbers)
{
    return json_pack("{s:I, s:{s:I, s:I}}", "before", numbers[BEFORE], "after",
                     "least", numbers[LEAST], "most", numbers[MOST]);
}

/* The price of a month with CHANGE more verifications: free ones stay free, and
 * if none was charged there may be free places left. */
static apr_int64_t charge(const idv_replay_account_t *account,
                          const json_t *month, apr_int64_t change)
{
    apr_int64_t free = number_of(month, 0), charged = number_of(month, 1);
    apr_int64_t room = charged > 0 || free > account->free_allotment
                         ? free
                         : account->free_allotment;
    apr_int64_t over = free + charged + change - room;

    return over > 0 && !account->is_sandbox ? over : 0;
}

void idv_replay_tally_show(const json_t *tally,
                           const idv_replay_account_t *account, json_t *object,
                           apr_pool_t *pool)
{
    static const char *const names[] = {"processed", "same", "changed",
                                        "undetermined"};
    apr_int64_t counted[VERIFICATION_NUMBERS] = {0};
    apr_int64_t credits[VERIFICATION_NUMBERS] = {0};
    const char *month;
    json_t *numbers;

    json_object_foreach (json_object_get(tally, "months"), month, numbers) {
        const json_t *taken = json_object_get(account->months, month);

        for (int i = 0; i < VERIFICATION_NUMBERS; i++) {
            counted[i] += number_of(numbers, i);
            credits[i] += charge(account, taken,
                                 number_of(numbers, i)
                                     - number_of(numbers, BEFORE));
        }
    }
    for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
        json_object_set_new(
            object, names[i],
            json_integer(idv_replay_tally_number(tally, names[i])));
    json_object_set_new(object, "matrix", matrix(tally, pool));
    json_object_set_new(object, "undetermined_reasons", reasons(tally));
    json_object_set_new(object, "reviews", reviews(tally));
    json_object_set_new(object, "verifications", range(counted));
    json_object_set_new(object, "credits", range(credits));
    json_object_set_new(
        object, "sessions_listed",
        json_integer(idv_replay_tally_number(tally, "listed")));
}
