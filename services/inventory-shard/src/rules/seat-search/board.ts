/**
 * The rows that may still give a run, for a search with one focal point. A board is a copy of a summary's bits
 * (free-runs.ts) that a search changes: each part of the choice takes seats from its row. The rows of a board stand
 * close together in memory, so that a party in many parts costs few microseconds a part.
 */
import { isOpenToBuyers } from '../availability/availability.ts';
import { bitsOf, hasBit, type RunBits, refresh, summaryOf } from './free-runs.ts';
import { type Board, type Hunt, wantedBy } from './hunt.ts';
import type { Need } from './suitable-runs.ts';

/** The board of a need, made once for a search. */
export function boardOf(hunt: Hunt, need: Need): Board {
  for (const board of hunt.boards) if (isSameNeed(board.need, need)) return board;
  const board = newBoard(hunt, need);
  hunt.boards.push(board);
  return board;
}

function isSameNeed(a: Need, b: Need): boolean {
  if (a.kinds !== b.kinds || a.isAtAisle !== b.isAtAisle) return false;
  return a.count === b.count && a.isAccompanied === b.isAccompanied;
}

function newBoard(hunt: Hunt, need: Need): Board {
  const { state, rows, runs, order, mask, scope, among, own, taken } = hunt;
  const summary = summaryOf(state, rows, { need, mask, scope, among });
  const { low, high, cleanLow, cleanHigh } = summary;
  const { seats } = order;
  let count = 0;
  for (let i = 0; i < seats.length; i++) {
    refresh(state, rows, runs, summary, rows.objectOfStrip[seats[i]!]!);
    if ((low[seats[i]!]! | high[seats[i]!]!) !== 0) count++;
  }
  const board = emptyBoard(need, count);
  let row = 0;
  for (let i = 0; i < seats.length; i++) {
    const strip = seats[i]!;
    if ((low[strip]! | high[strip]!) === 0) continue;
    const object = rows.objectOfStrip[strip]!;
    board.objects[row] = object;
    // A row that is not open has no runs.
    if (isOpenToBuyers(state, object)) {
      board.bits[4 * row] = low[strip]!;
      board.bits[4 * row + 1] = high[strip]!;
      board.bits[4 * row + 2] = cleanLow[strip]!;
      board.bits[4 * row + 3] = cleanHigh[strip]!;
    }
    row++;
  }
  return own.size === 0 && taken === null ? board : recounted(hunt, board);
}

function emptyBoard(need: Need, rows: number): Board {
  return {
    need,
    objects: new Int32Array(rows),
    bits: new Uint32Array(4 * rows),
    distances: new Float64Array(rows),
  };
}

/** The summaries know neither the caller's own seats nor the parts so far. */
function recounted(hunt: Hunt, { need, objects, bits, distances }: Board): Board {
  const { plan, rows, own, taken } = hunt;
  const changed = new Set<number>();
  for (const units of [own, taken ?? own]) for (const unit of units) changed.add(rows.rowOf[plan.objectOfUnit[unit]!]!);
  // Most rows of the parts so far stand on the board.
  const more = [...changed].filter((object) => !objects.includes(object) && isInOrder(hunt, object));
  let board: Board = { need, objects, bits, distances };
  if (more.length > 0) {
    board = emptyBoard(need, objects.length + more.length);
    board.objects.set(objects);
    board.objects.set(more, objects.length);
    board.bits.set(bits);
  }
  for (const object of changed) recount(hunt, board, object);
  return board;
}

function isInOrder({ order: { seats }, rows: { objectOfStrip } }: Hunt, object: number): boolean {
  for (let i = 0; i < seats.length; i++) if (objectOfStrip[seats[i]!] === object) return true;
  return false;
}

/** Counts the runs of a row anew. */
export function recount(hunt: Hunt, { need, objects, bits }: Board, object: number): void {
  const at = objects.indexOf(object);
  if (at < 0 || !isOpenToBuyers(hunt.state, object)) return;
  bits.set(bitsOf(hunt.state, hunt.rows, object, wantedBy(hunt, need), need), 4 * at);
}

/** The sizes of all runs of the board, as the bits of a summary. */
export function sizesOf({ objects, bits }: Board): RunBits {
  const sizes = new Uint32Array(4);
  for (let at = 0; at < 4 * objects.length; at += 4) {
    sizes[0]! |= bits[at]!;
    sizes[1]! |= bits[at + 1]!;
    sizes[2]! |= bits[at + 2]!;
    sizes[3]! |= bits[at + 3]!;
  }
  return sizes;
}

/** Whether row `i` of the board has a run of `qty` seats. */
export function boardHas({ bits }: Board, i: number, qty: number, mustBeClean: boolean): boolean {
  const at = 4 * i + (mustBeClean ? 2 : 0);
  return hasBit(bits[at]!, bits[at + 1]!, qty);
}
