/**
 * The faults of one simulated history. Each seed draws its own mix: a few kinds of fault, often, rather than all kinds,
 * seldom, because combinations of the same few faults reach the rare states.
 */
import { count } from './tally.ts';
import type { Random } from './world/scheduler.ts';

/** Faults that strike with a probability at each occasion. */
const chances = [
  'messageLost',
  'messageTwice',
  'appendLost',
  'appendLate',
  'appendTwice',
  'appendRefused',
  'ackLost',
  'ackLate',
  'ackTwice',
  'readFails',
  'readSlow',
  'storeFails',
  'storeSlow',
  'snapshotLost',
  'snapshotRots',
  // The reader thread dies at a read, or answers late, behind the answers of later reads.
  'readerDies',
  'readerLate',
  // The thread that compiles plans dies at a plan, or answers late.
  'compilerDies',
  'compilerLate',
  'losesTime',
  // The turn of the event loop is over at a question.
  'turnEnds',
  // A new process begins with a wall clock that is wrong by up to an hour.
  'beginsWrong',
  // A new shard is of a version that follows its wall clock.
  'wallClockShards',
  // The parent of a process that ends tells no other shard.
  'endUntold',
] as const;
type Chance = (typeof chances)[number];

type Fate = Record<Chance, number> & {
  latencyMs: number;
  /** The longest stop. */
  stopMsMax: number;
  clockDrift: number;
  memoryBytes: number;
  /** Reads of events with more units go to the reader thread. */
  inlineUnitsMax: number;
  /** Past these bytes behind the low-water mark, events get anchors. */
  unanchoredBytes: number;
  sharedCommitsInFlightMax: number;
  /** The average pause between two mishaps to processes, links and servers. */
  mishapEveryMs: number;
  mishaps: Mishap[];
};

/** Faults of processes, links and servers. */
const allMishaps = [
  'crash',
  'crash in a turn',
  'leave',
  'snapshots',
  'join',
  'stop',
  'cut',
  'stall',
  'mute',
  'split',
  'jump',
  'outage',
  'front door stalls',
  'front door is cut',
  'front door stops',
] as const;
export type Mishap = (typeof allMishaps)[number];

export const allFaults: string[] = [...chances, ...allMishaps];

const takeovers: readonly Mishap[] = ['jump', 'crash'];

/** The faults of a history: none until `begin`, then the drawn faults until `heal`. */
export class Faults {
  readonly #random: Random;
  readonly #struck: Map<string, number>;
  readonly #drawn: Fate;
  #now: Fate;

  /** Calm until `begin`. Counts in `struck` what strikes. */
  constructor(random: Random, struck: Map<string, number>) {
    this.#random = random;
    this.#struck = struck;
    this.#drawn = drawFate(random);
    this.#now = calm(this.#drawn);
  }

  get now(): Readonly<Fate> {
    return this.#now;
  }

  /** Whether a message may arrive twice, which no retry would explain. */
  get doublesMessages(): boolean {
    return this.#drawn.messageTwice > 0;
  }

  get hasWallClockShards(): boolean {
    return this.#drawn.wallClockShards > 0;
  }

  /** Draws whether the fault strikes at this occasion. */
  strikes(fault: Chance): boolean {
    if (!this.#random.chance(this.#now[fault])) return false;
    count(this.#struck, fault);
    return true;
  }

  /** Notes a mishap that strikes. */
  struck(mishap: Mishap): void {
    count(this.#struck, mishap);
  }

  begin(): void {
    this.#now = this.#drawn;
  }

  /** From here on no fault happens. */
  heal(): void {
    this.#now = healed(this.#drawn);
  }
}

function drawFate(random: Random): Fate {
  /** Zero half of the time, else up to `most`, mostly small. */
  const some = (most: number): number => (random.chance(0.5) ? 0 : most * random.next() ** 2);
  const hasWallClockShards = random.chance(0.2);
  return {
    latencyMs: random.pick([1, 5, 40]),
    messageLost: some(0.05),
    messageTwice: some(0.1),
    appendLost: some(0.1),
    appendLate: some(0.2),
    appendTwice: some(0.2),
    appendRefused: some(0.1),
    ackLost: some(0.2),
    ackLate: some(0.2),
    ackTwice: some(0.2),
    readFails: some(0.3),
    readSlow: some(0.5),
    storeFails: some(0.5),
    storeSlow: some(0.5),
    snapshotLost: some(0.5),
    snapshotRots: some(0.5),
    readerDies: some(0.5),
    readerLate: some(0.7),
    compilerDies: some(0.5),
    compilerLate: some(0.5),
    losesTime: some(0.01),
    turnEnds: some(0.5),
    stopMsMax: random.pick([50, 1_000, 10_000]),
    clockDrift: some(0.05),
    beginsWrong: hasWallClockShards || random.chance(0.5) ? 0.4 : 0,
    wallClockShards: hasWallClockShards ? 0.5 : 0,
    endUntold: random.pick([0, 0.5, 1]),
    memoryBytes: random.chance(0.4) ? 24_000 : 1_000_000_000,
    inlineUnitsMax: random.chance(0.25) ? 2_000 : 0,
    unanchoredBytes: random.pick([500, 5_000, 1_000_000_000]),
    // One gathers more parts in each commit.
    sharedCommitsInFlightMax: random.pick([1, 1, 3]),
    mishapEveryMs: random.pick([300, 1_000, 3_000]),
    // Event time is set back only where another shard takes over from a shard that follows a wrong wall clock.
    mishaps: allMishaps.filter((each) => random.chance(0.4) || (hasWallClockShards && takeovers.includes(each))),
  };
}

/** The same history without its faults, except wrong clocks, for the time in which its events are opened. */
function calm(fate: Fate): Fate {
  const { clockDrift, beginsWrong, wallClockShards } = fate;
  return { ...healed(fate), clockDrift, beginsWrong, wallClockShards };
}

function healed(fate: Fate): Fate {
  const zeros = Object.entries(fate).map(([name, value]) => [name, typeof value === 'number' && value < 1 ? 0 : value]);
  return { ...(Object.fromEntries(zeros) as Fate), mishaps: [], latencyMs: Math.min(fate.latencyMs, 5) };
}
