/**
 * How often a front door tells its crowds, and which viewers it spares (I8). Pure.
 *
 * The tellings of all events together get a share of the event loop. A telling costs time in proportion to its viewers.
 * The front door notes the cost as a debt, and the debt shrinks with time. While the debt is above an allowance, the
 * front door rests between two turns. Changes gather meanwhile, so frames are fewer and larger. The allowance lets the
 * first change after a quiet time reach a crowd without a rest. Example: 10,000 viewers at 6 µs cost 60 ms. While
 * changes come all the time, each viewer gets a frame every 100 ms.
 */

/** The share of the loop's time that tellings may take. */
export const TELLING_SHARE = 0.6;
/** Tellings of this cost go out without a rest after a quiet time. */
export const ALLOWANCE_MS = 50;
export const REST_MS_MAX = 20;
/** A turn with fewer viewers says too little about the cost of a viewer. */
export const VIEWERS_TO_LEARN = 100;
/** No rest follows a turn that told a change of this age. */
export const GATHER_MS_MAX = 1_000;

/** `debtMs` stood at `at` (`Clock.elapsed`). */
export type Pace = { msPerViewer: number; debtMs: number; at: number };
/** `waitedMs` is the longest wait of a change that this turn told. The turn ended once its frames were sent. */
export type ToldTurn = { viewers: number; waitedMs: number; startedAt: number; endedAt: number };

export const firstPace: Pace = { msPerViewer: 0.005, debtMs: 0, at: 0 };

/** The pace after a turn, and the rest before the next turn, in milliseconds. */
export function paceAfter(pace: Pace, turn: ToldTurn): { pace: Pace; restMs: number } {
  const msPerViewer = learn(pace.msPerViewer, turn);
  const paid = TELLING_SHARE * (turn.endedAt - pace.at);
  const owed = Math.max(0, pace.debtMs - paid) + turn.viewers * msPerViewer;
  const debtMs = Math.min(owed, ALLOWANCE_MS + TELLING_SHARE * REST_MS_MAX);
  const restMs = turn.waitedMs >= GATHER_MS_MAX ? 0 : Math.max(0, debtMs - ALLOWANCE_MS) / TELLING_SHARE;
  return { pace: { msPerViewer, debtMs, at: turn.endedAt }, restMs };
}

/** Other work of the loop falls into a turn, too. So a low cost counts at once, and a high cost little by little. */
function learn(known: number, { viewers, startedAt, endedAt }: ToldTurn): number {
  if (viewers < VIEWERS_TO_LEARN) return known;
  return Math.min(1.05 * known, (endedAt - startedAt) / viewers);
}

/** Bytes that a viewer may leave untaken without being spared, and the bound of all viewers of the front door. */
export type UntakenBounds = { viewerBytes: number; allBytes: number };

/**
 * Whether a viewer that has not taken these bytes gets no further frames until it has taken all of them. `allBytes` are
 * the untaken bytes of all viewers of the front door.
 */
export function isSpared(bytes: number, allBytes: number, bounds: UntakenBounds): boolean {
  return bytes > (allBytes > bounds.allBytes / 2 ? 0 : bounds.viewerBytes);
}
