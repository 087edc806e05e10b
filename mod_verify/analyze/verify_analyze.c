/* SPDX-License-Identifier: Apache-2.0 */
/*
 * verify-analyze: reads untrusted evidence, such as photos of identity
 * documents, in a sandbox.
 *
 * It runs as the zygote of the watchdog (--zygote, zygote.h), or on files, with
 * the same child and the same sandbox. Each file is a document, printed as one
 * line of findings (--file), or all files are the parts of one submission of
 * any method (--method, --part).
 */
#include <errno.h>
#include <getopt.h>
#include <malloc.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <apr_file_io.h>
#include <apr_general.h>
#include <apr_strings.h>

#include "analyze/evidence_reader.h"
#include "analyze/zygote.h"
#include "domain/method/method.h"

enum { FILES_MAX = 512 };

#define MEMORY_BYTES ((apr_uint64_t)1 << 30)

typedef struct {
    int zygote;
    int layers;      /* flag: print only the layers of the sandbox */
    int version;     /* flag: print only that */
    int plain_files; /* flag: documents by --file */
    int children;
    idv_analysis_kind_t kind; /* of the evidence */
    const char *models;
    const char *back;
    const char *method; /* of the parts; NULL: the files are documents */
    idv_analysis_part_t parts[IDV_ANALYZE_PARTS_MAX]; /* names; paths in files */
    idv_time_t now;
    const char *files[FILES_MAX];
    int file_count;
} options_t;

static const char usage[] =
    "Usage: verify-analyze [--models DIRECTORY] [--now UNIX-SECONDS]\n"
    "                      --file IMAGE [--file IMAGE ...] [--back IMAGE]\n"
    "       verify-analyze [--models DIRECTORY] [--now UNIX-SECONDS]\n"
    "                      --method METHOD --part NAME=FILE ...\n"
    "       verify-analyze [--models DIRECTORY] [--children N]\n"
    "                      [--evidence KIND] --zygote\n"
    "       verify-analyze --layers\n"
    "       verify-analyze --version\n"
    "\n"
    "  --file IMAGE   reads one photo and prints a line of findings\n"
    "  --back IMAGE   the other side of the document, for a single --file\n"
    "  --method NAME  prints the findings of one submission of that method,\n"
    "                 with the parts that follow\n"
    "  --models DIR   where the models for machine-readable zones are;\n"
    "                 without it only barcodes are read\n"
    "  --now SECONDS  the moment of the check (default: the system's clock)\n"
    "  --zygote       serves the control socket on descriptor 3\n"
    "  --children N   submissions at a time, 1 to 64 (default 2)\n"
    "  --evidence KIND what it reads: signed (wallets and chips), pictures\n"
    "                 or all (default)\n"
    "  --layers       prints the sandbox layers that hold on this machine\n";

static idv_error_t *load_file(const char *path, idv_bytes_t *bytes,
                              apr_pool_t *pool)
{
    apr_file_t *file;
    apr_finfo_t info;
    apr_status_t status;
    unsigned char *data;

    status = apr_file_open(&file, path, APR_READ | APR_BINARY, 0, pool);
    if (status != APR_SUCCESS)
        return idv_error_apr(pool, status, "cannot open %s", path);
    status = apr_file_info_get(&info, APR_FINFO_SIZE, file);
    if (status != APR_SUCCESS || info.size < 1
        || info.size > IDV_ANALYZE_PART_MAX)
        return idv_error_internal(pool, "%s is empty or too large", path);
    data = apr_palloc(pool, (apr_size_t)info.size);
    status = apr_file_read_full(file, data, (apr_size_t)info.size, NULL);
    apr_file_close(file);
    if (status != APR_SUCCESS)
        return idv_error_apr(pool, status, "cannot read %s", path);
    *bytes = (idv_bytes_t){data, (apr_size_t)info.size};
    return NULL;
}

/* The response of a child, or the reason why there is none. */
static idv_error_t *await_findings(int stream, pid_t child,
                                   idv_bytes_t *findings, apr_pool_t *pool)
{
    struct pollfd polled = {stream, POLLIN, 0};
    idv_error_t *error = NULL;
    int status;

    if (poll(&polled, 1, IDV_ANALYZE_CLIENT_SECONDS * 1000) == 1)
        error = idv_findings_receive(stream, findings, pool);
    else
        error = idv_error_internal(pool, "the child exceeded its time");
    if (error)
        kill(child, SIGKILL);
    waitpid(child, &status, 0);
    if (error && WIFSIGNALED(status) && WTERMSIG(status) != SIGKILL)
        return idv_error_internal(pool, "the child ended by signal %d",
                                  WTERMSIG(status));
    if (error && WIFEXITED(status))
        return idv_error_internal(pool, "the child ended with code %d",
                                  WEXITSTATUS(status));
    if (!error && findings->length == 0)
        return idv_error_internal(pool, "the photos take too much time");
    return error;
}

static idv_error_t *analyze(const idv_child_settings_t *settings,
                            const idv_analysis_request_t *request,
                            idv_bytes_t *findings, apr_pool_t *pool)
{
    int stream[2];
    idv_error_t *error, *sent;
    pid_t child;

    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, stream) != 0)
        return idv_error_apr(pool, errno, "cannot make a socket pair");
    error = idv_child_start(settings, stream[1], &child, pool);
    close(stream[1]);
    if (!error) {
        /* If the child ended early, writing fails as well, but the way in which
         * the child ended is more informative. */
        sent = idv_submission_send(stream[0], request, pool);
        error = await_findings(stream[0], child, findings, pool);
        if (!error)
            error = sent;
    }
    close(stream[0]);
    return error;
}

/* Reads all files at the start: in the sandbox no file can be opened, and the
 * zygote's part of it is entered before the first child. */
static idv_error_t *load_requests(const options_t *options,
                                  idv_analysis_request_t *requests,
                                     apr_pool_t *pool)
{
    for (int i = 0; i < options->file_count; i++) {
        idv_analysis_request_t *one = &requests[i];

        one->method = idv_method_value(IDV_METHOD_DOCUMENT_CAPTURE);
        one->now = options->now;
        one->milliseconds = IDV_ANALYZE_MILLISECONDS;
        one->part_count = 1;
        one->parts[0].name = "front";
        IDV_TRY(load_file(options->files[i], &one->parts[0].bytes, pool));
        if (!options->back)
            continue;
        one->part_count = 2;
        one->parts[1].name = "back";
        IDV_TRY(load_file(options->back, &one->parts[1].bytes, pool));
    }
    return NULL;
}

/* Reads one submission with all its parts. */
static idv_error_t *load_submission(const options_t *options,
                                    idv_analysis_request_t *request,
                                    apr_pool_t *pool)
{
    request->method = options->method;
    request->now = options->now;
    request->milliseconds = IDV_ANALYZE_MILLISECONDS;
    request->part_count = options->file_count;
    for (int i = 0; i < options->file_count; i++) {
        request->parts[i] = options->parts[i];
        IDV_TRY(load_file(options->files[i], &request->parts[i].bytes, pool));
    }
    return NULL;
}

static idv_error_t *run_on_files(const options_t *options,
                                 const idv_child_settings_t *settings,
                                 apr_pool_t *pool)
{
    idv_analysis_request_t *requests = apr_pcalloc(
        pool, sizeof(*requests) * (apr_size_t)options->file_count);
    int count = options->method ? 1 : options->file_count;
    unsigned layers = 0;

    IDV_TRY(options->method ? load_submission(options, requests, pool)
                            : load_requests(options, requests, pool));
    IDV_TRY(idv_sandbox_prepare(&layers, pool));
    for (int i = 0; i < count; i++) {
        idv_bytes_t findings = {0};

        IDV_TRY(analyze(settings, &requests[i], &findings, pool));
        printf("%.*s\n", (int)findings.length, (const char *)findings.data);
        fflush(stdout);
    }
    return NULL;
}

static idv_error_t *print_layers(const idv_child_settings_t *settings,
                                 apr_pool_t *pool)
{
    unsigned layers = 0;

    IDV_TRY(idv_sandbox_prepare(&layers, pool));
    IDV_TRY(idv_child_probe(settings, &layers, pool));
    puts(idv_sandbox_layer_names(layers, pool));
    return NULL;
}

/* Planes of photos are allocated and freed all the time. If the process keeps
 * them, the kernel need not clear them page by page each time. A child ends
 * soon, and its memory limit also covers the memory that it keeps. */
static void keep_memory(void)
{
    enum { PLANE = 32 << 20, KEPT = 256 << 20 };

    mallopt(M_MMAP_THRESHOLD, PLANE);
    mallopt(M_TRIM_THRESHOLD, KEPT);
}

static idv_error_t *run(const options_t *options, apr_pool_t *pool)
{
    idv_child_settings_t child = {idv_evidence_read, NULL, MEMORY_BYTES,
                                  IDV_ANALYZE_CPU_SECONDS,
                                  IDV_ANALYZE_WALL_SECONDS,
                                  idv_evidence_allowance};
    idv_zygote_settings_t zygote = {IDV_ANALYZE_CONTROL, options->children,
                                    IDV_ANALYZE_GRACE_SECONDS,
                                    IDV_ANALYZE_PATIENCE_SECONDS, child};
    idv_evidence_readers_t *readers;

    keep_memory();
    if (!options->zygote && options->file_count == 0)
        return print_layers(&child, pool);
    IDV_TRY(idv_evidence_readers_open(options->kind, options->models, &readers,
                                      pool));
    child.baton = zygote.child.baton = readers;
    if (options->zygote)
        return idv_zygote_run(&zygote, pool);
    return run_on_files(options, &child, pool);
}

/* The watchdog closes the control socket before it sends the signal. From
 * others, who signal all processes of a service, it means nothing. */
static void end_if_left(int number)
{
    struct pollfd control = {IDV_ANALYZE_CONTROL, 0, 0};

    (void)number;
    if (poll(&control, 1, 0) == 1 && control.revents & (POLLHUP | POLLERR))
        _exit(EXIT_SUCCESS);
}

/* A zygote ends when its control socket is closed, which it notices while it
 * serves. This handler covers the time until then, when idv_zygote_run() forks
 * the first child. The watchdog has blocked the signal until here. */
static void mind_the_end(void)
{
    sigset_t set;

    signal(SIGTERM, end_if_left);
    sigemptyset(&set);
    sigaddset(&set, SIGTERM);
    sigprocmask(SIG_UNBLOCK, &set, NULL);
}

/* The reason why nothing is read. It is reported to the client of a zygote,
 * because the zygote's standard error may lead nowhere. */
static void report(const options_t *options, const idv_error_t *error,
                   apr_pool_t *pool)
{
    const idv_analysis_readiness_t fault = {.fault = idv_error_cause(error)};
    idv_bytes_t packet = idv_analysis_readiness_encode(&fault, pool);

    if (!options->zygote
        || send(IDV_ANALYZE_CONTROL, packet.data, packet.length, MSG_NOSIGNAL)
               < 0)
        fprintf(stderr, "verify-analyze: %s\n", idv_error_cause(error));
}

/* The whole number in TEXT; -1 if TEXT is anything else. */
static apr_int64_t number_of(const char *text)
{
    char *end;
    apr_int64_t number;

    errno = 0;
    number = apr_strtoi64(text, &end, 10);
    return errno || end == text || *end || number < 0 ? -1 : number;
}

/* Records the part of TEXT, "name=file"; zero if TEXT is not one. */
static int take_part(char *text, options_t *options)
{
    char *equals = strchr(text, '=');

    if (!equals || equals == text
        || options->file_count >= IDV_ANALYZE_PARTS_MAX)
        return 0;
    *equals = '\0';
    options->parts[options->file_count].name = text;
    options->files[options->file_count++] = equals + 1;
    return 1;
}

/* Whether OPTION, with its value in optarg, is one of ours and in its range. */
static int take_option(int option, options_t *options)
{
    switch (option) {
    case 'f':
        if (options->file_count == FILES_MAX)
            return 0;
        options->files[options->file_count++] = optarg;
        options->plain_files = 1;
        return 1;
    case 'p':
        return take_part(optarg, options);
    case 'c':
        options->children = number_of(optarg) <= IDV_ZYGOTE_CHILDREN_MAX
                              ? (int)number_of(optarg)
                              : 0;
        return options->children > 0;
    case 'n':
        options->now = number_of(optarg) * IDV_SECOND;
        return options->now >= 0;
    case 'e':
        options->kind = idv_analysis_kind_parse(optarg);
        return options->kind != IDV_ANALYSIS_KIND_COUNT;
    case 'M':
        options->method = optarg;
        return 1;
    case 'b':
        options->back = optarg;
        return 1;
    case 'm':
        options->models = optarg;
        return 1;
    case 0: /* a flag, which is set */
        return 1;
    default:
        return 0;
    }
}

/* Whether the options ask for one thing, and for nothing that it does not use. */
static int is_consistent(const options_t *options)
{
    return (options->zygote || options->kind == IDV_ANALYSIS_ALL)
        && options->zygote + options->layers + options->version
                   + (options->file_count > 0)
               == 1
        && (!options->back || options->file_count == 1)
        && (options->method ? !options->plain_files && !options->back
                            : options->plain_files || options->file_count == 0);
}

/* Non-zero if the command line is valid. */
static int parse_options(int count, char **arguments, options_t *options)
{
    const struct option known[] = {
        {"file", required_argument, NULL, 'f'},
        {"back", required_argument, NULL, 'b'},
        {"method", required_argument, NULL, 'M'},
        {"part", required_argument, NULL, 'p'},
        {"models", required_argument, NULL, 'm'},
        {"now", required_argument, NULL, 'n'},
        {"children", required_argument, NULL, 'c'},
        {"evidence", required_argument, NULL, 'e'},
        {"zygote", no_argument, &options->zygote, 1},
        {"layers", no_argument, &options->layers, 1},
        {"version", no_argument, &options->version, 1},
        {NULL, 0, NULL, 0}};
    int option;

    options->children = 2;
    options->now = idv_time_now();
    while ((option = getopt_long(count, arguments, "", known, NULL)) != -1)
        if (!take_option(option, options))
            return 0;
    return optind == count && is_consistent(options);
}

/* The OCR library's threads cannot run in the sandbox, and its runtime reads
 * this limit before main() starts. So set it and execute the program again. */
static void limit_threads(char **arguments)
{
    static const char name[] = "OMP_THREAD_LIMIT";
    const char *value = getenv(name);

    if (value && strcmp(value, "1") == 0)
        return;
    setenv(name, "1", 1);
    execv("/proc/self/exe", arguments);
    perror("verify-analyze: cannot limit threads");
    exit(EXIT_FAILURE);
}

int main(int count, char **arguments)
{
    options_t options = {0};
    idv_error_t *error;
    apr_pool_t *pool;
    int code;

    limit_threads(arguments);
    if (apr_initialize() != APR_SUCCESS
        || apr_pool_create(&pool, NULL) != APR_SUCCESS)
        return EXIT_FAILURE;
    if (!parse_options(count, arguments, &options)) {
        fputs(usage, stderr);
        return 2;
    }
    if (options.version) {
        puts("verify-analyze " VERIFY_VERSION);
        return EXIT_SUCCESS;
    }
    signal(SIGPIPE, SIG_IGN);
    if (options.zygote)
        mind_the_end();
    error = run(&options, pool);
    if (error)
        report(&options, error, pool);
    code = error ? EXIT_FAILURE : EXIT_SUCCESS;
    apr_pool_destroy(pool);
    apr_terminate();
    return code;
}
