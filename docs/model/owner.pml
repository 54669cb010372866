/* An owner: one process with its journal, its actors and its read lease. Part of journal.pml. */

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

/* Whether the tail shows that no owner before may answer. An epoch record does so for a release alone. */
#if defined(ENDED_BEHIND_RECORD)
#define ownerHasEnded (has(ended, ownerAt[i] - 1))
#elif defined(ENDED_ANOTHER)
#define ownerHasEnded (i < last && ended > 0)
#else
#define ownerHasEnded (i < last && has(ended, ownerAt[i] - 1))
#endif

proctype Owner(byte me) {
  byte stage = CLOSED;
  byte epoch, number;        /* 0 before the first fence; counts the commits of the epoch */
  byte acked, tail;          /* the commits of acked + 1 to tail are in flight */
  byte inFlight[WINDOW], sentAt[WINDOW];
  byte version[2] = UNLOADED;
  byte newEpoch, base, fenceLate, length, k, fencedAt, begunAt;
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
#ifdef ENDS
          /* The last epoch record names the owner of the tail's epoch. */
          i = last;
          do :: i > 0 && ownerAt[i] == 0 -> i-- :: else -> break od;
          isFree = isFree || ownerHasEnded;
#endif
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
          begunAt = 0;
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
       begunAt = (k == 1 -> now : begunAt);
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
#ifdef QUIET_FROM_TAIL
       begunAt = fencedAt;
#else
       begunAt = (k == 1 -> now : begunAt);
#endif
#ifdef QUIET_FORGOTTEN
       quietUntil = (isFree -> 0 : begunAt + QUIET);
#else
       /* An owner that fences again stays as quiet as it was. */
       quietUntil = (isFree -> quietUntil : begunAt + QUIET);
#endif
#endif
       newEpoch = 0; base = 0; fenceLate = 0; length = 0; k = 0; fencedAt = 0; begunAt = 0; isFree = false
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
  /* Gives up the partition. Before its quiet time is over, the owner before may still answer. */
  :: atomic {
#ifdef RELEASES_IN_QUIET
       stage == OPEN && acked == tail ->
#else
       stage == OPEN && acked == tail && now >= quietUntil ->
#endif
#ifndef SERVES_AFTER_RELEASE
       stage = ENDED;
       endRead();
#endif
       printf("owner %d sends its release for sequence %d\n", me, tail + 1);
       newEpoch = epoch;
       base = tail;
       sendRelease();
       newEpoch = 0; base = 0
     }
#ifdef ENDS
  /* The process ends, and all others know it. Its messages stay in the network. */
  :: atomic { stage != ENDED && ended == 0 -> ended = ended | (1 << me); stage = ENDED; endRead() }
#endif
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
