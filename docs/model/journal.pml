/*
 * One partition's journal in its second form (docs/journal.md): owners, their stream, and the network between them.
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

/* ---- The stream ---- */

byte last;                 /* the sequence of the last message */
byte epochAt[SEQUENCES];
byte commitAt[SEQUENCES];  /* the number of the commit; 0 for an epoch record */
byte ownerAt[SEQUENCES];   /* the owner of an epoch record */
/* The last message, if it is an epoch record of a fence (`late` > 0) or a release. */
byte late, left;
bool released;
/* By event: the last sequence with a part of the event, on both subjects and on the event's own. */
byte newest[2], newestOwn[2];

/* ---- Commits, numbered in the order of their cuts ---- */

byte commits;
byte epochOf[COMMITS + 1], numberOf[COMMITS + 1], partsOf[COMMITS + 1];
byte sequenceOf[COMMITS + 1];  /* predicted */
/* The versions of X and Y on which the parts were decided. */
byte fromX[COMMITS + 1], fromY[COMMITS + 1];

/* A commit whose callers are answered leaves the table. */
#define isForgotten(c) (epochOf[c] == 0)

inline forget(c) {
  epochOf[c] = 0; numberOf[c] = 0; partsOf[c] = 0; sequenceOf[c] = 0; fromX[c] = 0; fromY[c] = 0
}

/* ---- Messages in the network, by owner and expected sequence ---- */

/* A commit of this number and epoch, and an epoch record; 0 without one. */
typedef Sent { byte commit; byte commitEpoch; byte epoch; byte late; byte left; bool released };
Sent sent[OWNERS * WINDOW];
#define slot(owner, expected) sent[(owner) * WINDOW + (expected) % WINDOW]

/* ---- What the world was told ---- */

byte reign;                /* the highest epoch of an owner that opened */
byte told;                 /* the newest version of X that a caller has heard */
byte tries;
byte now;

/* ---- The log: it appends a message if its expectation holds and its id is new ---- */

/* Only the last message may have the id of the next append: a record of a fence carries the id of the late append that
 * could land right behind the record. */
#ifdef FENCE_WITHOUT_IDS
#define isDuplicate(itsEpoch) false
#else
#define isDuplicate(itsEpoch) (late == itsEpoch)
#endif

#ifdef EXPECTATION_PER_SUBJECT
byte subjectLast[4];       /* by parts: the subject of X, of Y, and the shared one */
byte expectedOf[COMMITS + 1];
#endif
#ifdef SPLIT_COMMIT
byte firstHalf[COMMITS + 1];
bool isDone[COMMITS + 1];
#endif

/* What expected the sequence before the new message is dead. */
inline land() {
  each = 0;
  do
  :: each < OWNERS ->
     slot(each, last).epoch = 0; slot(each, last).late = 0; slot(each, last).left = 0;
     slot(each, last).released = false; slot(each, last).commit = 0; slot(each, last).commitEpoch = 0;
     each++
  :: else -> each = 0; break
  od;
  last++
}

inline landCommit(c) {
  printf("    sequence %d: commit %d of epoch %d, parts %d\n", last + 1, c, epochOf[c], partsOf[c]);
  assert(!isForgotten(c));                                /* `moved` means: nothing was done, and never will be */
  assert(epochOf[c] >= reign);                            /* I3: no append of a deposed owner lands */
  assert(!has(partsOf[c], X) || fromX[c] == newest[X]);   /* I1: a part lands on the state that it was decided on */
  assert(!has(partsOf[c], Y) || fromY[c] == newest[Y]);
  epochAt[last + 1] = epochOf[c];
  commitAt[last + 1] = c;
  land();
  late = 0; left = 0; released = false;
  if :: has(partsOf[c], X) -> newest[X] = last :: else fi;
  if :: has(partsOf[c], Y) -> newest[Y] = last :: else fi;
  if :: partsOf[c] == 1 -> newestOwn[X] = last :: partsOf[c] == 2 -> newestOwn[Y] = last :: else fi;
}

inline landRecord(owner) {
  printf("    sequence %d: epoch record of owner %d, epoch %d, late %d, left %d, released %d\n", last + 1, owner,
    slot(owner, last).epoch, slot(owner, last).late, slot(owner, last).left, slot(owner, last).released);
  late = slot(owner, last).late;
  left = slot(owner, last).left;
  released = slot(owner, last).released;
  epochAt[last + 1] = slot(owner, last).epoch;
  ownerAt[last + 1] = owner + 1;
  land()
}

/* Delivers the messages of one owner. */
proctype Network(byte owner) {
  byte each, c;
  do
#ifdef EXPECTATION_PER_SUBJECT
  :: atomic {
       select(c : 1 .. COMMITS);
       c <= commits && sequenceOf[c] > 0 && expectedOf[c] == subjectLast[partsOf[c]] ->
       d_step { landCommit(c); subjectLast[partsOf[c]] = last; expectedOf[c] = UNLOADED; c = 0 }
     }
#else
  :: d_step {
       slot(owner, last).commit > 0 && !isDuplicate(slot(owner, last).commitEpoch) ->
       c = slot(owner, last).commit;
       landCommit(c);
       c = 0
     }
#endif
  :: d_step {
       slot(owner, last).epoch > 0 && (slot(owner, last).late > 0 || !isDuplicate(slot(owner, last).epoch)) ->
       landRecord(owner)
     }
  od
}

/* ---- An owner: one process with its journal and its actors ---- */

/* The fence's record of this place, from 1. */
inline sendRecord(place) {
  if
  :: base + place - 1 >= last ->
     slot(me, base + place - 1).epoch = newEpoch;
     slot(me, base + place - 1).late = fenceLate;
     slot(me, base + place - 1).left = length - place
  :: else
  fi
}

inline sendRelease() {
  if
  :: tail >= last -> slot(me, tail).epoch = epoch; slot(me, tail).released = true
  :: else
  fi
}

#define isMyRecord(sequence) \
  (sequence <= last && epochAt[sequence] == newEpoch && ownerAt[sequence] == me + 1)
#define isInLog(c) \
  (commitAt[sequenceOf[c]] > 0 && epochOf[commitAt[sequenceOf[c]]] == epochOf[c] && \
   numberOf[commitAt[sequenceOf[c]]] == numberOf[c])

/* The answers of a commit that landed. */
inline tellDone(c) {
  printf("owner %d answers commit %d: done\n", me, c);
  assert(commitAt[sequenceOf[c]] == c);                   /* I2: acknowledged means journaled */
#ifdef SPLIT_COMMIT
  isDone[c] = true;
#endif
  if :: has(partsOf[c], X) -> told = (told > sequenceOf[c] -> told : sequenceOf[c]) :: else fi;
  commitAt[sequenceOf[c]] = 0;
  forget(c)
}

inline endRead() {
  isReading = false; readVersion = 0; readAt = 0; toldThen = 0
}

/* A commit that did not land takes back the state of all its events. They are folded anew when they are used. */
inline undo(c) {
  printf("owner %d answers commit %d: moved\n", me, c);
  assert(commitAt[sequenceOf[c]] != c);                   /* `moved` means: nothing was done */
#ifdef SPLIT_COMMIT
  assert(firstHalf[c] == 0 || !isDone[firstHalf[c]]);     /* I4: all events of a commit or none */
#endif
  if
  :: isReading && has(partsOf[c], X) && readVersion >= sequenceOf[c] -> endRead()
  :: else
  fi;
  if :: has(partsOf[c], X) -> version[X] = UNLOADED :: else fi;
#ifdef UNDO_ONE_EVENT
  if :: partsOf[c] == 2 -> version[Y] = UNLOADED :: else fi;
#else
  if :: has(partsOf[c], Y) -> version[Y] = UNLOADED :: else fi;
#endif
  forget(c)
}

/* Ends all commits in flight. After the first that did not land, none did. */
inline reconcile() {
  i = 1;
  do
  :: acked < tail ->
     acked++;
     if
     :: i == 1 && isInLog(inFlight[acked % WINDOW]) -> tellDone(inFlight[acked % WINDOW])
     :: else -> i = 0; undo(inFlight[acked % WINDOW])
     fi;
     inFlight[acked % WINDOW] = 0; sentAt[acked % WINDOW] = 0
  :: else -> break
  od;
  i = 0
}

/* A fold of the event's parts in the log. */
inline load(event) {
  if
#ifdef LOAD_OWN_SUBJECT
  :: version[event] == UNLOADED -> version[event] = newestOwn[event]
#else
  :: version[event] == UNLOADED -> version[event] = newest[event]
#endif
  :: else
  fi
}

#define canCut (stage == OPEN && commits < COMMITS && tail - acked < WINDOW && now >= quietUntil)

inline cut(itsParts) {
  if :: has(itsParts, X) -> load(X) :: else fi;
  if :: has(itsParts, Y) -> load(Y) :: else fi;
  commits++;
  number++;
  epochOf[commits] = epoch;
  numberOf[commits] = number;
  partsOf[commits] = itsParts;
  fromX[commits] = (has(itsParts, X) -> version[X] : 0);
  fromY[commits] = (has(itsParts, Y) -> version[Y] : 0);
#ifdef EXPECTATION_PER_SUBJECT
  expectedOf[commits] = subjectTail[itsParts];
#endif
  if :: tail >= last -> slot(me, tail).commit = commits; slot(me, tail).commitEpoch = epoch :: else fi;
  tail++;
  sequenceOf[commits] = tail;
#ifdef EXPECTATION_PER_SUBJECT
  subjectTail[itsParts] = tail;
#endif
  printf("owner %d cuts commit %d, parts %d, for sequence %d\n", me, commits, itsParts, tail);
  inFlight[tail % WINDOW] = commits;
  sentAt[tail % WINDOW] = now;
  if :: has(itsParts, X) -> version[X] = tail :: else fi;
  if :: has(itsParts, Y) -> version[Y] = tail :: else fi
}

#define CLOSED 0
#define FENCING 1
#define OPEN 2
#define ENDED 3

#ifdef LEASE_IGNORED
#define covers(at) true
#else
#define covers(at) (confirmedAt + LEASE >= at)
#endif

#ifdef READS_DO_NOT_WAIT
#define isDurable(version) true
#else
#define isDurable(version) (version <= acked)
#endif

proctype Owner(byte me) {
  byte stage = CLOSED;
  byte epoch, number;        /* 0 before the first fence; counts the commits of the epoch */
  byte acked, tail;          /* the commits of acked + 1 to tail are in flight */
  byte inFlight[WINDOW], sentAt[WINDOW];
  byte version[2] = UNLOADED;
  byte newEpoch, base, fenceLate, length, k, fencedAt;
  bool isOurs, isFree;
  byte confirmedAt, quietUntil;
  bool isReading;            /* a read of X has been decided and is not answered */
  byte readVersion, readAt, toldThen;
  byte i;
#ifdef EXPECTATION_PER_SUBJECT
  byte subjectTail[4];
#endif

  do
  /* Takes the partition, repeats a fence that failed, or breaks off: reads the tail and sends the first record. */
  :: atomic {
       stage != ENDED && tries < FENCES ->
       tries++;
       printf("owner %d reads the tail: sequence %d, epoch %d\n", me, last, epochAt[last]);
       isOurs = epoch > 0 && (epochAt[last] == epoch || ownerAt[last] == me + 1);
       if
       :: epoch > 0 && !isOurs -> reconcile(); stage = ENDED; endRead()
       :: else ->
          stage = FENCING;
          isFree = last == 0 || isOurs || released;
          if
          :: last == 0 || released || (epoch > 0 && acked == tail) -> fenceLate = 0
          :: else -> fenceLate = (left > 0 -> late : epochAt[last])
          fi;
#ifdef FENCE_OF_ONE
          fenceLate = 0;
#endif
#ifdef OUTCOME_BEFORE_FENCE
          reconcile();
#endif
          length = (fenceLate > 0 -> WINDOW : 1);
          base = last;
          newEpoch = epochAt[last] + 1;
          fencedAt = now;
          k = 1;
          sendRecord(1);
#ifdef FENCE_AT_ONCE
          i = 2; do :: i <= length -> sendRecord(i); i++ :: else -> break od;
#endif
       fi;
       i = 0; isOurs = false
     }
  /* A record of the fence stands. The last is sent when all others stand. */
  :: atomic {
       stage == FENCING && k < length && isMyRecord(base + k) ->
#ifndef FENCE_AT_ONCE
       if
       :: k == 1 && length > 2 -> i = 2; do :: i < length -> sendRecord(i); i++ :: else -> break od
       :: k == length - 1 -> sendRecord(length)
       :: else
       fi;
       i = 0;
#endif
       k++
     }
  /* The fence stands. The outcome of every append in flight is final. */
  :: atomic {
       stage == FENCING && k == length && isMyRecord(base + k) ->
       printf("owner %d opens with epoch %d, fence at %d to %d\n", me, newEpoch, base + 1, base + length);
       assert(newEpoch != reign);                         /* an epoch has one owner */
       reign = (newEpoch > reign -> newEpoch : reign);    /* an owner may hear of its fence after its heir has opened */
       reconcile();
       stage = OPEN;
       epoch = newEpoch;
       number = 0;
       acked = base + length;
       tail = acked;
       confirmedAt = fencedAt;
#ifdef EXPECTATION_PER_SUBJECT
       subjectTail[1] = subjectLast[1]; subjectTail[2] = subjectLast[2]; subjectTail[3] = subjectLast[3];
#endif
#ifndef NO_QUIET
       quietUntil = (isFree -> 0 : now + QUIET);
#endif
       newEpoch = 0; base = 0; fenceLate = 0; length = 0; k = 0; fencedAt = 0; isFree = false
     }
  :: atomic { canCut -> cut(1) }
  :: atomic { canCut -> cut(2) }
#if TICKS == 0
#ifdef SPLIT_COMMIT
  :: atomic { canCut && commits + 1 < COMMITS && tail + 1 - acked < WINDOW ->
       cut(1); cut(2); firstHalf[commits] = commits - 1 }
#else
  :: atomic { canCut -> cut(BOTH) }
#endif
#endif
  /* The ack of the oldest commit in flight. */
  :: atomic {
       stage == OPEN && acked < tail && acked < last && commitAt[acked + 1] == inFlight[(acked + 1) % WINDOW] ->
       acked++;
       tellDone(inFlight[acked % WINDOW]);
#ifdef LEASE_FROM_ACK
       sentAt[acked % WINDOW] = now;
#endif
       confirmedAt = (confirmedAt > sentAt[acked % WINDOW] -> confirmedAt : sentAt[acked % WINDOW]);
       inFlight[acked % WINDOW] = 0; sentAt[acked % WINDOW] = 0
     }
  /* Gives up the partition. */
  :: atomic {
#ifdef RELEASE_IN_FLIGHT
       stage == OPEN ->
#else
       stage == OPEN && acked == tail ->
#endif
       stage = ENDED;
       endRead();
       printf("owner %d sends its release for sequence %d\n", me, tail + 1);
       newEpoch = epoch;
       base = tail;
       sendRelease();
       newEpoch = 0; base = 0
     }
#if TICKS > 0
  /* A look at the tail. */
  :: atomic { stage == OPEN && acked == tail && last == tail && confirmedAt < now -> confirmedAt = now }
  :: atomic {
       stage == OPEN && !isReading && now >= quietUntil ->
       load(X);
       isReading = true;
       readVersion = version[X];
       readAt = now;
       toldThen = told
     }
  /* A read leaves behind the last commit that it could have seen, while the lease covers its decision. */
  :: atomic {
       stage == OPEN && isReading && isDurable(readVersion) && covers(readAt) ->
       assert(readVersion >= toldThen);                   /* no stale read: it shows each version told before it */
       assert(readVersion <= newest[X]);                  /* I2: a read shows what is journaled */
       told = (told > readVersion -> told : readVersion);
       endRead()
     }
#endif
  od
}

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
