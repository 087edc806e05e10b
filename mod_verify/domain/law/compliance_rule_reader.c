/* SPDX-License-Identifier: Apache-2.0 */
#include "domain/law/compliance_rule_reader.h"

#include <string.h>

#include <apr_strings.h>

#include "core/json.h"
#include "core/utf8.h"
#include "domain/value/civil_date.h"

const idv_compliance_rule_t idv_compliance_nothing_known = {
    .consent_required = -1,
    .data_retention_days = -1,
    .parental_consent_from = -1,
};

/* --- values --- */

static void read_text(const idv_compliance_place_t *place, const json_t *value,
                      const char **text)
{
    const char *given;

    if (idv_compliance_is_unknown(value))
        *text = NULL;
    else if ((given = idv_compliance_text(place, value)))
        *text = apr_pstrdup(place->pool, given);
}

/* A flag; UNKNOWN_VALUE for "unknown". */
static void read_flag(const idv_compliance_place_t *place, const json_t *value,
                      int unknown_value, int *flag)
{
    if (idv_compliance_is_unknown(value))
        *flag = unknown_value;
    else if (json_is_boolean(value))
        *flag = json_is_true(value);
    else
        idv_compliance_complain(place, "Expected true, false or \"unknown\".");
}

/* A whole number; UNKNOWN_VALUE for "unknown". */
static void read_number(const idv_compliance_place_t *place,
                        const json_t *value, const json_int_t bounds[2],
                        int unknown_value, int *out)
{
    json_int_t number = json_integer_value(value);

    if (idv_compliance_is_unknown(value))
        *out = unknown_value;
    else if (json_is_integer(value) && number >= bounds[0]
             && number <= bounds[1])
        *out = (int)number;
    else
        idv_compliance_complain(
            place, apr_psprintf(place->scratch,
                                "Expected a whole number from %d to %d, or "
                                "\"unknown\".",
                                (int)bounds[0], (int)bounds[1]));
}

/* A day; WITHOUT for "unknown", which is a fault where there is none. */
static idv_compliance_day_t read_day(const idv_compliance_place_t *place,
                                     const json_t *value,
                                     const idv_compliance_day_t *without)
{
    const char *text = json_string_value(value);
    idv_date_t date = {0};

    if (without && idv_compliance_is_unknown(value))
        return *without;
    if (text && !idv_date_parse(text, &date, place->scratch)
        && idv_date_is_complete(date))
        return idv_date_days(date);
    idv_compliance_complain(
        place, without ? "Expected a date (YYYY-MM-DD) or \"unknown\"."
                       : "Expected a date (YYYY-MM-DD).");
    return 0;
}

/* --- for what and when it holds --- */

static void read_article(const idv_compliance_place_t *place,
                         const json_t *value, idv_compliance_draft_t *draft)
{
    idv_article_t article = idv_article_parse(json_string_value(value));

    if (article == IDV_ARTICLE_NONE)
        idv_compliance_complain(place, "Unknown article.");
    else if (draft->term.articles & 1u << article)
        idv_compliance_complain(place, "The article is listed twice.");
    else
        draft->term.articles |= 1u << article;
}

static void read_articles(const idv_compliance_place_t *place,
                          const json_t *value, idv_compliance_draft_t *draft)
{
    size_t index;
    json_t *item;

    if (!json_is_array(value)) {
        read_article(place, value, draft);
        return;
    }
    if (!json_array_size(value))
        idv_compliance_complain(place, "Expected an article or a list of "
                                       "articles.");
    json_array_foreach (value, index, item) {
        idv_compliance_place_t here = idv_compliance_place_at(place, index);

        read_article(&here, item, draft);
    }
}

static void read_channel(const idv_compliance_place_t *place,
                         const json_t *value, idv_compliance_draft_t *draft)
{
    draft->term.channel = idv_channel_parse(json_string_value(value));
    if (draft->term.channel == IDV_CHANNEL_IN_PERSON)
        idv_compliance_complain(place,
                                "Expected remote. Omit the channel if the rule "
                                "applies to both.");
}

static void read_from(const idv_compliance_place_t *place, const json_t *value,
                      idv_compliance_draft_t *draft)
{
    static const idv_compliance_day_t always = IDV_COMPLIANCE_ALWAYS;

    draft->term.from = read_day(place, value, &always);
}

static void read_until(const idv_compliance_place_t *place, const json_t *value,
                       idv_compliance_draft_t *draft)
{
    draft->term.until = read_day(place, value, NULL);
    if (draft->term.until <= draft->term.from)
        idv_compliance_complain(place,
                                "The day must be later than the day from which "
                                "the rule applies.");
}

static void read_status(const idv_compliance_place_t *place,
                        const json_t *value, idv_compliance_draft_t *draft)
{
    static const char *const statuses[IDV_COMPLIANCE_STATUS_COUNT] = {
#define X(name, value) [IDV_COMPLIANCE_##name] = value,
        IDV_COMPLIANCE_STATUSES(X)
#undef X
    };
    const char *text = json_string_value(value);

    for (int i = 0; text && i < IDV_COMPLIANCE_STATUS_COUNT; i++) {
        if (strcmp(statuses[i], text) == 0) {
            draft->term.status = i;
            return;
        }
    }
    idv_compliance_complain(place, "Expected enacted, in_force or enjoined.");
}

static void read_litigation(const idv_compliance_place_t *place,
                            const json_t *value, idv_compliance_draft_t *draft)
{
    static const char *const needed[] = {"case", "day", "protects"};
    static const idv_compliance_day_t unknown = 0;
    const char *key;
    json_t *member;

    (void)draft;
    if (!json_is_object(value))
        idv_compliance_complain(place, "Expected an object.");
    for (size_t i = 0; i < sizeof(needed) / sizeof(*needed); i++) {
        idv_compliance_place_t here =
            idv_compliance_place_below(place, needed[i]);

        if (!json_object_get(value, needed[i]))
            idv_compliance_complain(&here, "Litigation needs this member.");
    }
    json_object_foreach ((json_t *)value, key, member) {
        idv_compliance_place_t here = idv_compliance_place_below(place, key);

        if (strcmp(key, "day") == 0)
            (void)read_day(&here, member, &unknown);
        else if (strcmp(key, "case") == 0 || strcmp(key, "protects") == 0
                 || strcmp(key, "note") == 0)
            idv_compliance_text(&here, member);
        else
            idv_compliance_complain(&here, "Unknown member.");
    }
}

/* --- the members of a rule --- */

static void read_prohibited(const idv_compliance_place_t *place,
                            const json_t *value, idv_compliance_draft_t *draft)
{
    /* An unknown never lifts a prohibition that is inherited. */
    if (idv_compliance_is_unknown(value) && draft->rule.compliance.prohibited)
        return;
    read_flag(place, value, 0, &draft->rule.compliance.prohibited);
    draft->prohibition_known = json_is_boolean(value);
    if (!draft->rule.compliance.prohibited)
        draft->rule.prohibited_reason = NULL;
}

static void read_reason(const idv_compliance_place_t *place,
                        const json_t *value, idv_compliance_draft_t *draft)
{
    read_text(place, value, &draft->rule.prohibited_reason);
}

/* Completed years; 0 for null and "unknown". */
static int read_years(const idv_compliance_place_t *place, const json_t *value)
{
    static const json_int_t bounds[2] = {1, IDV_COMPLIANCE_AGE_MAX};
    int age = 0;

    if (!json_is_null(value))
        read_number(place, value, bounds, 0, &age);
    return age;
}

static void read_age(const idv_compliance_place_t *place, const json_t *value,
                     idv_compliance_draft_t *draft)
{
    int age = read_years(place, value);

    draft->age_known = !idv_compliance_is_unknown(value);
    /* Nor does it lower an age. */
    if (!draft->age_known)
        return;
    draft->rule.compliance.required_age = age;
    draft->rule.compliance.age_tier = idv_tier_demanded(age);
}

static void read_born_before(const idv_compliance_place_t *place,
                             const json_t *value, idv_compliance_draft_t *draft)
{
    draft->rule.compliance.born_before = NULL;
    if (json_is_null(value))
        return;
    (void)read_day(place, value, NULL);
    draft->rule.compliance.born_before =
        apr_pstrdup(place->pool, json_string_value(value));
}

static void read_parental(const idv_compliance_place_t *place,
                          const json_t *value, idv_compliance_draft_t *draft)
{
    static const json_int_t bounds[2] = {0, IDV_COMPLIANCE_AGE_MAX - 1};

    draft->rule.parental_consent_from = -1;
    if (!json_is_null(value))
        read_number(place, value, bounds, -1,
                    &draft->rule.parental_consent_from);
}

static void read_consent_age(const idv_compliance_place_t *place,
                             const json_t *value, idv_compliance_draft_t *draft)
{
    draft->rule.consent_age = read_years(place, value);
}

static void read_civil_age(const idv_compliance_place_t *place,
                           const json_t *value, idv_compliance_draft_t *draft)
{
    draft->rule.civil_age = read_years(place, value);
}

static void read_acceptance(const idv_compliance_place_t *place,
                            const json_t *value, idv_compliance_draft_t *draft)
{
    const char *text = json_string_value(value);
    idv_mdl_acceptance_t acceptance = idv_mdl_acceptance_parse(text);

    if (text && strcmp(idv_mdl_acceptance_value(acceptance), text) == 0)
        draft->rule.compliance.mdl_acceptance = acceptance;
    else
        idv_compliance_complain(
            place, "Expected full, supplementary, not_recognized or "
                   "unknown.");
}

/* Methods that the law accepts; every other primary method or layer is
 * excluded. */
static void read_methods(const idv_compliance_place_t *place,
                         const json_t *value, idv_compliance_draft_t *draft)
{
    idv_method_set_t allowed = 0, verifying = 0;
    const idv_compliance_t open = {0};
    size_t index;
    json_t *item;

    draft->rule.compliance.excluded_methods = 0;
    if (idv_compliance_is_unknown(value))
        return;
    if (!json_array_size(value))
        idv_compliance_complain(place,
                                "Expected a list of methods, or \"unknown\".");
    verifying = idv_compliance_methods(&open);
    json_array_foreach (value, index, item) {
        idv_compliance_place_t here = idv_compliance_place_at(place, index);
        const char *text = json_string_value(item);
        idv_method_t method = text ? idv_method_parse(text) : IDV_METHOD_NONE;

        if (method == IDV_METHOD_NONE || !(verifying & IDV_METHOD_BIT(method)))
            idv_compliance_complain(&here,
                                    "Neither a primary method nor an active "
                                    "layer.");
        else if (allowed & IDV_METHOD_BIT(method))
            idv_compliance_complain(&here, "The method is listed twice.");
        else
            allowed |= IDV_METHOD_BIT(method);
    }
    draft->rule.compliance.excluded_methods = verifying & ~allowed;
}

static void read_physical(const idv_compliance_place_t *place,
                          const json_t *value, idv_compliance_draft_t *draft)
{
    read_flag(place, value, 0, &draft->rule.compliance.physical_check_required);
    if (!draft->rule.compliance.physical_check_required)
        draft->rule.compliance.user_message = NULL;
}

static void read_message(const idv_compliance_place_t *place,
                         const json_t *value, idv_compliance_draft_t *draft)
{
    read_text(place, value, &draft->rule.compliance.user_message);
}

static void read_regulator(const idv_compliance_place_t *place,
                           const json_t *value, idv_compliance_draft_t *draft)
{
    read_text(place, value, &draft->rule.compliance.governing_regulator);
}

static void read_consent(const idv_compliance_place_t *place,
                         const json_t *value, idv_compliance_draft_t *draft)
{
    read_flag(place, value, -1, &draft->rule.consent_required);
}

static void read_penalty(const idv_compliance_place_t *place,
                         const json_t *value, idv_compliance_draft_t *draft)
{
    read_text(place, value, &draft->rule.penalty_description);
}

static void read_penalty_type(const idv_compliance_place_t *place,
                              const json_t *value,
                              idv_compliance_draft_t *draft)
{
    const char *text = json_string_value(value);

    draft->rule.penalty_type = idv_penalty_parse(text);
    if (draft->rule.penalty_type == IDV_PENALTY_NONE
        && !idv_compliance_is_unknown(value))
        idv_compliance_complain(
            place, "Expected CIVIL, CRIMINAL, BOTH or \"unknown\".");
}

static void read_validity(const idv_compliance_place_t *place,
                          const json_t *value, idv_compliance_draft_t *draft)
{
    static const json_int_t bounds[2] = {1, IDV_COMPLIANCE_DAYS_MAX};

    read_number(place, value, bounds, 0,
                &draft->rule.compliance.credential_validity_days);
}

static void read_minutes(const idv_compliance_place_t *place,
                         const json_t *value, idv_compliance_draft_t *draft)
{
    static const json_int_t bounds[2] = {1, 24 * 60};

    read_number(place, value, bounds, 0,
                &draft->rule.compliance.credential_validity_minutes);
}

static void read_retention(const idv_compliance_place_t *place,
                           const json_t *value, idv_compliance_draft_t *draft)
{
    static const json_int_t bounds[2] = {0, IDV_COMPLIANCE_DAYS_MAX};

    read_number(place, value, bounds, -1, &draft->rule.data_retention_days);
}

/* --- where a rule comes from --- */

static void read_sources(const idv_compliance_place_t *place,
                         const json_t *value, idv_compliance_draft_t *draft)
{
    (void)place; /* checked with the rule whose members they carry */
    (void)value;
    (void)draft;
}

static void read_looked_up(const idv_compliance_place_t *place,
                           const json_t *value, idv_compliance_draft_t *draft)
{
    static const idv_compliance_day_t never = 0;

    (void)draft;
    (void)read_day(place, value, &never);
}

static void read_confidence(const idv_compliance_place_t *place,
                            const json_t *value, idv_compliance_draft_t *draft)
{
    const char *text = json_string_value(value);

    (void)draft;
    if (!text
        || strcmp(idv_confidence_value(idv_confidence_parse(text)), text) != 0)
        idv_compliance_complain(place, "Expected high, medium or low.");
}

/* Who signed the rule off, when, and when somebody has to look again. */
static void read_review(const idv_compliance_place_t *place,
                        const json_t *value, idv_compliance_draft_t *draft)
{
    static const char *const needed[] = {"by", "on", "next_due"};
    idv_compliance_day_t days[2] = {0, 0};
    const char *key;
    json_t *member;

    (void)draft;
    if (!json_is_object(value))
        idv_compliance_complain(place, "Expected an object.");
    for (size_t i = 0; i < sizeof(needed) / sizeof(*needed); i++) {
        idv_compliance_place_t here =
            idv_compliance_place_below(place, needed[i]);

        member = json_object_get(value, needed[i]);
        if (!member)
            idv_compliance_complain(&here, "A review needs this member.");
        else if (i == 0)
            idv_compliance_text(&here, member);
        else
            days[i - 1] = read_day(&here, member, NULL);
    }
    json_object_foreach ((json_t *)value, key, member) {
        idv_compliance_place_t here = idv_compliance_place_below(place, key);

        if (strcmp(key, "by") != 0 && strcmp(key, "on") != 0
            && strcmp(key, "next_due") != 0)
            idv_compliance_complain(&here, "Unknown member.");
    }
    if (days[1] && days[1] <= days[0])
        idv_compliance_complain(place,
                                "The next review must be later than this one.");
}

static void read_note(const idv_compliance_place_t *place, const json_t *value,
                      idv_compliance_draft_t *draft)
{
    (void)draft;
    idv_compliance_text(place, value);
}

/* --- a rule --- */

/* In the order in which they are read, whatever the order of the document:
 * `prohibited` and `physical_check_required` take away what explains them, and
 * `until` is held against `from`. */
static const struct {
    const char *name;
    void (*read)(const idv_compliance_place_t *place, const json_t *value,
                 idv_compliance_draft_t *draft);
    int required;
} members[] = {
    {"article", read_articles, 0},
    {"channel", read_channel, 0},
    {"from", read_from, 1},
    {"until", read_until, 0},
    {"status", read_status, 0},
    {"litigation", read_litigation, 0},
    {"prohibited", read_prohibited, 0},
    {"prohibited_reason", read_reason, 0},
    {"minimum_age", read_age, 0},
    {"born_before", read_born_before, 0},
    {"parental_consent_from", read_parental, 0},
    {"consent_age", read_consent_age, 0},
    {"civil_age", read_civil_age, 0},
    {"mdl_acceptance_status", read_acceptance, 0},
    {"allowed_methods", read_methods, 0},
    {"physical_check_required", read_physical, 0},
    {"user_message", read_message, 0},
    {"governing_regulator", read_regulator, 0},
    {"consent_required", read_consent, 0},
    {"penalty_description", read_penalty, 0},
    {"penalty_type", read_penalty_type, 0},
    {"credential_validity_days", read_validity, 0},
    {"credential_validity_minutes", read_minutes, 0},
    {"data_retention_days", read_retention, 0},
    {"sources", read_sources, 1},
    {"looked_up", read_looked_up, 1},
    {"confidence", read_confidence, 1},
    {"review", read_review, 0},
    {"note", read_note, 0},
};
#define MEMBER_COUNT (sizeof(members) / sizeof(*members))

int idv_compliance_rule_has_member(const char *name)
{
    for (size_t i = 0; i < MEMBER_COUNT; i++)
        if (strcmp(members[i].name, name) == 0)
            return 1;
    return 0;
}

void idv_compliance_names_check(const idv_compliance_place_t *place,
                                const json_t *rule)
{
    const char *key;
    json_t *value;

    json_object_foreach ((json_t *)rule, key, value) {
        idv_compliance_place_t here;

        if (idv_compliance_rule_has_member(key))
            continue;
        here = idv_compliance_place_below(place, key);
        idv_compliance_complain(&here, "Unknown member.");
    }
}

void idv_compliance_rule_lay(const idv_compliance_place_t *place,
                             const json_t *rule, idv_compliance_draft_t *draft)
{
    draft->term = (idv_compliance_term_t){.from = IDV_COMPLIANCE_ALWAYS,
                                          .until = IDV_COMPLIANCE_FOREVER};
    for (size_t i = 0; i < MEMBER_COUNT; i++) {
        const json_t *value = json_object_get(rule, members[i].name);
        idv_compliance_place_t here;

        if (!value && !members[i].required)
            continue;
        here = idv_compliance_place_below(place, members[i].name);
        if (value)
            members[i].read(&here, value, draft);
        else
            idv_compliance_complain(&here, "Every rule needs this member.");
    }
}

/* Whether members that only make sense together are there together. */
static void check_together(const idv_compliance_place_t *place,
                           const idv_compliance_rule_t *rule)
{
    const idv_compliance_t *session = &rule->compliance;

    if (session->prohibited && !rule->prohibited_reason)
        idv_compliance_complain(place,
                                "A prohibition needs a prohibited_reason.");
    if (!session->prohibited && rule->prohibited_reason)
        idv_compliance_complain(place,
                                "A prohibited_reason needs a prohibition.");
    if (session->physical_check_required && !session->user_message)
        idv_compliance_complain(place,
                                "A physical check needs a user_message.");
    if (!session->physical_check_required && session->user_message)
        idv_compliance_complain(place,
                                "A user_message needs a physical check.");
    if (rule->penalty_type != IDV_PENALTY_NONE && !rule->penalty_description)
        idv_compliance_complain(
            place, "A penalty_type needs a penalty_description.");
    if (!session->prohibited && rule->parental_consent_from >= 0
        && rule->parental_consent_from >= session->required_age)
        idv_compliance_complain(
            place, "parental_consent_from must be lower than minimum_age.");
}

/* How sure the answer is: as sure as the less certain of the members that
 * decide. A note of the most specific part goes before that of the deciding
 * one. */
static void find_confidence(idv_compliance_draft_t *draft)
{
    idv_compliance_rule_t *rule = &draft->rule;
    const idv_compliance_remark_t *prohibition = &draft->prohibition;
    const idv_compliance_remark_t *age = &draft->age, *deciding = prohibition;

    if (!rule->compliance.prohibited && age->confidence <= deciding->confidence)
        deciding = age;
    rule->confidence =
        rule->compliance.known ? deciding->confidence : IDV_CONFIDENCE_LOW;
    rule->note = draft->newest.note ? draft->newest.note : deciding->note;
}

void idv_compliance_rule_finish(const idv_compliance_place_t *place,
                                idv_compliance_draft_t *draft)
{
    idv_compliance_rule_t *rule = &draft->rule;
    idv_compliance_t *session = &rule->compliance;

    check_together(place, rule);
    if (session->prohibited) {
        session->required_age = 0;
        session->age_tier = IDV_TIER_NONE;
        session->born_before = NULL;
        rule->parental_consent_from = -1;
    }
    session->known =
        session->prohibited || (draft->prohibition_known && draft->age_known);
    session->retention_limit = rule->data_retention_days + 1;
    find_confidence(draft);
    session->rule_version = draft->prohibition_known || draft->age_known
                              ? place->rule_version
                              : NULL;
}
