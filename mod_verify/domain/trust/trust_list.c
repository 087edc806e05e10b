/* SPDX-License-Identifier: Apache-2.0 */
#include "domain/trust/trust_list.h"

#include <string.h>

#include <apr_hash.h>
#include <apr_strings.h>

#include "core/utf8.h"

/* Bytes of a name that a source shows: with the longest kind, the id of a
 * version and a number, less than IDV_TRUST_SOURCE_MAX. */
#define NAME_SHOWN 160

typedef struct {
    const char *value;
    idv_trust_purpose_t purpose;
} kind_t;

static const kind_t kinds[] = {
#define X(name, value, purpose) {value, IDV_TRUST_FOR_##purpose},
    IDV_TRUST_KINDS(X)
#undef X
};

const char *idv_trust_kind_value(idv_trust_kind_t kind)
{
    return kinds[kind].value;
}

int idv_trust_kind_parse(const char *value)
{
    for (int kind = 0; kind < IDV_TRUST_KIND_COUNT; kind++)
        if (strcmp(kinds[kind].value, value) == 0)
            return kind;
    return -1;
}

idv_trust_purpose_t idv_trust_kind_purpose(idv_trust_kind_t kind)
{
    return kinds[kind].purpose;
}

int idv_trust_kind_is_plain(idv_trust_kind_t kind)
{
    return kind == IDV_TRUST_IACA || kind == IDV_TRUST_SANDBOX_SIGNER
        || kind == IDV_TRUST_CSCA;
}

/* --- what changes --- */

const char *idv_trust_change_value(idv_trust_change_kind_t kind)
{
    static const char *const values[] = {"added", "removed", "changed"};

    return values[kind];
}

#define CERTIFICATE(list, i)                                                   \
    (&APR_ARRAY_IDX((list), (i), const idv_trust_certificate_t))

static apr_hash_t *index_of(const apr_array_header_t *list, apr_pool_t *pool)
{
    apr_hash_t *index = apr_hash_make(pool);

    for (int i = 0; i < list->nelts; i++) {
        const idv_trust_certificate_t *item = CERTIFICATE(list, i);

        apr_hash_set(index, item->certificate.data,
                     (apr_ssize_t)item->certificate.length, item);
    }
    return index;
}

static const idv_trust_certificate_t *
find(apr_hash_t *index, const idv_trust_certificate_t *item)
{
    return apr_hash_get(index, item->certificate.data,
                        (apr_ssize_t)item->certificate.length);
}

/* The types are compared in their order: publishers keep it. */
static int is_for_the_same(const idv_trust_certificate_t *a,
                           const idv_trust_certificate_t *b)
{
    if (a->is_signer != b->is_signer || a->doc_type_count != b->doc_type_count)
        return 0;
    for (int i = 0; i < a->doc_type_count; i++)
        if (strcmp(a->doc_types[i], b->doc_types[i]) != 0)
            return 0;
    return 1;
}

static void note(idv_trust_difference_t *difference,
                 idv_trust_change_kind_t kind,
                 const idv_trust_certificate_t *certificate)
{
    idv_trust_change_t *change = apr_array_push(difference->changes);

    change->kind = kind;
    change->certificate = certificate;
}

void idv_trust_compare(const apr_array_header_t *before,
                       const apr_array_header_t *after,
                       idv_trust_difference_t *difference, apr_pool_t *pool)
{
    apr_hash_t *earlier = index_of(before, pool);
    apr_hash_t *later = index_of(after, pool);

    difference->changes = apr_array_make(pool, 8, sizeof(idv_trust_change_t));
    difference->kept = 0;
    for (int i = 0; i < after->nelts; i++) {
        const idv_trust_certificate_t *item = CERTIFICATE(after, i);
        const idv_trust_certificate_t *was = find(earlier, item);

        if (!was)
            note(difference, IDV_TRUST_ADDED, item);
        else if (!is_for_the_same(item, was))
            note(difference, IDV_TRUST_CHANGED, item);
        else
            difference->kept++;
    }
    for (int i = 0; i < before->nelts; i++)
        if (!find(later, CERTIFICATE(before, i)))
            note(difference, IDV_TRUST_REMOVED, CERTIFICATE(before, i));
}

int idv_trust_is_older(apr_int64_t sequence, idv_time_t issued,
                       apr_int64_t last_sequence, idv_time_t last_issued)
{
    if (sequence && last_sequence && sequence != last_sequence)
        return sequence < last_sequence;
    return issued && last_issued && issued < last_issued;
}

/* --- anchors --- */

const char *idv_trust_source(const idv_trust_version_t *version,
                             apr_pool_t *pool)
{
    const char *text = apr_psprintf(
        pool, "%s %.*s %s", idv_trust_kind_value(version->kind),
        (int)idv_utf8_prefix(version->name, NAME_SHOWN), version->name,
        version->version_id);

    if (version->sequence)
        text = apr_psprintf(pool, "%s #%" APR_INT64_T_FMT, text,
                            version->sequence);
    return text;
}
