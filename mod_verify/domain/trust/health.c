/* SPDX-License-Identifier: Apache-2.0 */
#include "domain/trust/health.h"

static const idv_health_info_t checks[] = {
#define IDV_HEALTH_CHECK(name, code, severity, scope, wrong, deed)             \
    {code, IDV_HEALTH_##severity, IDV_HEALTH_##scope, wrong, deed},
#include "domain/trust/health_checks.def"
#undef IDV_HEALTH_CHECK
};

/* "note", "warning", "error". */
static const char *severity_value(idv_health_severity_t severity)
{
    static const char *const values[] = {"note", "warning", "error"};

    return values[severity];
}

idv_health_report_t *idv_health_report(idv_time_t now, apr_pool_t *pool)
{
    idv_health_report_t *report = apr_pcalloc(pool, sizeof(*report));

    report->created = now;
    report->findings = apr_array_make(pool, 8, sizeof(idv_health_finding_t));
    return report;
}

void idv_health_add(idv_health_report_t *report, idv_health_finding_t finding)
{
    APR_ARRAY_PUSH(report->findings, idv_health_finding_t) = finding;
}

/* By insertion: there are some hundreds at most, and equals keep their order. */
void idv_health_sort(idv_health_report_t *report)
{
    const apr_array_header_t *findings = report->findings;
    idv_health_finding_t *all = (idv_health_finding_t *)findings->elts;

    for (int i = 1; i < findings->nelts; i++) {
        idv_health_finding_t finding = all[i];
        int at = i;

        while (at > 0
               && checks[all[at - 1].check].severity
                      < checks[finding.check].severity) {
            all[at] = all[at - 1];
            at--;
        }
        all[at] = finding;
    }
}

idv_health_severity_t idv_health_worst(const idv_health_report_t *report)
{
    idv_health_severity_t worst = IDV_HEALTH_NOTE;

    for (int i = 0; i < report->findings->nelts; i++) {
        idv_health_check_t check =
            APR_ARRAY_IDX(report->findings, i, idv_health_finding_t).check;

        if (checks[check].severity > worst)
            worst = checks[check].severity;
    }
    return worst;
}

/* --- JSON --- */

static void write_finding(idv_json_writer_t *writer,
                          const idv_health_finding_t *finding)
{
    const idv_health_info_t *info = &checks[finding->check];

    idv_json_open_object(writer, NULL);
    idv_json_put_text(writer, "severity",
                      severity_value(info->severity));
    idv_json_put_text(writer, "code", info->code);
    idv_json_put_text(writer, "organization_id", finding->organization_id);
    idv_json_put_text(writer, "subject", finding->object_id);
    idv_json_put_positive(writer, "count", finding->count);
    idv_json_put_seconds(writer, "at", finding->at);
    idv_json_put_text(writer, "wrong", info->wrong);
    idv_json_put_text(writer, "detail", finding->detail);
    idv_json_put_text(writer, "deed", info->deed);
    idv_json_close_object(writer);
}

void idv_health_write(idv_json_writer_t *writer,
                      const idv_health_report_t *report)
{
    idv_health_severity_t worst = idv_health_worst(report);

    idv_json_open_object(writer, NULL);
    idv_json_put_text(writer, "object", "health_report");
    idv_json_put_text(writer, "status",
                      worst == IDV_HEALTH_NOTE
                          ? "ok"
                          : severity_value(worst));
    idv_json_put_seconds(writer, "created", report->created);
    idv_json_open_array(writer, "findings");
    for (int i = 0; i < report->findings->nelts; i++)
        write_finding(writer,
                      &APR_ARRAY_IDX(report->findings, i, idv_health_finding_t));
    idv_json_close_array(writer);
    idv_json_put_boolean(writer, "has_more", report->has_more);
    idv_json_close_object(writer);
}
