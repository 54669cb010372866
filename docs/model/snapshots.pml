/*
 * The snapshots of one event and the low-water mark of its partition (docs/journal.md). Every commit has a part of the
 * event, on the shared subject. A load folds a snapshot, and skims the shared subject behind it. Where the mark is
 * higher than the snapshot, the skim begins at the mark.
 *
 * Owners follow each other. A deposed owner still stores a snapshot that it froze while it ruled, at any later time. A
 * write has two steps: it reads both slots and chooses the older, then it replaces this slot, unless the slot has been
 * written since. Any snapshot may prove damaged when it is read. The fence is in journal.pml; here it takes no time.
 */
#ifndef OWNERS
#define OWNERS 3
#endif
#ifndef COMMITS
#define COMMITS 5
#endif
#define NONE 2

byte newest;               /* the last sequence */
byte reign;                /* the owner that may append, from 1 */
byte mark;                 /* of the last message: each part up to here stands in a stored snapshot */
byte stored[2];            /* by slot: the version of its snapshot */
byte revision[2];          /* by slot: its number of writes */

#define newer (stored[0] >= stored[1] -> 0 : 1)

#ifdef MARK_FROM_ANY_SNAPSHOT
#define skimsFromMark(slot) true
#else
#define skimsFromMark(slot) (slot == newer)
#endif

#ifdef BLIND_OVERWRITE
#define isUnchanged(slot) true
#else
#define isUnchanged(slot) (revision[slot] == seen)
#endif

inline raiseMark(to) {
  if :: reign == me && to > mark -> mark = to :: else fi
}

inline load(slot) {
  printf("owner %d loads version %d, the mark is %d\n", me, stored[slot], mark);
  /* I2: the skim leaves out no part that the snapshot does not have. */
  assert(!(skimsFromMark(slot) && mark > stored[slot]))
}

proctype Owner(byte me) {
  byte version, frozen, seen;
  byte lastFrozen;
  byte chosen = NONE;

  do
  :: atomic { reign == me - 1 -> reign = me; load(newer); version = newest }
  :: atomic { reign == me - 1 -> reign = me; load(1 - newer); version = newest }
  :: atomic { reign == me && newest < COMMITS -> newest++; version = newest }
  :: atomic { frozen == 0 && version > lastFrozen ->
       frozen = version;
       lastFrozen = version;
#ifdef MARK_BEFORE_WRITE
       raiseMark(frozen)
#endif
     }
  :: atomic { frozen > 0 && chosen == NONE -> chosen = 1 - newer; seen = revision[chosen] }
  :: atomic { chosen != NONE ->
       if
       :: isUnchanged(chosen) ->
          stored[chosen] = frozen;
          revision[chosen]++;
          printf("owner %d stores version %d in slot %d\n", me, frozen, chosen);
          raiseMark(frozen)
       :: else
       fi;
       chosen = NONE; frozen = 0; seen = 0
     }
  od
}

init {
  byte each = 1;
  atomic {
    do
    :: each <= OWNERS -> run Owner(each); each++
    :: else -> break
    od
  }
}
