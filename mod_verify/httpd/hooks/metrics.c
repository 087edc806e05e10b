/* SPDX-License-Identifier: Apache-2.0 */
#include "httpd/hooks/metrics.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include <apr_optional_hooks.h>
#include <apr_strings.h>
#include <http_protocol.h>
#include <mod_status.h>

#include "httpd/process/counters.h"
#include "httpd/start/service.h"

#define PREFIX "verify_"

static const idv_statistics_t *watchdog_statistics(void)
{
    idv_watchdog_t *watchdog = idv_service_watchdog();

    return watchdog ? idv_watchdog_statistics(watchdog) : NULL;
}

static apr_int64_t value_of(const atomic_llong *counter)
{
    return atomic_load_explicit(counter, memory_order_relaxed);
}

/* --- Prometheus, text format 0.0.4, and OpenMetrics 1.0 --- */

/* Whether RANGE of an Accept header is OpenMetrics, and not excluded. */
static int accepts(const char *range)
{
    static const char type[] = "application/openmetrics-text";
    const char *weight;

    range += strspn(range, " \t");
    if (strncasecmp(range, type, sizeof(type) - 1) != 0
        || !strchr("; \t", range[sizeof(type) - 1]))
        return 0;
    weight = ap_strcasestr(range, "q=");
    return !weight || atof(weight + 2) > 0;
}

/* Prometheus asks for it by name; it has exemplars and an end. */
static int is_open_metrics(const request_rec *r)
{
    const char *accepted = apr_table_get(r->headers_in, "Accept");
    char *last = NULL, *range;

    if (!accepted)
        return 0;
    range = apr_strtok(apr_pstrdup(r->pool, accepted), ",", &last);
    while (range && !accepts(range))
        range = apr_strtok(NULL, ",", &last);
    return range != NULL;
}

static void head(request_rec *r, const char *name, const char *type,
                 const char *help)
{
    int length = (int)strlen(name);

    /* There, counters are called without the ending of their value. */
    if (is_open_metrics(r) && strcmp(type, "counter") == 0)
        length -= (int)strlen("_total");
    ap_rprintf(r, "# HELP " PREFIX "%.*s %s\n# TYPE " PREFIX "%.*s %s\n",
               length, name, help, length, name, type);
}

static void metric(request_rec *r, const char *name, const char *type,
                   const char *help, apr_int64_t value)
{
    head(r, name, type, help);
    ap_rprintf(r, PREFIX "%s %" APR_INT64_T_FMT "\n", name, value);
}

static void request_metrics(request_rec *r)
{
    int count;
    const idv_route_t *routes = idv_routes(&count);

    head(r, "requests_total", "counter",
         "Responses, by route and status class.");
    for (int i = 0; i <= count; i++)
        for (int class = 1; class < IDV_STATUS_CLASSES; class++) {
            apr_int64_t value = value_of(&idv_counters->requests[i][class]);

            if (value)
                ap_rprintf(r, PREFIX "requests_total{method=\"%s\","
                           "route=\"%s\",status=\"%dxx\"} "
                           "%" APR_INT64_T_FMT "\n",
                           i < count ? routes[i].method : "",
                           i < count ? routes[i].pattern : "", class, value);
        }
}

/* One bucket with TOTAL requests up to its bound LE, and the trace of one. */
static void show_bucket(request_rec *r, int bucket, const char *le,
                        apr_int64_t total)
{
    idv_exemplar_copy_t exemplar;

    ap_rprintf(r, PREFIX "request_duration_seconds_bucket{le=\"%s\"} "
               "%" APR_INT64_T_FMT, le, total);
    if (is_open_metrics(r) && idv_exemplar_read(bucket, &exemplar))
        ap_rprintf(r, " # {trace_id=\"%s\",span_id=\"%s\"} %.6f %.3f",
                   idv_hex(exemplar.trace.trace, IDV_TRACE_ID_BYTES, r->pool),
                   idv_hex(exemplar.trace.span, IDV_SPAN_ID_BYTES, r->pool),
                   (double)exemplar.duration / 1e6,
                   (double)exemplar.ended / 1e3);
    ap_rputs("\n", r);
}

/* MILLISECONDS as a number of seconds in its canonical form. */
static const char *bound_of(int milliseconds, apr_pool_t *pool)
{
    int digits = milliseconds % 100 == 0 ? 1 : milliseconds % 10 == 0 ? 2 : 3;

    return apr_psprintf(pool, "%.*f", digits, milliseconds / 1000.0);
}

static void duration_metrics(request_rec *r)
{
    apr_int64_t total = 0;

    head(r, "request_duration_seconds", "histogram",
         "Time from the arrival of a request to its response.");
    for (int i = 0; i < IDV_DURATION_BUCKETS; i++) {
        total += value_of(&idv_counters->durations[i]);
        show_bucket(r, i, bound_of(idv_duration_bounds[i], r->pool), total);
    }
    total += value_of(&idv_counters->durations[IDV_DURATION_BUCKETS]);
    show_bucket(r, IDV_DURATION_BUCKETS, "+Inf", total);
    ap_rprintf(r, PREFIX "request_duration_seconds_sum %.6f\n" PREFIX
               "request_duration_seconds_count %" APR_INT64_T_FMT "\n",
               (double)value_of(&idv_counters->duration_sum) / 1e6, total);
}

/* --- bodies, answers and waits in progress --- */

static const struct {
    idv_place_use_t use;
    const char *name, *type, *help;
    apr_size_t offset;
} place_metrics[] = {
    {IDV_PLACES_OF_BODIES, "bodies_under_way", "gauge",
     "Request bodies (body) and images (upload) that are being received.",
     offsetof(idv_place_statistics_t, held)},
    {IDV_PLACES_OF_BODIES, "bodies_refused_total", "counter",
     "Requests refused because too many bodies or images were being received.",
     offsetof(idv_place_statistics_t, refused)},
    {IDV_PLACES_OF_BODIES, "bodies_late_total", "counter",
     "Bodies and images that did not arrive in time.",
     offsetof(idv_place_statistics_t, late)},
    {IDV_PLACES_OF_ANSWERS, "answers_under_way", "gauge",
     "Long responses that clients are reading.",
     offsetof(idv_place_statistics_t, held)},
    {IDV_PLACES_OF_ANSWERS, "answers_refused_total", "counter",
     "Long responses refused because too many were being read.",
     offsetof(idv_place_statistics_t, refused)},
    {IDV_PLACES_OF_ANSWERS, "answers_late_total", "counter",
     "Long responses aborted because the client did not read them in time.",
     offsetof(idv_place_statistics_t, late)},
    {IDV_PLACES_OF_WAITS, "waits_under_way", "gauge",
     "Waiting requests of persons, wallets and readers (long polls).",
     offsetof(idv_place_statistics_t, held)},
    {IDV_PLACES_OF_WAITS, "waits_refused_total", "counter",
     "Requests answered at once because too many were waiting.",
     offsetof(idv_place_statistics_t, refused)},
};

static const struct {
    const char *name;
    idv_place_use_t use;
} place_kinds[] = {
#define IDV_PLACE_KIND(name, text, fair, use) {text, IDV_PLACES_OF_##use},
    IDV_PLACE_KINDS(IDV_PLACE_KIND)
#undef IDV_PLACE_KIND
};

#define PLACE_METRICS ((int)(sizeof(place_metrics) / sizeof(*place_metrics)))

static apr_int64_t place_value(int metric, idv_place_kind_t kind)
{
    const idv_admission_t *admission = idv_service_admission();
    idv_place_statistics_t statistics = {0};

    if (admission)
        idv_place_look(admission->table, kind, idv_time_now(), &statistics);
    return *(const apr_int64_t *)((const char *)&statistics
                                  + place_metrics[metric].offset);
}

static void show_places(request_rec *r)
{
    for (int i = 0; i < PLACE_METRICS; i++) {
        head(r, place_metrics[i].name, place_metrics[i].type,
             place_metrics[i].help);
        for (int kind = 0; kind < IDV_PLACE_KIND_COUNT; kind++)
            if (place_kinds[kind].use == place_metrics[i].use)
                ap_rprintf(r, PREFIX "%s{kind=\"%s\"} %" APR_INT64_T_FMT "\n",
                           place_metrics[i].name, place_kinds[kind].name,
                           place_value(i, kind));
    }
}

/* A metric of deviations by code; only codes that occurred are shown. */
typedef struct {
    const char *name, *help;
    int count;
    const char *(*code_of)(int);
    const _Atomic long long *counters;
} deviations_t;

static void show_deviations(request_rec *r, const deviations_t *metric)
{
    head(r, metric->name, "counter", metric->help);
    for (int i = 0; i < metric->count; i++) {
        apr_int64_t value =
            atomic_load_explicit(&metric->counters[i], memory_order_relaxed);

        if (value)
            ap_rprintf(r, PREFIX "%s{code=\"%s\"} %" APR_INT64_T_FMT "\n",
                       metric->name, metric->code_of(i), value);
    }
}

static void show_all_deviations(request_rec *r,
                                const idv_statistics_t *statistics)
{
    const deviations_t metrics[] = {
        {"chip_deviations_total",
         "Checks of chips that found a deviation from the standard, by code.",
         IDV_DEVIATIONS, idv_deviation_code, statistics->deviations},
        {"wallet_deviations_total",
         "Checks of wallet documents that found a deviation of the issuer's "
         "certificate from its profile, by code.",
         IDV_MDL_DEVIATIONS, idv_mdl_deviation_code,
         statistics->wallet_deviations},
    };

    for (int i = 0; i < (int)(sizeof(metrics) / sizeof(*metrics)); i++)
        show_deviations(r, &metrics[i]);
}

static void show_watchdog(request_rec *r, const idv_statistics_t *statistics)
{
#define IDV_COUNTER(member, name, help)                                        \
    metric(r, name, "counter", help, idv_statistics_get(statistics, member));
    IDV_STATISTICS_COUNTERS(IDV_COUNTER)
#undef IDV_COUNTER
#define IDV_GAUGE(member, name, help)                                          \
    metric(r, name, "gauge", help, idv_statistics_get(statistics, member));
    IDV_STATISTICS_GAUGES(IDV_GAUGE)
#undef IDV_GAUGE
    show_all_deviations(r, statistics);
}

int idv_metrics_handler(request_rec *r)
{
    const idv_statistics_t *statistics = watchdog_statistics();

    if (!r->handler || strcmp(r->handler, "verify-metrics") != 0)
        return DECLINED;
    if (r->method_number != M_GET) {
        r->allowed = AP_METHOD_BIT << M_GET;
        return HTTP_METHOD_NOT_ALLOWED;
    }
    ap_set_content_type(
        r, is_open_metrics(r)
               ? "application/openmetrics-text; version=1.0.0; charset=utf-8"
               : "text/plain; version=0.0.4; charset=utf-8");
    apr_table_mergen(r->headers_out, "Vary", "Accept");
    if (r->header_only || !idv_counters)
        return OK;
    request_metrics(r);
    duration_metrics(r);
    show_places(r);
#define IDV_COUNTER(member, name, help)                                        \
    metric(r, name, "counter", help, value_of(&idv_counters->member));
    IDV_COUNTERS(IDV_COUNTER)
#undef IDV_COUNTER
    if (statistics)
        show_watchdog(r, statistics);
    if (is_open_metrics(r))
        ap_rputs("# EOF\n", r);
    return OK;
}

/* --- mod_status --- */

static void row(request_rec *r, int flags, const char *name, const char *help,
                apr_int64_t value)
{
    if (flags & AP_STATUS_SHORT)
        ap_rprintf(r, PREFIX "%s: %" APR_INT64_T_FMT "\n", name, value);
    else
        ap_rprintf(r, "<dt>%s</dt><dd>%" APR_INT64_T_FMT "</dd>\n", help,
                   value);
}

static void place_rows(request_rec *r, int flags)
{
    for (int i = 0; i < PLACE_METRICS; i++) {
        for (int kind = 0; kind < IDV_PLACE_KIND_COUNT; kind++)
            if (place_kinds[kind].use == place_metrics[i].use)
                row(r, flags,
                    apr_pstrcat(r->pool, place_metrics[i].name, "_",
                                place_kinds[kind].name, NULL),
                    apr_pstrcat(r->pool, place_metrics[i].help, " (",
                                place_kinds[kind].name, ")", NULL),
                    place_value(i, kind));
    }
}

static int status_section(request_rec *r, int flags)
{
    const idv_statistics_t *statistics = watchdog_statistics();

    if (!idv_counters)
        return DECLINED;
    if (!(flags & AP_STATUS_SHORT))
        ap_rputs("<hr />\n<h2>mod_verify " VERIFY_VERSION "</h2>\n<dl>\n", r);
#define IDV_COUNTER(member, name, help)                                        \
    row(r, flags, name, help, value_of(&idv_counters->member));
    IDV_COUNTERS(IDV_COUNTER)
#undef IDV_COUNTER
    place_rows(r, flags);
#define IDV_STATISTIC(member, name, help)                                      \
    if (statistics)                                                            \
        row(r, flags, name, help, idv_statistics_get(statistics, member));
    IDV_STATISTICS_COUNTERS(IDV_STATISTIC)
    IDV_STATISTICS_GAUGES(IDV_STATISTIC)
#undef IDV_STATISTIC
    if (!(flags & AP_STATUS_SHORT))
        ap_rputs("</dl>\n", r);
    return OK;
}

void idv_metrics_register(void)
{
    APR_OPTIONAL_HOOK(ap, status_hook, status_section, NULL, NULL,
                      APR_HOOK_MIDDLE);
}
