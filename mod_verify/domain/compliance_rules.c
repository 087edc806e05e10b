/* SPDX-License-Identifier: Apache-2.0 */
#include "domain/compliance_rules.h"

#include <string.h>

#include <apr_hash.h>
#include <apr_strings.h>

#include "domain/civil_date.h"
#include "domain/country.h"
#include "domain/jurisdiction.h"

#define LETTERS 26
#define UNKNOWN "unknown"

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

static const idv_compliance_rule_t nothing_known = {.data_retention_days = -1};

static const char *const penalties[IDV_PENALTY_COUNT] = {
#define X(name, value) [IDV_PENALTY_##name] = value,
    IDV_PENALTY_TYPES(X)
#undef X
};

const char *idv_penalty_value(idv_penalty_t penalty)
{
    return penalties[penalty];
}

/* --- faults --- */

/* A place in the document that is being read. */
typedef struct {
    idv_compliance_rules_t *rules;
    const char *file;
    const char *rule_version;
    apr_array_header_t *faults;
    const char *pointer;
} place_t;

void idv_compliance_fault_add(apr_array_header_t *faults, const char *file,
                              const char *pointer, const char *message)
{
    idv_compliance_fault_t *fault;

    if (faults->nelts >= IDV_COMPLIANCE_FAULTS_MAX)
        return;
    fault = apr_array_push(faults);
    fault->file = apr_pstrdup(faults->pool, file);
    fault->pointer = apr_pstrdup(faults->pool, pointer);
    fault->message = apr_pstrdup(faults->pool, message);
}

static void complain(const place_t *place, const char *message)
{
    idv_compliance_fault_add(place->faults, place->file, place->pointer,
                             message);
}

/* RFC 6901: "~" and "/" of a key are escaped. */
static place_t below(const place_t *place, const char *key)
{
    place_t member = *place;
    char *escaped = apr_palloc(place->faults->pool, 2 * strlen(key) + 1);
    char *end = escaped;

    for (const char *c = key; *c; c++) {
        if (*c == '~' || *c == '/') {
            *end++ = '~';
            *end++ = *c == '~' ? '0' : '1';
        } else {
            *end++ = *c;
        }
    }
    *end = '\0';
    member.pointer =
        apr_pstrcat(place->faults->pool, place->pointer, "/", escaped, NULL);
    return member;
}

static place_t element(const place_t *place, size_t index)
{
    place_t member = *place;

    member.pointer = apr_psprintf(place->faults->pool, "%s/%" APR_SIZE_T_FMT,
                                  place->pointer, (apr_size_t)index);
    return member;
}

/* --- values --- */

static int is_unknown(const json_t *value)
{
    return json_is_string(value)
           && strcmp(json_string_value(value), UNKNOWN) == 0;
}

static size_t characters(const char *text)
{
    size_t count = 0;

    for (; *text; text++)
        count += ((unsigned char)*text & 0xC0) != 0x80;
    return count;
}

/* The text, checked; NULL after a fault. */
static const char *text_of(const place_t *place, const json_t *value)
{
    const char *text = json_string_value(value);

    if (!text || !*text || characters(text) > IDV_COMPLIANCE_TEXT_MAX) {
        complain(place, "Expected a text of 1 to 1000 characters.");
        return NULL;
    }
    return text;
}

static void read_text(const place_t *place, const json_t *value,
                      const char **text)
{
    const char *given;

    if (is_unknown(value))
        *text = NULL;
    else if ((given = text_of(place, value)))
        *text = apr_pstrdup(place->rules->pool, given);
}

static void read_flag(const place_t *place, const json_t *value, int *flag)
{
    if (is_unknown(value))
        *flag = 0;
    else if (json_is_boolean(value))
        *flag = json_is_true(value);
    else
        complain(place, "Expected true, false or \"unknown\".");
}

/* A whole number; UNKNOWN_VALUE for "unknown". */
static void read_number(const place_t *place, const json_t *value,
                        const json_int_t bounds[2], int unknown_value, int *out)
{
    json_int_t number = json_integer_value(value);

    if (is_unknown(value))
        *out = unknown_value;
    else if (json_is_integer(value) && number >= bounds[0]
             && number <= bounds[1])
        *out = (int)number;
    else
        complain(place,
                 apr_psprintf(place->faults->pool,
                              "Expected a whole number from %d to %d, or "
                              "\"unknown\".",
                              (int)bounds[0], (int)bounds[1]));
}

/* --- the members of a rule --- */

/* A rule while it is put together: what a session needs to know does not say
 * whether a member is unknown or false. */
typedef struct {
    idv_compliance_rule_t rule;
    int prohibition_known;
    int age_known;
} draft_t;

static void read_prohibited(const place_t *place, const json_t *value,
                            draft_t *draft)
{
    read_flag(place, value, &draft->rule.compliance.prohibited);
    draft->prohibition_known = json_is_boolean(value);
    if (!draft->rule.compliance.prohibited)
        draft->rule.prohibited_reason = NULL;
}

static void read_reason(const place_t *place, const json_t *value,
                        draft_t *draft)
{
    read_text(place, value, &draft->rule.prohibited_reason);
}

static void read_age(const place_t *place, const json_t *value, draft_t *draft)
{
    static const json_int_t bounds[2] = {1, IDV_COMPLIANCE_AGE_MAX};
    int age = 0;

    if (!json_is_null(value))
        read_number(place, value, bounds, 0, &age);
    draft->age_known = !is_unknown(value);
    draft->rule.compliance.required_age = age;
    draft->rule.compliance.age_tier = idv_tier_demanded(age);
}

static void read_acceptance(const place_t *place, const json_t *value,
                            draft_t *draft)
{
    const char *text = json_string_value(value);
    idv_mdl_acceptance_t acceptance = idv_mdl_acceptance_parse(text);

    if (text
        && strcmp(idv_mdl_acceptance_value(acceptance), text) == 0)
        draft->rule.compliance.mdl_acceptance = acceptance;
    else
        complain(place, "Expected full, supplementary, not_recognized or "
                        "unknown.");
}

/* Methods that the law accepts; every other primary method or layer is
 * excluded. */
static void read_methods(const place_t *place, const json_t *value,
                         draft_t *draft)
{
    idv_method_set_t allowed = 0, verifying = 0;
    const idv_compliance_t open = {0};
    size_t index;
    json_t *item;

    draft->rule.compliance.excluded_methods = 0;
    if (is_unknown(value))
        return;
    if (!json_array_size(value))
        complain(place, "Expected a list of methods, or \"unknown\".");
    verifying = idv_compliance_methods(&open);
    json_array_foreach(value, index, item) {
        place_t here = element(place, index);
        const char *text = json_string_value(item);
        idv_method_t method = text ? idv_method_parse(text) : IDV_METHOD_NONE;

        if (method == IDV_METHOD_NONE || !(verifying & IDV_METHOD_BIT(method)))
            complain(&here, "Not a primary method or an active layer.");
        else if (allowed & IDV_METHOD_BIT(method))
            complain(&here, "The method is listed twice.");
        else
            allowed |= IDV_METHOD_BIT(method);
    }
    draft->rule.compliance.excluded_methods = verifying & ~allowed;
}

static void read_physical(const place_t *place, const json_t *value,
                          draft_t *draft)
{
    read_flag(place, value, &draft->rule.compliance.physical_check_required);
    if (!draft->rule.compliance.physical_check_required)
        draft->rule.compliance.user_message = NULL;
}

static void read_message(const place_t *place, const json_t *value,
                         draft_t *draft)
{
    read_text(place, value, &draft->rule.compliance.user_message);
}

static void read_regulator(const place_t *place, const json_t *value,
                           draft_t *draft)
{
    read_text(place, value, &draft->rule.compliance.governing_regulator);
}

static void read_consent(const place_t *place, const json_t *value,
                         draft_t *draft)
{
    read_flag(place, value, &draft->rule.consent_required);
}

static void read_penalty(const place_t *place, const json_t *value,
                         draft_t *draft)
{
    read_text(place, value, &draft->rule.penalty_description);
}

static void read_penalty_type(const place_t *place, const json_t *value,
                              draft_t *draft)
{
    const char *text = json_string_value(value);

    draft->rule.penalty_type = IDV_PENALTY_NONE;
    if (is_unknown(value))
        return;
    for (int i = IDV_PENALTY_NONE + 1; text && i < IDV_PENALTY_COUNT; i++)
        if (strcmp(penalties[i], text) == 0)
            draft->rule.penalty_type = i;
    if (draft->rule.penalty_type == IDV_PENALTY_NONE)
        complain(place, "Expected CIVIL, CRIMINAL, BOTH or \"unknown\".");
}

static void read_validity(const place_t *place, const json_t *value,
                          draft_t *draft)
{
    static const json_int_t bounds[2] = {1, IDV_COMPLIANCE_DAYS_MAX};

    read_number(place, value, bounds, 0,
                &draft->rule.compliance.credential_validity_days);
}

static void read_retention(const place_t *place, const json_t *value,
                           draft_t *draft)
{
    static const json_int_t bounds[2] = {0, IDV_COMPLIANCE_DAYS_MAX};

    read_number(place, value, bounds, -1, &draft->rule.data_retention_days);
}

/* --- where a rule comes from --- */

static void check_url(const place_t *place, const json_t *value)
{
    const char *text = json_string_value(value);

    if (!text || strncmp(text, "https://", 8) != 0
        || characters(text) > IDV_COMPLIANCE_TEXT_MAX)
        complain(place, "Expected an https address.");
}

static void check_source(const place_t *place, const json_t *source)
{
    const char *key;
    json_t *value;

    if (!json_is_object(source)) {
        complain(place, "Expected an object with a citation.");
        return;
    }
    if (!json_object_get(source, "citation"))
        complain(place, "The citation is missing.");
    json_object_foreach((json_t *)source, key, value) {
        place_t here = below(place, key);

        if (strcmp(key, "citation") == 0)
            text_of(&here, value);
        else if (strcmp(key, "url") == 0)
            check_url(&here, value);
        else
            complain(&here, "No such member.");
    }
}

static void read_sources(const place_t *place, const json_t *value,
                         draft_t *draft)
{
    size_t index;
    json_t *source;

    (void)draft;
    if (!json_array_size(value))
        complain(place, "Expected a list of sources.");
    json_array_foreach(value, index, source) {
        place_t here = element(place, index);

        check_source(&here, source);
    }
}

static void read_looked_up(const place_t *place, const json_t *value,
                           draft_t *draft)
{
    const char *text = json_string_value(value);
    idv_date_t date = {0};

    (void)draft;
    if (is_unknown(value))
        return;
    if (!text || idv_date_parse(text, &date, place->faults->pool)
        || !idv_date_is_complete(date))
        complain(place, "Expected a date (YYYY-MM-DD) or \"unknown\".");
}

static void read_confidence(const place_t *place, const json_t *value,
                            draft_t *draft)
{
    const char *text = json_string_value(value);

    (void)draft;
    if (!text
        || (strcmp(text, "high") != 0 && strcmp(text, "medium") != 0
            && strcmp(text, "low") != 0))
        complain(place, "Expected high, medium or low.");
}

static void read_note(const place_t *place, const json_t *value, draft_t *draft)
{
    (void)draft;
    text_of(place, value);
}

/* --- a rule --- */

/* In the order in which they are read, whatever the order of the document:
 * `prohibited` and `physical_check_required` take away what explains them. */
static const struct {
    const char *name;
    void (*read)(const place_t *place, const json_t *value, draft_t *draft);
    int required;
} members[] = {
    {"prohibited", read_prohibited, 0},
    {"prohibited_reason", read_reason, 0},
    {"minimum_age", read_age, 0},
    {"mdl_acceptance_status", read_acceptance, 0},
    {"allowed_methods", read_methods, 0},
    {"physical_check_required", read_physical, 0},
    {"user_message", read_message, 0},
    {"governing_regulator", read_regulator, 0},
    {"consent_required", read_consent, 0},
    {"penalty_description", read_penalty, 0},
    {"penalty_type", read_penalty_type, 0},
    {"credential_validity_days", read_validity, 0},
    {"data_retention_days", read_retention, 0},
    {"sources", read_sources, 1},
    {"looked_up", read_looked_up, 1},
    {"confidence", read_confidence, 1},
    {"note", read_note, 0},
};
#define MEMBER_COUNT (sizeof(members) / sizeof(*members))

static int is_member(const char *name)
{
    for (size_t i = 0; i < MEMBER_COUNT; i++)
        if (strcmp(members[i].name, name) == 0)
            return 1;
    return 0;
}

/* What RULE, as it stands in the document, changes in DRAFT. */
static void read_rule(const place_t *place, const json_t *rule, draft_t *draft)
{
    const char *confidence = json_string_value(json_object_get(rule,
                                                               "confidence"));
    const char *key;
    json_t *value;

    if (!json_is_object(rule)) {
        complain(place, "Expected an object.");
        return;
    }
    json_object_foreach((json_t *)rule, key, value) {
        place_t here = below(place, key);

        if (!is_member(key))
            complain(&here, "No such member.");
    }
    for (size_t i = 0; i < MEMBER_COUNT; i++) {
        place_t here = below(place, members[i].name);

        value = json_object_get(rule, members[i].name);
        if (value)
            members[i].read(&here, value, draft);
        else if (members[i].required)
            complain(&here, "Every rule needs this member.");
    }
    if (is_unknown(json_object_get(rule, "looked_up"))
        && (!confidence || strcmp(confidence, "low") != 0))
        complain(place, "What was not looked up has a low confidence.");
}

/* Members that only make sense together, in the complete rule. */
static void finish_rule(const place_t *place, draft_t *draft)
{
    idv_compliance_rule_t *rule = &draft->rule;
    idv_compliance_t *session = &rule->compliance;

    if (session->prohibited && !rule->prohibited_reason)
        complain(place, "A prohibition needs a prohibited_reason.");
    if (!session->prohibited && rule->prohibited_reason)
        complain(place, "A prohibited_reason without a prohibition.");
    if (session->physical_check_required && !session->user_message)
        complain(place, "A physical check needs a user_message.");
    if (!session->physical_check_required && session->user_message)
        complain(place, "A user_message without a physical check.");
    if (rule->penalty_type != IDV_PENALTY_NONE && !rule->penalty_description)
        complain(place, "A penalty_type without a penalty_description.");
    if (session->prohibited) {
        session->required_age = 0;
        session->age_tier = IDV_TIER_NONE;
    }
    session->rule_version = draft->prohibition_known || draft->age_known
                              ? place->rule_version
                              : NULL;
}

/* --- a jurisdiction --- */

/* The rules of one level of a document, over those of the level above. */
static void read_level(const place_t *place, const json_t *level,
                       draft_t drafts[IDV_USE_CASE_COUNT])
{
    const json_t *all = json_object_get(level, "all");
    json_t *rules = json_object_get(level, "rules"), *rule;
    place_t at_rules = below(place, "rules");
    const char *key;

    if (all) {
        place_t here = below(place, "all");
        draft_t unused = {.rule = nothing_known};

        if (json_object_get(all, "minimum_age")
            || json_object_get(all, "prohibited"))
            complain(&here, "An age and a prohibition belong to a product.");
        read_rule(&here, all, &unused);
    }
    for (int i = IDV_USE_CASE_NONE + 1; all && i < IDV_USE_CASE_COUNT; i++) {
        place_t silent = *place; /* its faults were told above */

        silent.faults = apr_array_make(place->faults->pool, 0,
                                       sizeof(idv_compliance_fault_t));
        read_rule(&silent, all, &drafts[i]);
    }
    if (rules && !json_is_object(rules))
        complain(&at_rules, "Expected an object.");
    json_object_foreach(rules, key, rule) {
        place_t here = below(&at_rules, key);
        idv_use_case_t use_case = idv_use_case_parse(key);

        if (use_case == IDV_USE_CASE_NONE)
            complain(&here, "No such product type.");
        else
            read_rule(&here, rule, &drafts[use_case]);
    }
}

static void finish_level(const place_t *place, draft_t *drafts,
                         jurisdiction_t *jurisdiction)
{
    place_t at_rules = below(place, "rules");

    jurisdiction->rules[IDV_USE_CASE_NONE] = nothing_known;
    for (int i = IDV_USE_CASE_NONE + 1; i < IDV_USE_CASE_COUNT; i++) {
        place_t here = below(&at_rules, idv_use_case_value(i));
        draft_t draft = drafts[i]; /* regions go on from the unfinished one */

        finish_rule(&here, &draft);
        jurisdiction->rules[i] = draft.rule;
    }
}

/* Complains of members that KNOWN, ending with NULL, does not list. */
static void check_members(const place_t *place, const json_t *object,
                          const char *const *known)
{
    const char *key;
    json_t *value;

    json_object_foreach((json_t *)object, key, value) {
        place_t here = below(place, key);
        int i = 0;

        while (known[i] && strcmp(known[i], key) != 0)
            i++;
        if (!known[i])
            complain(&here, "No such member.");
    }
}

static void check_name(const place_t *place, const json_t *object)
{
    place_t here = below(place, "name");

    text_of(&here, json_object_get(object, "name"));
}

static int is_region_code(const char *country, const char *code,
                          apr_pool_t *pool)
{
    const char *whole = apr_pstrcat(pool, country, "-", code, NULL);
    const char *normal = idv_jurisdiction_normalize(whole, pool);

    return normal && strcmp(normal, whole) == 0;
}

static void read_region(const place_t *place, const json_t *region,
                        const draft_t *inherited, jurisdiction_t *out)
{
    static const char *const known[] = {"name", "all", "rules", NULL};
    draft_t drafts[IDV_USE_CASE_COUNT];

    memcpy(drafts, inherited, sizeof(drafts));
    if (!json_is_object(region)) {
        complain(place, "Expected an object.");
        return;
    }
    check_members(place, region, known);
    check_name(place, region);
    read_level(place, region, drafts);
    finish_level(place, drafts, out);
}

static void read_regions(const place_t *place, const char *code,
                         const json_t *document, const draft_t *drafts,
                         country_t *country)
{
    json_t *regions = json_object_get(document, "regions"), *region;
    place_t at_regions = below(place, "regions");
    apr_pool_t *pool = place->rules->pool;
    const char *key;

    if (regions && !json_is_object(regions))
        complain(&at_regions, "Expected an object.");
    json_object_foreach(regions, key, region) {
        place_t here = below(&at_regions, key);
        jurisdiction_t *jurisdiction = apr_pcalloc(pool, sizeof(*jurisdiction));

        if (!is_region_code(code, key, place->faults->pool))
            complain(&here, "Not the code of a region (ISO 3166-2).");
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
static const char *country_of(const place_t *place, const json_t *document)
{
    const char *code = json_string_value(json_object_get(document, "country"));
    place_t here = below(place, "country");

    if (!code || strlen(code) != 2 || !idv_country_by_alpha2(code)) {
        complain(&here, "Not the code of a country (ISO 3166-1 alpha-2).");
        return NULL;
    }
    if (strcmp(place->file,
               apr_pstrcat(place->faults->pool, code, ".json", NULL)) != 0)
        complain(&here, "The file is not named after its country.");
    if (place->rules->countries[country_index(code)]) {
        complain(&here, "The country was read already.");
        return NULL;
    }
    return code;
}

static const char *version_of(const place_t *place, const json_t *document)
{
    place_t here = below(place, "rule_version");
    const char *text =
        text_of(&here, json_object_get(document, "rule_version"));

    return text ? apr_pstrdup(place->rules->pool, text) : NULL;
}

/* A country says something of every product type, if only "unknown". */
static void check_complete(const place_t *place, const json_t *document)
{
    const json_t *rules = json_object_get(document, "rules");
    place_t at_rules = below(place, "rules");

    for (int i = IDV_USE_CASE_NONE + 1; i < IDV_USE_CASE_COUNT; i++) {
        place_t here = below(&at_rules, idv_use_case_value(i));
        const json_t *rule = json_object_get(rules, idv_use_case_value(i));

        if (!rule)
            complain(&here, "A country needs a rule for every product type.");
        else if (!json_object_get(rule, "prohibited")
                 || !json_object_get(rule, "minimum_age"))
            complain(&here, "A country's rule says whether the product is "
                            "prohibited and at which age it is allowed.");
    }
}

void idv_compliance_rules_add(idv_compliance_rules_t *rules, const char *name,
                              const json_t *document,
                              apr_array_header_t *faults)
{
    static const char *const known[] = {"$schema", "country", "name",
                                        "rule_version", "all", "rules",
                                        "regions", NULL};
    place_t place = {.rules = rules, .file = name, .faults = faults,
                     .pointer = ""};
    draft_t drafts[IDV_USE_CASE_COUNT];
    country_t *country = apr_pcalloc(rules->pool, sizeof(*country));
    const char *code;

    if (!json_is_object(document)) {
        complain(&place, "Expected an object.");
        return;
    }
    code = country_of(&place, document);
    place.rule_version = version_of(&place, document);
    check_members(&place, document, known);
    check_name(&place, document);
    check_complete(&place, document);
    if (!code)
        return;
    country->regions = apr_hash_make(rules->pool);
    for (int i = 0; i < IDV_USE_CASE_COUNT; i++)
        drafts[i] = (draft_t){.rule = nothing_known};
    read_level(&place, document, drafts);
    finish_level(&place, drafts, &country->jurisdiction);
    read_regions(&place, code, document, drafts, country);
    rules->countries[country_index(code)] = country;
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
        return &nothing_known;
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
