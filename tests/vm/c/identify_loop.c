/* Identify Controller by ioctl, again and again.
 *
 *   identify_loop DEVICE COUNT
 *
 * Prints nanoseconds for each. */
#include <errno.h>
#include <fcntl.h>
#include <linux/nvme_ioctl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <time.h>

static unsigned char data[4096] __attribute__((aligned(4096)));

static void identify(int fd, long count)
{
    while (count-- > 0) {
        struct nvme_passthru_cmd64 command;

        memset(&command, 0, sizeof command);
        command.opcode = 0x06;
        command.addr = (uintptr_t)data;
        command.data_len = sizeof data;
        command.cdw10 = 1;
        if (ioctl(fd, NVME_IOCTL_ADMIN64_CMD, &command) != 0) {
            fprintf(stderr, "identify_loop: %s\n", strerror(errno));
            exit(1);
        }
    }
}

static long long now(void)
{
    struct timespec time;

    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec * 1000000000LL + time.tv_nsec;
}

int main(int argc, char **argv)
{
    long count = argc == 3 ? atol(argv[2]) : 0;
    long long start;
    int fd;

    if (count < 1) {
        fprintf(stderr, "usage: identify_loop DEVICE COUNT\n");
        return 2;
    }
    fd = open(argv[1], O_RDONLY | O_CLOEXEC);
    if (fd < 0) {
        fprintf(stderr, "identify_loop: %s: %s\n", argv[1], strerror(errno));
        return 1;
    }
    identify(fd, count / 10 + 1);
    start = now();
    identify(fd, count);
    printf("%lld\n", (now() - start) / count);
    return 0;
}
