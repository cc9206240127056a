/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "daemon/pulse.h"
#include "unit.h"

#include <sys/wait.h>
#include <unistd.h>

TEST(who_has_never_beaten_is_not_stuck)
{
	struct pulse *pulse = pulse_new();

	CHECK(pulse != NULL);
	CHECK_EQ(pulse_stuck(pulse, 0), -1);
	pulse_free(pulse);
}

TEST(who_is_late_is_named)
{
	struct pulse *pulse = pulse_new();

	pulse_beat(pulse, 3);
	CHECK_EQ(pulse_stuck(pulse, UINT64_C(60000000000)), -1);
	atomic_store(&pulse->beat_ns[3], pulse_now() - 2000000000);
	CHECK_EQ(pulse_stuck(pulse, 1000000000), 3);
	pulse_clear(pulse);
	CHECK_EQ(pulse_stuck(pulse, 0), -1);
	pulse_free(pulse);
}

TEST(another_process_beats)
{
	struct pulse *pulse = pulse_new();
	pid_t pid = fork();

	if (pid == 0) {
		pulse_beat(pulse, 1);
		_exit(0);
	}
	CHECK_EQ(waitpid(pid, NULL, 0), pid);
	CHECK(atomic_load(&pulse->beat_ns[1]) != 0);
	pulse_free(pulse);
}
