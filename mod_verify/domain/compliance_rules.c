/* SPDX-License-Identifier: Apache-2.0 */
#include "domain/compliance_rules.h"

#include <stdlib.h>
#include <string.h>

#include <apr_file_info.h>
#include <apr_hash.h>
#include <apr_strings.h>

#include "domain/compliance_rule_reader.h"
#include "domain/jurisdiction.h"

#define LETTERS 26

/* Every rule of one jurisdiction, complete. */
typedef struct {
    idv_compliance_rule_t rules[IDV_USE_CASE_COUNT];
} jurisdiction_t;

typedef struct {
    jurisdiction_t jurisdiction;
    apr_hash_t *regions; /* code without the country: jurisdiction_t */
} country_t;

struct idv_compliance_rules_t {
    apr_pool_t *pool;
    country_t *countries[LETTERS * LETTERS];
};

/* --- a jurisdiction --- */

/* The rules of one level of a document, over those of the level above. */
static void read_level(const idv_compliance_place_t *place, const json_t *level,
                       idv_compliance_draft_t drafts[IDV_USE_CASE_COUNT])
{
    const json_t *all = json_object_get(level, "all");
    json_t *rules = json_object_get(level, "rules"), *rule;
    idv_compliance_place_t at_rules =
        idv_compliance_place_below(place, "rules");
    const char *key;

    if (all) {
        idv_compliance_place_t here = idv_compliance_place_below(place, "all");
        idv_compliance_draft_t unused = {.rule = idv_compliance_nothing_known};

        if (json_object_get(all, "minimum_age")
            || json_object_get(all, "prohibited"))
            idv_compliance_complain(
                &here, "An age and a prohibition belong to a product.");
        idv_compliance_rule_read(&here, all, &unused);
    }
    for (int i = IDV_USE_CASE_NONE + 1; all && i < IDV_USE_CASE_COUNT; i++) {
        idv_compliance_place_t silent = *place; /* its faults were told above */

        silent.faults =
            apr_array_make(place->scratch, 0, sizeof(idv_compliance_fault_t));
        idv_compliance_rule_read(&silent, all, &drafts[i]);
    }
    if (rules && !json_is_object(rules))
        idv_compliance_complain(&at_rules, "Expected an object.");
    json_object_foreach (rules, key, rule) {
        idv_compliance_place_t here =
            idv_compliance_place_below(&at_rules, key);
        idv_use_case_t use_case = idv_use_case_parse(key);

        if (use_case == IDV_USE_CASE_NONE)
            idv_compliance_complain(&here, "No such product type.");
        else
            idv_compliance_rule_read(&here, rule, &drafts[use_case]);
    }
}

static void finish_level(const idv_compliance_place_t *place,
                         idv_compliance_draft_t *drafts,
                         jurisdiction_t *jurisdiction)
{
    idv_compliance_place_t at_rules =
        idv_compliance_place_below(place, "rules");

    jurisdiction->rules[IDV_USE_CASE_NONE] = idv_compliance_nothing_known;
    for (int i = IDV_USE_CASE_NONE + 1; i < IDV_USE_CASE_COUNT; i++) {
        idv_compliance_place_t here =
            idv_compliance_place_below(&at_rules, idv_use_case_value(i));
        idv_compliance_draft_t draft =
            drafts[i]; /* regions go on from the unfinished one */

        idv_compliance_rule_finish(&here, &draft);
        jurisdiction->rules[i] = draft.rule;
    }
}

/* Complains of members that KNOWN, ending with NULL, does not list. */
static void check_members(const idv_compliance_place_t *place,
                          const json_t *object, const char *const *known)
{
    const char *key;
    json_t *value;

    json_object_foreach ((json_t *)object, key, value) {
        idv_compliance_place_t here = idv_compliance_place_below(place, key);
        int i = 0;

        while (known[i] && strcmp(known[i], key) != 0)
            i++;
        if (!known[i])
            idv_compliance_complain(&here, "No such member.");
    }
}

static void check_name(const idv_compliance_place_t *place,
                       const json_t *object)
{
    idv_compliance_place_t here = idv_compliance_place_below(place, "name");

    idv_compliance_text(&here, json_object_get(object, "name"));
}

static int is_region_code(const char *country, const char *code,
                          apr_pool_t *pool)
{
    const char *whole = apr_pstrcat(pool, country, "-", code, NULL);
    const char *normal = idv_jurisdiction_normalize(whole, pool);

    return normal && strcmp(normal, whole) == 0;
}

static void read_region(const idv_compliance_place_t *place,
                        const json_t *region,
                        const idv_compliance_draft_t *inherited,
                        jurisdiction_t *out)
{
    static const char *const known[] = {"name", "all", "rules", NULL};
    idv_compliance_draft_t drafts[IDV_USE_CASE_COUNT];

    memcpy(drafts, inherited, sizeof(drafts));
    if (!json_is_object(region)) {
        idv_compliance_complain(place, "Expected an object.");
        return;
    }
    check_members(place, region, known);
    check_name(place, region);
    read_level(place, region, drafts);
    finish_level(place, drafts, out);
}

static void read_regions(const idv_compliance_place_t *place, const char *code,
                         const json_t *document,
                         const idv_compliance_draft_t *drafts,
                         country_t *country)
{
    json_t *regions = json_object_get(document, "regions"), *region;
    idv_compliance_place_t at_regions =
        idv_compliance_place_below(place, "regions");
    apr_pool_t *pool = place->pool;
    const char *key;

    if (regions && !json_is_object(regions))
        idv_compliance_complain(&at_regions, "Expected an object.");
    json_object_foreach (regions, key, region) {
        idv_compliance_place_t here =
            idv_compliance_place_below(&at_regions, key);
        jurisdiction_t *jurisdiction = apr_pcalloc(pool, sizeof(*jurisdiction));

        if (!is_region_code(code, key, place->scratch))
            idv_compliance_complain(&here,
                                    "Not the code of a region (ISO 3166-2).");
        read_region(&here, region, drafts, jurisdiction);
        apr_hash_set(country->regions, apr_pstrdup(pool, key),
                     APR_HASH_KEY_STRING, jurisdiction);
    }
}

static int country_index(const char *code)
{
    return (code[0] - 'A') * LETTERS + code[1] - 'A';
}

/* The code of the country, checked; NULL after a fault. */
static const char *country_of(const idv_compliance_place_t *place,
                              const json_t *document)
{
    const char *code = json_string_value(json_object_get(document, "country"));
    idv_compliance_place_t here = idv_compliance_place_below(place, "country");

    if (!code || strlen(code) != 2 || !idv_country_by_alpha2(code)) {
        idv_compliance_complain(
            &here, "Not the code of a country (ISO 3166-1 alpha-2).");
        return NULL;
    }
    if (strcmp(place->file, apr_pstrcat(place->scratch, code, ".json", NULL))
        != 0)
        idv_compliance_complain(&here,
                                "The file is not named after its country.");
    return code;
}

static const char *version_of(const idv_compliance_place_t *place,
                              const json_t *document)
{
    idv_compliance_place_t here =
        idv_compliance_place_below(place, "rule_version");
    const char *text =
        idv_compliance_text(&here, json_object_get(document, "rule_version"));

    return text ? apr_pstrdup(place->pool, text) : NULL;
}

/* A country says something of every product type, if only "unknown". */
static void check_complete(const idv_compliance_place_t *place,
                           const json_t *document)
{
    const json_t *rules = json_object_get(document, "rules");
    idv_compliance_place_t at_rules =
        idv_compliance_place_below(place, "rules");

    for (int i = IDV_USE_CASE_NONE + 1; i < IDV_USE_CASE_COUNT; i++) {
        idv_compliance_place_t here =
            idv_compliance_place_below(&at_rules, idv_use_case_value(i));
        const json_t *rule = json_object_get(rules, idv_use_case_value(i));

        if (!rule)
            idv_compliance_complain(
                &here, "A country needs a rule for every product type.");
        else if (!json_object_get(rule, "prohibited")
                 || !json_object_get(rule, "minimum_age"))
            idv_compliance_complain(
                &here, "A country's rule says whether the product is "
                       "prohibited and at which age it is allowed.");
    }
}

static void read_document(idv_compliance_rules_t *rules,
                          idv_compliance_place_t *place, const json_t *document)
{
    static const char *const known[] = {"$schema",      "country", "name",
                                        "rule_version", "all",     "rules",
                                        "regions",      NULL};
    idv_compliance_draft_t drafts[IDV_USE_CASE_COUNT];
    country_t *country = apr_pcalloc(rules->pool, sizeof(*country));
    const char *code = country_of(place, document);

    place->rule_version = version_of(place, document);
    check_members(place, document, known);
    check_name(place, document);
    check_complete(place, document);
    if (!code)
        return;
    country->regions = apr_hash_make(rules->pool);
    for (int i = 0; i < IDV_USE_CASE_COUNT; i++)
        drafts[i] =
            (idv_compliance_draft_t){.rule = idv_compliance_nothing_known};
    read_level(place, document, drafts);
    finish_level(place, drafts, &country->jurisdiction);
    read_regions(place, code, document, drafts, country);
    rules->countries[country_index(code)] = country;
}

void idv_compliance_rules_add(idv_compliance_rules_t *rules, const char *name,
                              const json_t *document,
                              apr_array_header_t *faults)
{
    idv_compliance_place_t place = {
        .pool = rules->pool, .file = name, .faults = faults, .pointer = ""};

    apr_pool_create(&place.scratch, rules->pool);
    if (json_is_object(document))
        read_document(rules, &place, document);
    else
        idv_compliance_complain(&place, "Expected an object.");
    apr_pool_destroy(place.scratch);
}

/* --- use --- */

idv_compliance_rules_t *idv_compliance_rules_new(apr_pool_t *pool)
{
    idv_compliance_rules_t *rules = apr_pcalloc(pool, sizeof(*rules));

    rules->pool = pool;
    return rules;
}

const idv_compliance_rule_t *
idv_compliance_rules_find(const idv_compliance_rules_t *rules,
                          const char *jurisdiction, idv_use_case_t use_case)
{
    const country_t *country =
        rules ? rules->countries[country_index(jurisdiction)] : NULL;
    const jurisdiction_t *region = NULL;

    if (!country)
        return &idv_compliance_nothing_known;
    if (jurisdiction[2])
        region = apr_hash_get(country->regions, jurisdiction + 3,
                              APR_HASH_KEY_STRING);
    return region ? &region->rules[use_case]
                  : &country->jurisdiction.rules[use_case];
}

void idv_compliance_rules_look_up(void *rules, const char *jurisdiction,
                                  idv_use_case_t use_case,
                                  idv_compliance_t *out, apr_pool_t *pool)
{
    (void)pool;
    *out = idv_compliance_rules_find(rules, jurisdiction, use_case)->compliance;
}

static void count_rules(const jurisdiction_t *jurisdiction,
                        idv_compliance_extent_t *extent)
{
    for (int i = IDV_USE_CASE_NONE + 1; i < IDV_USE_CASE_COUNT; i++) {
        extent->rules++;
        extent->unknown += !jurisdiction->rules[i].compliance.rule_version;
    }
}

void idv_compliance_rules_extent(const idv_compliance_rules_t *rules,
                                 idv_compliance_extent_t *extent)
{
    memset(extent, 0, sizeof(*extent));
    for (int i = 0; i < LETTERS * LETTERS; i++) {
        const country_t *country = rules->countries[i];
        apr_hash_index_t *at;

        if (!country)
            continue;
        extent->countries++;
        count_rules(&country->jurisdiction, extent);
        for (at = apr_hash_first(rules->pool, country->regions); at;
             at = apr_hash_next(at)) {
            extent->regions++;
            count_rules(apr_hash_this_val(at), extent);
        }
    }
}

/* --- a directory --- */

#define SCHEMA "schema.json"

static int ends_with(const char *name, const char *suffix)
{
    apr_size_t length = strlen(name), end = strlen(suffix);

    return length > end && strcmp(name + length - end, suffix) == 0;
}

static int compare_names(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* The names of the files in the directory at PATH that end with SUFFIX, sorted,
 * as an array of `const char *` in POOL. Hidden files are left out. */
static idv_error_t *list_files(const char *path, const char *suffix,
                               apr_array_header_t **names, apr_pool_t *pool)
{
    apr_dir_t *directory;
    apr_finfo_t info;
    apr_status_t status = apr_dir_open(&directory, path, pool);

    *names = apr_array_make(pool, 64, sizeof(const char *));
    if (status != APR_SUCCESS)
        return idv_error_apr(pool, status, "%s", path);
    while ((status = apr_dir_read(&info, APR_FINFO_NAME, directory))
           == APR_SUCCESS)
        if (*info.name != '.' && ends_with(info.name, suffix))
            APR_ARRAY_PUSH(*names, const char *) = apr_pstrdup(pool, info.name);
    apr_dir_close(directory);
    if (!APR_STATUS_IS_ENOENT(status))
        return idv_error_apr(pool, status, "%s", path);
    if ((*names)->nelts)
        qsort((*names)->elts, (*names)->nelts, sizeof(const char *),
              compare_names);
    return NULL;
}

/* What the files need while they are read is given back after each. */
static void read_file(const char *directory, const char *name,
                      idv_compliance_rules_t *rules, apr_array_header_t *faults,
                      apr_pool_t *scratch)
{
    const char *path = apr_pstrcat(scratch, directory, "/", name, NULL);
    json_t *document;
    idv_error_t *error =
        idv_json_file_read(path, IDV_COMPLIANCE_FILE_MAX, &document, scratch);

    if (error)
        idv_compliance_fault_add(faults, name, "", idv_error_cause(error));
    else
        idv_compliance_rules_add(rules, name, document, faults);
}

idv_error_t *idv_compliance_directory_read(const char *directory,
                                           idv_compliance_rules_t **rules,
                                           apr_array_header_t **faults,
                                           apr_pool_t *pool)
{
    apr_array_header_t *names;
    apr_pool_t *scratch;
    int files = 0;

    *rules = NULL;
    *faults = apr_array_make(pool, 0, sizeof(idv_compliance_fault_t));
    IDV_TRY(list_files(directory, ".json", &names, pool));
    *rules = idv_compliance_rules_new(pool);
    apr_pool_create(&scratch, pool);
    for (int i = 0; i < names->nelts; i++) {
        const char *name = APR_ARRAY_IDX(names, i, const char *);

        if (strcmp(name, SCHEMA) == 0)
            continue;
        read_file(directory, name, *rules, *faults, scratch);
        apr_pool_clear(scratch);
        files++;
    }
    apr_pool_destroy(scratch);
    if (!files)
        idv_compliance_fault_add(*faults, "", "", "No country is there.");
    if ((*faults)->nelts)
        *rules = NULL;
    return NULL;
}
