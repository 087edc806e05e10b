/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_STORE_TRUST_TRUST_LIST_H
#define IDV_STORE_TRUST_TRUST_LIST_H

/*
 * The lists of trusted certificates (domain/trust/trust_list.h) and their versions.
 *
 * A list is found by its owner, kind and name. What is imported becomes a new
 * version of it, which is in use from then on; a rollback or a removal changes
 * which version is in use, and no version ever changes or goes.
 *
 * Threads: as in store/db/db.h. Memory: everything lives in the given pool.
 * Failures: those of store/db/db.h; `resource_missing` for a list or version that
 * does not exist.
 */
#include "domain/method/method_outcome.h"
#include "domain/trust/trust_list.h"
#include "store/db/db.h"

/* A version as it was imported. */
typedef struct {
    const char *organization_id; /* "" for all */
    idv_trust_version_t version;
    const char *digest; /* SHA-256 of the file, hexadecimal */
    const char *signer; /* as in idv_trust_content_t; NULL: not signed */
    int certificate_count;
    int passed_over;
    int is_current;
} idv_trust_record_t;

/* --- in use --- */

/* The certificates that evidence of an organization is checked against, and the
 * versions of lists in which they stand: those in use now, of the organization
 * and for all, of the kinds that are good for PURPOSE. Without any the anchors
 * are empty, which is no error: then nothing is trusted. */
idv_error_t *idv_trust_anchors_find(idv_db_t *db, const char *organization_id,
                                    idv_trust_purpose_t purpose,
                                    idv_trust_anchors_t **anchors,
                                    apr_pool_t *pool) IDV_CHECKED;

/* The same versions as what a decision rests on, without their certificates; at
 * *BASIS, *COUNT of them. */
idv_error_t *idv_trust_basis_find(idv_db_t *db, const char *organization_id,
                                  idv_trust_purpose_t purpose,
                                  const idv_method_basis_t **basis, int *count,
                                  apr_pool_t *pool) IDV_CHECKED;

/* --- management --- */

typedef struct {
    const char *organization_id; /* "" for all */
    const char *name;
    const idv_trust_content_t *content;
    idv_bytes_t source; /* the file, of which the digest is kept */
    idv_time_t now;
} idv_trust_import_t;

/* Makes a version of what was read and uses it. A file that is the one in use
 * already makes none (*RECORD is that one, DIFFERENCE says that all was kept).
 * `parameter_invalid` for an older edition than the one in use, and for an
 * organization that does not exist (parameter `org`). */
idv_error_t *idv_trust_list_import(idv_db_t *db,
                                   const idv_trust_import_t *import,
                                   idv_trust_record_t **record,
                                   idv_trust_difference_t *difference,
                                   apr_pool_t *pool) IDV_CHECKED;

/* What idv_trust_list_import() would change; *RECORD is what is in use now, NULL
 * when there is nothing. Changes nothing. */
idv_error_t *idv_trust_list_compare(idv_db_t *db,
                                    const idv_trust_import_t *import,
                                    idv_trust_record_t **record,
                                    idv_trust_difference_t *difference,
                                    apr_pool_t *pool) IDV_CHECKED;

/* The version in use of every list that holds for an organization, or (NULL) of
 * everybody's, as an array of idv_trust_record_t. */
idv_error_t *idv_trust_list_current(idv_db_t *db, const char *organization_id,
                                    apr_array_header_t **records,
                                    apr_pool_t *pool) IDV_CHECKED;

/* All versions of the list ID, the newest first. */
idv_error_t *idv_trust_list_versions(idv_db_t *db, const char *id,
                                     apr_array_header_t **records,
                                     apr_pool_t *pool) IDV_CHECKED;

/* Uses another version: the one with the id ID, or of a list with that id the
 * one before. */
idv_error_t *idv_trust_list_rollback(idv_db_t *db, const char *id,
                                     idv_time_t now,
                                     idv_trust_record_t **record,
                                     idv_trust_difference_t *difference,
                                     apr_pool_t *pool) IDV_CHECKED;

/* Uses no version of the list ID any more; a rollback brings the last one back.
 * *RECORD is what was in use. */
idv_error_t *idv_trust_list_remove(idv_db_t *db, const char *id, idv_time_t now,
                                   idv_trust_record_t **record,
                                   apr_pool_t *pool) IDV_CHECKED;

#endif
