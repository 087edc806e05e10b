/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_DOMAIN_LAW_COMPLIANCE_CALENDAR_H
#define IDV_DOMAIN_LAW_COMPLIANCE_CALENDAR_H

/*
 * The law of one product in one jurisdiction, over time and by article.
 *
 * A file gives rules that hold for a time, for all of a product or for some of
 * its articles, on up to two levels (a country, a region). The calendar lays
 * them over each other, for each time between two changes and for each article
 * that a rule names:
 *
 *     country: all < the product < the article < the channel of sale
 *            < region: all < the product < the article < the channel
 *
 * so that the complete rule of a day is found by looking through a few spans. A
 * rule that is enjoined lays nothing; one that is enacted lays what it says
 * from its day on, and without a day waits beside the calendar.
 *
 * For compliance_rules.c alone. Memory: the calendar lives in the pool of the
 * rule set. Threads: immutable once made. Failures: faults are added to the
 * place's, and the calendar is made all the same.
 */
#include "domain/law/compliance_rule_reader.h"

/* Rules of one product, or of all products, on one level and as they stand in
 * its document: one object, or an array of up to so many. */
#define IDV_COMPLIANCE_ENTRIES_MAX 16

/* A rule of the document, with what it is about. */
typedef struct {
    const json_t *rule;
    idv_compliance_term_t term;
    const char *basis; /* what it rests on, as idv_compliance_basis_t has it */
    idv_compliance_remark_t remark;
} idv_compliance_entry_t;

/* A level: what it says of all products, and of the one. */
typedef struct {
    const apr_array_header_t *all;     /* idv_compliance_entry_t */
    const apr_array_header_t *product; /* likewise */
} idv_compliance_layer_t;

#define IDV_COMPLIANCE_LAYERS_MAX 2

/* A time in which nothing changes. */
typedef struct {
    idv_compliance_day_t from; /* ALWAYS: since before all that is known */
    idv_compliance_rule_t rule;
} idv_compliance_span_t;

typedef struct {
    int count;
    idv_compliance_span_t *spans; /* by day; the first from ALWAYS */
} idv_compliance_timeline_t;

typedef struct {
    /* Of each channel that a rule names and of in person, of the product, at
     * IDV_ARTICLE_NONE, and of each article that a rule names; NULL: as of the
     * product, and without that as in person. */
    const idv_compliance_timeline_t
        *timelines[IDV_CHANNEL_COUNT][IDV_ARTICLE_COUNT];
    /* What is enacted without a day: what would hold, NULL: nothing is. */
    const idv_compliance_rule_t *pending[IDV_CHANNEL_COUNT][IDV_ARTICLE_COUNT];
} idv_compliance_calendar_t;

/* Reads and checks the rules VALUE at PLACE, of USE_CASE or, with
 * IDV_USE_CASE_NONE, of all products; *ENTRIES is empty for NULL. */
void idv_compliance_entries_read(const idv_compliance_place_t *place,
                                 const json_t *value, idv_use_case_t use_case,
                                 apr_array_header_t **entries);

/* The calendar of USE_CASE under the COUNT LAYERS, the wider first; PLACE is
 * where the product's rules stand, or would. */
const idv_compliance_calendar_t *
idv_compliance_calendar_make(const idv_compliance_place_t *place,
                             const idv_compliance_layer_t *layers, int count,
                             idv_use_case_t use_case);

/* What holds on DAY for ARTICLE by CHANNEL; for IDV_ARTICLE_NONE what the
 * product's rules say, articles left alone. Never NULL. */
const idv_compliance_rule_t *
idv_compliance_calendar_find(const idv_compliance_calendar_t *calendar,
                             idv_article_t article, idv_channel_t channel,
                             idv_compliance_day_t day);

#endif
