/** Changes of events: a caller's fields, an actor's answers, and posters. */
import type { EventInspection, EventRecord } from '@parterre/shared/protocol/catalog/events';
import type { CatalogInput } from '@parterre/shared/protocol/catalog-api';
import { done, type Outcome } from '@parterre/shared/protocol/errors';
import { readRecord } from '../projections/event-records.ts';
import { events } from '../store/collections.ts';
import { change, type Ports } from '../store/operations.ts';
import type { EventDocument } from '../store/rules/records.ts';
import { dropUnused, storeAsset } from './assets.ts';
import { changeEvent, eventInScope, eventUnknown, findEvent, inspectionOf } from './event-access.ts';
import { checkLocks } from './rules/event-locks.ts';
import { checkMutable, checkTimes, stamped, withSettled } from './rules/event-state.ts';

/** Two updates at once both stand. Where they change the same field, the later one wins. */
export async function updateEvent(
  ports: Ports,
  { scope, eventKey, changes, settled, changesCurrency, dryRun }: CatalogInput<'events.update'>,
): Promise<Outcome<EventInspection>> {
  const { store, clock } = ports;
  const changed = (document: EventDocument, record: EventRecord): Outcome<EventDocument> => {
    const mutable = checkMutable(record);
    if (!mutable.ok) return mutable;
    const allowed = checkLocks(document, changes, changesCurrency ?? false);
    if (!allowed.ok) return allowed;
    const known = settled ? withSettled(eventKey, document, settled, clock.now()) : document;
    const next = stamped({ ...known, ...changes }, clock.now());
    const times = checkTimes(next);
    return times.ok ? done(next) : times;
  };
  if (!dryRun) {
    const written = await changeEvent(ports, scope, eventKey, changed);
    return written.ok ? done(await inspectionOf(store, written.value)) : written;
  }
  const document = await store.get(events, eventKey);
  if (!document) return eventUnknown();
  const record = eventInScope(await readRecord(store, document), scope);
  const next = record.ok ? changed(document.value, record.value) : record;
  return next.ok ? done(await inspectionOf(store, await readRecord(store, { ...document, value: next.value }))) : next;
}

export async function settleEvent(
  { store, clock, announce }: Ports,
  { eventKey, ...settled }: CatalogInput<'events.settle'>,
): Promise<Outcome<{ event: EventRecord }>> {
  const written = await change(store, events, eventKey, eventUnknown, (document) =>
    done(withSettled(eventKey, document, settled, clock.now())),
  );
  if (!written.ok) return written;
  announce({ kind: 'event', eventKey });
  if (written.value.value.gone) await dropUnused(store, written.value.value.posterAssetId);
  return done({ event: await readRecord(store, written.value) });
}

/**
 * The picture is stored before the event shows it, and protected after that. The replaced picture goes unless other
 * events show it.
 */
export async function setPoster(
  ports: Ports,
  { scope, eventKey, image }: CatalogInput<'events.set-poster'>,
): Promise<Outcome<{ event: EventRecord }>> {
  const { store, clock } = ports;
  const found = await findEvent(store, scope, eventKey);
  if (!found.ok) return found;
  const mutable = checkMutable(found.value);
  if (!mutable.ok) return mutable;
  const posterAssetId = image && (await storeAsset(ports, scope.organisationId, image));
  let before: string | null = null;
  const written = await changeEvent(ports, scope, eventKey, (document, record) => {
    const still = checkMutable(record);
    before = document.posterAssetId;
    return still.ok ? done(stamped({ ...document, posterAssetId }, clock.now())) : still;
  });
  if (written.ok && image) await storeAsset(ports, scope.organisationId, image);
  for (const replaced of new Set([before, posterAssetId])) await dropUnused(store, replaced);
  return written.ok ? done({ event: written.value }) : written;
}
