/**
 * Searches for an order that explains a history: the search of Wing and Gong with Lowe's memory of configurations, run
 * on each set of connected seats (linearizability is local to independent objects; calls that name several seats
 * connect them). The search needs no journal. A journal helps with hints (the candidate to try first), with effects
 * (the outcomes of open operations), and with the clock's own changes, without which no hold ends by itself.
 *
 * A configuration is the set of operations placed so far and the state they lead to. Candidates for the next place are
 * the operations that began before any unplaced operation had ended. A candidate that changes nothing is placed as soon
 * as its answer is true: an earlier place could only have been false. Open operations and the clock's changes may be
 * left out. A configuration is entered once. Configurations are known by 128 bits of hash: a collision could call a
 * possible history impossible, never the reverse.
 *
 * A yes proves an order for each component. Maps are split by component, and counts are left out when there are several
 * components, so reads over unconnected seats are checked component by component; versions of maps only have to grow in
 * real time. The witness check has neither limit.
 */
import { describe, type Operation } from './history.ts';
import type { SearchInput } from './search-input.ts';
import { componentsOf } from './seat-components.ts';
import { type Change, claimsChange, type SeatView, stepIn, whyNotExpired } from './seat-model.ts';
import { type Hash, SeatState, wordOf } from './seat-state.ts';

export type Verdict = { kind: 'linearizable' } | { kind: 'impossible' | 'undecided'; why: string };

/**
 * The number of looks at operations before the search gives up: a number for each operation, and a least number. Legal
 * histories of 7,000 to 20,000 operations with their hints took 40 to 115 looks each. A long illegal history mostly
 * ends here: undecided, which is never a yes.
 */
const LOOKS_PER_OPERATION_MAX = 200;
const LOOKS_MIN = 200_000;

export function findOrder(input: SearchInput): Verdict {
  const regression = versionGoesBack(input.operations);
  if (regression) return { kind: 'impossible', why: regression };
  for (const component of componentsOf(input)) {
    const verdict = new Search(component).run();
    if (verdict.kind !== 'linearizable') return verdict;
  }
  return { kind: 'linearizable' };
}

/** Finds a map with an older version than a map that had ended before it began. */
function versionGoesBack(operations: Operation[]): string | null {
  const versionOf = ({ outcome }: Operation): number =>
    outcome.kind === 'ok' && outcome.answer.type === 'map' ? outcome.answer.version : 0;
  const maps = operations.filter((operation) => versionOf(operation) > 0);
  const byReturn = maps.toSorted((a, b) => a.returnedAt - b.returnedAt);
  let ended = 0;
  let newest: Operation | null = null;
  for (const map of maps.sort((a, b) => a.invokedAt - b.invokedAt)) {
    for (; ended < byReturn.length && byReturn[ended]!.returnedAt < map.invokedAt; ended++) {
      if (!newest || versionOf(byReturn[ended]!) > versionOf(newest)) newest = byReturn[ended]!;
    }
    if (newest && versionOf(newest) > versionOf(map)) return `${describe(map)} is older than ${describe(newest)}`;
  }
  return null;
}

type Task = {
  invokedAt: number;
  returnedAt: number;
  hint: number;
  changes: boolean;
  name: () => string;
  step: (view: SeatView) => { fits: true; change: Change | null } | { fits: false; instead: string };
  word: Hash;
  /** Its neighbours among unplaced operations, in the order of their begin. The last placed is taken back first. */
  before: Task | null;
  after: Task | null;
};

/** A choice: its candidates, and the mark for taking it back. */
type Frame = { candidates: Task[]; next: number; mark: number; placed: Task[] };

class Search {
  readonly #tasks: Task[];
  readonly #state: SeatState;
  readonly #seen = new Set<string>();
  readonly #set: Hash = [0, 0];
  /** The first unplaced operation. */
  #first: Task | null = null;
  #toPlace: number;
  #looks = 0;
  #mostPlaced = -1;
  #stuck = '';

  constructor(input: SearchInput) {
    this.#state = new SeatState(input.seatTotal);
    this.#tasks = tasksOf(input).sort((a, b) => a.invokedAt - b.invokedAt);
    for (const [i, task] of this.#tasks.entries()) {
      task.before = this.#tasks[i - 1] ?? null;
      task.after = this.#tasks[i + 1] ?? null;
    }
    this.#first = this.#tasks[0] ?? null;
    this.#toPlace = this.#tasks.filter(mustHappen).length;
  }

  run(): Verdict {
    const looksMax = Math.max(LOOKS_MIN, LOOKS_PER_OPERATION_MAX * this.#tasks.length);
    const frames: Frame[] = [this.#newFrame()];
    while (this.#toPlace > 0) {
      const frame = frames.at(-1);
      if (!frame) return { kind: 'impossible', why: this.#stuck };
      if (this.#looks > looksMax) return { kind: 'undecided', why: `gave up; at most: ${this.#stuck}` };
      const task = frame.candidates[frame.next++];
      if (!task) {
        frames.pop();
        this.#takeBack(frame);
        continue;
      }
      this.#looks++;
      const mark = this.#state.mark();
      const stepped = task.step(this.#state);
      if (!stepped.fits) continue;
      this.#place(task);
      this.#state.apply(stepped.change!);
      if (this.#isSeen()) {
        this.#unplace(task);
        this.#state.undo(mark);
        continue;
      }
      frames.push(this.#newFrame(mark, task));
    }
    return { kind: 'linearizable' };
  }

  /** Goes on from here: first places everything that changes nothing and is true now. */
  #newFrame(mark = 0, chosen: Task | null = null): Frame {
    const placed = chosen ? [chosen] : [];
    let window = this.#window();
    for (;;) {
      const reads = window.filter((task) => !task.changes && task.step(this.#state).fits);
      if (reads.length === 0) break;
      for (const read of reads) this.#place(read);
      placed.push(...reads);
      window = this.#window();
    }
    this.#noteProgress(window);
    const candidates = window.filter((task) => task.changes).sort((a, b) => a.hint - b.hint);
    return { candidates, next: 0, mark, placed };
  }

  /** The operations that began before any unplaced operation had ended. */
  #window(): Task[] {
    const window: Task[] = [];
    let ended = Number.POSITIVE_INFINITY;
    for (let task = this.#first; task && task.invokedAt <= ended; task = task.after) {
      this.#looks++;
      window.push(task);
      ended = Math.min(ended, task.returnedAt);
    }
    return window;
  }

  #isSeen(): boolean {
    const key = `${this.#set},${this.#state.hash}`;
    if (this.#seen.has(key)) return true;
    this.#seen.add(key);
    return false;
  }

  #place(task: Task): void {
    if (task.before) task.before.after = task.after;
    else this.#first = task.after;
    if (task.after) task.after.before = task.before;
    if (mustHappen(task)) this.#toPlace--;
    this.#toggle(task);
  }

  #unplace(task: Task): void {
    if (task.before) task.before.after = task;
    else this.#first = task;
    if (task.after) task.after.before = task;
    if (mustHappen(task)) this.#toPlace++;
    this.#toggle(task);
  }

  #toggle({ word }: Task): void {
    this.#set[0] ^= word[0];
    this.#set[1] ^= word[1];
  }

  #takeBack({ placed, mark }: Frame): void {
    for (const task of placed.toReversed()) this.#unplace(task);
    this.#state.undo(mark);
  }

  /** Remembers the obstacle where the search came furthest: the next operation, whose answer was not true. */
  #noteProgress(window: Task[]): void {
    const placed = this.#tasks.length - this.#toPlace;
    if (placed <= this.#mostPlaced) return;
    this.#mostPlaced = placed;
    const due = window.filter(mustHappen).sort((a, b) => a.returnedAt - b.returnedAt);
    const reasons = due.slice(0, 5).map((task) => {
      const stepped = task.step(this.#state);
      return stepped.fits ? task.name() : `${task.name()}, where the answer would be ${stepped.instead}`;
    });
    this.#stuck = `no order explains ${reasons.join('; or ')}`;
  }
}

function mustHappen(task: Task): boolean {
  return Number.isFinite(task.returnedAt);
}

function tasksOf({ operations, scheduled = [], hints, effects }: SearchInput): Task[] {
  const words = new Map<number, Hash>();
  const tasks = operations.map((operation): Task => {
    const { id, invokedAt, returnedAt, outcome } = operation;
    const effect = effects?.get(id);
    return {
      invokedAt,
      returnedAt,
      hint: hints?.get(id) ?? returnedAt,
      changes: outcome.kind === 'unknown' || claimsChange(operation),
      name: () => describe(operation),
      step: (view) => stepIn(view, operation, effect),
      word: wordOf(words, id),
      before: null,
      after: null,
    };
  });
  for (const [i, { change, from, hint }] of scheduled.entries()) {
    tasks.push({
      invokedAt: from,
      returnedAt: Number.POSITIVE_INFINITY,
      hint,
      changes: true,
      name: () => JSON.stringify(change),
      step: (view) => scheduledStep(view, change),
      word: wordOf(words, -1 - i),
      before: null,
      after: null,
    });
  }
  return tasks;
}

function scheduledStep(view: SeatView, change: Change): ReturnType<Task['step']> {
  const why = change.type === 'expired' ? whyNotExpired(view, change) : null;
  return why === null ? { fits: true, change } : { fits: false, instead: why };
}
