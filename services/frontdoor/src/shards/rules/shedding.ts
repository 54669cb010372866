/**
 * When new work for a partition is refused, and which work.
 *
 * A front door counts the commands that wait for answers of a partition: on the link, in the mailboxes and behind the
 * journal. The wait of a next command is this number divided by the rate of answers (Little's law). A wait above
 * `waitMsMax` at two looks in a row is an overload, and from then on the number has a limit: as many commands as the
 * partition answers in `waitMsLimited`. The rate is known only while commands wait, so a wait is believed only if a
 * command is `ageMsBelieved` old. A burst is thus served, and a loading event (few commands, all old) sheds nothing.
 *
 * An owner that answers nothing is away, not overloaded: a failover takes some seconds, and its callers wait. Its limit
 * is at least `silentLimitMin`.
 *
 * Bookings of holds are never shed: their buyers may have paid. Renewals, releases and direct sales have twice the
 * limit. New holds and reads are shed first.
 *
 * States: free → (`looksToLimit` strained looks) limited → (`looksToFree` looks with less than half of the limit, or
 * one without a command) free.
 */
import type { CommandType } from '@parterre/shared/protocol/commands';

/** The bound of the wait: half a second, of the 10 s in which a request is answered. */
const waitMsMax = 500;
/** The wait that the limit leaves: below `waitMsMax`, as the rate is an estimate and changes. */
const waitMsLimited = 350;
const ageMsBelieved = 100;
const looksToLimit = 2;
const looksToFree = 10;
/** The rate of answers is an average over this time. Two looks with so many answers tell of a rate, too. */
const averageMs = 1_000;
const answersCounted = 8;
/** So many commands of a partition are no overload, however slow it is. */
const waitingMin = 8;
/** No partition has a lower limit. */
const limitMin = 4;
const silentLimitMin = 256;
/** An owner without an answer for so long is silent. */
const silentMs = 500;
const msPerSecond = 1_000;

/** The limit of a partition that is free. */
export const unlimited = Number.MAX_SAFE_INTEGER;

/** The partition, as the last look left it. */
export type Pressure = {
  /** New holds and reads are refused while so many commands wait. */
  readonly limit: number;
  /** Answers a second. */
  readonly rate: number;
  /** The time for which commands have waited, up to `averageMs`. */
  readonly busyMs: number;
  /** The time since the last look with an answer. */
  readonly silentMs: number;
  /** Strained looks in a row while free, calm looks in a row while limited. */
  readonly looks: number;
  /** Of the look before. */
  readonly answered: number;
  readonly sinceMs: number;
};

/** What a look sees. */
export type Seen = {
  /** Commands that wait for their answers. */
  waiting: number;
  /** Answers since the look before, and the time since then. */
  answered: number;
  sinceMs: number;
  /** The age of the oldest command of a sale. */
  oldestMs: number;
  /** How late the event loop is. */
  lateMs: number;
};

export const free: Pressure = {
  limit: unlimited,
  rate: 0,
  busyMs: 0,
  silentMs: 0,
  looks: 0,
  answered: 0,
  sinceMs: 0,
};

export function judge(before: Pressure, seen: Seen): Pressure {
  if (seen.waiting === 0) return free;
  const told = rated(before, seen);
  const isLimited = before.limit !== unlimited;
  if (!isLimited) {
    // A look without an answer tells of no rate.
    const unmoved = told.silentMs > 0 && told.silentMs < silentMs ? before.looks : 0;
    const looks = isStrained(told, before, seen) ? before.looks + 1 : unmoved;
    return looks < looksToLimit ? { ...told, looks } : { ...told, looks: 0, limit: limitOf(told, before) };
  }
  const looks = seen.waiting * 2 < before.limit ? before.looks + 1 : 0;
  if (looks >= looksToFree) return { ...told, looks: 0, limit: unlimited };
  return { ...told, looks, limit: limitOf(told, before) };
}

/** The rate is kept while the owner is silent. */
function rated(before: Pressure, { answered, sinceMs }: Seen): Pressure {
  const silentFor = answered > 0 ? 0 : before.silentMs + sinceMs;
  const busyMs = Math.min(averageMs, before.busyMs + sinceMs);
  const isMeasured = sinceMs > 0 && silentFor < silentMs;
  const now = isMeasured ? (answered * msPerSecond) / sinceMs : before.rate;
  const rate = busyMs === 0 ? 0 : before.rate + (now - before.rate) * Math.min(1, sinceMs / busyMs);
  return { limit: before.limit, rate, busyMs, silentMs: silentFor, looks: before.looks, answered, sinceMs };
}

/**
 * A partition that has just become busier than its average answers more than the average tells. Only the strain is told
 * by this: answers come in bursts, and a limit by a burst is too high.
 */
function rateOf({ rate }: Pressure, before: Pressure, { answered, sinceMs }: Seen): number {
  const counted = answered + before.answered;
  if (counted < answersCounted) return rate;
  return Math.max(rate, (counted * msPerSecond) / (sinceMs + before.sinceMs));
}

function isStrained(told: Pressure, before: Pressure, seen: Seen): boolean {
  if (told.silentMs >= silentMs) return seen.oldestMs >= waitMsMax && seen.waiting > silentLimitMin;
  if (told.silentMs > 0 || seen.oldestMs < ageMsBelieved || seen.waiting <= waitingMin) return false;
  return seen.waiting * msPerSecond > (waitMsMax - seen.lateMs) * rateOf(told, before, seen);
}

function limitOf(told: Pressure, before: Pressure): number {
  const fits = Math.max(limitMin, Math.floor((told.rate * waitMsLimited) / msPerSecond));
  if (told.silentMs < silentMs) return fits;
  const kept = before.limit === unlimited ? 0 : before.limit;
  return Math.max(fits, kept, silentLimitMin);
}

/** New holds and reads are shed first, then work that is begun. */
export type WorkClass = 'new-hold' | 'read' | 'begun' | 'booking';
export const shedClasses = ['new-hold', 'read', 'begun'] as const satisfies readonly WorkClass[];

/**
 * The work of a sale. Other commands are never shed: changes of an event by its house, and the parts of sales over
 * several events, whose other parts may be done.
 */
const classes: Partial<Record<CommandType, WorkClass>> = {
  hold: 'new-hold',
  'hold-best': 'new-hold',
  'choose-best': 'new-hold',
  'inspect-reservation': 'read',
  'list-reservations': 'read',
  'reserved-places': 'read',
  'inspect-holders': 'read',
  'quote-sale': 'read',
  'inspect-units': 'read',
  count: 'read',
  report: 'read',
  'unit-columns': 'read',
  releases: 'read',
  availability: 'read',
  channels: 'read',
  'channel-records': 'read',
  'channel-states': 'read',
  'channel-allocation': 'read',
  'channel-report': 'read',
  // A page that is loaded again goes on with its hold.
  'inspect-hold': 'begun',
  extend: 'begun',
  release: 'begun',
  'book-direct': 'begun',
  'book-best': 'begun',
  'box-book': 'begun',
  'box-office-sale': 'begun',
  book: 'booking',
};

/** Null for a command that is not of a sale. */
export function classOf(type: CommandType): WorkClass | null {
  return classes[type] ?? null;
}

/** Whether a command of this class is refused. `waiting` commands wait already, and new work has `limit`. */
export function isShed(workClass: WorkClass | null, waiting: number, limit: number): boolean {
  switch (workClass) {
    case 'new-hold':
    case 'read':
      return waiting >= limit;
    case 'begun':
      return waiting >= 2 * limit;
    case 'booking':
    case null:
      return false;
  }
}
