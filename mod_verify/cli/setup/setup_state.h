/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_CLI_SETUP_SETUP_STATE_H
#define IDV_CLI_SETUP_SETUP_STATE_H

/*
 * What an installation has of the kinds of a set-up file, in the form of a
 * file, as the commands that list it answer.
 *
 * Objects without a name, and those that share their name with another one of
 * their kind, cannot be named in a file: they are not managed. Of several of
 * one name, the only one in use is managed, and the retired ones are not.
 * Revoked keys are left out.
 *
 * Memory: the pool of the call. Threads: one. Failures: those of the commands.
 */
#include <apr_hash.h>

#include "cli/setup/setup_kinds.h"

/* An object that exists. */
typedef struct {
    const char *id;
    const char *name;
    int is_named; /* flag: else NAME is its URL, or nothing ("") */
    json_t *form; /* its fields by name, as limits.secret */
    int is_retired;
    int is_managed;
    const char *unmanaged; /* why it is not managed */
    json_t *listed;        /* the answer that lists it */
} idv_setup_object_t;

/* Whose objects are looked at. */
typedef struct {
    const idv_call_t *call;
    const char *organization_id; /* "": all organizations */
    /* Of applications and workflows: the object by its id, and the id by the
     * list's and its own name. */
    apr_hash_t *objects;
    apr_hash_t *ids;
} idv_setup_scope_t;

idv_setup_scope_t *idv_setup_scope(const idv_call_t *call,
                                   const char *organization_id);

/* The objects of KIND, an array of idv_setup_object_t in the order of their
 * creation. Applications and workflows must be read before what refers to
 * them. */
idv_error_t *idv_setup_objects(idv_setup_scope_t *scope,
                               const idv_setup_kind_t *kind,
                               apr_array_header_t **objects) IDV_CHECKED;

/* The fields of the organization ID. */
idv_error_t *idv_setup_organization_form(const idv_call_t *call,
                                         const char *id,
                                         json_t **form) IDV_CHECKED;

/* The organizations of this name (NULL: all), an array of idv_setup_object_t
 * without forms. */
idv_error_t *idv_setup_organizations(const idv_call_t *call, const char *name,
                                     apr_array_header_t **objects) IDV_CHECKED;

/* Notes that NAME of KIND has the id ID. */
void idv_setup_note(idv_setup_scope_t *scope, const idv_setup_kind_t *kind,
                    const char *name, const char *id);

/* The id of NAME of the list LIST; NULL: none. */
const char *idv_setup_id(const idv_setup_scope_t *scope, const char *list,
                         const char *name);

#endif
