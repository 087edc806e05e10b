/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Feeds every file of the directories named on the command line to the fuzz
 * target it is linked with and reports in TAP: a file that once crashed the
 * target stays a test for ever. The empty input is always tried. A crash
 * ends the program, which the TAP harness reports as a failure.
 */
#include <dirent.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define INPUT_MAX (32 * 1024 * 1024)

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerInitialize(int *argc, char ***argv) __attribute__((weak));

static int tests;

static void report(int passed, const char *name)
{
    printf("%s %d - %s\n", passed ? "ok" : "not ok", ++tests, name);
    fflush(stdout);
}

static void replay_file(const char *path)
{
    FILE *file = fopen(path, "rb");
    /* Exactly sized, so that a sanitizer sees a read past the end. */
    uint8_t *data = NULL;
    long size = -1;

    if (file && fseek(file, 0, SEEK_END) == 0)
        size = ftell(file);
    if (size >= 0 && size <= INPUT_MAX)
        data = malloc((size_t)size ? (size_t)size : 1);
    if (!data || fseek(file, 0, SEEK_SET) != 0
        || fread(data, 1, (size_t)size, file) != (size_t)size) {
        report(0, path);
    } else {
        LLVMFuzzerTestOneInput(data, (size_t)size);
        report(1, path);
    }
    free(data);
    if (file)
        fclose(file);
}

static void replay_directory(const char *directory)
{
    struct dirent **entries = NULL;
    int count = scandir(directory, &entries, NULL, alphasort);

    if (count < 0)
        report(0, directory);
    for (int i = 0; i < count; i++) {
        char path[4096];

        if (entries[i]->d_name[0] != '.') {
            snprintf(path, sizeof path, "%s/%s", directory,
                     entries[i]->d_name);
            replay_file(path);
        }
        free(entries[i]);
    }
    free(entries);
}

int main(int argc, char **argv)
{
    if (LLVMFuzzerInitialize)
        LLVMFuzzerInitialize(&argc, &argv);
    LLVMFuzzerTestOneInput((const uint8_t *)"", 0);
    report(1, "empty input");
    for (int i = 1; i < argc; i++)
        replay_directory(argv[i]);
    printf("1..%d\n", tests);
    return EXIT_SUCCESS;
}
