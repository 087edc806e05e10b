/* SPDX-License-Identifier: Apache-2.0 */
#include "domain/law/compliance_calendar.h"

#include <stdlib.h>

#include <apr_strings.h>

#include "core/json_writer.h"
#include "domain/law/compliance_sources.h"
#include "domain/value/civil_date.h"

/* --- entries --- */

static int at_one_time(const idv_compliance_term_t *a,
                       const idv_compliance_term_t *b)
{
    return a->from < b->until && b->from < a->until;
}

/* Whether it lays anything: what is enjoined does not, and what is enacted
 * does from the day on that it has. */
static int applies(const idv_compliance_term_t *term)
{
    return term->status == IDV_COMPLIANCE_IN_FORCE
        || (term->status == IDV_COMPLIANCE_ENACTED
            && term->from != IDV_COMPLIANCE_ALWAYS);
}

static int is_pending(const idv_compliance_term_t *term)
{
    return term->status == IDV_COMPLIANCE_ENACTED
        && term->from == IDV_COMPLIANCE_ALWAYS;
}

static int is_overlap(const idv_compliance_term_t *a,
                      const idv_compliance_term_t *b)
{
    return applies(a) && applies(b) && at_one_time(a, b)
        && a->channel == b->channel
        && (a->articles == b->articles || (a->articles & b->articles));
}

static void check_articles(const idv_compliance_place_t *place,
                           const idv_compliance_term_t *term,
                           idv_use_case_t use_case)
{
    for (int i = IDV_ARTICLE_NONE + 1; i < IDV_ARTICLE_COUNT; i++) {
        if ((term->articles & 1u << i)
            && !idv_article_belongs((idv_article_t)i, use_case))
            idv_compliance_complain(
                place, apr_psprintf(place->scratch,
                                    "%s is not an article of this product.",
                                    idv_article_value((idv_article_t)i)));
    }
    if (!idv_channel_belongs(term->channel, use_case))
        idv_compliance_complain(place, "This product has no channels of sale.");
}

/* Rules for all products set no requirement, and say what each source is
 * for. */
static void check_common(const idv_compliance_place_t *place,
                         const json_t *rule)
{
    const json_t *sources = json_object_get(rule, "sources");
    size_t index;
    json_t *source;

    if (json_object_get(rule, "minimum_age")
        || json_object_get(rule, "prohibited")
        || json_object_get(rule, "born_before")
        || json_object_get(rule, "parental_consent_from")
        || json_object_get(rule, "consent_age"))
        idv_compliance_complain(
            place, "An age or a prohibition must be in the rule of a product.");
    json_array_foreach (sources, index, source)
        if (!json_object_get(source, "members"))
            idv_compliance_complain(place,
                                    "A source of a rule for all products must "
                                    "list the members that it supports.");
}

/* The basis of RULE at PLACE; NULL if there is no rule. */
static const char *basis_of(const idv_compliance_place_t *place,
                            const json_t *rule)
{
    json_t *basis = json_pack("{s:s, s:s, s:O*, s:O*, s:O*, s:O*, s:O*}",
                              "file", place->file, "pointer", place->pointer,
                              "confidence", json_object_get(rule, "confidence"),
                              "looked_up", json_object_get(rule, "looked_up"),
                              "review", json_object_get(rule, "review"), "note",
                              json_object_get(rule, "note"), "sources",
                              json_object_get(rule, "sources"));
    const char *text = idv_json_text(basis, place->pool);

    json_decref(basis);
    return text;
}

static idv_compliance_remark_t remark_of(const idv_compliance_place_t *place,
                                         const json_t *rule)
{
    const char *note = json_string_value(json_object_get(rule, "note"));

    return (idv_compliance_remark_t){
        .confidence = idv_confidence_parse(
            json_string_value(json_object_get(rule, "confidence"))),
        .note = note ? apr_pstrdup(place->pool, note) : NULL,
    };
}

static void read_rule(const idv_compliance_place_t *place, const json_t *rule,
                      idv_compliance_draft_t *draft)
{
    if (!json_is_object(rule)) {
        idv_compliance_complain(place, "Expected an object.");
        return;
    }
    idv_compliance_names_check(place, rule);
    idv_compliance_rule_lay(place, rule, draft);
    idv_compliance_sources_check(place, rule);
    if (draft->term.status == IDV_COMPLIANCE_ENJOINED
        && !json_object_get(rule, "litigation"))
        idv_compliance_complain(place,
                                "An enjoined rule needs `litigation`.");
}

static void read_entry(const idv_compliance_place_t *place, const json_t *rule,
                       idv_use_case_t use_case, apr_array_header_t *entries)
{
    idv_compliance_draft_t draft = {.rule = idv_compliance_nothing_known};
    idv_compliance_entry_t *entry;

    read_rule(place, rule, &draft);
    check_articles(place, &draft.term, use_case);
    if (use_case == IDV_USE_CASE_NONE)
        check_common(place, rule);
    for (int i = 0; i < entries->nelts; i++)
        if (is_overlap(&draft.term,
                       &APR_ARRAY_IDX(entries, i, idv_compliance_entry_t).term))
            idv_compliance_complain(
                place, "Another rule applies to the same scope at the same "
                       "time.");
    entry = apr_array_push(entries);
    entry->rule = rule;
    entry->term = draft.term;
    entry->basis = basis_of(place, rule);
    entry->remark = remark_of(place, rule);
}

void idv_compliance_entries_read(const idv_compliance_place_t *place,
                                 const json_t *value, idv_use_case_t use_case,
                                 apr_array_header_t **entries)
{
    size_t index;
    json_t *rule;

    *entries =
        apr_array_make(place->scratch, 1, sizeof(idv_compliance_entry_t));
    if (value && !json_is_array(value)) {
        read_entry(place, value, use_case, *entries);
        return;
    }
    if (value
        && (!json_array_size(value)
            || json_array_size(value) > IDV_COMPLIANCE_ENTRIES_MAX)) {
        idv_compliance_complain(
            place, apr_psprintf(place->scratch, "Expected 1 to %d rules.",
                                IDV_COMPLIANCE_ENTRIES_MAX));
        return;
    }
    json_array_foreach (value, index, rule) {
        idv_compliance_place_t here = idv_compliance_place_at(place, index);

        read_entry(&here, rule, use_case, *entries);
    }
}

/* --- laying them over each other --- */

typedef struct {
    const idv_compliance_place_t *place;
    idv_compliance_place_t silent; /* faults were told when they were read */
    const idv_compliance_layer_t *layers;
    int count;
    idv_article_t article;
    idv_channel_t channel;
} making_t;

static int concerns(const idv_compliance_entry_t *entry, const making_t *making)
{
    const idv_compliance_term_t *term = &entry->term;

    if (term->channel != IDV_CHANNEL_IN_PERSON
        && term->channel != making->channel)
        return 0;
    return !term->articles
        || (making->article != IDV_ARTICLE_NONE
            && term->articles & 1u << making->article);
}

/* How narrow it is: what is said of an article goes before what is said of the
 * product, and what is said of a channel before both. */
static int narrowness(const idv_compliance_term_t *term)
{
    return (term->articles != 0) + 2 * (term->channel != IDV_CHANNEL_IN_PERSON);
}
#define NARROWEST 3

/* DRAFT rests on ENTRY, too, which was laid over what is in it. */
static void add_basis(const making_t *making,
                      const idv_compliance_entry_t *entry,
                      idv_compliance_draft_t *draft)
{
    idv_compliance_basis_t *basis =
        apr_palloc(making->place->pool, sizeof(*basis));

    basis->text = entry->basis;
    basis->inherited = draft->rule.basis;
    draft->rule.basis = basis;
}

/* Lowers the confidence of DRAFT according to ENTRY, of the product. */
static void add_remark(const idv_compliance_entry_t *entry,
                       idv_compliance_draft_t *draft)
{
    if (json_object_get(entry->rule, "prohibited"))
        draft->prohibition = entry->remark;
    if (json_object_get(entry->rule, "minimum_age"))
        draft->age = entry->remark;
    draft->newest = entry->remark;
}

/* Lays those of ENTRIES that hold on DAY, the wider first. The day from which
 * the last of them holds; NULL for what is said of all products: */
static void lay(const making_t *making, const apr_array_header_t *entries,
                idv_compliance_day_t day, idv_compliance_draft_t *draft,
                idv_compliance_day_t *since)
{
    for (int narrow = 0; narrow <= NARROWEST; narrow++) {
        for (int i = 0; entries && i < entries->nelts; i++) {
            const idv_compliance_entry_t *entry =
                &APR_ARRAY_IDX(entries, i, idv_compliance_entry_t);

            if (!applies(&entry->term) || !concerns(entry, making)
                || narrowness(&entry->term) != narrow || day < entry->term.from
                || day >= entry->term.until)
                continue;
            idv_compliance_rule_lay(&making->silent, entry->rule, draft);
            add_basis(making, entry, draft);
            if (!since)
                continue;
            add_remark(entry, draft);
            *since = entry->term.from;
        }
    }
}

/* The rule on DAY, unfinished. */
static idv_compliance_draft_t compose(const making_t *making,
                                      idv_compliance_day_t day,
                                      idv_compliance_day_t *since)
{
    idv_compliance_draft_t draft = {.rule = idv_compliance_nothing_known};

    *since = IDV_COMPLIANCE_ALWAYS;
    for (int i = 0; i < making->count; i++) {
        lay(making, making->layers[i].all, day, &draft, NULL);
        lay(making, making->layers[i].product, day, &draft, since);
    }
    return draft;
}

static const char *day_text(idv_compliance_day_t day, apr_pool_t *pool)
{
    char text[IDV_DATE_TEXT_SIZE];

    if (day == IDV_COMPLIANCE_ALWAYS || day == IDV_COMPLIANCE_FOREVER)
        return NULL;
    return apr_pstrdup(pool, idv_date_format(idv_date_of_days(day), text));
}

static int compare_days(const void *a, const void *b)
{
    const idv_compliance_day_t *x = a, *y = b;

    return (*x > *y) - (*x < *y);
}

static void add_changes(const making_t *making,
                        const apr_array_header_t *entries,
                        apr_array_header_t *days)
{
    for (int i = 0; entries && i < entries->nelts; i++) {
        const idv_compliance_entry_t *entry =
            &APR_ARRAY_IDX(entries, i, idv_compliance_entry_t);

        if (!applies(&entry->term) || !concerns(entry, making))
            continue;
        APR_ARRAY_PUSH(days, idv_compliance_day_t) = entry->term.from;
        if (entry->term.until != IDV_COMPLIANCE_FOREVER)
            APR_ARRAY_PUSH(days, idv_compliance_day_t) = entry->term.until;
    }
}

/* The days on which something changes, in order, ALWAYS first, each once. */
static apr_array_header_t *changes_of(const making_t *making)
{
    apr_pool_t *scratch = making->place->scratch;
    apr_array_header_t *days =
        apr_array_make(scratch, 4, sizeof(idv_compliance_day_t));
    apr_array_header_t *once =
        apr_array_make(scratch, 4, sizeof(idv_compliance_day_t));

    APR_ARRAY_PUSH(days, idv_compliance_day_t) = IDV_COMPLIANCE_ALWAYS;
    for (int i = 0; i < making->count; i++) {
        add_changes(making, making->layers[i].all, days);
        add_changes(making, making->layers[i].product, days);
    }
    qsort(days->elts, (size_t)days->nelts, sizeof(idv_compliance_day_t),
          compare_days);
    for (int i = 0; i < days->nelts; i++) {
        idv_compliance_day_t day = APR_ARRAY_IDX(days, i, idv_compliance_day_t);

        if (i == 0 || day != APR_ARRAY_IDX(days, i - 1, idv_compliance_day_t))
            APR_ARRAY_PUSH(once, idv_compliance_day_t) = day;
    }
    return once;
}

static const idv_compliance_timeline_t *make_timeline(const making_t *making)
{
    apr_pool_t *pool = making->place->pool;
    const apr_array_header_t *days = changes_of(making);
    idv_compliance_timeline_t *timeline = apr_palloc(pool, sizeof(*timeline));

    timeline->count = days->nelts;
    timeline->spans =
        apr_pcalloc(pool, sizeof(*timeline->spans) * (size_t)days->nelts);
    for (int i = 0; i < days->nelts; i++) {
        idv_compliance_span_t *span = &timeline->spans[i];
        idv_compliance_day_t since;
        idv_compliance_draft_t draft;

        span->from = APR_ARRAY_IDX(days, i, idv_compliance_day_t);
        draft = compose(making, span->from, &since);
        idv_compliance_rule_finish(making->place, &draft);
        span->rule = draft.rule;
        span->rule.in_force_from = day_text(since, pool);
        if (i + 1 < days->nelts)
            span->rule.in_force_until = day_text(
                APR_ARRAY_IDX(days, i + 1, idv_compliance_day_t), pool);
    }
    return timeline;
}

/* Lays every rule that is enacted without a day over DRAFT and returns their
 * number. If DRAFT is NULL, it only counts them. */
static int lay_pending(const making_t *making, idv_compliance_draft_t *draft)
{
    int count = 0;

    for (int i = 0; i < making->count; i++) {
        const apr_array_header_t *entries = making->layers[i].product;

        for (int j = 0; entries && j < entries->nelts; j++) {
            const idv_compliance_entry_t *entry =
                &APR_ARRAY_IDX(entries, j, idv_compliance_entry_t);

            if (!is_pending(&entry->term) || !concerns(entry, making))
                continue;
            count++;
            if (!draft)
                continue;
            idv_compliance_rule_lay(&making->silent, entry->rule, draft);
            add_remark(entry, draft);
        }
    }
    return count;
}

/* The rule if everything enacted without a day began after all known changes;
 * NULL: nothing is. */
static const idv_compliance_rule_t *make_pending(const making_t *making)
{
    idv_compliance_day_t since;
    idv_compliance_draft_t draft;
    idv_compliance_rule_t *rule;

    if (!lay_pending(making, NULL))
        return NULL;
    draft = compose(making, IDV_COMPLIANCE_FOREVER - 1, &since);
    lay_pending(making, &draft);
    idv_compliance_rule_finish(&making->silent, &draft);
    rule = apr_palloc(making->place->pool, sizeof(*rule));
    *rule = draft.rule;
    return rule;
}

/* Whether a rule names the article and the channel that are made; a channel
 * that any rule names is made for every article that one names. */
static int is_named(const making_t *making)
{
    int article = making->article == IDV_ARTICLE_NONE;
    int channel = making->channel == IDV_CHANNEL_IN_PERSON;

    for (int i = 0; i < making->count; i++) {
        const apr_array_header_t *entries = making->layers[i].product;

        for (int j = 0; entries && j < entries->nelts; j++) {
            const idv_compliance_term_t *term =
                &APR_ARRAY_IDX(entries, j, idv_compliance_entry_t).term;

            article |= (term->articles & 1u << making->article) != 0;
            channel |= term->channel == making->channel;
        }
    }
    return article && channel;
}

const idv_compliance_calendar_t *
idv_compliance_calendar_make(const idv_compliance_place_t *place,
                             const idv_compliance_layer_t *layers, int count,
                             idv_use_case_t use_case)
{
    idv_compliance_calendar_t *calendar =
        apr_pcalloc(place->pool, sizeof(*calendar));
    making_t making = {
        .place = place, .silent = *place, .layers = layers, .count = count};

    making.silent.faults =
        apr_array_make(place->scratch, 0, sizeof(idv_compliance_fault_t));
    for (int c = 0; c < IDV_CHANNEL_COUNT; c++)
        for (int i = IDV_ARTICLE_NONE; i < IDV_ARTICLE_COUNT; i++) {
            making.channel = (idv_channel_t)c;
            making.article = (idv_article_t)i;
            if (!idv_article_belongs(making.article, use_case)
                || !is_named(&making))
                continue;
            calendar->timelines[c][i] = make_timeline(&making);
            calendar->pending[c][i] = make_pending(&making);
        }
    return calendar;
}

/* --- use --- */

const idv_compliance_rule_t *
idv_compliance_calendar_find(const idv_compliance_calendar_t *calendar,
                             idv_article_t article, idv_channel_t channel,
                             idv_compliance_day_t day)
{
    const idv_compliance_timeline_t *const *of =
        calendar->timelines[channel][IDV_ARTICLE_NONE]
            ? calendar->timelines[channel]
            : calendar->timelines[IDV_CHANNEL_IN_PERSON];
    const idv_compliance_timeline_t *timeline =
        of[article] ? of[article] : of[IDV_ARTICLE_NONE];
    int i = timeline->count - 1;

    while (i > 0 && day < timeline->spans[i].from)
        i--;
    return &timeline->spans[i].rule;
}
