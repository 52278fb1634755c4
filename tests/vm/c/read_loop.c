/* Reads the beginning of a disk by its block node, in several ways.
 *
 *   read_loop DEVICE MODE BYTES TOTAL
 *
 * BYTES at a time, TOTAL bytes in all. MODE is
 *   buffered        pread() through the page cache
 *   direct          pread() with O_DIRECT
 *   aligned         READ(16) by ioctl(SG_IO), into a buffer that begins at a page
 *   eight           the same, but the buffer begins 8 bytes after that
 *   odd             the same, but the buffer begins at an odd address
 *   locked          the same, mapped with MAP_LOCKED
 *   each            as aligned, but a new buffer for each command
 *   each-locked     as locked, but a new buffer for each command */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <scsi/sg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>

#define BLOCK 512
#ifndef SG_FLAG_Q_AT_TAIL
#define SG_FLAG_Q_AT_TAIL 0x10
#endif

static long bytes;

static void fail(const char *what)
{
    fprintf(stderr, "read_loop: %s: %s\n", what, strerror(errno));
    exit(1);
}

static unsigned char *map_buffer(int locked)
{
    int flags = MAP_PRIVATE | MAP_ANONYMOUS | (locked ? MAP_LOCKED : 0);
    void *memory = mmap(NULL, bytes + 4096, PROT_READ | PROT_WRITE, flags, -1, 0);

    if (memory == MAP_FAILED)
        fail("mmap");
    return memory;
}

static void sg_io(int fd, long long at, void *data)
{
    unsigned char cdb[16] = { 0x88 }, sense[252];
    unsigned long blocks = bytes / BLOCK;
    long long lba = at / BLOCK;
    struct sg_io_hdr header;
    int i;

    for (i = 0; i < 8; i++)
        cdb[2 + i] = lba >> (56 - 8 * i);
    for (i = 0; i < 4; i++)
        cdb[10 + i] = blocks >> (24 - 8 * i);
    memset(&header, 0, sizeof header);
    header.interface_id = 'S';
    header.dxfer_direction = SG_DXFER_FROM_DEV;
    header.cmd_len = 16;
    header.cmdp = cdb;
    header.mx_sb_len = sizeof sense;
    header.sbp = sense;
    header.dxfer_len = bytes;
    header.dxferp = data;
    header.timeout = 60000;
    header.flags = SG_FLAG_Q_AT_TAIL;
    if (ioctl(fd, SG_IO, &header) < 0)
        fail("SG_IO");
    if ((header.info & SG_INFO_OK_MASK) != SG_INFO_OK || header.resid != 0) {
        fprintf(stderr, "read_loop: status %d host %d driver %d resid %d\n", header.status, header.host_status,
                header.driver_status, header.resid);
        exit(1);
    }
}

int main(int argc, char **argv)
{
    int fd, pass_through, each, locked, offset;
    unsigned char *buffer, *data;
    long long total, at;
    const char *mode;

    if (argc != 5 || (bytes = atol(argv[3])) < BLOCK || bytes % BLOCK || (total = atoll(argv[4])) % bytes) {
        fprintf(stderr, "usage: read_loop DEVICE MODE BYTES TOTAL\n");
        return 2;
    }
    mode = argv[2];
    pass_through = strcmp(mode, "buffered") && strcmp(mode, "direct");
    offset = !strcmp(mode, "eight") ? 8 : !strcmp(mode, "odd") ? 1 : 0;
    each = !strncmp(mode, "each", 4);
    locked = strstr(mode, "locked") != NULL;
    fd = open(argv[1], O_RDONLY | O_CLOEXEC | (strcmp(mode, "direct") ? 0 : O_DIRECT));
    if (fd < 0)
        fail(argv[1]);
    buffer = map_buffer(locked);
    for (at = 0; at < total; at += bytes) {
        if (each && at) {
            munmap(buffer, bytes + 4096);
            buffer = map_buffer(locked);
        }
        data = buffer + offset;
        if (pass_through)
            sg_io(fd, at, data);
        else if (pread(fd, data, bytes, at) != bytes)
            fail("pread");
    }
    return 0;
}
