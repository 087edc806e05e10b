/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/command/command.h"

#include <string.h>

#include <apr_strings.h>

#include "cli/command/command_record.h"
#include "core/keyring.h"
#include "store/db/master_key.h"
#include "store/db/server_node.h"

/* The versions of the master key, in the file and in the database. */

#define BATCH 200 /* values per transaction, unless --batch is given */
#define BATCH_MAX 10000

static json_t *counts_json(const apr_int64_t counts[IDV_SEALED_COUNT])
{
    json_t *object = json_object();

    for (int place = 0; place < IDV_SEALED_COUNT; place++)
        json_object_set_new(object, idv_sealed_name((idv_sealed_t)place),
                            json_integer((json_int_t)counts[place]));
    return object;
}

/* --- list --- */

static const char *state_of(const idv_master_key_t *version, int is_last)
{
    return version->dropped_at ? "dropped" : is_last ? "seals" : "opens";
}

static json_t *version_json(const idv_master_key_t *version, int is_last,
                            int is_in_file)
{
    return json_pack("{s:s, s:i, s:s, s:b, s:I, s:o, s:o}", "object",
                     "master_key", "version", version->version, "state",
                     state_of(version, is_last), "in_file", is_in_file, "since",
                     (json_int_t)idv_time_seconds(version->since), "dropped_at",
                     version->dropped_at ? json_integer(
                         (json_int_t)idv_time_seconds(version->dropped_at))
                                         : json_null(),
                     "sealed", counts_json(version->sealed));
}

IDV_COMMAND(master_key_list)
{
    const idv_keyring_t *keys = call->keyring;
    apr_array_header_t *versions;
    int last = 0;

    IDV_TRY(idv_master_key_list(call->db, &versions, call->pool));
    *answer = json_array();
    for (int i = 0; i < versions->nelts; i++) {
        const idv_master_key_t *version =
            &APR_ARRAY_IDX(versions, i, idv_master_key_t);

        last = version->version;
        json_array_append_new(
            *answer, version_json(version, i == versions->nelts - 1,
                                  idv_keyring_version(keys, last) != NULL));
    }
    for (int i = 0; i < keys->count; i++)
        if (keys->versions[i].version > last)
            json_array_append_new(
                *answer,
                json_pack("{s:s, s:i, s:s, s:b, s:n, s:n, s:n}", "object",
                          "master_key", "version", keys->versions[i].version,
                          "state", "waits", "in_file", 1, "since", "dropped_at",
                          "sealed"));
    return NULL;
}

/* --- add --- */

IDV_COMMAND(master_key_add)
{
    int version;

    if (!call->master_key_file)
        return idv_error_param(call->pool, "master-key",
                               "No master key: pass --master-key or set "
                               "VERIFY_MASTER_KEY_FILE.");
    IDV_TRY(idv_key_file_add(call->master_key_file, &version, call->pool));
    *answer = json_pack(
        "{s:s, s:i, s:s, s:s}", "object", "master_key", "version", version,
        "state", "waits", "next",
        "copy the file to every node, reload httpd there, then run verifyctl "
        "master-key rotate");
    return NULL;
}

/* --- rotate --- */

/* Refuses to let VERSION seal while a node cannot open it. Once VERSION seals,
 * that node no longer serves requests, so continuing does no harm. */
static idv_error_t *hold_for_nodes(const idv_call_t *call, idv_db_t *db,
                                   const idv_key_version_t *version,
                                   apr_pool_t *pool)
{
    apr_array_header_t *hosts;
    int seals;

    if (idv_call_option(call, "force"))
        return NULL;
    IDV_TRY(idv_master_key_seals(db, version, &seals, pool));
    if (seals)
        return NULL;
    IDV_TRY(idv_server_node_lacking(db, version, &hosts, pool));
    if (hosts->nelts == 0)
        return NULL;
    return idv_error_param(
        call->pool, NULL,
        "Version %d of the master key is missing on: %s. Copy the file to "
        "these nodes and reload httpd. A node that crashed is forgotten "
        "after a minute. With --force, these nodes refuse all requests until "
        "they have the file.",
        version->version, apr_array_pstrcat(call->pool, hosts, ' '));
}

static idv_error_t *advance(idv_db_t *db, void *baton, apr_pool_t *pool)
{
    idv_call_t *call = baton;
    json_t *about =
        idv_json_own(json_pack("{s:i}", "version",
                               idv_keyring_newest(call->keyring)->version),
                     pool);

    IDV_TRY(hold_for_nodes(call, db, idv_keyring_newest(call->keyring), pool));
    IDV_TRY(idv_master_key_advance(db, call->keyring, pool));
    return idv_call_record(call, about);
}

IDV_COMMAND(master_key_rotate)
{
    static const apr_int64_t bounds[2] = {1, BATCH_MAX};
    apr_int64_t batch = BATCH;
    idv_rewrap_t done;
    json_t *unreadable;

    IDV_TRY(idv_call_number(call, "batch", bounds, &batch));
    IDV_TRY(idv_db_transaction(call->db, advance, call, call->pool));
    IDV_TRY(idv_master_key_rewrap(call->db, call->keyring, (int)batch, &done,
                                  call->pool));
    unreadable = json_array();
    for (int i = 0; i < done.unreadable->nelts; i++)
        json_array_append_new(
            unreadable,
            json_string(APR_ARRAY_IDX(done.unreadable, i, const char *)));
    call->found_faults = done.unreadable->nelts > 0;
    *answer = json_pack("{s:s, s:i, s:o, s:o}", "object", "master_key_rotation",
                        "version", idv_keyring_newest(call->keyring)->version,
                        "sealed_anew", counts_json(done.sealed), "unreadable",
                        unreadable);
    return NULL;
}

/* --- drop --- */

/* The version in the argument. */
static idv_error_t *read_version(const idv_call_t *call, int *version)
{
    const char *text = call->arguments[0];

    *version = strlen(text) <= 3 && strspn(text, "0123456789") == strlen(text)
                 ? (int)apr_atoi64(text)
                 : 0;
    return *version >= 1 && *version <= IDV_KEY_VERSION_MAX
             ? NULL
             : idv_error_param(call->pool, "VERSION",
                               "Expected a number from 1 to 255.");
}

typedef struct {
    idv_call_t *call;
    int version;
} drop_t;

static idv_error_t *drop(idv_db_t *db, void *baton, apr_pool_t *pool)
{
    const drop_t *work = baton;
    json_t *about =
        idv_json_own(json_pack("{s:i}", "version", work->version), pool);

    IDV_TRY(idv_master_key_drop(db, work->version, pool));
    return idv_call_record(work->call, about);
}

/* Whether the database has already dropped VERSION, in a run that was
 * interrupted or on another node. Then only the file is left to change. */
static idv_error_t *is_dropped(const idv_call_t *call, int version,
                               int *dropped)
{
    apr_array_header_t *versions;

    *dropped = 0;
    IDV_TRY(idv_master_key_list(call->db, &versions, call->pool));
    for (int i = 0; i < versions->nelts; i++) {
        const idv_master_key_t *each =
            &APR_ARRAY_IDX(versions, i, idv_master_key_t);

        if (each->version == version)
            *dropped = each->dropped_at != 0;
    }
    return NULL;
}

IDV_COMMAND(master_key_drop)
{
    drop_t work = {.call = call};
    int dropped, removed;

    IDV_TRY(read_version(call, &work.version));
    IDV_TRY(is_dropped(call, work.version, &dropped));
    if (!dropped)
        IDV_TRY(idv_db_transaction(call->db, drop, &work, call->pool));
    IDV_TRY(idv_key_file_remove(call->master_key_file, work.version, &removed,
                                call->pool));
    *answer = json_pack("{s:s, s:i, s:s, s:b}", "object", "master_key",
                        "version", work.version, "state", "dropped",
                        "removed_from_file", removed);
    return NULL;
}

const idv_command_t idv_master_key_commands[] = {
    {.noun = "master-key",
     .verb = "list",
     .needs_keyring = 1,
     .run = master_key_list,
     .help = "list the versions of the master key and what each has sealed"},
    {.noun = "master-key",
     .verb = "add",
     .offline = 1,
     .run = master_key_add,
     .help = "write a new version into the master key file. It seals nothing\n"
             "      until master-key rotate; run that when every node has the file"},
    {.noun = "master-key",
     .verb = "rotate",
     .options = {"batch N", "force?"},
     .needs_keyring = 1,
     .run = master_key_rotate,
     .help = "seal with the newest version from now on, and reseal what\n"
             "      other versions have sealed, while the service runs. If\n"
             "      interrupted, run it again to continue. Refused while a running\n"
             "      node lacks that version, unless --force"},
    {.noun = "master-key",
     .verb = "drop",
     .arguments = "VERSION",
     .needs_keyring = 1,
     .run = master_key_drop,
     .help = "make the database refuse the oldest version if it no longer\n"
             "      seals anything, and remove it from the file. An older backup\n"
             "      needs the file from that time"},
    {0},
};
