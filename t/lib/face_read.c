/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Finds and compares faces, for tests and benchmarks:
 *
 *     face_read MODELS_DIRECTORY find IMAGE...      one line of JSON a face
 *     face_read MODELS_DIRECTORY mesh IMAGE...      the same, with the mesh
 *     face_read MODELS_DIRECTORY compare IMAGE...   each pair of faces: cosines
 *     face_read MODELS_DIRECTORY time IMAGE         milliseconds of each step
 *
 * For public pictures only: it prints what it finds.
 */
#include <apr_file_io.h>
#include <apr_general.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "analyze/face/face_embedding.h"
#include "analyze/face/model_file.h"
#include "analyze/image_decode.h"

enum { SIDE = 1600, PICTURES_MAX = 64, ROUNDS = 10 };

typedef struct {
    idv_face_finder_t *finder;
    idv_face_models_t *models;
    apr_pool_t *pool;
} tool_t;

static idv_error_t *load(const tool_t *tool, const char *path,
                         idv_image_t **image)
{
    idv_decoded_image_t decoded;
    idv_bytes_t file;

    IDV_TRY(idv_model_map(path[0] == '/' ? "" : ".", path, &file, tool->pool));
    IDV_TRY(idv_image_decode(file, SIDE, &decoded, tool->pool, tool->pool));
    *image = decoded.image;
    return NULL;
}

static idv_error_t *find(const tool_t *tool, const char *path, int with_mesh)
{
    idv_face_t faces[IDV_FACES_MAX];
    idv_image_t *image;
    int count;

    IDV_TRY(load(tool, path, &image));
    count = idv_face_find(tool->finder, image, IDV_FACE_ANY, faces);
    for (int i = 0; i < count; i++) {
        const idv_face_t *face = &faces[i];

        printf("{\"file\":\"%s\",\"width\":%d,\"height\":%d,\"box\":[%.1f,%.1f,"
               "%.1f,%.1f],\"score\":%.3f,\"presence\":%.3f,\"yaw\":%.1f,"
               "\"pitch\":%.1f,\"roll\":%.1f,\"eyes\":%.1f",
               path, image->width, image->height, face->left, face->top,
               face->right, face->bottom, face->score, face->presence,
               face->yaw, face->pitch, face->roll, face->eye_distance);
        if (with_mesh) {
            printf(",\"mesh\":[");
            for (int k = 0; k < IDV_FACE_POINTS; k++)
                printf("%s[%.2f,%.2f,%.2f]", k ? "," : "", face->points[k].x,
                       face->points[k].y, face->depth[k]);
            printf("]");
        }
        printf("}\n");
    }
    return NULL;
}

/* Prints the pairs that the last face makes with those before it. */
static void print_pairs(const idv_face_embedding_t *all, char (*names)[128],
                        int last)
{
    for (int i = 0; i < last; i++) {
        idv_face_similarity_t one = idv_face_compare(&all[i], &all[last]);

        printf("%s %s %.3f %.3f\n", names[i], names[last], one.first,
               one.second);
    }
}

static idv_error_t *compare(const tool_t *tool, char **paths, int count)
{
    static idv_face_embedding_t all[PICTURES_MAX];
    static char names[PICTURES_MAX][128];
    int total = 0;

    for (int i = 0; i < count; i++) {
        idv_face_t faces[IDV_FACES_MAX];
        idv_image_t *image;
        int found;

        IDV_TRY(load(tool, paths[i], &image));
        found = idv_face_find(tool->finder, image, IDV_FACE_ANY, faces);
        for (int k = 0; k < found && total < PICTURES_MAX; k++, total++) {
            idv_face_embed(tool->models, image, &faces[k], &all[total]);
            snprintf(names[total], sizeof(names[total]), "%s#%d", paths[i], k);
            print_pairs(all, names, total);
        }
    }
    return NULL;
}

static double milliseconds(clock_t begin)
{
    return (double)(clock() - begin) * 1000 / CLOCKS_PER_SEC / ROUNDS;
}

static idv_error_t *measure(const tool_t *tool, const char *path)
{
    idv_face_t faces[IDV_FACES_MAX];
    idv_face_embedding_t embedding;
    idv_image_t *image;
    clock_t begin;

    IDV_TRY(load(tool, path, &image));
    begin = clock();
    for (int i = 0; i < ROUNDS; i++)
        if (idv_face_find(tool->finder, image, IDV_FACE_LARGE, faces) == 0)
            return idv_error_internal(tool->pool, "no face");
    printf("find %.1f\n", milliseconds(begin));
    begin = clock();
    for (int i = 0; i < ROUNDS; i++)
        idv_face_embed_first(tool->models, image, &faces[0], &embedding);
    printf("first %.1f\n", milliseconds(begin));
    begin = clock();
    for (int i = 0; i < ROUNDS; i++)
        idv_face_embed(tool->models, image, &faces[0], &embedding);
    printf("both %.1f\n", milliseconds(begin));
    return NULL;
}

static idv_error_t *run(int argc, char **argv, apr_pool_t *pool)
{
    tool_t tool = {.pool = pool};
    const char *what;

    if (argc < 4)
        return idv_error_internal(pool, "MODELS find|mesh|compare|time IMAGE");
    what = argv[2];
    IDV_TRY(idv_face_finder_open(argv[1], &tool.finder, pool));
    IDV_TRY(idv_face_models_open(argv[1], &tool.models, pool));
    if (strcmp(what, "compare") == 0)
        return compare(&tool, argv + 3, argc - 3);
    if (strcmp(what, "time") == 0)
        return measure(&tool, argv[3]);
    for (int i = 3; i < argc; i++)
        IDV_TRY(find(&tool, argv[i], strcmp(what, "mesh") == 0));
    return NULL;
}

int main(int argc, char **argv)
{
    idv_error_t *error;
    apr_pool_t *pool;

    apr_initialize();
    apr_pool_create(&pool, NULL);
    error = run(argc, argv, pool);
    if (error)
        fprintf(stderr, "face_read: %s\n", idv_error_cause(error));
    apr_pool_destroy(pool);
    apr_terminate();
    return error != NULL;
}
