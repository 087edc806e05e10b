/* SPDX-License-Identifier: Apache-2.0 */
#include "analyze/jpeg_plane.h"

#include <string.h>

#include <turbojpeg.h>

#include "analyze/image_decode.h"

enum {
    BLOCK = IDV_JPEG_BLOCK,
    COEFFICIENTS = BLOCK * BLOCK,
    TABLES = 4,
    /* Markers of ITU-T T.81, table B.1. */
    MARKER_SOI = 0xD8,
    MARKER_SOF0 = 0xC0,
    MARKER_SOF2 = 0xC2,
    MARKER_SOS = 0xDA,
    MARKER_DQT = 0xDB
};

/* The position of each coefficient in the order of the file (ITU-T T.81,
 * A.3.6). */
static const unsigned char zigzag[COEFFICIENTS] = {
    0,  1,  8,  16, 9,  2,  3,  10, 17, 24, 32, 25, 18, 11, 4,  5,
    12, 19, 26, 33, 40, 48, 41, 34, 27, 20, 13, 6,  7,  14, 21, 28,
    35, 42, 49, 56, 57, 50, 43, 36, 29, 22, 15, 23, 30, 37, 44, 51,
    58, 59, 52, 45, 38, 31, 39, 46, 53, 60, 61, 54, 47, 55, 62, 63};

/* All tables of one DQT segment. */
static void take_tables(idv_bytes_t segment, int tables[TABLES][COEFFICIENTS])
{
    apr_size_t at = 0;

    while (at < segment.length) {
        int is_wide = segment.data[at] >> 4, id = segment.data[at] & 15;
        apr_size_t size = is_wide ? 2 : 1;

        at++;
        if (id >= TABLES || at + COEFFICIENTS * size > segment.length)
            return;
        for (int i = 0; i < COEFFICIENTS; i++, at += size)
            tables[id][zigzag[i]] =
                is_wide ? segment.data[at] << 8 | segment.data[at + 1]
                        : segment.data[at];
    }
}

void idv_jpeg_plane_steps(idv_bytes_t file, int *steps)
{
    enum { FIRST_TABLE = 8 }; /* of component 1, in a frame header */
    int tables[TABLES][COEFFICIENTS] = {{0}};
    const unsigned char *data = file.data;
    apr_size_t at = 2;
    int table = 0;

    while (at + 4 <= file.length && data[at] == 0xFF) {
        int marker = data[at + 1];
        apr_size_t length = (apr_size_t)data[at + 2] << 8 | data[at + 3];
        idv_bytes_t segment = {data + at + 4, length - 2};

        if (marker == 0xFF) {
            at++;
            continue;
        }
        if (length < 2 || at + 2 + length > file.length || marker == MARKER_SOS)
            break;
        if (marker == MARKER_DQT)
            take_tables(segment, tables);
        if (marker >= MARKER_SOF0 && marker <= MARKER_SOF2
            && segment.length > FIRST_TABLE)
            table = segment.data[FIRST_TABLE] & (TABLES - 1);
        at += 2 + length;
    }
    memcpy(steps, tables[table], sizeof(tables[table]));
}

static apr_status_t destroy(void *handle)
{
    tjDestroy(handle);
    return APR_SUCCESS;
}

idv_error_t *idv_jpeg_plane_read(idv_bytes_t file, idv_jpeg_plane_t *plane,
                                 apr_pool_t *pool)
{
    tjhandle handle;
    idv_image_t *gray;
    int width, height, subsampling, colours;

    memset(plane, 0, sizeof(*plane));
    if (file.length < 4 || file.data[0] != 0xFF || file.data[1] != MARKER_SOI)
        return NULL;
    handle = tjInitDecompress();
    if (!handle)
        return idv_error_internal(pool, "no JPEG decoder");
    apr_pool_cleanup_register(pool, handle, destroy, apr_pool_cleanup_null);
    if (tjDecompressHeader3(handle, file.data, file.length, &width, &height,
                            &subsampling, &colours)
            != 0
        || (colours != TJCS_YCbCr && colours != TJCS_GRAY)
        || (apr_int64_t)width * height * idv_image_jpeg_scans(file)
               > IDV_JPEG_PLANE_SCANNED_MAX)
        return NULL;
    IDV_TRY(idv_image_create(width, height, IDV_IMAGE_GRAY, &gray, pool));
    if (tjDecompress2(handle, file.data, file.length, gray->pixels, width,
                      gray->stride, height, TJPF_GRAY,
                      TJFLAG_LIMITSCANS | TJFLAG_ACCURATEDCT)
        != 0)
        return NULL; /* damaged: filled-in data have no traces */
    plane->gray = gray;
    idv_jpeg_plane_steps(file, plane->steps);
    return NULL;
}
