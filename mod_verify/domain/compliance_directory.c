/* SPDX-License-Identifier: Apache-2.0 */
#include "domain/compliance_directory.h"

#include <string.h>

#include <apr_strings.h>

#include "core/json_file.h"

#define SCHEMA "schema.json"

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
        idv_compliance_fault_add(
            faults, name, "", idv_error_cause(error));
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
    IDV_TRY(idv_directory_list(directory, ".json", &names, pool));
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
