/**
 * The second half of an amendment. States: in the season's document (`amending`) → shown by its event → listed.
 *
 * Failure at each await: the store fails, so the operation fails. The amendment stands in the season's document, and
 * the next change or read of the occurrences does this again. Each step may be repeated. A late process cannot put an
 * older amendment in the place of a later one: the event's document has the revision of its last amendment.
 */
import type { Amendment } from '@parterre/shared/protocol/catalog/seasons';
import { done } from '@parterre/shared/protocol/errors';
import { eventUnknown } from '../events/event-access.ts';
import { stamped } from '../events/rules/event-state.ts';
import { withFactsNote } from '../events/rules/facts-notes.ts';
import { events } from '../store/collections.ts';
import { change, type Ports } from '../store/operations.ts';
import type { AmendmentRecord } from '../store/rules/season-records.ts';
import { seasonAmendments } from '../store/season-collections.ts';

export async function finishAmendment(
  { store, clock, announce }: Pick<Ports, 'store' | 'clock' | 'announce'>,
  amending: AmendmentRecord | null,
): Promise<void> {
  if (amending === null || (await store.get(seasonAmendments, amending.amendmentId))) return;
  const { eventKey, seasonKey, revision, after } = amending;
  if (amending.classification === 'identity_preserving') {
    await change(store, events, eventKey, eventUnknown, (event) => {
      if ((event.amended?.[seasonKey] ?? 0) >= revision) return done(event);
      const { name, startsAt, endsAt } = after;
      const amended = { ...event.amended, [seasonKey]: revision };
      const next = stamped({ ...event, name, startsAt, endsAt, amended }, clock.now());
      return done(withFactsNote(event, next, { source: 'operator', actor: null }, `amended ${amending.amendmentId}`));
    });
    announce({ kind: 'event', eventKey });
  }
  await store.insert(seasonAmendments, amending.amendmentId, amending);
}

export function amendmentOf({ seasonKey: _, ...amendment }: AmendmentRecord): Amendment {
  return amendment;
}
