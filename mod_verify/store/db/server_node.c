/* SPDX-License-Identifier: Apache-2.0 */
#include "store/db/server_node.h"

#include <apr_strings.h>

#define LACKING_MAX 20

static const char *fingerprint_of(const idv_key_version_t *version,
                                  apr_pool_t *pool)
{
    idv_bytes_t fingerprint = idv_key_fingerprint(version);

    return idv_hex(fingerprint.data, fingerprint.length, pool);
}

idv_error_t *idv_server_node_report(idv_db_t *db, const idv_server_node_t *node,
                                    apr_pool_t *pool)
{
    const char *fingerprints[IDV_KEY_VERSIONS_KEPT + 1] = {NULL};

    for (int i = 0; i < node->keys->count; i++)
        fingerprints[i] = fingerprint_of(&node->keys->versions[i], pool);
    return idv_db_execute(db, IDV_SQL_SERVER_NODE_REPORT,
                          IDV_DB_PARAMS(idv_db_text(node->id),
                                        idv_db_text(node->node),
                                        idv_db_text(node->host),
                                        idv_db_text_list(fingerprints, pool),
                                        idv_db_bool(node->sends_mail)),
                          NULL, pool);
}

idv_error_t *idv_server_node_leave(idv_db_t *db, const char *id,
                                   apr_pool_t *pool)
{
    return idv_db_execute(db, IDV_SQL_SERVER_NODE_LEAVE,
                          IDV_DB_PARAMS(idv_db_text(id)), NULL, pool);
}

idv_error_t *idv_server_node_lacking(idv_db_t *db,
                                     const idv_key_version_t *version,
                                     apr_array_header_t **hosts,
                                     apr_pool_t *pool)
{
    idv_db_result_t *rows;

    *hosts = apr_array_make(pool, 2, sizeof(const char *));
    IDV_TRY(idv_db_query(db, IDV_SQL_SERVER_NODE_LACKING,
                         IDV_DB_PARAMS(idv_db_text(fingerprint_of(version,
                                                                  pool)),
                                       idv_db_int(LACKING_MAX)),
                         &rows, pool));
    for (int row = 0; row < idv_db_rows(rows); row++)
        APR_ARRAY_PUSH(*hosts, const char *) = idv_db_get_text(rows, row, 0);
    return NULL;
}

idv_error_t *idv_server_node_without_mail(idv_db_t *db, int *is_there,
                                          apr_pool_t *pool)
{
    idv_db_result_t *rows;

    IDV_TRY(idv_db_query(db, IDV_SQL_SERVER_NODE_WITHOUT_MAIL, IDV_DB_NO_PARAMS,
                         &rows, pool));
    *is_there = idv_db_get_bool(rows, 0, 0);
    return NULL;
}
