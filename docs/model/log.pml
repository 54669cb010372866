/*
 * The stream of a partition, the network before it, and the promises that every append must keep. Part of journal.pml.
 */

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
byte ended;                /* bits: the owners whose processes have ended for certain */

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
  assert(slot(owner, last).epoch >= reign);               /* I3: no record of a deposed owner lands */
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
