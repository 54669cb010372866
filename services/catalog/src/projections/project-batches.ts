/**
 * Counts journal messages into the projections of one generation (rules/views.ts), each group once. Each changed
 * document is written once, and the positions of the streams in the same write. A message is never divided: its
 * groups have one sequence, and a document of many events would skip the second part of a divided message.
 *
 * States of a batch: read → some documents counted, perhaps → all counted, and the positions moved. The store moves the
 * positions only behind all documents. On failure, at each await: a read or the write fails, or the process dies → the
 * positions stand before the groups, so the groups are read again, and `seq` tells whether a document has counted them.
 * A document that another catalog has changed meanwhile is read again and counted from there, and the positions move
 * with it.
 */
import type { Changed } from '@parterre/shared/protocol/catalog-api';
import { Fault } from '@parterre/shared/protocol/errors';
import { textOfLink } from '@parterre/shared/protocol/journal/links';
import type { Views } from '../store/collections.ts';
import { changeAttemptsMax } from '../store/rules/bounds.ts';
import type {
  EventProjection,
  ListedPosition,
  OperationProjection,
  ProjectionPosition,
} from '../store/rules/records.ts';
import { type Collection, type Store, type Stored, stands, type Write } from '../store/store.ts';
import type { Entry } from './entries.ts';
import type { EventOwners } from './event-owners.ts';
import { auditView } from './rules/audited-groups.ts';
import { claimView } from './rules/claims.ts';
import { changesFacts, emptyProjection } from './rules/event-projection.ts';
import { bucketView, isLarge } from './rules/group-buckets.ts';
import { listOwner, occurrenceView } from './rules/occurrence-buckets.ts';
import { countOperation, type OperationChange, operationsIn } from './rules/operation-view.ts';
import { pinnedExchangeView } from './rules/pinned-exchanges.ts';
import {
  bookingView,
  type Counted,
  countNew,
  creditView,
  eventView,
  groupId,
  noParts,
  type View,
} from './rules/views.ts';

/** Consecutive messages of one partition. */
export type Batch = { stream: string; entries: readonly Entry[] };

export type BatchPorts = {
  store: Store;
  views: Views;
  owners: EventOwners;
  announce: (changed: Changed) => void;
};

/** A change of one document. */
type Tally = {
  collection: Collection<object>;
  id: string;
  /** The value with everything counted; `before` itself where all of it was counted already. */
  next(before: object | undefined): object;
  /** The document most likely does not exist yet. It is written without a read, and read when the write fails. */
  begins: boolean;
};

/** Counts batches of different streams: one write for all of their documents and, behind them, the new positions. */
export async function projectBatches(ports: BatchPorts, batches: readonly Batch[]): Promise<void> {
  const { store, views } = ports;
  const streams = batches.map(({ stream }) => stream);
  const kept = new Map((await store.getMany(views.positions, streams)).map((position) => [position.id, position]));
  const listed = new Map((await store.getMany(views.listed, streams)).map((position) => [position.id, position]));
  const positions = [
    ...positionWrites(views.positions, batches, kept, asCounted),
    ...positionWrites(views.listed, batches, listed, asListed),
  ];
  // A catalog of an earlier version counts the groups, and lists no occurrences.
  let open = [
    ...(await talliesOf(ports, uncounted(batches, kept), countedTallies)),
    ...(await talliesOf(ports, uncounted(batches, listed), listedTallies)),
  ];
  for (let attempt = 0; attempt < changeAttemptsMax; attempt++) {
    open = await writeTallies(ports, open, positions);
    if (open.length === 0) return;
  }
  throw new Fault(`project the journal: ${open.map(({ id }) => id)} keep changing`);
}

type Positions = Map<string, Stored<ProjectionPosition>>;

/** The groups that no catalog has counted, behind the stored positions; still without their owners. */
function uncounted(batches: readonly Batch[], kept: Positions): Counted[] {
  const counted: Counted[] = [];
  for (const { stream, entries } of batches) {
    const position = kept.get(stream)?.value.seq ?? 0;
    for (const { seq, groups } of entries) {
      if (seq <= position) continue;
      for (const { eventKey, group, data } of groups) {
        counted.push({ stream, seq, eventKey, group, data, payer: null, owner: null });
      }
    }
  }
  return counted;
}

async function talliesOf(
  { views, owners }: BatchPorts,
  counted: readonly Counted[],
  tallyEach: (views: Views, counted: readonly Counted[]) => Tally[],
): Promise<Tally[]> {
  const ownerOf = await owners(new Set(counted.map(({ eventKey }) => eventKey)));
  for (const group of counted) {
    const owner = ownerOf.get(group.eventKey);
    if (!owner) continue;
    group.owner = listOwner(owner);
    if (owner.mode === 'live') group.payer = owner.organisationId;
  }
  return tallyEach(views, counted);
}

function listedTallies(views: Views, counted: readonly Counted[]): Tally[] {
  return tallies(views.occurrences, occurrenceView, counted);
}

function countedTallies(views: Views, counted: readonly Counted[]): Tally[] {
  const large = counted.filter(({ data }) => isLarge(data));
  return [
    ...large.map(({ eventKey, seq, data }): Tally => {
      return {
        collection: views.largeGroups,
        id: groupId(eventKey, seq),
        next: (before) => before ?? { data },
        begins: true,
      };
    }),
    ...tallies(views.groups, bucketView, counted),
    ...tallies(views.audits, auditView, counted),
    ...tallies(views.claims, claimView, counted),
    ...tallies(views.pinnedExchanges, pinnedExchangeView, counted),
    ...tallies(views.bookings, bookingView, counted),
    ...tallies(views.credits, creditView, counted),
    ...tallies(views.events, eventView, counted),
    ...operationTallies(views, counted),
  ];
}

function operationTallies({ operations }: Views, counted: readonly Counted[]): Tally[] {
  const changes = new Map<string, OperationChange[]>();
  for (const group of counted) {
    for (const [id, change] of operationsIn(group)) {
      const others = changes.get(id);
      if (others) others.push(change);
      else changes.set(id, [change]);
    }
  }
  return [...changes].map(([id, some]) => ({
    collection: operations,
    id,
    begins: false,
    next: (before) => countOperation(before as OperationProjection | undefined, some)!,
  }));
}

function tallies<Value extends { seq: number }, Part extends { seq: number }>(
  collection: Collection<Value>,
  view: View<Value, Part>,
  counted: readonly Counted[],
): Tally[] {
  const parts = new Map<string, Part[]>();
  for (const group of counted) {
    const split = view.split(group);
    // Most groups end here. A loop over nothing would make an iterator for each of them.
    if (split === noParts) continue;
    for (const [id, part] of split) {
      const others = parts.get(id);
      if (others) others.push(part);
      else parts.set(id, [part]);
    }
  }
  return [...parts].map(([id, some]) => ({
    collection,
    id,
    begins: view.begins?.(some[0]!) ?? false,
    next: (before) => countNew(view, before as Value | undefined, some)!,
  }));
}

/** Resolves with the changes that do not stand yet; with none, the positions stand too. */
async function writeTallies(ports: BatchPorts, open: readonly Tally[], positions: readonly Write[]): Promise<Tally[]> {
  const { store, views, announce } = ports;
  const found = await readTallies(store, open);
  const writing: { tally: Tally; before: object | undefined; write: Write }[] = [];
  for (const tally of open) {
    const { collection, id } = tally;
    const stored = found.get(collection)?.get(id);
    const value = tally.next(stored?.value);
    if (value === stored?.value) continue;
    writing.push({ tally, before: stored?.value, write: { collection, id, version: stored?.version ?? null, value } });
  }
  const written = await store.writeInOrder(
    writing.map(({ write }) => write),
    positions,
  );
  const again: Tally[] = [];
  for (const [at, { tally, before, write }] of writing.entries()) {
    const how = written[at]!;
    if (!stands(how)) again.push({ ...tally, begins: false });
    else if (tally.collection === views.events && isWorthAnnouncing(before, write.value)) {
      announce({ kind: 'event', eventKey: tally.id });
    }
  }
  return again;
}

function isWorthAnnouncing(before: object | undefined, after: object): boolean {
  return changesFacts((before as EventProjection | undefined) ?? emptyProjection, after as EventProjection);
}

async function readTallies(
  store: Store,
  open: readonly Tally[],
): Promise<Map<Collection<object>, Map<string, Stored<object>>>> {
  const ids = new Map<Collection<object>, string[]>();
  for (const { collection, id, begins } of open) {
    if (begins) continue;
    const others = ids.get(collection);
    if (others) others.push(id);
    else ids.set(collection, [id]);
  }
  const found = await Promise.all(
    [...ids].map(async ([collection, some]) => {
      const documents = await store.getMany(collection, some);
      return [collection, new Map(documents.map((document) => [document.id, document]))] as const;
    }),
  );
  return new Map(found);
}

/** A position that another catalog has moved meanwhile stays: reading a little again is harmless. */
const asCounted = (position: ListedPosition): ProjectionPosition => ({ seq: position.seq, link: position.link });
const asListed = (position: ListedPosition): ListedPosition => position;

function positionWrites<Position extends ProjectionPosition>(
  collection: Collection<Position>,
  batches: readonly Batch[],
  kept: Positions,
  of: (position: ListedPosition) => Position,
): Write<Position>[] {
  return batches.flatMap(({ stream, entries }) => {
    const { seq, link } = entries.at(-1)!;
    const stored = kept.get(stream);
    if (stored && stored.value.seq >= seq) return [];
    const value = of({ stream, seq, link: textOfLink(link) });
    return [{ collection, id: stream, version: stored?.version ?? null, value }];
  });
}
