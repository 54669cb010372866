/*
 * The two stored snapshots of one event (journal/snapshots/slots.ts). The newest may not be lost to an older, since the
 * next load would fold more. No load folds a wrong state for want of a snapshot: anchors.pml.
 *
 * Owners follow each other. A deposed owner still stores a snapshot that it froze while it ruled, at any later time. A
 * write reads both slots, in any order, and chooses the older. Then it replaces this slot, unless the slot has been
 * written since. A refused write reads both slots again, and ends if a newer snapshot stands there. The fence is in
 * journal.pml; here it takes no time.
 */
#ifndef OWNERS
#define OWNERS 3
#endif
#ifndef COMMITS
#define COMMITS 5
#endif

byte newest;               /* the last sequence */
byte reign;                /* the owner that may append, from 1 */
byte stored[2];            /* by slot: the version of its snapshot */
byte revision[2];          /* by slot: its number of writes */

#ifdef BLIND_OVERWRITE
#define isUnchanged(slot) true
#else
#define isUnchanged(slot) (revision[slot] == seen[slot])
#endif

inline read(slot) {
  versionOf[slot] = stored[slot];
  seen[slot] = revision[slot];
  hasRead[slot] = true
}

inline forgetSlots() {
  versionOf[0] = 0; versionOf[1] = 0;
  seen[0] = 0; seen[1] = 0;
  hasRead[0] = false; hasRead[1] = false
}

inline replace(slot) {
  printf("owner %d stores version %d in slot %d, over version %d\n", me, frozen, slot, stored[slot]);
  /* The newest snapshot is replaced by none that is older. */
  assert(frozen >= stored[slot] || stored[1 - (slot)] >= stored[slot]);
  stored[slot] = frozen;
  revision[slot]++
}

proctype Owner(byte me) {
  byte version, frozen, lastFrozen;
  /* By slot, as it was read. */
  byte versionOf[2], seen[2];
  bool hasRead[2];
  byte chosen;

  do
  :: atomic { reign == me - 1 -> reign = me; version = newest }
  :: atomic { reign == me && newest < COMMITS -> newest++; version = newest }
  :: atomic { frozen == 0 && version > lastFrozen -> frozen = version; lastFrozen = version }
  :: atomic { frozen > 0 && !hasRead[0] -> read(0) }
  :: atomic { frozen > 0 && !hasRead[1] -> read(1) }
  :: atomic { hasRead[0] && hasRead[1] ->
       chosen = (versionOf[0] <= versionOf[1] -> 0 : 1);
       if
       :: isUnchanged(chosen) -> replace(chosen); frozen = 0
       :: !isUnchanged(chosen)
       :: versionOf[1 - chosen] > frozen -> frozen = 0
       fi;
       chosen = 0; forgetSlots()
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
