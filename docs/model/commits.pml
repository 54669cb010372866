/*
 * The messages of an owner, and its commits: cut, answered, undone. These steps run inside the process `Owner`. Part of
 * journal.pml.
 */

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
