/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "daemon/calls.h"

#include <errno.h>
#include <seccomp.h>

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define UNLIMITED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define UNLIMITED 1
#endif
#endif
#ifndef UNLIMITED
#define UNLIMITED 0
#endif

/* Why each is there. mmap with PROT_EXEC stays possible: expressions of a reload are compiled
 * to machine code by PCRE2. */
static const int calls[] = {
	/* packets: rings, batches, verdicts */
	SCMP_SYS(poll),
	SCMP_SYS(ppoll),
	SCMP_SYS(epoll_wait),
	SCMP_SYS(epoll_pwait),
	SCMP_SYS(epoll_ctl),
	SCMP_SYS(recvfrom),
	SCMP_SYS(recvmsg),
	SCMP_SYS(recvmmsg),
	SCMP_SYS(sendto),
	SCMP_SYS(sendmsg),
	SCMP_SYS(sendmmsg),
	SCMP_SYS(getsockopt),
	SCMP_SYS(setsockopt),
	SCMP_SYS(bind),
	SCMP_SYS(getsockname),
	SCMP_SYS(ioctl),
	/* the control socket, the state file */
	SCMP_SYS(accept4),
	SCMP_SYS(shutdown),
	SCMP_SYS(read),
	SCMP_SYS(readv),
	SCMP_SYS(pread64),
	SCMP_SYS(write),
	SCMP_SYS(writev),
	SCMP_SYS(pwrite64),
	SCMP_SYS(openat),
	SCMP_SYS(close),
	SCMP_SYS(fstat),
	SCMP_SYS(newfstatat),
	SCMP_SYS(lseek),
	SCMP_SYS(ftruncate),
	SCMP_SYS(fsync),
	SCMP_SYS(fdatasync),
	SCMP_SYS(renameat),
	SCMP_SYS(renameat2),
	SCMP_SYS(unlinkat),
	SCMP_SYS(fcntl),
	SCMP_SYS(dup),
	/* memory */
	SCMP_SYS(brk),
	SCMP_SYS(mmap),
	SCMP_SYS(munmap),
	SCMP_SYS(mremap),
	SCMP_SYS(mprotect),
	SCMP_SYS(madvise),
	/* threads (a fork would have no more than these, and can execute nothing) */
	SCMP_SYS(clone),
	SCMP_SYS(clone3),
	SCMP_SYS(prctl),        /* names of threads */
	SCMP_SYS(memfd_create), /* link.h */
	/* time, the end */
	SCMP_SYS(clock_gettime),
	SCMP_SYS(clock_nanosleep),
	SCMP_SYS(nanosleep),
	SCMP_SYS(gettimeofday),
	SCMP_SYS(futex),
	SCMP_SYS(sched_yield),
	SCMP_SYS(set_robust_list),
	SCMP_SYS(rseq),
	SCMP_SYS(restart_syscall),
	SCMP_SYS(getrandom),
	SCMP_SYS(getpid),
	SCMP_SYS(gettid),
	SCMP_SYS(tgkill),
	SCMP_SYS(rt_sigaction),
	SCMP_SYS(rt_sigprocmask),
	SCMP_SYS(rt_sigreturn),
	SCMP_SYS(sigaltstack),
	SCMP_SYS(exit),
	SCMP_SYS(exit_group),
};

bool
calls_limit(void)
{
	scmp_filter_ctx filter;
	int err;

	if (UNLIMITED)
		return true;
	filter = seccomp_init(SCMP_ACT_ERRNO(EPERM));
	err = filter ? 0 : -ENOMEM;
	for (unsigned i = 0; !err && i < sizeof(calls) / sizeof(calls[0]); i++)
		err = seccomp_rule_add(filter, SCMP_ACT_ALLOW, calls[i], 0);
	if (!err)
		err = seccomp_attr_set(filter, SCMP_FLTATR_CTL_TSYNC, 1);
	if (!err)
		err = seccomp_load(filter);
	seccomp_release(filter);
	errno = -err;
	return !err;
}
