/*
 * One exchange over two events (docs/internals/sales-over-events.md). The booking has a place at the event that gives, and
 * wants one at the event that takes. Copies of the call, and the catalog that ends pins, send the commands in any order
 * that the coordinator allows, and stop at any step. Late copies of pins, takings and ends come at any later time.
 *
 * Each copy of the call has a try of its own, unless the event that gives tells it the try whose pin stands.
 */
#ifndef CALLS
#define CALLS 2
#endif

#define NONE 0

bool here = true;          /* the booking has its place at the event that gives */
byte pin;                  /* the try that has pinned the place */
byte gone;                 /* the try by which the place was given */
byte taken;                /* the try that has taken a place at the other event */
byte refused;              /* bits of the tries that the other event has refused */
bool soldOut;                 /* another buyer has the place of the other event */
byte strayPins;            /* bits of tries: a late copy of the command may come */
byte strayTakes;

#define has(set, member) (((set) >> (member)) & 1)

/* The booking is whole: it has a place at every moment. Both places only while the old one is pinned. */
inline checkWhole() {
  assert(here || taken != NONE);                   /* never on none */
  assert(!(here && taken != NONE) || pin == taken) /* on both only under the pin of the try that has taken */
}

/* The answer `told` is the try whose pin stands, or by which the place is gone. */
inline doPin(try) {
  if
  :: gone != NONE -> told = gone
  :: gone == NONE && pin != NONE -> told = pin
  :: gone == NONE && pin == NONE && here -> pin = try; told = try; printf("event 1: try %d pins\n", try)
  :: else -> told = NONE
  fi;
  checkWhole()
}

inline doTake(try, mayAct) {
  if
  :: taken == try -> ok = true
  :: taken != try && (has(refused, try) || soldOut || !mayAct) -> ok = false
  :: else ->
     assert(taken == NONE); /* an exchange takes one place */
     taken = try; ok = true; printf("event 2: try %d takes\n", try)
  fi;
  checkWhole()
}

inline doRefuse(try) {
#ifndef REFUSAL_WITHOUT_RECORD
  if :: taken != try -> refused = refused | (1 << try) :: else fi;
#endif
  ok = (taken == try);
  printf("event 2: try %d is asked to end\n", try)
}

inline doGive(try) {
  if
  :: pin == try -> pin = NONE; here = false; gone = try; printf("event 1: try %d gives\n", try)
  :: else
  fi;
  checkWhole()
}

inline doUnpin(try) {
  if :: pin == try -> pin = NONE; printf("event 1: try %d unpins\n", try) :: else fi;
  checkWhole()
}

/* One copy of the call. Its own try is `mine`. */
proctype Call(byte mine) {
  byte told; bool ok; byte try;
  atomic { doPin(mine); strayPins = strayPins | (1 << mine); try = told }
  if
  :: try == NONE -> goto stopped
  :: else
  fi;
  if :: true -> goto stopped :: true fi;           /* the process dies, or goes on */
  atomic { doTake(try, gone == NONE); if :: gone == NONE -> strayTakes = strayTakes | (1 << try) :: else fi }
  if :: true -> goto stopped :: true fi;
  if
  :: ok -> atomic { doGive(try) }
  :: else ->
     atomic { doRefuse(try) }
     if :: true -> goto stopped :: true fi;
     if
     :: ok -> atomic { doGive(try) }
     :: else -> atomic { doUnpin(try) }
     fi
  fi;
stopped:
  skip
}

/* The catalog ends pins as long as one stands. */
active proctype Catalog() {
  byte try; bool ok;
end:
  do
  :: pin != NONE ->
     atomic { try = pin; if :: try != NONE -> doRefuse(try) :: else fi }
     if
     :: try == NONE
     :: try != NONE && ok -> atomic { doGive(try) }
     :: else -> atomic { doUnpin(try) }
     fi
  od
}

/* Late copies, and the other buyer. */
active proctype Late() {
  byte told; bool ok; byte try;
end:
  do
  :: strayPins != 0 ->
     atomic {
       try = 1;
       do :: try < CALLS && !has(strayPins, try) -> try++ :: else -> break od;
       if :: has(strayPins, try) -> strayPins = strayPins & ~(1 << try); doPin(try) :: else fi
     }
  :: strayTakes != 0 ->
     atomic {
       try = 1;
       do :: try < CALLS && !has(strayTakes, try) -> try++ :: else -> break od;
       if :: has(strayTakes, try) -> strayTakes = strayTakes & ~(1 << try); doTake(try, true) :: else fi
     }
  :: !soldOut && taken == NONE -> soldOut = true
  od
}

init {
  byte n = 1;
  atomic { do :: n <= CALLS -> run Call(n); n++ :: else -> break od };
  /* In the end nothing is pinned, and the booking is on one night. */
  timeout ->
  assert(pin == NONE);
  assert(here != (taken != NONE))
}
