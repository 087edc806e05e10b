/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_STORE_TRUST_TRUST_LIST_H
#define IDV_STORE_TRUST_TRUST_LIST_H

/*
 * Lists of trusted certificates (domain/trust/trust_list.h) and their versions.
 *
 * A list is identified by its owner, kind and name. An import creates a new
 * version and puts it into use. A rollback or removal changes which version is
 * in use; versions are never changed or deleted.
 *
 * Threads: as in store/db/db.h. Memory: everything lives in the given pool.
 * Failures: those of store/db/db.h; an unknown list or version is
 * `resource_missing`.
 */
#include "domain/method/method_outcome.h"
#include "domain/trust/trust_list.h"
#include "store/db/db.h"

/* An imported version. */
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

/* The certificates against which an organization's evidence is checked, and
 * their list versions: those in use now, of the organization and for all, of
 * the kinds with this PURPOSE. If there are none, the anchors are empty and
 * nothing is trusted, which is not an error. */
idv_error_t *idv_trust_anchors_find(idv_db_t *db, const char *organization_id,
                                    idv_trust_purpose_t purpose,
                                    idv_trust_anchors_t **anchors,
                                    apr_pool_t *pool) IDV_CHECKED;

/* The lists of an organization for a purpose. */
typedef struct {
    const char *organization_id;
    idv_trust_purpose_t purpose;
} idv_trust_query_t;

/* The same versions as the basis of a decision, without certificates; *COUNT of
 * them at *BASIS. */
idv_error_t *idv_trust_basis_find(idv_db_t *db, const idv_trust_query_t *query,
                                  const idv_method_basis_t **basis, int *count,
                                  apr_pool_t *pool) IDV_CHECKED;

/* --- management --- */

typedef struct {
    const char *organization_id; /* "" for all */
    const char *name;
    const idv_trust_content_t *content;
    idv_bytes_t source; /* the file; only its digest is stored */
    idv_time_t now;
} idv_trust_import_t;

/* Creates a version from the content and puts it into use. If the file is
 * already in use, no version is created (*RECORD is that one, DIFFERENCE says
 * that all was kept). `parameter_invalid` for an older edition than the one in
 * use, for an unknown organization (parameter `org`), and for signers of a
 * sandbox without one. */
idv_error_t *idv_trust_list_import(idv_db_t *db,
                                   const idv_trust_import_t *import,
                                   idv_trust_record_t **record,
                                   idv_trust_difference_t *difference,
                                   apr_pool_t *pool) IDV_CHECKED;

/* The changes that idv_trust_list_import() would make; *RECORD is the version
 * in use, NULL if there is none. Changes nothing. */
idv_error_t *idv_trust_list_compare(idv_db_t *db,
                                    const idv_trust_import_t *import,
                                    idv_trust_record_t **record,
                                    idv_trust_difference_t *difference,
                                    apr_pool_t *pool) IDV_CHECKED;

/* The version in use of every list that applies to an organization, or (NULL)
 * of all lists, an array of idv_trust_record_t. */
idv_error_t *idv_trust_list_current(idv_db_t *db, const char *organization_id,
                                    apr_array_header_t **records,
                                    apr_pool_t *pool) IDV_CHECKED;

/* All versions of the list ID, newest first. */
idv_error_t *idv_trust_list_versions(idv_db_t *db, const char *id,
                                     apr_array_header_t **records,
                                     apr_pool_t *pool) IDV_CHECKED;

/* A list that goes back to its earlier version. */
typedef struct {
    const char *id;
    idv_time_t now;
} idv_trust_rollback_t;

/* Puts another version into use: the one with the id ID, or, for a list's id,
 * the previous one. */
idv_error_t *idv_trust_list_rollback(idv_db_t *db,
                                     const idv_trust_rollback_t *rollback,
                                     idv_trust_record_t **record,
                                     idv_trust_difference_t *difference,
                                     apr_pool_t *pool) IDV_CHECKED;

/* Puts no version of the list ID into use; a rollback restores the last one.
 * *RECORD is the version that was in use. */
idv_error_t *idv_trust_list_remove(idv_db_t *db, const char *id, idv_time_t now,
                                   idv_trust_record_t **record,
                                   apr_pool_t *pool) IDV_CHECKED;

#endif
