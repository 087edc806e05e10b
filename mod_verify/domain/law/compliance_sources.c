/* SPDX-License-Identifier: Apache-2.0 */
#include "domain/law/compliance_sources.h"

#include <string.h>

#include <apr_strings.h>

#include "core/utf8.h"
#include "domain/law/compliance_rule_reader.h"

static void check_url(const idv_compliance_place_t *place, const json_t *value)
{
    const char *text = json_string_value(value);

    if (!text || strncmp(text, "https://", 8) != 0
        || idv_utf8_length(text) > IDV_COMPLIANCE_TEXT_MAX)
        idv_compliance_complain(place, "Expected an https address.");
}

/* The members of RULE that a source carries. */
static void check_carried(const idv_compliance_place_t *place,
                          const json_t *list, const json_t *rule)
{
    size_t index;
    json_t *name;

    if (!json_array_size(list))
        idv_compliance_complain(place, "Expected a list of members.");
    json_array_foreach (list, index, name) {
        idv_compliance_place_t here = idv_compliance_place_at(place, index);
        const char *text = json_string_value(name);

        if (!text || !idv_compliance_rule_has_member(text)
            || !json_object_get(rule, text))
            idv_compliance_complain(&here, "The rule does not have this "
                                           "member.");
    }
}

static void check_kind(const idv_compliance_place_t *place, const json_t *value)
{
    const char *text = json_string_value(value);

    if (!text
        || (strcmp(text, "statute") != 0 && strcmp(text, "regulator") != 0
            && strcmp(text, "court") != 0 && strcmp(text, "report") != 0))
        idv_compliance_complain(
            place, "Expected statute, regulator, court or report.");
}

static void check_source(const idv_compliance_place_t *place,
                         const json_t *source, const json_t *rule)
{
    static const char *const needed[] = {"citation", "kind"};
    const char *key;
    json_t *value;

    if (!json_is_object(source)) {
        idv_compliance_complain(place, "Expected an object with a citation.");
        return;
    }
    for (size_t i = 0; i < sizeof(needed) / sizeof(*needed); i++) {
        idv_compliance_place_t here =
            idv_compliance_place_below(place, needed[i]);

        if (!json_object_get(source, needed[i]))
            idv_compliance_complain(&here, "Every source needs this member.");
    }
    json_object_foreach ((json_t *)source, key, value) {
        idv_compliance_place_t here = idv_compliance_place_below(place, key);

        if (strcmp(key, "citation") == 0)
            idv_compliance_text(&here, value);
        else if (strcmp(key, "kind") == 0)
            check_kind(&here, value);
        else if (strcmp(key, "url") == 0)
            check_url(&here, value);
        else if (strcmp(key, "members") == 0)
            check_carried(&here, value, rule);
        else
            idv_compliance_complain(&here, "Unknown member.");
    }
}

static void check_list(const idv_compliance_place_t *place, const json_t *rule)
{
    const json_t *sources = json_object_get(rule, "sources");
    idv_compliance_place_t at_sources =
        idv_compliance_place_below(place, "sources");
    size_t index;
    json_t *source;

    if (!json_array_size(sources))
        idv_compliance_complain(&at_sources, "Expected a list of sources.");
    json_array_foreach (sources, index, source) {
        idv_compliance_place_t here =
            idv_compliance_place_at(&at_sources, index);

        check_source(&here, source, rule);
    }
}

/* The member of RULE that decides: what an answer of high confidence has to be
 * sure of. NULL when the rule says neither an age nor whether it is lawful. */
static const char *deciding_member(const json_t *rule)
{
    static const char *const ages[] = {"minimum_age", "consent_age"};
    const json_t *prohibited = json_object_get(rule, "prohibited");

    if (json_is_true(prohibited))
        return "prohibited";
    for (size_t i = 0; i < sizeof(ages) / sizeof(*ages); i++) {
        const json_t *age = json_object_get(rule, ages[i]);

        if (age && !idv_compliance_is_unknown(age))
            return ages[i];
    }
    return prohibited ? "prohibited" : NULL;
}

/* Whether SOURCE speaks of MEMBER; one that names no members speaks of all. */
static int is_about(const json_t *source, const char *member)
{
    const json_t *list = json_object_get(source, "members");
    size_t index;
    json_t *name;

    if (!list || !member)
        return 1;
    json_array_foreach (list, index, name)
        if (json_is_string(name)
            && strcmp(json_string_value(name), member) == 0)
            return 1;
    return 0;
}

/* Who makes, supervises or decides the law, and was read. */
static int is_official(const json_t *source)
{
    const char *kind = json_string_value(json_object_get(source, "kind"));

    return kind && strcmp(kind, "report") != 0
        && json_object_get(source, "url");
}

static void check_confidence(const idv_compliance_place_t *place,
                             const json_t *rule)
{
    const char *confidence =
        json_string_value(json_object_get(rule, "confidence"));
    const char *member = deciding_member(rule);
    int official = 0;
    size_t index;
    json_t *source;

    if (!confidence || strcmp(confidence, "high") != 0)
        return;
    json_array_foreach (json_object_get(rule, "sources"), index, source)
        official |= is_official(source) && is_about(source, member);
    if (idv_compliance_is_unknown(json_object_get(rule, "looked_up")))
        idv_compliance_complain(place, "A rule that was not looked up cannot "
                                       "have a high confidence.");
    if (!official)
        idv_compliance_complain(
            place, apr_psprintf(place->scratch,
                                "A high confidence needs a source that was "
                                "read: a statute, a regulator or a court%s%s.",
                                member ? ", for " : "", member ? member : ""));
}

void idv_compliance_sources_check(const idv_compliance_place_t *place,
                                  const json_t *rule)
{
    check_list(place, rule);
    check_confidence(place, rule);
}
