/* SPDX-License-Identifier: Apache-2.0 */
#include "store/risk/risk_list.h"

#include <string.h>

#include <apr_strings.h>

#include "core/id.h"
#include "core/ip_address.h"
#include "domain/value/identifier.h"
#include "store/db/lookup.h"

/* --- kinds of values --- */

#define DEVICE_MAX 255 /* bytes of what is a device's identifier */

static const struct {
    const char *name;
    const char *label; /* of the HMAC */
} kinds[] = {
#define X(name, value, label) {value, label},
    IDV_RISK_LIST_KINDS(X)
#undef X
};
#define X(name, value)                                                         \
    _Static_assert((int)IDV_RISK_LIST_##name == (int)IDV_RISK_KIND_##name,     \
                   "the kinds of lists begin with those of identifiers");
IDV_RISK_KINDS(X)
#undef X

idv_risk_list_kind_t idv_risk_list_kind_parse(const char *name)
{
    int kind = 0;

    while (kind < IDV_RISK_LIST_KIND_COUNT
           && strcmp(kinds[kind].name, name) != 0)
        kind++;
    return (idv_risk_list_kind_t)kind;
}

static idv_error_t *normalize_address(const char *value, const char *param,
                                      const char **out, apr_pool_t *pool)
{
    struct sockaddr_storage address;

    if (!idv_address_parse(value, &address))
        return idv_error_param(pool, param, "must be an IPv4 or IPv6 address.");
    *out = idv_address_counted(&address, pool);
    return NULL;
}

/* A domain is one that an e-mail address can have. */
static idv_error_t *normalize_domain(const char *value, const char *param,
                                     const char **out, apr_pool_t *pool)
{
    const char *email;

    if (strchr(value, '@')
        || idv_email_normalize(apr_pstrcat(pool, "a@", value, NULL), param,
                               &email, pool))
        return idv_error_param(pool, param, "must be a domain name.");
    *out = strchr(email, '@') + 1;
    return NULL;
}

static idv_error_t *normalize_device(const char *value, const char *param,
                                     const char **out, apr_pool_t *pool)
{
    if (!*value || strlen(value) > DEVICE_MAX)
        return idv_error_param(pool, param, "must have 1 to %d bytes.",
                               DEVICE_MAX);
    *out = value;
    return NULL;
}

idv_error_t *idv_risk_list_normalize(idv_risk_list_kind_t kind,
                                     const char *value, const char *param,
                                     const char **out, apr_pool_t *pool)
{
    static idv_error_t *(*const forms[IDV_RISK_LIST_KIND_COUNT])(
        const char *, const char *, const char **, apr_pool_t *) = {
        [IDV_RISK_LIST_IP] = normalize_address,
        [IDV_RISK_LIST_EMAIL] = idv_email_normalize,
        [IDV_RISK_LIST_PHONE] = idv_phone_normalize,
        [IDV_RISK_LIST_DEVICE] = normalize_device,
        [IDV_RISK_LIST_EMAIL_DOMAIN] = normalize_domain,
    };

    return forms[kind](value, param, out, pool);
}

idv_bytes_t idv_risk_list_digest(const idv_keyring_t *keyring,
                                 idv_risk_list_kind_t kind, const char *value,
                                 apr_pool_t *pool)
{
    return idv_identifier_digest(keyring, kinds[kind].label, value, pool);
}

/* --- changes --- */

idv_error_t *idv_risk_list_put(idv_db_t *db,
                               const idv_risk_listing_change_t *change,
                               const char **id, apr_pool_t *pool)
{
    int is_personal = change->kind != IDV_RISK_LIST_EMAIL_DOMAIN;
    idv_db_result_t *rows;

    IDV_TRY(idv_db_query(
        db, IDV_SQL_RISK_LIST_PUT,
        IDV_DB_PARAMS(
            idv_db_text(change->organization_id),
            idv_db_text(idv_id_new(IDV_ID_RISK_LIST_ENTRY, change->now, pool)),
            idv_db_text(idv_id_new(IDV_ID_RISK_LIST_CHANGE, change->now, pool)),
            idv_db_text(kinds[change->kind].name), idv_db_bytes(change->digest),
            idv_db_text(is_personal ? NULL : change->value),
            idv_db_text(change->listing == IDV_RISK_BLOCKED ? "block"
                                                            : "allow"),
            idv_db_text(change->note), idv_db_text(change->actor),
            idv_db_time(change->now), idv_db_time(change->expires_at),
            idv_db_int(IDV_RISK_LIST_ENTRIES_MAX)),
        &rows, pool));
    if (idv_db_rows(rows) == 0)
        return idv_error_param(pool, "org",
                               "The organization has %d entries already.",
                               IDV_RISK_LIST_ENTRIES_MAX);
    *id = idv_db_get_text(rows, 0, 0);
    return NULL;
}

idv_error_t *idv_risk_list_remove(idv_db_t *db,
                                  const idv_risk_listing_change_t *change,
                                  const char *id, idv_risk_list_row_t *row,
                                  apr_pool_t *pool)
{
    idv_db_result_t *rows;

    memset(row, 0, sizeof(*row));
    if (!idv_id_is(IDV_ID_RISK_LIST_ENTRY, id))
        return idv_error_new(IDV_E_RESOURCE_MISSING, pool);
    IDV_TRY(idv_db_query(
        db, IDV_SQL_RISK_LIST_REMOVE,
        IDV_DB_PARAMS(
            idv_db_text(change->organization_id), idv_db_text(id),
            idv_db_text(idv_id_new(IDV_ID_RISK_LIST_CHANGE, change->now, pool)),
            idv_db_text(change->note), idv_db_text(change->actor),
            idv_db_time(change->now)),
        &rows, pool));
    if (idv_db_rows(rows) == 0)
        return idv_error_new(IDV_E_RESOURCE_MISSING, pool);
    row->id = id;
    row->kind = idv_db_get_text(rows, 0, 0);
    row->action = idv_db_get_text(rows, 0, 1);
    row->value = idv_db_get_text(rows, 0, 2);
    return NULL;
}

/* --- lists --- */

idv_error_t *idv_risk_list_entries(idv_db_t *db,
                                   const idv_risk_list_query_t *query,
                                   apr_array_header_t **entries,
                                   apr_pool_t *pool)
{
    idv_db_result_t *rows;

    IDV_TRY(idv_db_query(
        db, IDV_SQL_RISK_LIST_LIST,
        IDV_DB_PARAMS(idv_db_text(query->organization_id),
                      idv_db_bytes(query->digest),
                      idv_db_text(query->after ? query->after : ""),
                      idv_db_int(query->limit)),
        &rows, pool));
    *entries =
        apr_array_make(pool, idv_db_rows(rows), sizeof(idv_risk_list_row_t));
    for (int i = 0; i < idv_db_rows(rows); i++) {
        idv_risk_list_row_t *row = apr_array_push(*entries);

        row->id = idv_db_get_text(rows, i, 0);
        row->kind = idv_db_get_text(rows, i, 1);
        row->action = idv_db_get_text(rows, i, 2);
        row->value = idv_db_get_text(rows, i, 3);
        row->note = idv_db_get_text(rows, i, 4);
        row->actor = idv_db_get_text(rows, i, 5);
        row->created = idv_db_get_int(rows, i, 6);
        row->expires_at = idv_db_get_int(rows, i, 7);
    }
    return NULL;
}

idv_error_t *idv_risk_list_changes(idv_db_t *db,
                                   const idv_risk_list_query_t *query,
                                   apr_array_header_t **changes,
                                   apr_pool_t *pool)
{
    idv_db_result_t *rows;

    IDV_TRY(idv_db_query(db, IDV_SQL_RISK_LIST_CHANGES,
                         IDV_DB_PARAMS(idv_db_text(query->organization_id),
                                       idv_db_text(query->after ? query->after
                                                                : IDV_ID_LAST),
                                       idv_db_int(query->limit)),
                         &rows, pool));
    *changes =
        apr_array_make(pool, idv_db_rows(rows), sizeof(idv_risk_list_row_t));
    for (int i = 0; i < idv_db_rows(rows); i++) {
        idv_risk_list_row_t *row = apr_array_push(*changes);

        row->id = idv_db_get_text(rows, i, 0);
        row->entry_id = idv_db_get_text(rows, i, 1);
        row->action = idv_db_get_text(rows, i, 2);
        row->kind = idv_db_get_text(rows, i, 3);
        row->value = idv_db_get_text(rows, i, 4);
        row->note = idv_db_get_text(rows, i, 5);
        row->actor = idv_db_get_text(rows, i, 6);
        row->created = idv_db_get_int(rows, i, 7);
    }
    return NULL;
}
