/* READ(10)s, one after the other, on a sg node.
 *
 *   sync_read DEVICE COUNT MODE [BLOCKS]
 *
 * MODE is wr (write() and read() on the node) or sgio (ioctl SG_IO). Prints "MODE nanoseconds-per-command", measured
 * over COUNT commands after COUNT / 10 to warm up. Each reads BLOCKS blocks of 512 bytes; 128 (64 KiB) if not given. */
#include <errno.h>
#include <fcntl.h>
#include <scsi/sg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

#define BLOCK 512
#ifndef SG_FLAG_Q_AT_TAIL
#define SG_FLAG_Q_AT_TAIL 0x10
#endif

static unsigned char sense[64];
static void *data;
static int blocks = 128;

static void fail(const char *what)
{
    fprintf(stderr, "sync_read: %s: %s\n", what, strerror(errno));
    exit(1);
}

static void fill(struct sg_io_hdr *header, unsigned char cdb[10], int pack_id)
{
    memset(cdb, 0, 10);
    cdb[0] = 0x28;
    cdb[7] = blocks >> 8;
    cdb[8] = blocks & 0xff;
    memset(header, 0, sizeof *header);
    header->interface_id = 'S';
    header->dxfer_direction = SG_DXFER_FROM_DEV;
    header->cmd_len = 10;
    header->cmdp = cdb;
    header->mx_sb_len = sizeof sense;
    header->sbp = sense;
    header->dxfer_len = BLOCK * blocks;
    header->dxferp = data;
    header->timeout = 20000;
    header->flags = SG_FLAG_Q_AT_TAIL;
    header->pack_id = pack_id;
}

static void command(int fd, int use_ioctl, int pack_id)
{
    unsigned char cdb[10];
    struct sg_io_hdr header;

    fill(&header, cdb, pack_id);
    if (use_ioctl) {
        if (ioctl(fd, SG_IO, &header) < 0)
            fail("SG_IO");
    } else {
        if (write(fd, &header, sizeof header) < 0)
            fail("write");
        while (read(fd, &header, sizeof header) < 0)
            if (errno != EINTR)
                fail("read");
    }
    if ((header.info & SG_INFO_OK_MASK) != SG_INFO_OK || header.resid != 0) {
        fprintf(stderr, "sync_read: status %d host %d driver %d resid %d\n", header.status, header.host_status,
                header.driver_status, header.resid);
        exit(1);
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
    int one = 1, id = 0, fd, use_ioctl;
    long count, i;
    long long start;

    if (argc == 5)
        blocks = atoi(argv[4]);
    if (argc < 4 || argc > 5 || blocks < 1 || blocks > 256 || (strcmp(argv[3], "wr") && strcmp(argv[3], "sgio")) || (count = atol(argv[2])) < 1) {
        fprintf(stderr, "usage: sync_read DEVICE COUNT wr|sgio [BLOCKS]\n");
        return 2;
    }
    use_ioctl = !strcmp(argv[3], "sgio");
    fd = open(argv[1], O_RDWR | O_CLOEXEC);
    if (fd < 0)
        fail(argv[1]);
    if (ioctl(fd, SG_SET_FORCE_PACK_ID, &one) < 0)
        fail("SG_SET_FORCE_PACK_ID");
    if (posix_memalign(&data, 4096, BLOCK * blocks))
        fail("posix_memalign");
    memset(data, 0xa5, BLOCK * blocks);
    for (i = 0; i < count / 10; i++)
        command(fd, use_ioctl, ++id);
    start = now();
    for (i = 0; i < count; i++)
        command(fd, use_ioctl, ++id);
    printf("%s %lld\n", argv[3], (now() - start) / count);
    return 0;
}
