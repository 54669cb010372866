/**
 * The faults of one simulated history. Each seed draws its own mix: a few kinds of fault, often, rather than all kinds,
 * seldom, because combinations of the same few faults reach the rare states.
 */
import type { Random } from './world/scheduler.ts';

export type Faults = {
  latencyMs: number;
  /** Probabilities, for each occasion. */
  messageLost: number;
  messageTwice: number;
  appendLost: number;
  appendLate: number;
  appendTwice: number;
  appendRefused: number;
  ackLost: number;
  ackLate: number;
  ackTwice: number;
  readFails: number;
  readSlow: number;
  storeFails: number;
  storeSlow: number;
  snapshotLost: number;
  snapshotRots: number;
  losesTime: number;
  /** The turn of the event loop is over at a question. */
  turnEnds: number;
  /** The longest stop. */
  stopMsMax: number;
  clockDrift: number;
  /** A new process begins with a wall clock that is wrong by up to an hour. */
  beginsWrong: number;
  /** A new shard is of a version that follows its wall clock. */
  oldShards: number;
  memoryBytes: number;
  /** The average pause between two mishaps to processes, links and servers. */
  mishapEveryMs: number;
  mishaps: Mishap[];
};

export type Mishap =
  | 'crash'
  | 'crash in a turn'
  | 'leave'
  | 'snapshots'
  | 'join'
  | 'stop'
  | 'cut'
  | 'stall'
  | 'mute'
  | 'split'
  | 'jump'
  | 'outage'
  | 'front door stalls'
  | 'front door is cut'
  | 'front door stops';

const allMishaps: Mishap[] = [
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
];

const takeovers: readonly Mishap[] = ['jump', 'crash'];

export function drawFaults(random: Random): Faults {
  /** Zero half of the time, else up to `most`, mostly small. */
  const some = (most: number): number => (random.chance(0.5) ? 0 : most * random.next() ** 2);
  const hasOldShards = random.chance(0.2);
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
    losesTime: some(0.01),
    turnEnds: some(0.5),
    stopMsMax: random.pick([50, 1_000, 10_000]),
    clockDrift: some(0.05),
    beginsWrong: hasOldShards || random.chance(0.5) ? 0.4 : 0,
    oldShards: hasOldShards ? 0.5 : 0,
    memoryBytes: random.chance(0.4) ? 24_000 : 1_000_000_000,
    mishapEveryMs: random.pick([300, 1_000, 3_000]),
    // Event time is set back only where another shard takes over from an earlier version with a wrong clock.
    mishaps: allMishaps.filter((each) => random.chance(0.4) || (hasOldShards && takeovers.includes(each))),
  };
}

/** The same history without its faults, except wrong clocks, for the time in which its events are opened. */
export function calm(faults: Faults): Faults {
  const copy = { ...faults };
  heal(copy);
  const { clockDrift, beginsWrong, oldShards } = faults;
  return { ...copy, clockDrift, beginsWrong, oldShards };
}

/** From here on no fault happens. */
export function heal(faults: Faults): void {
  for (const [name, value] of Object.entries(faults)) {
    if (typeof value === 'number' && value < 1) Object.assign(faults, { [name]: 0 });
  }
  faults.latencyMs = Math.min(faults.latencyMs, 5);
  faults.mishaps = [];
}
