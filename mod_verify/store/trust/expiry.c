/* SPDX-License-Identifier: Apache-2.0 */
#include "store/trust/expiry.h"

#include <string.h>

#include "methods/mdl/revocation_list.h"
#include "methods/trust/x509_certificate.h"

#define DATED_AT_ONCE 500
#define LISTS_DATED_AT_ONCE 16 /* of up to IDV_REVOCATION_LIST_MAX bytes */
/* Of a certificate that says no end: 31 December 9999, as RFC 5280 writes it
 * (4.1.2.5). */
#define NO_END ((idv_time_t)253402300799 * IDV_SECOND)

static const char *const kinds[] = {"trust_list", "trust_certificates",
                                    "reader_identity", "revocation_list"};

const char *idv_expiring_kind_value(idv_expiring_kind_t kind)
{
    return kinds[kind];
}

static idv_expiring_kind_t kind_of(const char *value)
{
    int kind = 0;

    while (kind < IDV_EXPIRING_KIND_COUNT - 1
           && strcmp(kinds[kind], value) != 0)
        kind++;
    return (idv_expiring_kind_t)kind;
}

static idv_expiry_state_t state_of(const idv_db_result_t *rows, int row,
                                   idv_expiring_kind_t kind, idv_time_t now)
{
    idv_time_t ends = idv_db_get_int(rows, row, 5);

    return kind == IDV_EXPIRING_LIST || kind == IDV_EXPIRING_REVOCATION_LIST
             ? idv_expiry_of_list(idv_db_get_int(rows, row, 4), ends, now)
             : idv_expiry_of_certificate(ends, now);
}

idv_error_t *idv_expiring_list(idv_db_t *db, idv_time_t now, int limit,
                               apr_array_header_t **expiring, apr_pool_t *pool)
{
    idv_db_result_t *rows;

    IDV_TRY(idv_db_query(
        db, IDV_SQL_EXPIRY_LIST,
        IDV_DB_PARAMS(idv_db_time(now),
                      idv_db_time(now + IDV_EXPIRY_LIST_NOTICE),
                      idv_db_time(now + IDV_EXPIRY_CERTIFICATE_NOTICE),
                      idv_db_int(limit)),
        &rows, pool));
    *expiring = apr_array_make(pool, 8, sizeof(idv_expiring_t));
    for (int row = 0; row < idv_db_rows(rows); row++) {
        idv_expiring_kind_t kind = kind_of(idv_db_get_text(rows, row, 0));
        idv_expiry_state_t state = state_of(rows, row, kind, now);

        /* A list that is published often is due later than the query asks. */
        if (state != IDV_EXPIRY_CURRENT)
            APR_ARRAY_PUSH(*expiring, idv_expiring_t) = (idv_expiring_t){
                .kind = kind,
                .organization_id = idv_db_get_text(rows, row, 1),
                .id = idv_db_get_text(rows, row, 2),
                .name = idv_db_get_text(rows, row, 3),
                .ends = idv_db_get_int(rows, row, 5),
                .certificates = (int)idv_db_get_int(rows, row, 6),
                .state = state,
            };
    }
    return NULL;
}

/* --- ends of certificates --- */

static idv_time_t end_of(idv_bytes_t der, apr_pool_t *pool)
{
    const X509 *certificate = idv_x509_read(der, pool);
    idv_time_t end = certificate
                       ? idv_x509_time(X509_get0_notAfter(certificate))
                       : 0;

    return end ? end : NO_END;
}

idv_error_t *idv_expiring_date_certificates(idv_db_t *db, apr_pool_t *pool)
{
    const char *digests[DATED_AT_ONCE];
    apr_int64_t ends[DATED_AT_ONCE];
    idv_db_result_t *rows;
    int count;

    IDV_TRY(idv_db_query(db, IDV_SQL_EXPIRY_UNDATED_CERTIFICATES,
                         IDV_DB_PARAMS(idv_db_int(DATED_AT_ONCE)), &rows, pool));
    count = idv_db_rows(rows);
    if (count == 0)
        return NULL;
    for (int row = 0; row < count; row++) {
        digests[row] = idv_db_get_text(rows, row, 0);
        ends[row] = end_of(idv_db_get_bytes(rows, row, 1, pool), pool);
    }
    return idv_db_execute(db, IDV_SQL_EXPIRY_DATE_CERTIFICATES,
                          IDV_DB_PARAMS(idv_db_texts(digests, count, pool),
                                        idv_db_ints(ends, count, pool)),
                          NULL, pool);
}

/* --- ends of revocation lists --- */

/* An unreadable one is dated, too, or it would be read again each time. */
static idv_error_t *date_list(idv_db_t *db, const idv_db_result_t *rows, int row,
                              apr_pool_t *pool)
{
    idv_crl_t crl = {.next_update = 0};
    idv_error_t *error =
        idv_crl_read(idv_db_get_bytes(rows, row, 1, pool), &crl, pool);

    return idv_db_execute(
        db, IDV_SQL_EXPIRY_DATE_REVOCATION_LIST,
        IDV_DB_PARAMS(idv_db_text(idv_db_get_text(rows, row, 0)),
                      idv_db_text(idv_db_get_text(rows, row, 2)),
                      idv_db_int(!error && crl.next_update ? crl.next_update
                                                           : NO_END),
                      idv_db_text(error ? NULL : crl.issuer)),
        NULL, pool);
}

idv_error_t *idv_expiring_date_revocation_lists(idv_db_t *db, apr_pool_t *pool)
{
    idv_db_result_t *rows;

    IDV_TRY(idv_db_query(db, IDV_SQL_EXPIRY_UNDATED_REVOCATION_LISTS,
                         IDV_DB_PARAMS(idv_db_int(LISTS_DATED_AT_ONCE)), &rows,
                         pool));
    for (int row = 0; row < idv_db_rows(rows); row++)
        IDV_TRY(date_list(db, rows, row, pool));
    return NULL;
}
