/* SPDX-License-Identifier: Apache-2.0 */
#include "api/http/write.h"

#include <string.h>

#include <apr_strings.h>
#include <http_protocol.h>

#include "api/http/action_record.h"
#include "api/http/response.h"

/* --- the Idempotency-Key --- */

static int is_printable(const char *text)
{
    for (; *text; text++)
        if (*text < 0x20 || *text > 0x7e)
            return 0;
    return 1;
}

/* Paths do not contain NUL, so path and body cannot be confused. */
static void digest_request(const idv_request_t *request, unsigned char *digest)
{
    apr_size_t path = strlen(request->r->uri) + 1;
    unsigned char *text =
        apr_palloc(request->pool, path + request->body.length);

    memcpy(text, request->r->uri, path);
    if (request->body.length)
        memcpy(text + path, request->body.data, request->body.length);
    idv_sha256(text, path + request->body.length, digest);
}

/* Browsers never get a stored answer to a server, and an operator or a gate
 * never gets one to another caller. */
static const char *audience_of(const idv_request_t *request)
{
    if (request->operator)
        return apr_pstrcat(request->pool, "operator ", request->operator->user,
                           " ", NULL);
    if (request->visitor_of)
        return apr_pstrcat(request->pool, request->visitor_of, " ", NULL);
    return request->key->type == IDV_KEY_PUBLISHABLE ? "publishable " : "";
}

idv_error_t *idv_idempotency_of_request(const idv_request_t *request,
                                        idv_idempotency_t **out)
{
    const char *key = apr_table_get(request->r->headers_in, "Idempotency-Key");
    idv_idempotency_t *idempotency;
    apr_size_t length;

    *out = NULL;
    if (!key)
        return NULL;
    length = strlen(key);
    if (length == 0 || length > IDV_IDEMPOTENCY_KEY_LENGTH
        || !is_printable(key))
        return idv_error_param(request->pool, "Idempotency-Key",
                               "must have 1 to %d printable characters.",
                               IDV_IDEMPOTENCY_KEY_LENGTH);
    idempotency = apr_pcalloc(request->pool, sizeof(*idempotency));
    idempotency->organization_id = request->key->organization_id;
    idempotency->application_id = request->key->application_id;
    idempotency->route =
        apr_pstrcat(request->pool, audience_of(request), request->route->method,
                    " ", request->route->pattern, NULL);
    idempotency->now = request->now;
    idempotency->retention =
        request->services->settings->idempotency_retention * IDV_HOUR;
    idempotency->keyring = request->services->keyring;
    idv_idempotency_set_key(idempotency, key, request->pool);
    digest_request(request, idempotency->request_digest);
    *out = idempotency;
    return NULL;
}

static idv_error_t *look(idv_db_t *db, void *baton, apr_pool_t *pool)
{
    idv_stored_answer_t *answer;

    return idv_idempotency_find(db, baton, &answer, pool);
}

idv_error_t *idv_idempotency_refusal(idv_request_t *request, idv_error_t *error)
{
    idv_idempotency_t *key;
    idv_error_t *found;

    if (!request->key || strcmp(request->route->method, "POST") != 0
        || (ap_request_has_body(request->r) && !request->body.data)
        || idv_idempotency_of_request(request, &key) || !key)
        return error;
    found = idv_request_with_database(request, look, key);
    return found && found->code == IDV_E_IDEMPOTENCY_KEY_REUSE ? found : error;
}

idv_error_t *idv_idempotency_replay(idv_request_t *request,
                                    const idv_stored_answer_t *answer)
{
    idv_respond_header(request, "Idempotent-Replayed", "true");
    return idv_respond_text(request, answer->status, answer->body);
}

/* --- writes --- */

typedef struct {
    const idv_request_t *request;
    const idv_write_t *write;
    idv_idempotency_t *idempotency; /* NULL: no key */
    idv_stored_answer_t *replay;
    const char *body;
    int overtaken; /* another request with the key has stored its answer */
} attempt_t;

/* The first id of TYPE in TEXT, or NULL. */
static const char *find_id(idv_id_type_t type, const char *text,
                           apr_pool_t *pool)
{
    const char *prefix = idv_id_prefix(type);
    apr_size_t length = strlen(prefix) + IDV_ID_BODY_LENGTH;

    for (; (text = strstr(text, prefix)); text++) {
        const char *id = apr_pstrndup(pool, text, length);

        if (idv_id_is(type, id))
            return id;
    }
    return NULL;
}

/* The subject with which the answer is erased. Otherwise an answer that
 * identifies a person in any way would outlive the erasure of its source. */
static const char *subject_of(const attempt_t *attempt, apr_pool_t *pool)
{
    static const idv_id_type_t types[] = {
        IDV_ID_SESSION, IDV_ID_VERIFIED_PERSON, IDV_ID_RISK_ASSESSMENT};
    const char *id = find_id(IDV_ID_SESSION, attempt->request->r->uri, pool);

    for (apr_size_t i = 0; !id && i < sizeof(types) / sizeof(*types); i++)
        id = find_id(types[i], attempt->body, pool);
    return id;
}

static idv_error_t *store_answer(attempt_t *attempt, idv_db_t *db,
                                 apr_pool_t *pool)
{
    idv_stored_answer_t answer = {attempt->write->status, attempt->body,
                                  subject_of(attempt, pool)};
    int stored;

    IDV_TRY(idv_idempotency_store(db, attempt->idempotency, &answer, &stored,
                                  pool));
    attempt->overtaken = !stored;
    return stored ? NULL : idv_error_new(IDV_E_IDEMPOTENCY_IN_PROGRESS, pool);
}

/* A member of the object in the answer, or NULL. */
static json_t *member_of(const char *answer, const char *name,
                         apr_pool_t *pool)
{
    return json_object_get(idv_json_own(json_loads(answer, 0, NULL), pool),
                           name);
}

/* The parameters of the request, and the effects that the write reports. */
static const json_t *details_of(const attempt_t *attempt, apr_pool_t *pool)
{
    const idv_write_t *write = attempt->write;
    json_t *details = idv_record_parameters(attempt->request, pool);

    if (!write->told && !write->told_id)
        return details;
    if (!details)
        details = idv_json_own(json_object(), pool);
    if (write->told)
        json_object_set(details, write->told,
                        member_of(attempt->body, write->told, pool));
    if (write->told_id)
        json_object_set(details, write->told_id,
                        member_of(attempt->body, "id", pool));
    return details;
}

static idv_error_t *record(const attempt_t *attempt, idv_db_t *db,
                           apr_pool_t *pool)
{
    const idv_request_t *request = attempt->request;
    idv_recorded_t what = {.is_administrative =
                               attempt->write->is_administrative};

    if (!request->operator && !what.is_administrative)
        return NULL;
    if (idv_route_parameter(request->route, "id") < 0)
        what.object_id =
            json_string_value(member_of(attempt->body, "id", pool));
    what.details = details_of(attempt, pool);
    return idv_record_action(db, request, &what, pool);
}

static idv_error_t *work(idv_db_t *db, void *baton, apr_pool_t *pool)
{
    attempt_t *attempt = baton;
    idv_error_t *error;

    attempt->overtaken = 0;
    if (attempt->idempotency) {
        IDV_TRY(idv_idempotency_find(db, attempt->idempotency, &attempt->replay,
                                     pool));
        if (attempt->replay)
            return NULL;
    }
    error =
        attempt->write->work(db, attempt->write->baton, &attempt->body, pool);
    /* The lock that it waited for may be held by a request with the same
     * key. */
    if (attempt->idempotency)
        error = idv_idempotency_error(error, db, pool);
    IDV_TRY(error);
    IDV_TRY(record(attempt, db, pool));
    return attempt->idempotency ? store_answer(attempt, db, pool) : NULL;
}

idv_error_t *idv_write(idv_request_t *request, const idv_write_t *write)
{
    attempt_t attempt = {.request = request, .write = write};
    idv_error_t *error;

    if (strcmp(request->route->method, "POST") == 0)
        IDV_TRY(idv_idempotency_of_request(request, &attempt.idempotency));
    error = write->changes_once && !attempt.idempotency
              ? idv_request_with_database(request, work, &attempt)
              : idv_request_transaction(request, work, &attempt);
    if (attempt.overtaken) /* the answer exists now */
        error = idv_request_transaction(request, work, &attempt);
    IDV_TRY(error);
    if (attempt.replay)
        return idv_idempotency_replay(request, attempt.replay);
    if (write->wake)
        request->services->wake(request->services, write->wake);
    return idv_respond_text(request, write->status, attempt.body);
}
