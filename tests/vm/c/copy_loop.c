/* Copies a drive by the calls that passthru makes: READ(16) into the mapped reserve buffer of an sg node, and
 * ioctl(SG_IO) on a block node with WRITE(16) from the same pages.
 *
 *   copy_loop SOURCE TARGET[,TARGET] BYTES TOTAL WORKERS
 *
 * Commands of BYTES each, TOTAL bytes in all, as many threads as WORKERS, each with a descriptor and a buffer of its
 * own. Prints the nanoseconds that copying took, with everything opened before. */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <scsi/sg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#define BLOCK 512
#define MAX_TARGETS 4
#define MAX_WORKERS 16
#ifndef SG_FLAG_MMAP_IO
#define SG_FLAG_MMAP_IO 4
#endif
#ifndef SG_FLAG_Q_AT_TAIL
#define SG_FLAG_Q_AT_TAIL 0x10
#endif

static const char *source;
static int targets[MAX_TARGETS], target_count;
static long bytes;
static long long total;
static atomic_llong next;

struct worker {
    pthread_t thread;
    int fd;
    unsigned char *map;
};

static void fail(const char *what)
{
    fprintf(stderr, "copy_loop: %s: %s\n", what, strerror(errno));
    exit(1);
}

static void fill(struct sg_io_hdr *header, unsigned char cdb[16], int opcode, long long lba, unsigned char *sense)
{
    unsigned long blocks = bytes / BLOCK;
    int i;

    memset(cdb, 0, 16);
    cdb[0] = opcode;
    for (i = 0; i < 8; i++)
        cdb[2 + i] = lba >> (56 - 8 * i);
    for (i = 0; i < 4; i++)
        cdb[10 + i] = blocks >> (24 - 8 * i);
    memset(header, 0, sizeof *header);
    header->interface_id = 'S';
    header->cmd_len = 16;
    header->cmdp = cdb;
    header->mx_sb_len = 252;
    header->sbp = sense;
    header->dxfer_len = bytes;
    header->timeout = 60000;
    header->flags = SG_FLAG_Q_AT_TAIL;
}

static void check(const struct sg_io_hdr *header, const char *what)
{
    if ((header->info & SG_INFO_OK_MASK) != SG_INFO_OK || header->resid != 0) {
        fprintf(stderr, "copy_loop: %s: status %d host %d driver %d resid %d\n", what, header->status,
                header->host_status, header->driver_status, header->resid);
        exit(1);
    }
}

static unsigned char *open_reserve(int *fd)
{
    int one = 1, size = bytes;
    long page = sysconf(_SC_PAGESIZE), i;
    unsigned char *map;

    *fd = open(source, O_RDWR | O_CLOEXEC);
    if (*fd < 0)
        fail(source);
    if (ioctl(*fd, SG_SET_FORCE_PACK_ID, &one) < 0)
        fail("SG_SET_FORCE_PACK_ID");
    if (ioctl(*fd, SG_SET_RESERVED_SIZE, &size) < 0 || ioctl(*fd, SG_GET_RESERVED_SIZE, &size) < 0)
        fail("SG_SET_RESERVED_SIZE");
    if (size < bytes) {
        fprintf(stderr, "copy_loop: the reserve buffer is %d bytes\n", size);
        exit(1);
    }
    map = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, *fd, 0);
    if (map == MAP_FAILED)
        fail("mmap");
    madvise(map, bytes, MADV_DONTFORK);
    for (i = 0; i < bytes; i += page)
        (void)*(volatile unsigned char *)(map + i);
    return map;
}

static void *work(void *argument)
{
    struct worker *worker = argument;
    unsigned char cdb[16], sense[252];
    struct sg_io_hdr header;
    long long at;
    int fd = worker->fd, pack_id = 0, i;

    while ((at = atomic_fetch_add_explicit(&next, bytes, memory_order_relaxed)) < total) {
        fill(&header, cdb, 0x88, at / BLOCK, sense);
        header.dxfer_direction = SG_DXFER_FROM_DEV;
        header.flags |= SG_FLAG_MMAP_IO;
        header.pack_id = ++pack_id;
        if (write(fd, &header, sizeof header) < 0)
            fail("write");
        while (read(fd, &header, sizeof header) < 0)
            if (errno != EINTR)
                fail("read");
        check(&header, "READ(16)");
        for (i = 0; i < target_count; i++) {
            fill(&header, cdb, 0x8a, at / BLOCK, sense);
            header.dxfer_direction = SG_DXFER_TO_DEV;
            header.dxferp = worker->map;
            if (ioctl(targets[i], SG_IO, &header) < 0)
                fail("SG_IO");
            check(&header, "WRITE(16)");
        }
    }
    return NULL;
}

static long long now(void)
{
    struct timespec time;

    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec * 1000000000LL + time.tv_nsec;
}

int main(int argc, char **argv)
{
    struct worker all[MAX_WORKERS];
    long long start, end;
    char *path;
    int workers = 0, i;

    if (argc == 6) {
        bytes = atol(argv[3]);
        total = atoll(argv[4]);
        workers = atoi(argv[5]);
    }
    if (workers < 1 || workers > MAX_WORKERS || bytes < BLOCK || bytes % BLOCK || total % bytes) {
        fprintf(stderr, "usage: copy_loop SOURCE TARGET[,TARGET] BYTES TOTAL WORKERS\n");
        return 2;
    }
    source = argv[1];
    for (path = strtok(argv[2], ","); path && target_count < MAX_TARGETS; path = strtok(NULL, ",")) {
        targets[target_count] = open(path, O_RDWR | O_CLOEXEC);
        if (targets[target_count++] < 0)
            fail(path);
    }
    for (i = 0; i < workers; i++)
        all[i].map = open_reserve(&all[i].fd);
    start = now();
    if (workers == 1)
        work(&all[0]);
    else {
        for (i = 0; i < workers; i++)
            if (pthread_create(&all[i].thread, NULL, work, &all[i]))
                fail("pthread_create");
        for (i = 0; i < workers; i++)
            pthread_join(all[i].thread, NULL);
    }
    end = now();
    for (i = 0; i < workers; i++) {
        munmap(all[i].map, bytes);
        close(all[i].fd);
    }
    printf("%lld\n", end - start);
    return 0;
}
