/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Attacks from inside of a child: each wall is tried, as root and, when the
 * tests run as root, as an unprivileged user too.
 */
#include "unit/unit.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <apr_strings.h>
#include <seccomp.h>

#include "analyze/child.h"

/* What a child came to: its wait status and what it managed to say. */
typedef struct {
    int status;
    const char *said; /* NULL: nothing */
} outcome_t;

typedef const char *attack_t(apr_pool_t *pool);

/* So that the memory of an attack is really asked for. */
static void *volatile kept;
static volatile unsigned long counter;
static volatile long called; /* by call_system() */

static idv_error_t *run_attack(void *baton,
                               const idv_analysis_request_t *submission,
                               idv_bytes_t *findings, apr_pool_t *pool)
{
    attack_t **attack = baton;
    const char *text = (*attack)(pool);

    (void)submission;
    *findings = (idv_bytes_t){(const unsigned char *)text, strlen(text)};
    return NULL;
}

/* A busy machine needs the longer time to compute for CPU_SECONDS. */
enum { CPU_SECONDS = 1, WALL_SECONDS = 5, PATIENT_WALL_SECONDS = 60 };

static idv_child_settings_t settings_for(attack_t **attack)
{
    return (idv_child_settings_t){run_attack, attack, (apr_uint64_t)1 << 30,
                                  CPU_SECONDS, WALL_SECONDS, NULL};
}

static outcome_t outcome_with(const idv_child_settings_t *settings,
                              apr_pool_t *pool)
{
    const unsigned char image[] = {0};
    idv_analysis_request_t submission = {
        .method = "any",
        .milliseconds = 1000,
        .part_count = 1,
        .parts = {{"front", {image, sizeof(image)}}}};
    outcome_t outcome = {0, NULL};
    idv_bytes_t said;
    int stream[2];
    pid_t pid;

    assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM, 0, stream), 0);
    assert_null(idv_child_start(settings, stream[1], &pid, pool));
    close(stream[1]);
    /* A child that found no walls may have ended before it is asked. */
    if (!idv_submission_send(stream[0], &submission, pool)
        && !idv_findings_receive(stream[0], &said, pool))
        outcome.said =
            apr_pstrmemdup(pool, (const char *)said.data, said.length);
    close(stream[0]);
    assert_int_equal(waitpid(pid, &outcome.status, 0), pid);
    return outcome;
}

static outcome_t outcome_of(attack_t *attack, apr_pool_t *pool)
{
    idv_child_settings_t settings = settings_for(&attack);

    return outcome_with(&settings, pool);
}

static const char *errno_text(apr_pool_t *pool, int failed)
{
    return failed ? apr_psprintf(pool, "errno %d", errno) : "succeeded";
}

static const char *become_dumpable(apr_pool_t *pool)
{
    return errno_text(pool, prctl(PR_SET_DUMPABLE, 1, 0, 0, 0) != 0);
}

static const char *compute(apr_pool_t *pool)
{
    char *memory = malloc(64 << 20);

    memset(memory, 1, 64 << 20);
    return apr_psprintf(pool, "computed %d", memory[12345]);
}

static const char *open_file(apr_pool_t *pool)
{
    return errno_text(pool, open("/etc/passwd", O_RDONLY) < 0);
}

static const char *write_elsewhere(apr_pool_t *pool)
{
    return errno_text(pool, write(2, "x", 1) < 0);
}

static const char *make_socket(apr_pool_t *pool)
{
    return errno_text(pool, socket(AF_INET, SOCK_STREAM, 0) < 0);
}

static const char *execute(apr_pool_t *pool)
{
    execl("/bin/true", "true", NULL);
    return errno_text(pool, 1);
}

static const char *make_process(apr_pool_t *pool)
{
    pid_t pid = fork();

    if (pid == 0)
        _exit(0);
    return errno_text(pool, pid < 0);
}

static const char *send_signal(apr_pool_t *pool)
{
    return errno_text(pool, kill(getpid(), 0) != 0);
}

static const char *map_writable_code(apr_pool_t *pool)
{
    kept = mmap(NULL, 4096, PROT_READ | PROT_WRITE | PROT_EXEC,
                MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    return errno_text(pool, kept == MAP_FAILED);
}

static const char *make_memory_code(apr_pool_t *pool)
{
    void *page = mmap(NULL, 4096, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

    return errno_text(pool, mprotect(page, 4096, PROT_READ | PROT_EXEC) != 0);
}

static const char *take_memory(apr_pool_t *pool)
{
    kept = malloc((size_t)3 << 30);
    return errno_text(pool, !kept);
}

static const char *loop_forever(apr_pool_t *pool)
{
    (void)pool;
    for (;;)
        counter++;
    return "";
}

static const char *loop_without_clocks(apr_pool_t *pool)
{
    sigset_t all;

    sigfillset(&all);
    sigprocmask(SIG_BLOCK, &all, NULL);
    return loop_forever(pool);
}

/* Finds something, then something else, and goes on for ever. */
static idv_error_t *find_and_loop(void *baton,
                                  const idv_analysis_request_t *submission,
                                  idv_bytes_t *findings, apr_pool_t *pool)
{
    (void)baton;
    (void)submission;
    idv_child_lay_down(findings,
                       (idv_bytes_t){(const unsigned char *)"a", 1});
    idv_child_lay_down(findings,
                       (idv_bytes_t){(const unsigned char *)"more", 4});
    loop_forever(pool);
    return NULL;
}

static int allow_a_little(const idv_analysis_request_t *submission)
{
    (void)submission;
    return 400;
}

static int allow_much(const idv_analysis_request_t *submission)
{
    (void)submission;
    return 1000 * CPU_SECONDS;
}

/* Uses nothing but wall clock. */
static const char *wait_forever(apr_pool_t *pool)
{
    static int never = 0;

    (void)pool;
    for (;;)
        syscall(SYS_futex, &never, 0 /* wait */, 0, NULL, 0);
    return "";
}

/* Computes half of what it may, then waits. */
static const char *compute_and_wait(apr_pool_t *pool)
{
    while (idv_processor_time_used() < 500 * CPU_SECONDS)
        counter++;
    return wait_forever(pool);
}

static void assert_killed_by(int signal, attack_t *attack, apr_pool_t *pool)
{
    outcome_t outcome = outcome_of(attack, pool);

    assert_null(outcome.said);
    assert_true(WIFSIGNALED(outcome.status));
    assert_int_equal(WTERMSIG(outcome.status), signal);
}

static void assert_fails_with(int code, attack_t *attack, apr_pool_t *pool)
{
    outcome_t outcome = outcome_of(attack, pool);

    assert_int_equal(outcome.status, 0);
    assert_string_equal(outcome.said, apr_psprintf(pool, "errno %d", code));
}

static void lets_an_honest_child_work(void **state)
{
    outcome_t outcome = outcome_of(compute, *state);

    assert_int_equal(outcome.status, 0);
    assert_string_equal(outcome.said, "computed 1");
}

static void opens_nothing(void **state)
{
    assert_fails_with(EACCES, open_file, *state);
}

static void writes_to_its_stream_only(void **state)
{
    assert_fails_with(EBADF, write_elsewhere, *state);
}

static void ends_on_forbidden_calls(void **state)
{
    assert_killed_by(SIGSYS, make_socket, *state);
    assert_killed_by(SIGSYS, execute, *state);
    assert_killed_by(SIGSYS, make_process, *state);
    assert_killed_by(SIGSYS, send_signal, *state);
    assert_killed_by(SIGSYS, become_dumpable, *state);
}

/* Without a purpose: what counts is whether the kernel hears of it. */
static const char *call_system(apr_pool_t *pool)
{
    return errno_text(pool, syscall(called, -1, 0, 0, 0, 0, 0) == -1);
}

#ifdef __x86_64__
/* getpid() of the other system call table of the kernel. */
static const char *call_32_bit_system(apr_pool_t *pool)
{
    long result = 20;

    __asm__ volatile("int $0x80" : "+a"(result) : : "memory");
    return apr_psprintf(pool, "process %ld", result);
}
#endif

enum {
    NUMBERS = 1024,   /* more than any table of the kernel has */
    X32 = 0x40000000, /* the bit of x86_64's table for 32-bit pointers */
    URETPROBE = 335,
    UPROBE = 336
};

/* Calls about which Linux asks no filter (analyze/sandbox.h). */
static int is_unasked(long number)
{
#ifdef __x86_64__
    return number == URETPROBE || number == UPROBE;
#else
    (void)number;
    return 0;
#endif
}

static int is_among(long number, const long *numbers, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (numbers[i] == number)
            return 1;
    return 0;
}

/* Each number that a system call may have, but those that the child lives by. */
static void reaches_no_other_call(void **state)
{
    static const long lived_by[] = {
        SYS_read,
        SYS_write,
        SYS_readv,
        SYS_writev,
        SYS_close,
        SYS_mmap,
        SYS_munmap,
        SYS_mremap,
        SYS_mprotect,
        SYS_madvise,
        SYS_brk,
        SYS_futex,
        SYS_getpid,
        SYS_gettid,
        SYS_clock_gettime,
        SYS_gettimeofday,
        SYS_sched_yield,
        SYS_sched_getaffinity,
        SYS_exit,
        SYS_exit_group,
        SYS_rt_sigreturn,
        SYS_getrandom,
        SYS_restart_syscall,
        SYS_rt_sigprocmask,
        SYS_lseek,
        SYS_fstat,
        SYS_getrusage,
#ifdef __SANITIZE_ADDRESS__
        SYS_sigaltstack,
#endif
    };
    static const long refused[] = {
        SYS_openat,     SYS_faccessat, SYS_faccessat2,
        SYS_newfstatat, SYS_ioctl,     SYS_sysinfo,
        SYS_prlimit64,  SYS_uname,     SYS_sched_setaffinity,
#ifdef SYS_open
        SYS_open,       SYS_access,    SYS_stat,
        SYS_readlink,
#endif
    };

    for (called = 0; called < NUMBERS; called++) {
        if (is_among(called, lived_by, sizeof(lived_by) / sizeof(long))
            || is_unasked(called))
            continue;
        if (is_among(called, refused, sizeof(refused) / sizeof(long)))
            assert_fails_with(EACCES, call_system, *state);
        else
            assert_killed_by(SIGSYS, call_system, *state);
    }
#ifdef __x86_64__
    assert_killed_by(SIGSYS, call_32_bit_system, *state);
    for (called = X32; called < X32 + 16; called++)
        assert_killed_by(SIGSYS, call_system, *state);
    for (called = X32 + 512; called < X32 + 548; called++)
        assert_killed_by(SIGSYS, call_system, *state);
#endif
}

#ifdef __x86_64__
/* Whether a filter is asked or not, the child is none the better for it. */
static void gets_nothing_out_of_probes(void **state)
{
    outcome_t outcome;

    called = URETPROBE;
    outcome = outcome_of(call_system, *state);
    assert_null(outcome.said);
    assert_true(WIFSIGNALED(outcome.status));
    assert_true(WTERMSIG(outcome.status) == SIGSYS
                || WTERMSIG(outcome.status) == SIGILL);
    called = UPROBE;
    outcome = outcome_of(call_system, *state);
    if (WIFSIGNALED(outcome.status))
        assert_true(WTERMSIG(outcome.status) == SIGSYS
                    || WTERMSIG(outcome.status) == SIGILL);
    else
        assert_string_equal(outcome.said,
                            apr_psprintf(*state, "errno %d", ENXIO));
}

/* What the program of COUNT instructions says about a call; the instructions
 * are those that libseccomp writes. */
static unsigned verdict(const struct sock_filter *program, size_t count,
                        const struct seccomp_data *call)
{
    unsigned word = 0;

    for (size_t at = 0; at < count; at++) {
        const struct sock_filter *step = &program[at];
        int holds;

        switch (step->code) {
        case BPF_LD | BPF_W | BPF_ABS:
            memcpy(&word, (const char *)call + step->k, sizeof(word));
            continue;
        case BPF_ALU | BPF_AND | BPF_K:
            word &= step->k;
            continue;
        case BPF_JMP | BPF_JA:
            at += step->k;
            continue;
        case BPF_RET | BPF_K:
            return step->k;
        case BPF_JMP | BPF_JEQ | BPF_K:
            holds = word == step->k;
            break;
        case BPF_JMP | BPF_JGE | BPF_K:
            holds = word >= step->k;
            break;
        case BPF_JMP | BPF_JGT | BPF_K:
            holds = word > step->k;
            break;
        default:
            fail_msg("unknown instruction %#x", step->code);
            return 0;
        }
        at += holds ? step->jt : step->jf;
    }
    fail_msg("the program has no end");
    return 0;
}

/* The list itself, asked about numbers that this kernel may not know, may not
 * ask it about, or does not have in this table. */
static void refuses_every_number_that_is_not_listed(void **state)
{
    static struct sock_filter program[BPF_MAXINSNS];
    FILE *file = tmpfile();
    struct seccomp_data call = {.arch = AUDIT_ARCH_X86_64};
    size_t count, allowed = 0;

    assert_non_null(file);
    assert_null(idv_sandbox_write_list(IDV_CHILD_STREAM, fileno(file), *state));
    rewind(file);
    count = fread(program, sizeof(*program), BPF_MAXINSNS, file);
    fclose(file);
    call.nr = SYS_getpid;
    assert_int_equal(verdict(program, count, &call), SECCOMP_RET_ALLOW);
    for (long number = 0; number < 1 << 20; number++) {
        call.nr = (int)number;
        allowed += verdict(program, count, &call) != SECCOMP_RET_KILL_PROCESS;
        if (is_unasked(number) || number >= NUMBERS)
            assert_int_equal(verdict(program, count, &call),
                             SECCOMP_RET_KILL_PROCESS);
        call.nr = (int)(X32 | number);
        assert_int_equal(verdict(program, count, &call),
                         SECCOMP_RET_KILL_PROCESS);
    }
    assert_in_range(allowed, 30, 60);
    call.nr = -1;
    assert_int_equal(verdict(program, count, &call), SECCOMP_RET_KILL_PROCESS);
    call.arch = AUDIT_ARCH_I386;
    call.nr = 20; /* getpid() of that table */
    assert_int_equal(verdict(program, count, &call), SECCOMP_RET_KILL_PROCESS);
}
#endif

static void gets_no_executable_memory(void **state)
{
    assert_killed_by(SIGSYS, map_writable_code, *state);
    assert_killed_by(SIGSYS, make_memory_code, *state);
}

static void gets_no_more_memory_than_allowed(void **state)
{
#ifdef __SANITIZE_ADDRESS__
    (void)state;
    (void)take_memory;
    skip();
#else
    assert_fails_with(ENOMEM, take_memory, *state);
#endif
}

/* Its end is told: the submission takes too long, and would the next time. */
static void ends_itself_when_it_computes_too_long(void **state)
{
    attack_t *attack = loop_forever;
    idv_child_settings_t settings = settings_for(&attack);
    outcome_t outcome;

    settings.wall_seconds = PATIENT_WALL_SECONDS;
    outcome = outcome_with(&settings, *state);
    assert_true(WIFEXITED(outcome.status));
    assert_int_equal(WEXITSTATUS(outcome.status), IDV_CHILD_OUT_OF_TIME);
    assert_non_null(outcome.said);
    assert_string_equal(outcome.said, "");
}

/* Nothing is told: whoever keeps a child waiting is not its submission. */
static void ends_itself_when_it_waits_too_long(void **state)
{
    outcome_t outcome = outcome_of(wait_forever, *state);

    assert_true(WIFEXITED(outcome.status));
    assert_int_equal(WEXITSTATUS(outcome.status), IDV_CHILD_KEPT_WAITING);
    assert_null(outcome.said);
}

/* What takes too long costs nothing of what was found before. */
static void tells_what_it_found_when_its_time_is_over(void **state)
{
    idv_child_settings_t settings = settings_for(NULL);
    idv_child_allowance_t *const allowances[] = {NULL, allow_a_little};

    settings.work = find_and_loop;
    settings.wall_seconds = PATIENT_WALL_SECONDS;
    for (int i = 0; i < 2; i++) {
        outcome_t outcome;

        settings.allowance = allowances[i];
        outcome = outcome_with(&settings, *state);
        assert_true(WIFEXITED(outcome.status));
        assert_int_equal(WEXITSTATUS(outcome.status), IDV_CHILD_OUT_OF_TIME);
        assert_non_null(outcome.said);
        assert_string_equal(outcome.said, "more");
    }
}

/* On a busy machine a submission is not at fault for what it has computed as long
 * as that is less than it may: it is read again. */
static void is_not_at_fault_when_the_machine_is_busy(void **state)
{
    attack_t *attack = compute_and_wait;
    idv_child_settings_t settings = settings_for(&attack);
    outcome_t outcome;

    settings.wall_seconds = 2;
    settings.allowance = allow_much;
    outcome = outcome_with(&settings, *state);
    assert_true(WIFEXITED(outcome.status));
    assert_int_equal(WEXITSTATUS(outcome.status), IDV_CHILD_KEPT_WAITING);
    assert_null(outcome.said);
}

static void is_killed_when_it_stops_its_clocks(void **state)
{
    assert_killed_by(SIGKILL, loop_without_clocks, *state);
}

/* Runs BODY in a process of its own that has prepared as the zygote does,
 * after becoming USER (0: stays as it is). Its exit code is the result. */
static int prepared(uid_t user, int (*body)(unsigned layers, apr_pool_t *pool),
                    apr_pool_t *pool)
{
    int status;
    pid_t pid = fork();

    assert_true(pid >= 0);
    if (pid == 0) {
        unsigned layers = 0;

        if (user
            && (setresgid(user, user, user) != 0
                || setresuid(user, user, user) != 0))
            _exit(90);
        if (idv_sandbox_prepare(&layers, pool))
            _exit(91);
        _exit(body(layers, pool));
    }
    assert_int_equal(waitpid(pid, &status, 0), pid);
    assert_true(WIFEXITED(status));
    return WEXITSTATUS(status);
}

static int check_layers(unsigned layers, apr_pool_t *pool)
{
    const unsigned always =
        IDV_SANDBOX_NO_NEW_PRIVILEGES | IDV_SANDBOX_NOT_DUMPABLE
        | IDV_SANDBOX_RESOURCE_LIMITS | IDV_SANDBOX_SYSTEM_CALLS;
    idv_child_settings_t settings = settings_for(NULL);

    if (idv_child_probe(&settings, &layers, pool))
        return 1;
    if ((layers & always) != always)
        return 2;
    if (prctl(PR_GET_DUMPABLE, 0, 0, 0, 0) != 0)
        return 3;
    if (prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0) != 1)
        return 4;
    if ((layers & IDV_SANDBOX_UNPRIVILEGED_USER) && geteuid() == 0)
        return 5;
    printf("# layers: %s\n", idv_sandbox_layer_names(layers, pool));
    fflush(stdout);
    return 0;
}

static int attack_as_prepared(unsigned layers, apr_pool_t *pool)
{
    outcome_t outcome = outcome_of(make_process, pool);

    (void)layers;
    if (!WIFSIGNALED(outcome.status) || WTERMSIG(outcome.status) != SIGSYS)
        return 1;
    outcome = outcome_of(compute, pool);
    return outcome.said && strcmp(outcome.said, "computed 1") == 0 ? 0 : 2;
}

static void holds_whoever_starts_it(void **state)
{
    const uid_t www_data = 33;

    assert_int_equal(prepared(0, check_layers, *state), 0);
    assert_int_equal(prepared(0, attack_as_prepared, *state), 0);
    if (geteuid() == 0) {
        assert_int_equal(prepared(www_data, check_layers, *state), 0);
        assert_int_equal(prepared(www_data, attack_as_prepared, *state), 0);
    }
}

/* Makes this process one on whose system no filter can be loaded. */
static int forbid_filters(void)
{
    const struct scmp_arg_cmp filtering = {0, SCMP_CMP_EQ, PR_SET_SECCOMP, 0};
    scmp_filter_ctx filter = seccomp_init(SCMP_ACT_ALLOW);

    return seccomp_rule_add(filter, SCMP_ACT_ERRNO(ENOSYS), SCMP_SYS(seccomp),
                            0)
            != 0
        || seccomp_rule_add_array(filter, SCMP_ACT_ERRNO(EINVAL),
                                  SCMP_SYS(prctl), 1, &filtering)
               != 0
        || seccomp_load(filter) != 0;
}

static int work_without_filter(unsigned layers, apr_pool_t *pool)
{
    idv_child_settings_t settings = settings_for(NULL);
    outcome_t outcome;

    if (forbid_filters())
        return 1;
    if (!idv_child_probe(&settings, &layers, pool))
        return 2;
    outcome = outcome_of(compute, pool);
    return outcome.said == NULL && WIFEXITED(outcome.status)
                && WEXITSTATUS(outcome.status) == IDV_CHILD_NO_SANDBOX
             ? 0
             : 3;
}

static void refuses_to_work_without_walls(void **state)
{
    assert_int_equal(prepared(0, work_without_filter, *state), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        pooled_test(lets_an_honest_child_work),
        pooled_test(opens_nothing),
        pooled_test(writes_to_its_stream_only),
        pooled_test(ends_on_forbidden_calls),
        pooled_test(reaches_no_other_call),
#ifdef __x86_64__
        pooled_test(gets_nothing_out_of_probes),
        pooled_test(refuses_every_number_that_is_not_listed),
#endif
        pooled_test(gets_no_executable_memory),
        pooled_test(gets_no_more_memory_than_allowed),
        pooled_test(ends_itself_when_it_computes_too_long),
        pooled_test(ends_itself_when_it_waits_too_long),
        pooled_test(tells_what_it_found_when_its_time_is_over),
        pooled_test(is_not_at_fault_when_the_machine_is_busy),
        pooled_test(is_killed_when_it_stops_its_clocks),
        pooled_test(holds_whoever_starts_it),
        pooled_test(refuses_to_work_without_walls),
    };

    signal(SIGPIPE, SIG_IGN);
    signal(SIGILL, SIG_DFL); /* not a sanitizer's */
    return unit_run("analyze/sandbox", tests);
}
