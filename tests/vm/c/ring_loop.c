/* Reads an NVMe namespace through an io_uring ring, by raw system calls.
 *
 *   ring_loop DEVICE COUNT [--depth N] [--batch N] [--fixed] [--polled] [--block BYTES]
 *
 * DEVICE is a generic node, /dev/ngXnY. Sends COUNT reads of BYTES (4096) each at places chosen by chance, with up to N
 * (--depth: as many as a batch has) in flight. --batch (1) is how many are sent, and waited for, with one system call.
 * --fixed registers the memory with the ring. --polled asks the device for completions, instead of waiting for
 * interrupts. Prints nanoseconds for each read, measured after COUNT / 10 + 1 to warm up. */
#include <errno.h>
#include <fcntl.h>
#include <linux/io_uring.h>
#include <linux/nvme_ioctl.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

#define MAX_DEPTH 16384
#define READ 0x02

/* Entries of a ring with IORING_SETUP_SQE128 and IORING_SETUP_CQE32. */
struct sqe {
    uint8_t opcode, flags;
    uint16_t priority;
    int32_t fd;
    uint32_t cmd_op, pad;
    uint64_t addr;
    uint32_t len, cmd_flags;
    uint64_t user_data;
    uint16_t buf_index, personality;
    uint32_t file_index;
    struct nvme_uring_cmd cmd;
    uint64_t rest;
};

struct cqe {
    uint64_t user_data;
    int32_t res;
    uint32_t flags;
    uint64_t result[2];
};

_Static_assert(sizeof(struct sqe) == 128 && offsetof(struct sqe, cmd) == 48, "an entry of 128 bytes");
_Static_assert(sizeof(struct cqe) == 32, "an entry of 32 bytes");

static struct {
    int fd;
    uint32_t *sq_tail, *cq_head, *cq_tail;
    uint32_t sq_mask, cq_mask;
    struct sqe *sqes;
    const struct cqe *cqes;
} ring;

/* What is read, and where to. */
static int node;
static uint32_t nsid, block_shift, bytes = 4096;
static uint64_t places;
static unsigned char *memory;

/* Which parts of the memory nothing is in flight for. */
static uint32_t unused[MAX_DEPTH];

static void fail(const char *what)
{
    fprintf(stderr, "ring_loop: %s: %s\n", what, strerror(errno));
    exit(1);
}

static void *map(size_t size, int flags, int fd, off_t offset)
{
    void *address = mmap(NULL, size, PROT_READ | PROT_WRITE, flags | MAP_POPULATE, fd, offset);

    if (address == MAP_FAILED)
        fail("mmap");
    return address;
}

static void open_namespace(const char *path)
{
    static unsigned char data[4096] __attribute__((aligned(4096)));
    struct nvme_passthru_cmd64 identify;
    uint64_t blocks;
    int id, format;

    node = open(path, O_RDONLY | O_CLOEXEC);
    if (node < 0)
        fail(path);
    id = ioctl(node, NVME_IOCTL_ID);
    if (id < 0)
        fail("NVME_IOCTL_ID");
    nsid = id;
    memset(&identify, 0, sizeof identify);
    identify.opcode = 0x06;
    identify.nsid = nsid;
    identify.addr = (uintptr_t)data;
    identify.data_len = sizeof data;
    if (ioctl(node, NVME_IOCTL_ADMIN64_CMD, &identify) != 0)
        fail("Identify Namespace");
    memcpy(&blocks, data, sizeof blocks);
    format = (data[26] & 0xf) | (data[26] >> 1 & 0x30);
    block_shift = data[128 + 4 * format + 2];
    if (block_shift < 9 || block_shift > 31 || bytes == 0 || bytes & ((1u << block_shift) - 1)) {
        fprintf(stderr, "ring_loop: %s has blocks of 2^%u bytes\n", path, block_shift);
        exit(1);
    }
    places = blocks / (bytes >> block_shift);
    if (places == 0 || places > UINT32_MAX) {
        fprintf(stderr, "ring_loop: %s has %llu blocks\n", path, (unsigned long long)blocks);
        exit(1);
    }
}

static void open_ring(uint32_t depth, int fixed, int polled)
{
    struct io_uring_params params;
    struct iovec all;
    unsigned char *rings;
    uint32_t *array, i;
    size_t sq_size, cq_size;

    memset(&params, 0, sizeof params);
    params.flags = IORING_SETUP_SQE128 | IORING_SETUP_CQE32 | IORING_SETUP_CQSIZE | IORING_SETUP_SUBMIT_ALL |
                   IORING_SETUP_SINGLE_ISSUER | IORING_SETUP_DEFER_TASKRUN | (polled ? IORING_SETUP_IOPOLL : 0);
    params.cq_entries = depth;
    ring.fd = syscall(SYS_io_uring_setup, depth, &params);
    if (ring.fd < 0)
        fail("io_uring_setup");
    sq_size = params.sq_off.array + params.sq_entries * sizeof *array;
    cq_size = params.cq_off.cqes + params.cq_entries * sizeof *ring.cqes;
    /* Both are in one mapping since Linux 5.4. */
    rings = map(sq_size > cq_size ? sq_size : cq_size, MAP_SHARED, ring.fd, IORING_OFF_SQ_RING);
    ring.sqes = map(params.sq_entries * sizeof *ring.sqes, MAP_SHARED, ring.fd, IORING_OFF_SQES);
    ring.sq_tail = (uint32_t *)(rings + params.sq_off.tail);
    ring.cq_head = (uint32_t *)(rings + params.cq_off.head);
    ring.cq_tail = (uint32_t *)(rings + params.cq_off.tail);
    ring.cqes = (const struct cqe *)(rings + params.cq_off.cqes);
    ring.sq_mask = params.sq_entries - 1;
    ring.cq_mask = params.cq_entries - 1;
    array = (uint32_t *)(rings + params.sq_off.array);
    for (i = 0; i < params.sq_entries; i++)
        array[i] = i;

    if (syscall(SYS_io_uring_register, ring.fd, IORING_REGISTER_FILES, &node, 1) < 0)
        fail("IORING_REGISTER_FILES");
    memory = map((size_t)depth * bytes, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    all.iov_base = memory;
    all.iov_len = (size_t)depth * bytes;
    if (fixed && syscall(SYS_io_uring_register, ring.fd, IORING_REGISTER_BUFFERS, &all, 1) < 0)
        fail("IORING_REGISTER_BUFFERS");
    for (i = 0; i < depth; i++)
        unused[i] = i;
}

/* A place to read from: xorshift64, scaled to the range without a division. */
static inline uint64_t next_place(uint64_t *state)
{
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return (*state >> 32) * places >> 32;
}

static void enter(uint32_t to_submit, uint32_t to_complete)
{
    long submitted;

    do
        submitted = syscall(SYS_io_uring_enter, ring.fd, to_submit, to_complete, IORING_ENTER_GETEVENTS, NULL, 0);
    while (submitted < 0 && errno == EINTR);
    if (submitted < 0)
        fail("io_uring_enter");
    if (submitted != to_submit) {
        fprintf(stderr, "ring_loop: %ld of %u commands were taken\n", submitted, to_submit);
        exit(1);
    }
}

/* Writes all of an entry, as in a ring that takes any command. By fields: gcc would clear it with one `rep stos`, which
 * counts an instruction for every 8 bytes. */
static inline void fill(struct sqe *sqe, uint32_t slot, uint64_t lba, uint32_t blocks, int fixed)
{
    sqe->opcode = IORING_OP_URING_CMD;
    sqe->flags = IOSQE_FIXED_FILE;
    sqe->priority = 0;
    sqe->fd = 0;
    sqe->cmd_op = NVME_URING_CMD_IO;
    sqe->pad = 0;
    sqe->addr = 0;
    sqe->len = 0;
    sqe->cmd_flags = fixed ? IORING_URING_CMD_FIXED : 0;
    sqe->user_data = slot;
    sqe->buf_index = 0;
    sqe->personality = 0;
    sqe->file_index = 0;
    sqe->cmd.opcode = READ;
    sqe->cmd.flags = 0;
    sqe->cmd.rsvd1 = 0;
    sqe->cmd.nsid = nsid;
    sqe->cmd.cdw2 = 0;
    sqe->cmd.cdw3 = 0;
    sqe->cmd.metadata = 0;
    sqe->cmd.addr = (uintptr_t)memory + (size_t)slot * bytes;
    sqe->cmd.metadata_len = 0;
    sqe->cmd.data_len = bytes;
    sqe->cmd.cdw10 = lba;
    sqe->cmd.cdw11 = lba >> 32;
    sqe->cmd.cdw12 = blocks - 1;
    sqe->cmd.cdw13 = 0;
    sqe->cmd.cdw14 = 0;
    sqe->cmd.cdw15 = 0;
    sqe->cmd.timeout_ms = 0;
    sqe->cmd.rsvd2 = 0;
    sqe->rest = 0;
}

static void read_many(long count, uint32_t depth, uint32_t batch, int fixed)
{
    static uint64_t last = 0x9e3779b97f4a7c15;
    uint64_t state = last;
    uint32_t blocks = bytes >> block_shift, sq_tail = *ring.sq_tail, cq_head = *ring.cq_head;
    uint32_t in_flight = 0, sent, cq_tail, i;

    while (count > 0 || in_flight > 0) {
        sent = depth - in_flight < batch ? depth - in_flight : batch;
        if (sent > count)
            sent = count;
        for (i = 0; i < sent; i++) {
            in_flight++;
            fill(&ring.sqes[sq_tail++ & ring.sq_mask], unused[depth - in_flight], next_place(&state) * blocks, blocks,
                 fixed);
        }
        __atomic_store_n(ring.sq_tail, sq_tail, __ATOMIC_RELEASE);
        count -= sent;
        /* Waits until the next batch has room; at the end for all. */
        enter(sent, count == 0 ? in_flight : in_flight + batch > depth ? in_flight + batch - depth : 0);

        cq_tail = __atomic_load_n(ring.cq_tail, __ATOMIC_ACQUIRE);
        for (; cq_head != cq_tail; cq_head++) {
            const struct cqe *cqe = &ring.cqes[cq_head & ring.cq_mask];

            if (cqe->res != 0) {
                fprintf(stderr, "ring_loop: a read ended with %d (0x%x)\n", cqe->res, cqe->res);
                exit(1);
            }
            unused[depth - in_flight] = cqe->user_data;
            in_flight--;
        }
        __atomic_store_n(ring.cq_head, cq_head, __ATOMIC_RELEASE);
    }
    last = state;
}

static long long now(void)
{
    struct timespec time;

    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec * 1000000000LL + time.tv_nsec;
}

static int usage(void)
{
    fprintf(stderr, "usage: ring_loop DEVICE COUNT [--depth N] [--batch N] [--fixed] [--polled] [--block BYTES]\n");
    return 2;
}

int main(int argc, char **argv)
{
    long count = argc > 2 ? atol(argv[2]) : 0;
    long depth = 0, batch = 1;
    int fixed = 0, polled = 0, i;
    long long start;

    for (i = 3; i < argc; i++) {
        if (!strcmp(argv[i], "--fixed"))
            fixed = 1;
        else if (!strcmp(argv[i], "--polled"))
            polled = 1;
        else if (i + 1 == argc)
            return usage();
        else if (!strcmp(argv[i], "--depth"))
            depth = atol(argv[++i]);
        else if (!strcmp(argv[i], "--batch"))
            batch = atol(argv[++i]);
        else if (!strcmp(argv[i], "--block"))
            bytes = atol(argv[++i]);
        else
            return usage();
    }
    if (depth == 0)
        depth = batch;
    if (count < 1 || batch < 1 || depth < batch || depth > MAX_DEPTH)
        return usage();
    open_namespace(argv[1]);
    open_ring(depth, fixed, polled);
    read_many(count / 10 + 1, depth, batch, fixed);
    start = now();
    read_many(count, depth, batch, fixed);
    printf("%lld\n", (now() - start) / count);
    return 0;
}
