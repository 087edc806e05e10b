/* SPDX-License-Identifier: Apache-2.0 */
#include "domain/method/analysis_models.h"

#include <unistd.h>

#include <apr_strings.h>

static const char *const of_documents[] = {IDV_MODEL_CLASSIFIER,
                                           IDV_MODEL_TRAINED ".traineddata",
                                           NULL};
static const char *const of_faces[] = {
    IDV_MODEL_FACE_DETECTOR, IDV_MODEL_FACE_MESH, IDV_MODEL_FACE_FIRST,
    IDV_MODEL_FACE_SECOND, IDV_MODEL_FACE_SECOND_MANIFEST, NULL};

/* The first of NAMES that is not there; *COUNT of them are. */
static const char *missing_of(const char *const names[], const char *directory,
                              int *count, apr_pool_t *scratch)
{
    const char *missing = NULL;

    *count = 0;
    for (int i = 0; names[i]; i++) {
        const char *path = apr_pstrcat(scratch, directory, "/", names[i], NULL);

        if (access(path, R_OK) == 0)
            ++*count;
        else if (!missing)
            missing = names[i];
    }
    return missing;
}

const char *idv_analysis_model_missing(const char *directory,
                                       apr_pool_t *scratch)
{
    int count;
    const char *missing = missing_of(of_documents, directory, &count, scratch);

    if (missing)
        return missing;
    missing = missing_of(of_faces, directory, &count, scratch);
    return count > 0 ? missing : NULL;
}
