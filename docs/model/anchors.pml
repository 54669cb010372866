/*
 * The anchors of a partition and its low-water mark (docs/internals/journal-and-fence.md). A commit has a part of X, a part of Y, or both. A
 * commit of both is shared. A part names the version before it, so a message on the event's own subject is an anchor. A
 * part without records is an anchor like any other.
 *
 * Owners follow each other. An heir prepares loads of X while the owner serves, takes the partition, and reads the shared
 * subject from the mark to its fence. A deposed owner still loads. An owner without an ack fences
 * again, settles its commits that landed, and undoes the others. An event out of memory may get an anchor. A load asks for the end of the event's own subject,
 * reads the index, and folds at any later time. It begins with any snapshot, old or new, or with none.
 *
 * journal.pml has the fence, so here it takes no time and is one record: no append of an earlier fence lands behind it.
 * The cuts of a deposed owner change nothing and are left out. The log begins with the creation of X and Y.
 */
#ifndef OWNERS
#define OWNERS 2
#endif
#ifndef WINDOW  /* commits in flight */
#define WINDOW 2
#endif
#ifndef COMMITS
#define COMMITS 3
#endif
#ifndef FENCES  /* of all owners together */
#define FENCES 2
#endif
#define SEQUENCES (COMMITS + FENCES + 3)
#define X 0
#define Y 1
#define NONE 2             /* no event */
#define BOTH 3             /* parts are bits: 1 for X, 2 for Y */
#define UNLOADED 255
#define has(set, member) (((set) >> (member)) & 1)
#define max(a, b) ((a) > (b) -> (a) : (b))

/* ---- The log; behind `last` stand the commits in flight ---- */

typedef Message { byte parts; byte low; byte from[2]; byte owner };
Message log[SEQUENCES];    /* `parts` and `owner` are 0 for an epoch record */
byte last;
byte newest[2], newestOwn[2];
byte reign;                /* the owner that may append, from 1 */
byte commits, fences;

#define isOwn(s, event) (log[s].parts == (event) + 1)
#define isShared(s) (log[s].parts == BOTH)

/* The mark of the last message passes no part without an anchor. */
inline checkMark() {
  s = 1;
  do
  :: s <= log[last].low ->
     assert(!isShared(s) || (newestOwn[X] > s && newestOwn[Y] > s)); /* the mark passes no part without an anchor */
     s++
  :: else -> break
  od;
  s = 0
}

inline land() {
  last++;
  log[last - 1].low = 0;                                  /* only the last mark is read */
  printf("    sequence %d: parts %d of owner %d, mark %d\n", last, log[last].parts, log[last].owner, log[last].low);
  each = 0;
  do
  :: each < 2 ->
     if
     :: has(log[last].parts, each) ->
        assert(log[last].from[each] == newest[each]);     /* I1: a part lands on the state that it was decided on */
        newest[each] = last
     :: else
     fi;
     if :: isOwn(last, each) -> newestOwn[each] = last :: else fi;
     each++
  :: else -> break
  od;
  each = 0;
  checkMark()
}

proctype Network() {
  byte s, each;
  do
  :: d_step { last + 1 < SEQUENCES && log[last + 1].parts > 0 -> land() }
  od
}

#include "index.pml"

proctype Owner(byte me) {
  byte stage = CLOSED;
  byte acked, tail;                     /* the commits of acked + 1 to tail are in flight */
  byte version[2] = UNLOADED;
  byte occupied[2];                     /* the anchor in flight of an event out of memory, 0 without one */
  byte prepared;                        /* the version of a prepared state of X; 0 without one */
  /* The index: `behind` are shared commits behind the mark, as bits. `known`: the last settled sequence, or the fence. */
  int behind;
  byte mark, known, anchor[2];
#ifdef MARK_OF_OWN_TERM
  byte fenced;
#endif
  /* The load under way. `end` is the event's last sequence in the index. */
  byte event = NONE, ownLast, end, begin;
  bool hasAsked;
  int folded;
  byte s, t, state, each;

  do
  /* Takes the partition, or fences again behind an append without an ack. */
  :: atomic {
       stage == CLOSED && event == NONE && reign == me - 1 && fences < FENCES ->
       reign = me;
       stage = READING;
       fence();
       mark = log[last].low;
       known = last;
       acked = last;
       tail = last
#ifdef INDEX_FROM_FENCE
       ; mark = last
#endif
     }
  :: d_step { stage == OPEN && reign == me && acked < tail && fences < FENCES -> fence(); reconcile() }
  :: d_step { stage == READING -> fill(); stage = OPEN }

  /* The ack of the oldest commit in flight. */
  :: d_step { stage == OPEN && reign == me && acked < tail && acked < last && log[acked + 1].owner == me -> settle() }

  :: d_step { canCut && version[X] != UNLOADED -> cut(1) }
  :: d_step { canCut && version[Y] != UNLOADED -> cut(2) }
  :: d_step { canCut && version[X] != UNLOADED && version[Y] != UNLOADED -> cut(BOTH) }

  :: d_step { canAnchor(X) -> anchorUnloaded(X) }
  :: d_step { canAnchor(Y) -> anchorUnloaded(Y) }

  /* An event without commits in flight leaves the memory. */
  :: d_step { isIdle(X) -> version[X] = UNLOADED }
  :: d_step { isIdle(Y) -> version[Y] = UNLOADED }

  /* A load begins. Before the fence it is a preparation. */
  :: d_step { mayLoad(X) -> event = X }
  :: d_step { mayLoad(Y) -> event = Y }
  :: d_step { event != NONE && !hasAsked -> ownLast = newestOwn[event]; hasAsked = true }
  /* The log keeps all that this load reads. So reading later gives the same. */
  :: atomic {
       event != NONE && hasAsked && mayLook ->
       d_step { look() }
       chooseBeginning();
       d_step { load(); endLoad() }
     }
  od
}

init {
  byte each = 1;
  atomic {
    log[1].parts = 1; log[2].parts = 2; log[2].low = 2;
    newest[X] = 1; newest[Y] = 2; newestOwn[X] = 1; newestOwn[Y] = 2;
    last = 2;
    run Network();
    do
    :: each <= OWNERS -> run Owner(each); each++
    :: else -> break
    od
  }
}
