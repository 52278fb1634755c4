/* READ(10)s of one block with ioctl(SG_IO) while a timer sends signals: shows that the kernel sends such commands
 * again when a signal comes.
 *
 *   sg_io_loop DEVICE COUNT
 *
 * Prints how many of the COUNT calls returned. */
#include <errno.h>
#include <fcntl.h>
#include <scsi/sg.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/time.h>

static void on_alarm(int signal)
{
    (void)signal;
}

int main(int argc, char **argv)
{
    unsigned char cdb[10] = { 0x28, 0, 0, 0, 0, 0, 0, 0, 1, 0 };
    unsigned char sense[64], block[4096];
    struct sigaction action = { .sa_handler = on_alarm, .sa_flags = SA_RESTART };
    struct itimerval timer = { { 0, 500 }, { 0, 500 } };
    long count, returned = 0, i;
    int fd;

    if (argc != 3 || (count = atol(argv[2])) < 1) {
        fprintf(stderr, "usage: sg_io_loop DEVICE COUNT\n");
        return 2;
    }
    fd = open(argv[1], O_RDWR | O_CLOEXEC);
    if (fd < 0) {
        perror(argv[1]);
        return 1;
    }
    sigaction(SIGALRM, &action, NULL);
    setitimer(ITIMER_REAL, &timer, NULL);
    for (i = 0; i < count; i++) {
        struct sg_io_hdr header;

        memset(&header, 0, sizeof header);
        header.interface_id = 'S';
        header.dxfer_direction = SG_DXFER_FROM_DEV;
        header.cmd_len = sizeof cdb;
        header.cmdp = cdb;
        header.mx_sb_len = sizeof sense;
        header.sbp = sense;
        header.dxfer_len = 512;
        header.dxferp = block;
        header.timeout = 20000;
        if (ioctl(fd, SG_IO, &header) == 0)
            returned++;
        else if (errno != EINTR) {
            perror("SG_IO");
            return 1;
        }
    }
    printf("%ld\n", returned);
    return 0;
}
