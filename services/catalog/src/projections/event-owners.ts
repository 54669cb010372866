/** The owners of events: the organisation and the mode of each. Neither ever changes. */
import type { Mode } from '@parterre/shared/protocol/records';
import type { Clock } from '@parterre/shared/runtime/clock';
import { RecentMap } from '@parterre/shared/runtime/recent-map';
import { events } from '../store/collections.ts';
import { eventOwnersKept } from '../store/rules/bounds.ts';
import type { Store } from '../store/store.ts';

export type EventOwner = { organisationId: string; mode: Mode };

/** The owners of these events, as far as the events have documents. */
export type EventOwners = (eventKeys: ReadonlySet<string>) => Promise<Map<string, EventOwner>>;

export function createEventOwners(store: Store, clock: Clock): EventOwners {
  const known = new RecentMap<{ owner: EventOwner }>(clock, {
    entriesMax: eventOwnersKept,
    keepMs: Number.POSITIVE_INFINITY,
  });
  return async (eventKeys) => {
    const owners = new Map<string, EventOwner>();
    const unknown: string[] = [];
    for (const eventKey of eventKeys) {
      const remembered = known.get(eventKey);
      if (remembered) owners.set(eventKey, remembered.owner);
      else unknown.push(eventKey);
    }
    const found = unknown.length > 0 ? await store.getMany(events, unknown) : [];
    for (const { id, value } of found) {
      const owner = { organisationId: value.organisationId, mode: value.mode };
      known.set(id, { owner });
      owners.set(id, owner);
    }
    return owners;
  };
}
