/**
 * Checks a history of one event with its journal as the witness. The journal's order is taken as the order of events,
 * and three questions remain, each answered in one sweep:
 *
 * 1. Does every acknowledged change stand in the journal exactly once, and does every record come from an acknowledged
 *   or open operation, or from the passing of time?
 * 2. Is the journal's order legal under the model, with exactly the given answers, and does it keep real time: an
 *   operation that returned before another was invoked stands before it?
 * 3. Was each refusal and each read true at some position of the journal within its interval, as a whole (maps and
 *   counts over all seats, maps at the version that they name), with no read before a read that had ended earlier?
 *
 * A history without violations is linearizable, over all seats at once and not only seat by seat, in the journal's
 * order. Reads get the least possible positions: every constraint on a read is a lower bound by earlier operations and
 * a fixed upper bound by later changes, so when the least choice fails, all choices do. A violation says that the
 * journal's order is not the order that clients saw; `linearizability.ts` says whether another order would be.
 */
import { describe, type Operation } from './history.ts';
import { type EventHistory, type JournalEntry, scheduledFrom } from './journal-entry.ts';
import { type Matched, matchJournal } from './match-journal.ts';
import { claimsChange, sameChange, stepIn, whyNotExpired } from './seat-model.ts';
import { Timeline } from './seat-state.ts';

export function checkWitness(history: EventHistory): string[] {
  const matched = matchJournal(history);
  const violations = [...matched.violations];
  const timeline = foldJournal(history, matched, violations);
  placeAll(history, matched, timeline, violations);
  return violations;
}

function foldJournal({ journal, seatTotal }: EventHistory, matched: Matched, violations: string[]): Timeline {
  const versions = versionsOf(journal);
  const timeline = new Timeline(seatTotal, (position) => versions[position]!);
  for (const [i, entry] of journal.entries()) {
    const wrong = whyIllegal(timeline, entry, matched, i + 1);
    if (wrong) violations.push(`record ${i + 1} (sequence ${entry.sequence}): ${wrong}`);
    timeline.append(entry.change);
  }
  return timeline;
}

function whyIllegal(timeline: Timeline, entry: JournalEntry, matched: Matched, position: number): string | null {
  const { change } = entry;
  if (!change) return null;
  const view = timeline.last;
  if (change.type === 'expired') {
    if (entry.at < change.expiresAt) return `${change.holdId} expired early, at ${entry.at}`;
    const why = whyNotExpired(view, change);
    return why && `${change.holdId} expired, but ${why}`;
  }
  const operation = matched.operationAt.get(position);
  if (!operation) return null; // told already, or made by the clock
  if (change.type === 'booked' || change.type === 'extended' || change.type === 'released') {
    const hold = view.hold(change.holdId);
    if (hold && hold.expiresAt <= entry.at) return `${describe(operation)} stands at ${entry.at}, when it had run out`;
  }
  const fitting = stepIn(view, operation, matched.effects.get(operation.id));
  if (!fitting.fits) return `${describe(operation)} stands where the answer is ${fitting.instead}`;
  const same = fitting.change !== null && sameChange(fitting.change, change);
  return same ? null : `${describe(operation)} stands there as ${JSON.stringify(change)}`;
}

/**
 * By position, the possible versions of a map with that state. A group has its version only as a whole; a map that was
 * decided in the same turn names the version before.
 */
function versionsOf(journal: JournalEntry[]): number[][] {
  const versions = [[0]];
  let before = 0;
  for (const [i, { sequence }] of journal.entries()) {
    const isLast = journal[i + 1]?.sequence !== sequence;
    versions.push(isLast ? [sequence, before] : [before]);
    if (isLast) before = sequence;
  }
  return versions;
}

type Placed = { position: number; name: () => string };

/** Checks real time among changes, and finds a position for every operation that changes nothing. */
function placeAll(history: EventHistory, matched: Matched, timeline: Timeline, violations: string[]): void {
  const tasks = tasksOf(history, matched);
  const byReturn = history.operations.toSorted((a, b) => a.returnedAt - b.returnedAt);
  const places = new Map<Operation, number>();
  const ceilingAfter = ceilingOf(tasks, history.journal.length);
  let returned = 0;
  let floor: Placed = { position: 0, name: () => 'the beginning' };
  const floorAt = (invokedAt: number): Placed => {
    for (; returned < byReturn.length && byReturn[returned]!.returnedAt < invokedAt; returned++) {
      const operation = byReturn[returned]!;
      const position = places.get(operation) ?? 0;
      if (position > floor.position) floor = { position, name: () => describe(operation) };
    }
    return floor;
  };

  for (const task of tasks) {
    const least = floorAt(task.invokedAt);
    const { operation, position } = task;
    if (position !== null) {
      if (position <= least.position) {
        violations.push(
          `${task.name()} stands at ${position}, before ${least.position}: ${least.name()}, which had ended`,
        );
      }
      if (operation) places.set(operation, position);
      continue;
    }
    const ceiling = ceilingAfter(operation.returnedAt);
    const found = firstTrue(operation, timeline, least.position, ceiling);
    if (found === null) violations.push(whyNowhere(operation, timeline, least, ceiling));
    places.set(operation, found ?? least.position);
  }
}

type Task = { invokedAt: number; name: () => string } & (
  | { operation: Operation | null; position: number }
  | { operation: Operation; position: null }
);

/** Everything that has or needs a position, in the order of begin. Open operations without an effect are left out. */
function tasksOf({ operations, journal, epochAtZero }: EventHistory, matched: Matched): Task[] {
  const tasks: Task[] = [];
  for (const operation of operations) {
    const name = (): string => describe(operation);
    const position = matched.positionOf.get(operation.id);
    if (position !== undefined) tasks.push({ invokedAt: operation.invokedAt, name, operation, position });
    else if (operation.outcome.kind !== 'unknown' && !claimsChange(operation)) {
      tasks.push({ invokedAt: operation.invokedAt, name, operation, position: null });
    }
  }
  for (const [i, entry] of journal.entries()) {
    if (!entry.scheduled) continue;
    const name = (): string => JSON.stringify(entry.change);
    tasks.push({ invokedAt: scheduledFrom(entry, epochAtZero), name, operation: null, position: i + 1 });
  }
  return tasks.sort((a, b) => a.invokedAt - b.invokedAt);
}

/** For a time, the last position before all changes that began after it. */
function ceilingOf(tasks: Task[], last: number): (returnedAt: number) => number {
  const changes = tasks.filter(({ position }) => position !== null);
  const ceilings: number[] = new Array(changes.length + 1);
  ceilings[changes.length] = last;
  for (let i = changes.length - 1; i >= 0; i--) ceilings[i] = Math.min(ceilings[i + 1]!, changes[i]!.position! - 1);
  return (returnedAt) => {
    let low = 0;
    let high = changes.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (changes[middle]!.invokedAt > returnedAt) high = middle;
      else low = middle + 1;
    }
    return ceilings[low]!;
  };
}

function firstTrue(operation: Operation, timeline: Timeline, floor: number, ceiling: number): number | null {
  for (let position = floor; position <= ceiling; position++) {
    if (stepIn(timeline.at(position), operation).fits) return position;
  }
  return null;
}

function whyNowhere(operation: Operation, timeline: Timeline, floor: Placed, ceiling: number): string {
  if (ceiling < floor.position) {
    return `${describe(operation)} ended before record ${ceiling + 1} was asked for, and began after ${floor.name()}`;
  }
  const answerAt = (position: number): string => {
    const fitting = stepIn(timeline.at(position), operation);
    return `at ${position}: ${fitting.fits ? 'as told' : fitting.instead}`;
  };
  const answers = ceiling === floor.position ? answerAt(ceiling) : `${answerAt(floor.position)}; ${answerAt(ceiling)}`;
  return `${describe(operation)} was true at no position from ${floor.position} (${floor.name()}) to ${ceiling}; ${answers}`;
}
