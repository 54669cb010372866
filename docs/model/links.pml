/*
 * A log that lies, and the evidence that notices (docs/internals/journal-and-fence.md, I9). Once, at any moment, the log
 * loses its tail, one part inside, or everything, and others may write behind what is left. A message has an identity,
 * which stands for its link: two messages with one sequence and one identity have one history.
 *
 * Owners follow each other, and may die. Each event has seats, and each part of an event sells the next seat. An owner
 * loads an event from its snapshot or from the whole log, sells, stores snapshots, loads an event anew, and fences again.
 * The catalog counts the log some time behind, and may be silent at a takeover.
 *
 * Evidence knows a loss if it names a part or message that the log has no more: a snapshot, the memory of an owner that
 * lives on, the catalog's position, the known identity of the stream. A seat is sold twice only where no evidence knows
 * the loss, where the catalog is silent, or where it is not asked: only an heir asks.
 *
 * Left out: appends without an ack, two lies, a deposed owner that goes on writing behind a log which ends with its own
 * last message again, and a changed part that no later part names. journal.pml has the fence, so here it takes no time.
 */
#ifndef OWNERS
#define OWNERS 1           /* processes that come back under new names; one more deposes the other */
#endif
#ifndef SALES   /* parts, of both events together */
#define SALES 4
#endif
#ifndef TAKES   /* fences, of all owners together */
#define TAKES 3
#endif
#define GHOSTS 1           /* messages of others behind the lie */
#define SEQUENCES (SALES + TAKES + GHOSTS + 1)
#define X 0
#define Y 1
#define SEATS 2
#define FENCE 2            /* the kind of a message: its event, or a fence, or nothing */
#define GONE 3

/* ---- The log ---- */

byte last, made;           /* the last sequence, the last identity */
byte idAt[SEQUENCES], kindAt[SEQUENCES];
byte linkAt[SEQUENCES];    /* the identity of the message before */
byte partAt[SEQUENCES];    /* the identity of the event's part before */
byte stream, streams;      /* the identity of the stream, 0 for an empty one */
bool hasLied, isInside;    /* `isInside`: a part inside is lost */
byte sales, takes;

#define isIn(s, identity) (((s) <= last) && (idAt[s] == (identity)))

/* ---- Evidence ---- */

byte known;                /* the identity of the stream, as the deployment knows it */
byte countedAt, countedId; /* the catalog's position */
byte storedAt[2], storedId[2], storedSeats[2]; /* by event: the newest snapshot */

/* ---- What the buyers were told: the identity of the part that sold a seat, by event and seat ---- */

byte soldBy[2 * SEATS];

/* ---- At the moment of the lie ---- */

bool isHurt[2];            /* the log has lost a part of the event */
bool isStored[2], isCounted;
byte rememberedBy[2];      /* the owner with the event in its memory, from 1 */

/* ---- Owners ---- */

typedef Memory {
  bool isOpen, isHalted, isHeir, hasHeard, hasFenced; /* `hasFenced`: behind the lie */
  byte takenAt, takenId;   /* the first fence of the term */
  byte tailAt, tailId;     /* the last acknowledged message */
  bool isLoaded[2], isStopped[2];
  byte seats[2], at[2], id[2];       /* by event: the state, and its last part */
  byte notedAt[2], notedId[2]        /* by event: a part that this process knew */
};
Memory owner[OWNERS];
#define my owner[me]

inline append(kind, part) {
  last++;
  made++;
  idAt[last] = made; kindAt[last] = kind; linkAt[last] = my.tailId; partAt[last] = part;
  my.tailAt = last; my.tailId = made
}

inline unload(event) {
  my.isLoaded[event] = false; my.seats[event] = 0; my.at[event] = 0; my.id[event] = 0
}

inline note(event) {
#ifndef RELOAD_FORGETS
  if
  :: my.isLoaded[event] && my.at[event] >= my.notedAt[event] ->
     my.notedAt[event] = my.at[event]; my.notedId[event] = my.id[event]
  :: else
  fi
#endif
  skip
}

inline forgetOwner(who) {
  owner[who].isOpen = false; owner[who].isHalted = false; owner[who].isHeir = false; owner[who].hasHeard = false;
  owner[who].hasFenced = false;
  owner[who].takenAt = 0; owner[who].takenId = 0; owner[who].tailAt = 0; owner[who].tailId = 0;
  e = 0;
  do
  :: e < 2 ->
     owner[who].isLoaded[e] = false; owner[who].isStopped[e] = false;
     owner[who].seats[e] = 0; owner[who].at[e] = 0; owner[who].id[e] = 0;
     /* What was noted outlives the term, and dies with the process. */
     if
     :: rememberedBy[e] == who + 1 && (owner[who].notedAt[e] == 0 || isIn(owner[who].notedAt[e], owner[who].notedId[e])) ->
        rememberedBy[e] = 0
     :: else
     fi;
     e++
  :: else -> e = 0; break
  od
}

inline halt() {
  printf("owner %d halts the partition\n", me);
  assert(hasLied);                                        /* a healthy log halts nothing */
  my.isHalted = true
}

inline stop(event) {
  printf("owner %d halts event %d\n", me, event);
  assert(hasLied && isHurt[event]);                       /* an event halts only where the log has lost a part of it */
  my.isStopped[event] = true
}

/* Folds the event behind the part `my.id[event]`. `isGap` where a part does not follow. */
inline fold(event) {
  s = my.at[event] + 1;
  do
  :: s <= last && !isGap ->
     if
     :: kindAt[s] == event ->
#ifndef FOLD_WITHOUT_CHAIN
        isGap = partAt[s] != my.id[event];
#endif
        my.seats[event] = my.seats[event] + 1; my.at[event] = s; my.id[event] = idAt[s]
     :: else
     fi;
     s++
  :: else -> break
  od;
  s = 0
}

#ifdef SNAPSHOT_BY_SEQUENCE
#define isOfHistory(event) true
#define isUsable(event) (storedAt[event] <= last)
#else
#define isOfHistory(event) (storedAt[event] == 0 || isIn(storedAt[event], storedId[event]))
#define isUsable(event) true
#endif

inline load(event) {
  if
  :: !isOfHistory(event) || (my.notedAt[event] > 0 && !isIn(my.notedAt[event], my.notedId[event])) -> stop(event)
  :: else ->
     if
     :: storedAt[event] > 0 && isUsable(event) ->
        my.seats[event] = storedSeats[event]; my.at[event] = storedAt[event]; my.id[event] = storedId[event];
        fold(event);
        if :: isGap -> isGap = false; unload(event); fold(event) :: else fi
     :: else -> fold(event)
     fi;
     if
     :: isGap || my.seats[event] > SEATS -> unload(event); stop(event)
     :: else -> my.isLoaded[event] = true
     fi;
     isGap = false
  fi
}

/* A second sale of a seat. */
inline resell(event) {
  printf("owner %d sells a seat of event %d again\n", me, event);
  assert(!isIn(soldAt, soldBy[2 * event + my.seats[event]]));       /* I1: one seat, one holder */
  assert(!isStored[event]);                               /* I9: a snapshot of another history ends each load */
  assert(rememberedBy[event] != me + 1);                  /* I9: an owner that lives on knows its sales */
  assert(!isCounted || !my.isHeir || !my.hasHeard);       /* I9: an heir asks the catalog */
  assert(stream == known)                                 /* I9: nobody sells in a stream that is new */
}

/* An owner that lives on has no sign of a loss before it fences again, and none of a loss inside the log. */
#define mayNotKnow (hasLied && !my.isHeir)

inline sell(event) {
  printf("owner %d sells seat %d of event %d, sequence %d\n", me, my.seats[event], event, last + 1);
  /* I9: nothing is appended behind a broken link */
  assert(my.tailId == idAt[last] || mayNotKnow);
  /* I9: no part follows a lost part */
  assert(my.id[event] == 0 || isIn(my.at[event], my.id[event]) || (mayNotKnow && (isInside || !my.hasFenced)));
  soldAt = 1;
  do
  :: soldAt < last && idAt[soldAt] != soldBy[2 * event + my.seats[event]] -> soldAt++
  :: else -> break
  od;
  if :: soldBy[2 * event + my.seats[event]] > 0 -> resell(event) :: else fi;
  soldAt = 0;
  append(event, my.id[event]);
  soldBy[2 * event + my.seats[event]] = made;
  my.seats[event] = my.seats[event] + 1; my.at[event] = last; my.id[event] = made;
  sales++
}

proctype Owner(byte me) {
  byte e, s, soldAt, other;
  bool isGap, isLost, isBeforeTerm;

  do
  /* Takes the partition. The owner before is deposed. */
  :: atomic {
       !my.isOpen && takes < TAKES ->
       takes++;
       other = 0;
       do
       :: other < OWNERS -> if :: other != me && owner[other].isOpen -> forgetOwner(other) :: else fi; other++
       :: else -> other = 0; break
       od;
       my.tailId = (last > 0 -> idAt[last] : 0);
       if :: stream == 0 -> streams++; stream = streams :: else fi;
       append(FENCE, 0);
       printf("owner %d takes the partition, sequence %d\n", me, last);
       my.isOpen = true;
       my.isHeir = hasLied;
       my.takenAt = last; my.takenId = made;
       if :: known == 0 -> known = stream :: else fi;
#ifndef NO_IDENTITY
       if :: stream != known -> halt() :: else fi;
#endif
       if
       :: my.hasHeard = true;
#ifndef NO_QUESTION
          if :: countedAt > 0 && !isIn(countedAt, countedId) -> halt() :: else fi
#endif
       :: my.hasHeard = false                              /* the catalog is silent */
       fi
     }
  /* Fences again, and compares its last acknowledged message. */
  :: atomic {
       my.isOpen && !my.isHalted && takes < TAKES && last != my.tailAt ->
       takes++;
       isLost = !isIn(my.tailAt, my.tailId);
       isBeforeTerm = !isIn(my.takenAt, my.takenId);
#ifdef MEMORY_UNCOMPARED
       isLost = false;
#endif
       if :: isLost -> note(X); note(Y); unload(X); unload(Y) :: else fi;
       my.tailId = (last > 0 -> idAt[last] : 0);
       if :: stream == 0 -> streams++; stream = streams :: else fi;
       append(FENCE, 0);
       printf("owner %d fences again, sequence %d, lost %d\n", me, last, isLost);
#ifndef FENCE_UNCHECKED
       if :: isLost && isBeforeTerm -> halt() :: else fi;
#endif
       my.hasFenced = hasLied;
       isLost = false; isBeforeTerm = false
     }
  :: atomic { my.isOpen && !my.isHalted && !my.isLoaded[X] && !my.isStopped[X] -> load(X) }
  :: atomic { my.isOpen && !my.isHalted && !my.isLoaded[Y] && !my.isStopped[Y] -> load(Y) }
  :: atomic { my.isOpen && !my.isHalted && my.isLoaded[X] && my.seats[X] < SEATS && sales < SALES && last == my.tailAt ->
       sell(X) }
  :: atomic { my.isOpen && !my.isHalted && my.isLoaded[Y] && my.seats[Y] < 1 && sales < SALES && last == my.tailAt ->
       sell(Y) }
  /* A group that did not land: the event is folded anew. */
  :: atomic { my.isOpen && my.isLoaded[X] -> note(X); unload(X) }
  :: atomic { my.isOpen && my.isLoaded[X] && my.at[X] > storedAt[X] ->
       storedAt[X] = my.at[X]; storedId[X] = my.id[X]; storedSeats[X] = my.seats[X] }
  :: atomic {
       my.isOpen ->
       printf("owner %d dies\n", me);
       my.notedAt[X] = 0; my.notedId[X] = 0; my.notedAt[Y] = 0; my.notedId[Y] = 0;
       forgetOwner(me)
     }
  od
}

/* The catalog counts the next message, if it follows. */
proctype Catalog() {
  do
  :: atomic {
       countedAt < last && idAt[countedAt + 1] > 0 &&
       (countedAt == 0 || (isIn(countedAt, countedId) && linkAt[countedAt + 1] == countedId)) ->
       countedAt++;
       countedId = idAt[countedAt]
     }
  od
}

inline lose(sequence) {
  if :: kindAt[sequence] < FENCE -> isHurt[kindAt[sequence]] = true :: else fi;
  idAt[sequence] = 0; kindAt[sequence] = GONE; linkAt[sequence] = 0; partAt[sequence] = 0
}

inline noteEvidence() {
  hasLied = true;
  isCounted = countedAt > 0 && !isIn(countedAt, countedId);
  e = 0;
  do
  :: e < 2 ->
     isStored[e] = storedAt[e] > 0 && !isIn(storedAt[e], storedId[e]);
     who = 0;
     do
     :: who < OWNERS ->
        if
        :: owner[who].isOpen && owner[who].isLoaded[e] && owner[who].at[e] > 0 && !isIn(owner[who].at[e], owner[who].id[e]) ->
           rememberedBy[e] = who + 1
        :: owner[who].notedAt[e] > 0 && !isIn(owner[who].notedAt[e], owner[who].notedId[e]) ->
           rememberedBy[e] = who + 1
        :: else
        fi;
        who++
     :: else -> who = 0; break
     od;
     e++
  :: else -> e = 0; break
  od
}

proctype Liar() {
  byte e, who, left;

  /* The tail is lost, perhaps all of it, and others may write behind what is left. */
  if
  :: atomic {
       last > 0 ->
       do
       :: last > 0 -> lose(last); last--;
          if :: true -> break :: last > 0 -> skip fi
       :: last == 0 -> break
       od;
       printf("sequence %d is the last: the log has lost its tail\n", last);
       if :: last == 0 -> stream = 0 :: else fi;
       if
       :: last > 0 ->
          last++; made++;
          idAt[last] = made; kindAt[last] = FENCE; linkAt[last] = idAt[last - 1]; partAt[last] = 0
       :: true
       fi;
       noteEvidence()
     }
  /* A part inside is lost. */
  :: atomic {
       last > 2 ->
       left = last - 1;
       do
       :: left > 1 && kindAt[left] < FENCE -> break
       :: left > 1 -> left--
       :: left <= 1 -> break
       od;
       if :: left > 1 -> printf("sequence %d is gone\n", left); lose(left); isInside = true; noteEvidence() :: else fi;
       left = 0
     }
  :: true                                                  /* a healthy log */
  fi
}

init {
  byte each = 0;
  atomic {
    do
    :: each < OWNERS -> run Owner(each); each++
    :: else -> break
    od;
    each = 0;
    run Catalog();
    run Liar()
  }
}
