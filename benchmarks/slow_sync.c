/* Delays each sync by SYNC_MICROSECONDS, as a slower disk would: for LD_PRELOAD. */
#define _GNU_SOURCE
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

static void wait_as_the_disk_would(void) {
    const char *microseconds = getenv("SYNC_MICROSECONDS");
    if (microseconds) usleep((useconds_t)atol(microseconds));
}

int fsync(int file) {
    wait_as_the_disk_would();
    return (int)syscall(SYS_fsync, file);
}

int fdatasync(int file) {
    wait_as_the_disk_would();
    return (int)syscall(SYS_fdatasync, file);
}
