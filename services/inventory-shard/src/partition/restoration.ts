/**
 * The operator restores the records that an event has lost (I9), as far as other evidence still has them
 * (journal/lost-history.ts). Like an acceptance (acceptance.ts), with more parts:
 *
 * States: occupied → salvaged → the lost history is known → (a dry run ends here) → filled → part after part appended →
 * noted → loaded.
 *
 * - The lost parts that follow the journal's last one are written again as they were, each behind a `restored` record.
 *   Holds, prices and channels come back with them, and webhooks keep their ids.
 * - Where only a snapshot or another history has the bookings, one more part books their seats again. Seats that
 *   somebody has now are conflicts.
 *
 * Failure: a `restored` record tells how many parts are left. An event whose last one has parts left halts, and the
 * command goes on there. The rest is as with an acceptance. The command fails at once when the catalog does not answer,
 * since it has the parts.
 */
import { labelsOf } from '@parterre/shared/charts/plan';
import { textOfLink } from '@parterre/shared/protocol/journal/links';
import { linkAfter, readGroup } from '@parterre/shared/protocol/journal/messages';
import { restoredSeatsTold } from '@parterre/shared/protocol/limits';
import type { LossToRestore, RestoredLoss } from '@parterre/shared/protocol/loss-acceptance';
import type { JournalRecord, Part } from '@parterre/shared/protocol/records';
import type { EventLoader, EventPlace, LostHistory } from '../journal/journal.ts';
import { bookedLabels, type MissingBookings, missingBookings } from '../rules/sales/sales.ts';
import { newState, unitsOfLines } from '../rules/state/state.ts';
import {
  type AcceptancePorts,
  append,
  decideOn,
  ended,
  fill,
  giveUpHint,
  nothingLost,
  open,
  type SayFilled,
} from './acceptance.ts';
import type { Actor } from './actor.ts';

export type Restoration = RestoredLoss | { refused: string };

export type RestorationPorts = AcceptancePorts & { loader: Pick<EventLoader, 'salvage' | 'lostHistory'> };

const by = { source: 'operator', actor: null } as const;

const nothingKnown = {
  refused: 'No snapshot and no catalog has the lost records. `journal accept` opens the event without them.',
};

export function restoreLoss(ports: RestorationPorts, loss: LossToRestore, say: SayFilled): Promise<Restoration> {
  return decideOn(ports, loss.eventKey, (occupant) => restoreIn(ports, occupant, loss, say));
}

async function restoreIn(
  ports: RestorationPorts,
  occupant: Actor,
  loss: LossToRestore,
  say: SayFilled,
): Promise<Restoration> {
  const { eventKey } = occupant;
  const salvaged = await ports.loader.salvage(eventKey);
  if (salvaged.lost.length === 0) return nothingLost;
  const { state, link } = salvaged;
  const end: EventPlace = { version: state?.version ?? 0, link };
  const before = bookedLabels(state);
  const history = await ports.loader.lostHistory(eventKey, salvaged);
  const missing = missingIn(history);
  const { parts } = history;
  if (parts.length === 0 && missing.records.length === 0) return nothingKnown;
  const nameOf = ({ data }: { data: Uint8Array }): string => textOfLink(linkAfter(data));
  const isRestored = new Set(parts.map(nameOf));
  const passedOver = salvaged.passedOver.filter((part) => !isRestored.has(nameOf(part))).length;
  const lostTo = Math.max(salvaged.lostTo, loss.above);
  const told = { parts: parts.length, lostTo, passedOver, ...seatsTold(before, history, missing) };
  if (loss.isDryRun) return { version: 0, fillers: 0, ...told };
  if (passedOver > 0 && !loss.givesUp) {
    return { refused: `Behind the gap the journal has other changes of ${eventKey} (${passedOver})${giveUpHint}` };
  }
  const filled = await fill(ports, lostTo, say);
  if ('refused' in filled) return filled;
  const version = await appendAll(ports, occupant, end, partsOf(history, missing, loss, ports.clock.now()));
  if (version === null) return ended;
  const { reason } = loss;
  ports.log.warn({ eventKey, reason, version, parts: told.parts, seats: told.seats }, 'an operator restores an event');
  return (await open(ports, occupant, lostTo)) ?? { version, fillers: filled.fillers, ...told };
}

function missingIn({ state, proven }: LostHistory): MissingBookings {
  if (!proven) return { records: [], conflicts: [] };
  return missingBookings(state ?? newState(proven.config, proven.plan), proven, `restored-${proven.version}`);
}

/** The seats that the restoration sells again: those of the lost parts, and the missing ones. */
function seatsTold(
  before: ReadonlyMap<string, string[]>,
  { state, proven }: LostHistory,
  { records, conflicts }: MissingBookings,
): Pick<RestoredLoss, 'seats' | 'bookings' | 'conflicts'> {
  const after = bookedLabels(state);
  for (const record of records) {
    if (record.type !== 'booked') continue;
    const labels = labelsOf((state ?? proven!).plan, unitsOfLines(record.lines));
    after.set(record.bookingRef, [...(after.get(record.bookingRef) ?? []), ...labels]);
  }
  let seats = 0;
  const bookings: RestoredLoss['bookings'] = [];
  for (const [bookingRef, all] of after) {
    const known = new Set(before.get(bookingRef));
    const labels = all.filter((label) => !known.has(label));
    if (labels.length > 0 && seats < restoredSeatsTold) bookings.push({ bookingRef, labels });
    seats += labels.length;
  }
  return { seats, bookings, conflicts: conflicts.slice(0, restoredSeatsTold) };
}

type WrittenPart = Pick<Part, 'at' | 'plan' | 'records'>;

/** The parts to append, in order. */
function partsOf(
  { parts, state, proven }: LostHistory,
  { records }: MissingBookings,
  { reason }: LossToRestore,
  now: number,
): WrittenPart[] {
  const extra = records.length > 0 ? 1 : 0;
  const written = parts.map(({ sequence, data }, index): WrittenPart => {
    const { at, plan, records: own } = readGroup(data);
    const left = parts.length + extra - index - 1;
    const link = textOfLink(linkAfter(data));
    return { at, plan, records: [{ type: 'restored', reason, sequence, left, link, by }, ...own] };
  });
  if (extra === 0) return written;
  const restored: JournalRecord = { type: 'restored', reason, sequence: proven!.version, left: 0, by };
  const beginning: JournalRecord[] = state ? [] : [{ type: 'created', config: proven!.config, by }];
  const plan = (state ?? proven!).plan.hash;
  return [...written, { at: Math.max(now, state?.at ?? 0), plan, records: [...beginning, restored, ...records] }];
}

/** Resolves with the event's version; null when the term has ended or another owner has appended. */
async function appendAll(
  ports: RestorationPorts,
  occupant: Actor,
  end: EventPlace,
  parts: readonly WrittenPart[],
): Promise<number | null> {
  let { version, link } = end;
  for (const part of parts) {
    const written = await append(ports, occupant, { ...part, event: occupant.eventKey, from: version, link });
    if (!written) return null;
    version = written.sequence;
    link = written.link;
  }
  return version;
}
