/* Runs a program and prints how long it took, from fork to its end, by the monotonic clock.
 *
 *   guest_time [-u] LABEL PROGRAM [ARGUMENT...]
 *
 * Prints "LABEL nanoseconds", or "LABEL failed: reason" if the program failed; the reason is the first line that it
 * printed. With -u also "user-LABEL nanoseconds", the time of these that it was not in the kernel. What the program
 * prints is shown on stderr only if it failed. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define OUTPUT "/tmp/guest_time.out"

static void fail(const char *what)
{
    fprintf(stderr, "guest_time: %s: %s\n", what, strerror(errno));
    exit(1);
}

static long long now(void)
{
    struct timespec time;

    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec * 1000000000LL + time.tv_nsec;
}

static void child(int output, char **program)
{
    if (dup2(output, 1) < 0 || dup2(output, 2) < 0)
        _exit(126);
    execvp(program[0], program);
    fprintf(stderr, "%s: %s\n", program[0], strerror(errno));
    _exit(127);
}

/* Copies the output to stderr and leaves its first line that is not empty in `first`. */
static void show_output(char *first, size_t size)
{
    FILE *file = fopen(OUTPUT, "r");
    char line[512];

    if (!file)
        fail(OUTPUT);
    while (fgets(line, sizeof line, file)) {
        fputs(line, stderr);
        line[strcspn(line, "\r\n")] = 0;
        if (line[0] && !first[0])
            snprintf(first, size, "%s", line);
    }
    fclose(file);
    if (!first[0])
        snprintf(first, size, "it printed nothing");
}

int main(int argc, char **argv)
{
    char first[512] = "";
    int output, status, user;
    long long start, end;
    struct rusage usage;
    pid_t pid;

    user = argc > 1 && strcmp(argv[1], "-u") == 0;
    argc -= user;
    argv += user;
    if (argc < 3) {
        fprintf(stderr, "usage: guest_time [-u] LABEL PROGRAM [ARGUMENT...]\n");
        return 2;
    }
    output = open(OUTPUT, O_RDWR | O_CREAT | O_TRUNC | O_APPEND | O_CLOEXEC, 0600);
    if (output < 0)
        fail(OUTPUT);
    start = now();
    pid = fork();
    if (pid < 0)
        fail("fork");
    if (pid == 0)
        child(output, argv + 2);
    while (wait4(pid, &status, 0, &usage) < 0)
        if (errno != EINTR)
            fail("wait4");
    end = now();
    if (WIFEXITED(status) && WEXITSTATUS(status) == 0) {
        printf("%s %lld\n", argv[1], end - start);
        if (user)
            printf("user-%s %lld\n", argv[1],
                   usage.ru_utime.tv_sec * 1000000000LL + usage.ru_utime.tv_usec * 1000LL);
        return 0;
    }
    fprintf(stderr, "guest_time: %s ended with status 0x%x; it printed:\n", argv[1], status);
    show_output(first, sizeof first);
    printf("%s failed: %s\n", argv[1], first);
    return 0;
}
