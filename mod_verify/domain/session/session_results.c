/* SPDX-License-Identifier: Apache-2.0 */
#include "domain/session/session_results.h"

#include <string.h>

#include <apr_strings.h>
#include <apr_tables.h>

#include "core/json.h"
#include "core/json_record.h"

#define EXPECTED_ENTRY 400 /* bytes */

static const char *const check_results[] = {
#define X(name, value) [IDV_CHECK_##name] = value,
    IDV_CHECK_RESULTS(X)
#undef X
};

static void write_entry(idv_json_writer_t *writer,
                        const idv_session_result_t *result)
{
    idv_json_open_object(writer, NULL);
    idv_json_put_text(writer, "method", result->method);
    idv_json_put_text(writer, "status", result->status);
    idv_json_put_text(writer, "assurance",
                      idv_assurance_value(result->assurance));
    idv_json_put_text(writer, "hint", result->hint);
    idv_json_put_text(writer, "error_code", result->error_code);
    idv_json_open_array(writer, "checks");
    for (int i = 0; i < result->check_count; i++) {
        const idv_method_check_t *check = &result->checks[i];

        idv_json_open_object(writer, NULL);
        idv_json_put_text(writer, "name", check->name);
        idv_json_put_boolean(writer, "passed",
                             check->result == IDV_CHECK_PASSED);
        idv_json_put_text(writer, "result", check_results[check->result]);
        idv_json_put_text(writer, "reason", check->reason);
        idv_json_close_object(writer);
    }
    idv_json_close_array(writer);
    if (result->risk_assessment_id)
        idv_json_put_text(writer, "risk_assessment_id",
                          result->risk_assessment_id);
    if (result->attestation) {
        idv_json_open_object(writer, "statement");
        idv_json_put_text(writer, "name", result->attestation->name);
        idv_json_put_text(writer, "version", result->attestation->version);
        idv_json_put_text(writer, "language", result->attestation->language);
        idv_json_put_text(writer, "sha256", result->attestation->sha256);
        idv_json_close_object(writer);
    }
    idv_json_put_integer(writer, "completed_at",
                         idv_time_seconds(result->completed_at));
    idv_json_close_object(writer);
}

static idv_error_t *keep_entry(const char *json, void *entries,
                               apr_pool_t *pool)
{
    (void)pool;
    APR_ARRAY_PUSH((apr_array_header_t *)entries, const char *) = json;
    return NULL;
}

const char *idv_session_results_add(const char *results,
                                    const idv_session_result_t *result,
                                    apr_pool_t *pool)
{
    apr_array_header_t *entries =
        apr_array_make(pool, IDV_SESSION_RESULTS_MAX, sizeof(const char *));
    idv_json_writer_t writer;
    int first;

    if (results && idv_json_read_array(results, keep_entry, entries, pool))
        entries->nelts = 0;
    first = entries->nelts - (IDV_SESSION_RESULTS_MAX - 1);
    idv_json_writer_init(
        &writer, (results ? strlen(results) : 0) + EXPECTED_ENTRY, pool);
    idv_json_open_array(&writer, NULL);
    for (int i = first > 0 ? first : 0; i < entries->nelts; i++)
        idv_json_put_raw(&writer, NULL,
                         APR_ARRAY_IDX(entries, i, const char *));
    write_entry(&writer, result);
    idv_json_close_array(&writer);
    return idv_json_writer_text(&writer, NULL);
}

/* --- what is read --- */

static const char *text_of(const json_t *entry, const char *key)
{
    return json_string_value(json_object_get(entry, key));
}

static int has_passed(const json_t *entry)
{
    const char *status = text_of(entry, "status");

    return status && strcmp(status, "passed") == 0;
}

static idv_assurance_t assurance_of(const json_t *entry)
{
    return idv_assurance_parse(text_of(entry, "assurance"));
}

/* ENTRY without its checks. Its texts live as long as the JSON. */
static const idv_session_result_t *read_entry(const json_t *entry,
                                              apr_pool_t *pool)
{
    idv_session_result_t *result = apr_pcalloc(pool, sizeof(*result));

    result->method = text_of(entry, "method");
    result->status = text_of(entry, "status");
    result->assurance = assurance_of(entry);
    result->hint = text_of(entry, "hint");
    result->error_code = text_of(entry, "error_code");
    return result;
}

const idv_session_result_t *idv_session_results_newest(const char *results,
                                                       apr_pool_t *pool)
{
    const json_t *entries = idv_json_load(results ? results : "[]", pool);
    size_t count = json_array_size(entries);

    return count ? read_entry(json_array_get(entries, count - 1), pool) : NULL;
}

int idv_session_results_have_still(const char *results, apr_pool_t *pool)
{
    const json_t *entries = idv_json_load(results ? results : "[]", pool);

    for (size_t i = json_array_size(entries); i-- > 0;) {
        const idv_session_result_t *entry =
            read_entry(json_array_get(entries, i), pool);
        idv_method_t method = idv_method_parse(entry->method);

        if (method == IDV_METHOD_SELFIE_MATCH)
            return 0;
        if (method == IDV_METHOD_SELFIE_LIVENESS)
            return strcmp(entry->status, "passed") == 0;
    }
    return 0;
}

const idv_session_result_t *idv_session_results_best(const char *results,
                                                     apr_pool_t *pool)
{
    const json_t *entries = idv_json_load(results ? results : "[]", pool);
    const json_t *entry, *best = NULL;
    size_t i;

    json_array_foreach (entries, i, entry)
        if (has_passed(entry)
            && (!best || assurance_of(entry) >= assurance_of(best)))
            best = entry;
    return best ? read_entry(best, pool) : NULL;
}

/* --- display --- */

static void remove_passed_checks(json_t *checks)
{
    for (size_t i = json_array_size(checks); i-- > 0;)
        if (json_is_true(json_object_get(json_array_get(checks, i), "passed")))
            json_array_remove(checks, i);
}

void idv_session_results_write_failed(idv_json_writer_t *writer,
                                      const char *key, const char *results)
{
    json_t *entries = idv_json_load(results ? results : "[]", writer->pool);

    for (size_t i = json_array_size(entries); i-- > 0;) {
        json_t *entry = json_array_get(entries, i);

        if (has_passed(entry))
            json_array_remove(entries, i);
        else
            remove_passed_checks(json_object_get(entry, "checks"));
    }
    idv_json_put_value(writer, key, entries);
}

static int is_of_layer(const json_t *entry)
{
    idv_method_t method =
        idv_method_parse(json_string_value(json_object_get(entry, "method")));

    return method != IDV_METHOD_NONE
        && idv_method_kind(method) == IDV_METHOD_LAYER;
}

/* The last entry that passed, of methods that leave a credential. */
static json_t *last_passed(const json_t *entries)
{
    for (size_t i = json_array_size(entries); i-- > 0;) {
        json_t *entry = json_array_get(entries, i);

        if (has_passed(entry) && !is_of_layer(entry))
            return entry;
    }
    return NULL;
}

void idv_session_results_write_minted(idv_json_writer_t *writer,
                                      const char *key, const char *results,
                                      const idv_session_minted_t *minted)
{
    json_t *entries = idv_json_load(results ? results : "[]", writer->pool);
    json_t *entry = last_passed(entries);

    if (!entry) {
        entries = idv_json_load(
            idv_session_results_add(results, minted->otherwise, writer->pool),
            writer->pool);
        entry = last_passed(entries);
    }
    json_object_set_new(entry, "credential_hash", json_string(minted->hash));
    idv_json_put_value(writer, key, entries);
}
