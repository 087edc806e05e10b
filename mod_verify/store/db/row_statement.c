/* SPDX-License-Identifier: Apache-2.0 */
#include "store/db/row_statement.h"

#include <string.h>

#include <arpa/inet.h>

/* --- gathering --- */

static const char *text_of(const idv_db_param_t *param)
{
    return param->text[0] ? param->text : param->value;
}

static int is_same_value(const idv_db_param_t *one, const idv_db_param_t *other)
{
    const char *left = text_of(one), *right = text_of(other);

    if (!left || !right || one->binary != other->binary)
        return !left && !right;
    return one->binary ? one->length == other->length
                             && memcmp(left, right, (size_t)one->length) == 0
                       : strcmp(left, right) == 0;
}

static int is_same_statement(const idv_row_call_t *one,
                             const idv_row_call_t *other)
{
    if (!one->row_id || !other->row_id
        || one->item.statement != other->item.statement
        || one->shared != other->shared
        || one->item.params.count != other->item.params.count)
        return 0;
    for (int i = 0; i < one->shared; i++)
        if (!is_same_value(&one->item.params.values[i],
                           &other->item.params.values[i]))
            return 0;
    return 1;
}

/* The first of the first COUNT calls that shares a statement with CALL, or
 * COUNT. */
static int find_same(idv_row_call_t *const *calls, int count,
                     const idv_row_call_t *call)
{
    int i = 0;

    while (i < count && !is_same_statement(calls[i], call))
        i++;
    return i;
}

static char *put_int(char *end, int value)
{
    uint32_t network = htonl((uint32_t)value);

    memcpy(end, &network, sizeof(network));
    return end + sizeof(network);
}

static int length_of(const idv_db_param_t *param)
{
    const char *text = text_of(param);

    return !text ? -1 : param->binary ? param->length : (int)strlen(text);
}

/* One array of the parameter at PLACE of the COUNT calls, in the format of
 * PostgreSQL's array_recv(): dimensions, whether there are NULLs, the type of
 * the elements, the size and first index, and each element after its length. */
static idv_db_param_t write_array(idv_row_call_t *const *calls, int count,
                                  int place, apr_pool_t *pool)
{
    enum { TEXT_OID = 25, BYTEA_OID = 17, HEADER = 5 * 4 };
    apr_size_t size = HEADER;
    int nulls = 0;
    char *array, *end;

    for (int i = 0; i < count; i++) {
        int length = length_of(&calls[i]->item.params.values[place]);

        nulls |= length < 0;
        size += 4 + (apr_size_t)(length < 0 ? 0 : length);
    }
    array = apr_palloc(pool, size);
    end = put_int(put_int(array, 1), nulls);
    end = put_int(end, calls[0]->item.params.values[place].binary ? BYTEA_OID
                                                                  : TEXT_OID);
    end = put_int(put_int(end, count), 1);
    for (int i = 0; i < count; i++) {
        const idv_db_param_t *value = &calls[i]->item.params.values[place];
        int length = length_of(value);

        end = put_int(end, length);
        if (length > 0)
            memcpy(end, text_of(value), (size_t)length);
        end += length > 0 ? length : 0;
    }
    return (idv_db_param_t){.value = array, .length = (int)size, .binary = 1};
}

/* The parameters of the statement for the COUNT calls. */
static idv_db_params_t write_params(idv_row_call_t *const *calls, int count,
                                    apr_pool_t *pool)
{
    const idv_db_params_t *first = &calls[0]->item.params;
    idv_db_param_t *values =
        apr_pcalloc(pool, (apr_size_t)first->count * sizeof(*values));

    for (int i = 0; i < first->count; i++)
        values[i] = i < calls[0]->shared ? first->values[i]
                                         : write_array(calls, count, i, pool);
    return (idv_db_params_t){values, first->count};
}

/* Adds the statement for CALLS[FIRST] and those after it that share it. */
static void add_item(idv_row_call_t *const *calls, int first, int count,
                     idv_row_batch_t *batch, apr_pool_t *pool)
{
    idv_row_call_t **users =
        apr_palloc(pool, (apr_size_t)count * sizeof(*users));
    idv_db_batch_item_t *item = &batch->items[batch->count];
    int user_count = 0;

    for (int i = first; i < count; i++)
        if (i == first || is_same_statement(calls[first], calls[i])) {
            batch->place_of[i] = batch->count;
            users[user_count++] = calls[i];
        }
    *item = calls[first]->item;
    if (calls[first]->row_id)
        item->params = write_params(users, user_count, pool);
    batch->users[batch->count++] = user_count;
}

void idv_row_batch_gather(idv_row_call_t *const *calls, int count,
                          idv_row_batch_t *batch, apr_pool_t *pool)
{
    apr_size_t places = (apr_size_t)count;

    batch->items = apr_palloc(pool, places * sizeof(*batch->items));
    batch->users = apr_palloc(pool, places * sizeof(*batch->users));
    batch->place_of = apr_palloc(pool, places * sizeof(*batch->place_of));
    batch->count = 0;
    for (int i = 0; i < count; i++)
        if (find_same(calls, i, calls[i]) == i)
            add_item(calls, i, count, batch, pool);
}

/* --- dividing --- */

static int copy_row(PGresult *to, const PGresult *from, int row)
{
    int place = PQntuples(to), copied = 1;

    for (int i = 0; copied && i < PQnfields(from); i++)
        copied = PQsetvalue(to, place, i,
                            PQgetvalue(from, row, i),
                            PQgetisnull(from, row, i)
                                ? -1 : PQgetlength(from, row, i));
    return copied;
}

/* The rows of RESULT that begin with ID; NULL if memory runs out. */
static PGresult *rows_of(const PGresult *result, const char *id)
{
    PGresult *part = PQcopyResult(result, PG_COPYRES_ATTRS);
    int copied = part != NULL;

    for (int row = 0; copied && row < PQntuples(result); row++)
        if (strcmp(PQgetvalue(result, row, 0), id) == 0)
            copied = copy_row(part, result, row);
    if (!copied) {
        PQclear(part);
        return NULL;
    }
    return part;
}

int idv_row_batch_divide(idv_row_call_t *const *calls, int count,
                         idv_row_batch_t *batch)
{
    int divided = 1;

    for (int i = 0; i < count; i++) {
        PGresult *result = batch->items[batch->place_of[i]].result;

        if (batch->users[batch->place_of[i]] == 1) {
            calls[i]->item.result = result;
            continue;
        }
        calls[i]->item.result = NULL;
        if (PQresultStatus(result) != PGRES_TUPLES_OK)
            continue;
        calls[i]->item.result = rows_of(result, calls[i]->row_id);
        divided &= calls[i]->item.result != NULL;
    }
    for (int i = 0; i < batch->count; i++)
        if (batch->users[i] > 1)
            PQclear(batch->items[i].result);
    return divided;
}
