/*
 * One partition's journal (docs/internals/journal-and-fence.md): owners, their stream, and the network between them.
 * A commit is one message with the parts of one or two events.
 *
 * The network is the worst that fits the protocol. A message that was sent stays in the network for ever: it lands at
 * any later time, or never (lost), and its copies change nothing more. Acks are read at any later time, or never. An
 * owner may stand still at any point (pause), for ever (crash), and go on as if nothing had happened (zombie). Any owner
 * may take the partition at any time. Two simplifications lose no history:
 * - A message lands only on the sequence that it expects. A message whose sequence is taken is dead, so the network keeps
 *   one message for each owner, kind and sequence of the window.
 * - An owner may break off at any time. So refused appends, wrong acks and deadlines need no steps of their own.
 *
 * Every assertion names its invariant (ARCHITECTURE.md). test/model/searches.ts has the settings of each search,
 * and the wrong variants: each is one flag, and each must fail an assertion.
 */
#ifndef OWNERS
#define OWNERS 2
#endif
#ifndef WINDOW  /* commits in flight: `appendWindow` */
#define WINDOW 2
#endif
#ifndef COMMITS
#define COMMITS 3
#endif
#ifndef FENCES  /* tries to fence, of all owners together */
#define FENCES 2
#endif
#ifndef TICKS   /* 0: no time, no reads */
#define TICKS 0
#endif
#define LEASE 1            /* ticks: `readLeaseMs` */
#ifdef QUIET_AS_LEASE
#define QUIET LEASE
#else
#define QUIET (LEASE + 1)  /* ticks: `fenceQuietMs` */
#endif

#define SEQUENCES (COMMITS + FENCES * WINDOW + OWNERS + 1)
#define X 0
#define Y 1
#define BOTH 3             /* parts are bits: 1 for X, 2 for Y */
#define UNLOADED 255
#define has(parts, event) ((parts >> event) & 1)

#include "log.pml"
#include "commits.pml"
#include "owner.pml"

#if TICKS > 0
proctype Time() {
  do :: now < TICKS -> now++ od
}
#endif

init {
  byte each;
  atomic {
    each = 0;
    do
    :: each < OWNERS -> run Owner(each); run Network(each); each++
    :: else -> break
    od;
    each = 0;
#if TICKS > 0
    run Time()
#endif
  }
}
