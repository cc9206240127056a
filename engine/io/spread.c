/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "io/spread.h"
#include <linux/if_ether.h>
#include <stdint.h>

/* Places are counted from the network layer: data begins with it in frames that come in, and
 * with the link layer in those that go out. */
#define NET          ((uint32_t)SKF_NET_OFF)
#define HALF(place)  BPF_STMT(BPF_LD | BPF_H | BPF_ABS, NET + (place))
#define BYTE_X       BPF_STMT(BPF_LD | BPF_B | BPF_IND, NET)
#define WORD_X(more) BPF_STMT(BPF_LD | BPF_W | BPF_IND, NET + (more))
#define PUT(cell)    BPF_STMT(BPF_ST, cell)
#define PUT_X(cell)  BPF_STMT(BPF_STX, cell)
#define GET(cell)    BPF_STMT(BPF_LD | BPF_MEM, cell)
#define GET_X(cell)  BPF_STMT(BPF_LDX | BPF_MEM, cell)
#define SET(value)   BPF_STMT(BPF_LD | BPF_IMM, value)
#define SET_X(value) BPF_STMT(BPF_LDX | BPF_IMM, value)
#define XOR_X        BPF_STMT(BPF_ALU | BPF_XOR | BPF_X, 0)
#define SHIFT(by)    BPF_STMT(BPF_ALU | BPF_RSH | BPF_K, by)

/* If A is the value, skip `yes` lines, else `no`. */
#define IF(value, yes, no) BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, value, yes, no)

/* IPv6: M[0] ^= a word; X is the header's place, and kept in M[1]. */
#define FOLD(more) WORD_X(more), GET_X(0), XOR_X, PUT(0), GET_X(1)

/* Lines are numbered where something jumps there. */
static struct sock_filter program[] = {
	BPF_STMT(BPF_LD | BPF_H | BPF_ABS, (uint32_t)(SKF_AD_OFF + SKF_AD_PROTOCOL)),
	SET_X(0),
	IF(ETH_P_8021Q, 1, 0),
	IF(ETH_P_8021AD, 0, 2),
	/* 4: behind a tag */
	HALF(2),
	SET_X(4),
	/* 6 */ IF(ETH_P_PPP_SES, 0, 7),
	/* 7: behind PPPoE; the version tells the protocol */
	BPF_STMT(BPF_MISC | BPF_TXA, 0),
	BPF_STMT(BPF_ALU | BPF_ADD | BPF_K, 8),
	BPF_STMT(BPF_MISC | BPF_TAX, 0),
	BYTE_X,
	SHIFT(4),
	IF(4, 3, 0),
	IF(6, 8, 59),
	/* 14 */ IF(ETH_P_IP, 1, 0),
	IF(ETH_P_IPV6, 6, 57),
	/* 16: IPv4 */
	WORD_X(12),
	PUT(0),
	WORD_X(16),
	GET_X(0),
	XOR_X,
	BPF_STMT(BPF_JMP | BPF_JA, 44),
	/* 22: IPv6 */
	PUT_X(1),
	SET(0),
	PUT(0),
	FOLD(8),
	FOLD(12),
	FOLD(16),
	FOLD(20),
	FOLD(24),
	FOLD(28),
	FOLD(32),
	FOLD(36),
	/* 65 */ GET(0),
	/* 66: A ^= A >> 16, and Knuth's multiplication; the kernel divides by the workers */
	PUT(0),
	SHIFT(16),
	GET_X(0),
	XOR_X,
	BPF_STMT(BPF_ALU | BPF_MUL | BPF_K, 2654435761U),
	SHIFT(16),
	BPF_STMT(BPF_RET | BPF_A, 0),
	/* 73: not IP */ BPF_STMT(BPF_RET | BPF_K, 0),
};

struct sock_fprog
spread_program(void)
{
	return (struct sock_fprog){ .len = sizeof program / sizeof program[0],
				    .filter = program };
}
