/*
 * One operation over several events (docs/internals/sales-over-events.md). Event 0 is the home, the others are members.
 * A hold, its repetition, bookings and a release are calls; the projector goes on with the work of calls that stopped.
 * A call stops at any step. The look before a hold writes nothing, so a hold that the look refuses has no step here. A
 * command is performed or not, its answer comes or not, and a copy may come at any later time.
 *
 * Time has three phases: in the first, holds may act; in the second, they are too late; in the third, parts expire. The
 * shards' clocks differ, so parts expire one by one. Other buyers may have the seats of an event before the operation.
 */
#ifndef EVENTS
#define EVENTS 3
#endif
#ifndef HOLDS       /* copies of the hold call on several front doors */
#define HOLDS 2
#endif
#ifndef BOOKINGS    /* booking calls, each with an action of its own */
#define BOOKINGS 1
#endif
#define HOME 0

/* The states of a part. ENDED: released, expired, or aborted (the home's record). */
#define NONE 0
#define HELD 1
#define PINNED 2
#define BOOKED 3
#define ENDED 4

byte part[EVENTS];
byte action[EVENTS];       /* of the pin or booking of a part */
bool taken[EVENTS];        /* by another buyer */
byte refused;              /* bits: the bookings that the home has refused for ever */
byte phase;
byte strayHolds;           /* bits of events */
byte strayPins[BOOKINGS + 1];

#define has(set, member) (((set) >> (member)) & 1)

/* No seat is lost, no seat is sold alone. Checked after every change of the home. */
inline checkHome() {
  k = 1;
  do
  :: k < EVENTS ->
     assert(part[HOME] != BOOKED || (part[k] == PINNED && action[k] == action[HOME])); /* a booking has every member */
     k++
  :: else -> break
  od;
  k = 0
}

/* A hold stands when every part stands. */
inline checkHold() {
  k = 1;
  do
  :: k < EVENTS -> assert(part[k] == HELD || part[k] == PINNED); k++ /* a hold has every member */
  :: else -> break
  od;
  k = 0
}

/* ---- The actors' commands; `ok` is the answer ---- */

inline doHold(event) {
  if
  :: part[event] == NONE && phase == 0 && !taken[event] ->
     part[event] = HELD;
     printf("    event %d: held\n", event);
     if :: event == HOME -> checkHold() :: else fi;
     ok = true
  :: part[event] == NONE && (phase > 0 || taken[event]) -> ok = false
  :: else -> ok = (part[event] != ENDED)
  fi
}

/* Refused if the home has the operation. */
inline doAbort() {
#ifdef ABORT_WITHOUT_RECORD
  ok = (part[HOME] == NONE || part[HOME] == ENDED)
#else
  if :: part[HOME] == NONE -> part[HOME] = ENDED; printf("    event 0: aborted\n") :: else fi;
  ok = (part[HOME] == ENDED)
#endif
}

/* Sent to a member behind the home's decision. */
inline doRelease(event) {
  assert(part[event] != BOOKED);                            /* no booked part is released */
  if :: part[event] != NONE -> part[event] = ENDED :: else fi;
  printf("    event %d: released\n", event);
  action[event] = 0
}

inline doPin(event, a) {
  if
  :: part[event] == HELD -> part[event] = PINNED; action[event] = a; ok = true; printf("    event %d: pinned\n", event)
  :: else -> ok = ((part[event] == PINNED || part[event] == BOOKED) && action[event] == a)
  fi
}

inline doUnpin(event, a) {
  if
  :: part[event] == PINNED && action[event] == a -> part[event] = HELD; action[event] = 0; printf("    event %d: unpinned\n", event)
  :: else
  fi
}

/* Decides for a booking, or against it for ever. */
inline decideBooking(a) {
  if
  :: part[HOME] == HELD && !has(refused, a) ->
     part[HOME] = BOOKED; action[HOME] = a;
     printf("    event 0: booked\n");
     checkHome()
  :: part[HOME] == BOOKED && action[HOME] == a
  :: else -> refused = refused | (1 << a)
  fi;
  ok = (part[HOME] == BOOKED && action[HOME] == a)
}

/* Decides against a booking, unless the home has decided for it. */
inline refuseBooking(a) {
#ifdef REFUSAL_WITHOUT_RECORD
  if :: !(part[HOME] == BOOKED && action[HOME] == a) -> printf("    event 0: no booking\n") :: else fi;
#else
  if :: !(part[HOME] == BOOKED && action[HOME] == a) -> refused = refused | (1 << a); printf("    event 0: booking refused\n") :: else fi;
#endif
  ok = (part[HOME] == BOOKED && action[HOME] == a)
}

inline bookMember(event, a) {
  assert((part[event] == PINNED || part[event] == BOOKED) && action[event] == a); /* a booking follows its pin */
  part[event] = BOOKED;
  printf("    event %d: booked\n", event)
}

/* ---- The way to an actor: performed or not, answered or not, and perhaps again later ---- */

inline askHold(event) {
  if
  :: skip; doHold(event)
  :: skip; doHold(event); ok = false
  :: ok = false; strayHolds = strayHolds | (1 << event)
  :: ok = false
  fi
}

inline askPin(event, a) {
  if
  :: skip; doPin(event, a)
  :: skip; doPin(event, a); ok = false
  :: ok = false; strayPins[a] = strayPins[a] | (1 << event)
  :: ok = false
  fi
}

/* ---- The calls ---- */

active [HOLDS] proctype Hold() {
  bool ok; byte i = 1, k;
#ifdef HOME_FIRST
  atomic { askHold(HOME) };
#endif
  do
  :: atomic { i < EVENTS -> askHold(i); if :: ok -> i++ :: else -> break fi }
  :: atomic { i == EVENTS -> askHold(HOME); break }
  :: goto stopped
  od;
  atomic {
    if
    :: ok -> goto stopped                                   /* the caller is told */
    :: else -> doAbort()
    fi;
    if :: !ok -> goto stopped :: else fi;
    i = 1
  };
  do
  :: atomic { i < EVENTS -> doRelease(i); i++ }
  :: break
  od;
stopped:
  atomic { i = 0; ok = false }
}

proctype Book(byte a) {
  bool ok; byte i = 1, k;
  part[HOME] == HELD;
  do
  :: atomic { i < EVENTS -> askPin(i, a); if :: ok -> i++ :: else -> break fi }
  :: atomic { i == EVENTS -> decideBooking(a); break }
  :: goto stopped
  od;
#ifdef PIN_OF_SOME
  if :: !ok && i == EVENTS - 1 -> decideBooking(a) :: else fi;
#endif
  atomic { if :: !ok -> refuseBooking(a) :: else fi; i = 1 };
  do
  :: atomic { i < EVENTS && ok -> bookMember(i, a); i++ }
  :: atomic { i < EVENTS && !ok -> doUnpin(i, a); i++ }
  :: break
  od;
stopped:
  atomic { i = 0; ok = false }
}

active proctype Release() {
  byte i = 1;
  atomic {
    part[HOME] == HELD -> part[HOME] = ENDED;
    printf("    event 0: released\n")
  };
  do
  :: atomic { i < EVENTS -> doRelease(i); i++ }
  :: break
  od
}

/* Goes on with parts that miss a decision or its consequence. Between a look and an act, anything may happen. */
active proctype Projector() {
  bool ok; byte i, k, a, seen;
  do
  :: atomic { (part[1] == HELD || part[1] == PINNED) && part[HOME] != HELD -> i = 1 };
     goto look
  :: atomic { (part[EVENTS - 1] == HELD || part[EVENTS - 1] == PINNED) && part[HOME] != HELD -> i = EVENTS - 1 };
     goto look
  :: atomic { part[1] == PINNED && part[HOME] == HELD -> i = 1; a = action[1] };
     goto carryOn
  :: atomic { part[EVENTS - 1] == PINNED && part[HOME] == HELD -> i = EVENTS - 1; a = action[EVENTS - 1] };
     goto carryOn
look:
     atomic { seen = part[HOME]; a = action[HOME] };
     if
     :: atomic { seen == NONE -> doAbort(); if :: ok -> doRelease(i) :: else fi }
     :: atomic { seen == ENDED -> doRelease(i) }
     :: atomic { seen == BOOKED -> bookMember(i, a) }
     :: else
     fi;
     goto next
carryOn:
     if
     :: atomic { refuseBooking(a); if :: !ok -> doUnpin(i, a) :: else fi }
     :: atomic {
          ok = true; k = 1;
          do :: k < EVENTS && ok -> ok = (part[k] == PINNED && action[k] == a); k++ :: else -> break od;
          k = 0;
          if :: ok -> decideBooking(a) :: else fi
        }
     fi;
next:
     atomic { i = 0; k = 0; a = 0; seen = 0; ok = false }
  od
}

active proctype Network() {
  bool ok; byte i, k;
  do
  :: atomic { strayHolds > 0 -> i = 0;
       do :: i < EVENTS - 1 && !has(strayHolds, i) -> i++ :: i < EVENTS - 1 -> i++ :: has(strayHolds, i) -> break od;
       strayHolds = strayHolds & ~(1 << i);
       if :: skip; doHold(i) :: skip fi;
       i = 0; ok = false }
  :: atomic { strayPins[1] > 0 -> i = 0;
       do :: i < EVENTS - 1 && !has(strayPins[1], i) -> i++ :: i < EVENTS - 1 -> i++ :: has(strayPins[1], i) -> break od;
       strayPins[1] = strayPins[1] & ~(1 << i);
       if :: skip; doPin(i, 1) :: skip fi;
       i = 0; ok = false }
  od
}

/* Time, and parts that expire one by one. */
active proctype Time() {
  byte i;
  do
  :: phase < 2 -> phase++
  :: atomic { phase == 2 ->
       if
       :: part[HOME] == HELD -> part[HOME] = ENDED; printf("    event 0: expired\n")
       :: part[1] == HELD -> part[1] = ENDED; printf("    event 1: expired\n")
       :: part[EVENTS - 1] == HELD -> part[EVENTS - 1] = ENDED; printf("    event %d: expired\n", EVENTS - 1)
       fi }
  :: break
  od
}

/* When nothing moves any more, the operation has ended as a whole, or its hold stands. */
active proctype Judge() {
  byte k;
  timeout;
  atomic {
    k = 1;
    do
    :: k < EVENTS ->
       assert(part[HOME] != BOOKED || part[k] == BOOKED);   /* a booking ends in every event */
       assert(part[HOME] == BOOKED || part[k] != BOOKED);   /* no member is booked alone */
       assert(part[HOME] == HELD || part[k] != PINNED);     /* no pin stays */
       assert(part[HOME] == HELD || part[k] != HELD);       /* no part stays without its home */
       k++
    :: else -> break
    od
  }
}

init {
  byte i;
  atomic {
    do
    :: i < EVENTS -> if :: taken[i] = true :: taken[i] = false fi; i++
    :: else -> break
    od;
    i = 1;
    do
    :: i <= BOOKINGS -> run Book(i); i++
    :: else -> break
    od
  }
}
