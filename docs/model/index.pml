/* The index of an owner, its commits and its loads. These steps run inside the process `Owner`. Part of anchors.pml. */

#define CLOSED 0
#define READING 1
#define OPEN 2

/* ---- The index (journal/shared-parts.ts) ---- */

#ifdef ANCHOR_COVERS_LATER
#define isAnchored(s, event) (anchor[event] > 0)
#else
#define isAnchored(s, event) (anchor[event] > s)
#endif

#ifdef ANCHOR_COVERS_COMMIT
#define areAnchored(s) (isAnchored(s, X) || isAnchored(s, Y))
#else
#define areAnchored(s) (isAnchored(s, X) && isAnchored(s, Y))
#endif

#ifdef MARK_OF_OWN_TERM
#define firstCounted fenced
#else
#define firstCounted 1
#endif

inline raiseMark() {
  mark = known;
  s = firstCounted;
  do
  :: s <= known && has(behind, s) && areAnchored(s) -> behind = behind & ~(1 << s); s++
  :: s <= known && has(behind, s) && !areAnchored(s) -> mark = s - 1; break
  :: s <= known && !has(behind, s) -> s++
  :: else -> break
  od;
  s = 0;
  if :: behind == 0 -> anchor[X] = 0; anchor[Y] = 0 :: else fi
}

inline noteAnchor(itsEvent, at) {
  if :: at > anchor[itsEvent] -> anchor[itsEvent] = at :: else fi;
  raiseMark()
}

/* The shared commits from the mark to the fence. */
inline fill() {
  s = mark + 1;
  do
  :: s <= known -> if :: isShared(s) -> behind = behind | (1 << s) :: else fi; s++
  :: else -> break
  od;
  s = 0;
#ifdef MARK_OF_OWN_TERM
  fenced = known;
#endif
  raiseMark()
}

/* ---- Fence, commits ---- */

/* The record repeats the mark of the tail. Nothing that is in flight lands any more. */
inline fence() {
  fences++;
  s = last + 1;
  do
  :: s < SEQUENCES ->
     log[s].parts = 0; log[s].low = 0; log[s].from[X] = 0; log[s].from[Y] = 0; log[s].owner = 0; s++
  :: else -> break
  od;
  s = 0;
#ifdef FENCE_RAISES_MARK
  log[last + 1].low = last;
#else
  log[last + 1].low = log[last].low;
#endif
  printf("owner %d fences\n", me);
  land()
}

#define canCut (stage == OPEN && reign == me && commits < COMMITS && tail - acked < WINDOW)

inline cut(itsParts) {
  commits++;
  tail++;
  log[tail].parts = itsParts;
  log[tail].low = mark;
  log[tail].owner = me;
  each = 0;
  do
  :: each < 2 ->
     if
     :: has(itsParts, each) ->
        log[tail].from[each] = version[each];
#ifdef ANCHOR_KEEPS_VERSION
        if :: itsParts == BOTH -> version[each] = tail :: else fi
#else
        version[each] = tail
#endif
     :: else
     fi;
     each++
  :: else -> break
  od;
  each = 0;
  printf("owner %d cuts parts %d for sequence %d, mark %d\n", me, itsParts, tail, mark);
#ifdef ANCHOR_BEFORE_ACK
  if :: itsParts != BOTH -> noteAnchor(itsParts - 1, tail) :: else fi;
#endif
#ifdef INDEX_BEFORE_ACK
  if :: itsParts == BOTH -> behind = behind | (1 << tail) :: else fi;
#endif
}

/* An event out of memory gets its last part without records. Until the commit ends, no load of the event begins. */
#ifdef ANCHOR_BESIDE_LOAD
#define isOccupied(itsEvent) false
#else
#define isOccupied(itsEvent) (occupied[itsEvent] > acked)
#endif

#define lacksAnchor(itsEvent) ((behind >> (newestOwn[itsEvent] + 1)) != 0)
#define canAnchor(itsEvent) \
  (canCut && version[itsEvent] == UNLOADED && event != itsEvent && occupied[itsEvent] <= acked && lacksAnchor(itsEvent))

inline anchorUnloaded(itsEvent) {
  commits++;
  tail++;
  s = 1;
  do
  :: s < tail -> if :: has(behind, s) -> log[tail].from[itsEvent] = s :: else fi; s++
  :: else -> break
  od;
  s = 0;
  log[tail].parts = itsEvent + 1;
  log[tail].low = mark;
  log[tail].owner = me;
  occupied[itsEvent] = tail;
  printf("owner %d anchors event %d at sequence %d, mark %d\n", me, itsEvent, tail, mark)
}

/* The oldest commit in flight stands in the log. */
inline settle() {
  acked++;
  if :: occupied[X] == acked -> occupied[X] = 0 :: else fi;
  if :: occupied[Y] == acked -> occupied[Y] = 0 :: else fi;
  known = acked;
  printf("owner %d settles sequence %d\n", me, acked);
  if
  :: isShared(acked) -> behind = behind | (1 << acked); raiseMark()
  :: else -> noteAnchor(log[acked].parts - 1, acked)
  fi
}

/* Behind the fence at `last`. */
inline reconcile() {
  do
  :: acked < tail && log[acked + 1].owner == me -> settle()
  :: else -> break
  od;
  if
  :: acked < tail ->
     printf("owner %d undoes sequences %d to %d\n", me, acked + 1, tail);
     if :: version[X] > acked -> version[X] = UNLOADED :: else fi;
     if :: version[Y] > acked -> version[Y] = UNLOADED :: else fi
  :: else
  fi;
  acked = last;
  tail = last;
  occupied[X] = 0;
  occupied[Y] = 0
}

/* ---- Loads (journal/recovery.ts, journal/prepared-events.ts) ---- */

#define isIdle(itsEvent) (stage == OPEN && reign == me && version[itsEvent] != UNLOADED && version[itsEvent] <= acked)
#define mayLoad(itsEvent) \
  (event == NONE && version[itsEvent] == UNLOADED && !isOccupied(itsEvent) && (stage != CLOSED || itsEvent == X && mayPrepare))
#define mayPrepare (prepared == 0 && reign > 0 && reign == me - 1)

#ifdef LOADS_DO_NOT_WAIT
#define mayLook true
#else
#define mayLook (stage != READING)
#endif

/* The event's last sequence in the index. */
inline look() {
  s = 1;
  do
  :: s < SEQUENCES -> if :: has(behind, s) -> end = s :: else fi; s++
  :: else -> break
  od;
  s = 0
}

/* A prepared state, or any snapshot that is not ahead of the journal. */
inline chooseBeginning() {
  if
  :: stage != CLOSED && event == X && prepared > 0 -> begin = prepared
  :: else ->
     begin = max(ownLast, end);
     do
     :: begin > 0 && has(log[begin].parts, event) -> break
     :: begin > 0 -> begin--
     :: begin == 0 -> break
     od
  fi
}

inline fold(at) {
  assert(!has(folded, at));                               /* no load folds a part twice */
  assert(log[at].from[event] == state);                   /* no load meets a gap */
  folded = folded | (1 << (at));
  state = at
}

inline foldShared(to) {
  t = state + 1;
  do
  :: t <= to -> if :: isShared(t) -> fold(t) :: else fi; t++
  :: else -> break
  od;
  t = 0
}

#ifdef INDEX_AS_LIST
inline foldIndex() {
  s = 1;
  do
  :: s <= end -> if :: has(behind, s) -> fold(s) :: else fi; s++
  :: else -> break
  od;
  s = 0
}
#else
inline foldIndex() { if :: state < end -> foldShared(end) :: else fi }
#endif

#ifdef LOAD_WITHOUT_CHAIN
#define followsChain false
#else
#define followsChain true
#endif

#ifdef PREPARED_IS_CURRENT
#define isCurrent (stage != CLOSED && event == X && prepared > 0)
#else
#define isCurrent false
#endif

inline load() {
  state = begin;
  s = 1;
  do
  :: s <= begin -> if :: has(log[s].parts, event) -> folded = folded | (1 << s) :: else fi; s++
  :: else -> break
  od;
  if :: isCurrent -> ownLast = 0; end = 0 :: else fi;
  do
  :: s <= ownLast && isOwn(s, event) ->
     if :: followsChain && log[s].from[event] > state -> foldShared(log[s].from[event]) :: else fi;
     fold(s);
     s++
  :: s <= ownLast && !isOwn(s, event) -> s++
  :: else -> break
  od;
  s = 0;
  foldIndex();
  printf("owner %d loads event %d from version %d to %d\n", me, event, begin, state);
  assert(state >= max(ownLast, end) || stage == CLOSED);  /* a load reaches the end that it was told */
  /* I2: the load of an owner misses no part. */
  assert(stage == CLOSED || reign != me || state == newest[event]);
  s = 1;
  do
  :: s <= state ->
     assert(has(folded, s) == has(log[s].parts, event));  /* I2: the fold leaves out no part before its end */
     s++
  :: else -> break
  od;
  s = 0
}

/* A deposed owner cuts nothing on its state. */
inline endLoad() {
  if
  :: stage == CLOSED -> prepared = state
  :: stage != CLOSED && reign != me
  :: stage != CLOSED && reign == me ->
     version[event] = state;
     if :: event == X -> prepared = 0 :: else fi;
     noteAnchor(event, ownLast)
  fi;
  event = NONE; ownLast = 0; end = 0; begin = 0; hasAsked = false; folded = 0; state = 0
}
