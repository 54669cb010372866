/** The payers of sales: the organisation of each live event. Test events cost nothing. Neither ever changes. */
import type { Clock } from '@parterre/shared/runtime/clock';
import { RecentMap } from '@parterre/shared/runtime/recent-map';
import { events } from '../store/collections.ts';
import { payersKept } from '../store/rules/bounds.ts';
import type { Store } from '../store/store.ts';

/** The payers of these events, without the test events. */
export type Payers = (eventKeys: ReadonlySet<string>) => Promise<Map<string, string>>;

export function createPayers(store: Store, clock: Clock): Payers {
  const known = new RecentMap<{ payer: string | null }>(clock, {
    entriesMax: payersKept,
    keepMs: Number.POSITIVE_INFINITY,
  });
  return async (eventKeys) => {
    const payers = new Map<string, string>();
    const unknown: string[] = [];
    const note = (eventKey: string, payer: string | null): void => {
      if (payer !== null) payers.set(eventKey, payer);
    };
    for (const eventKey of eventKeys) {
      const remembered = known.get(eventKey);
      if (remembered) note(eventKey, remembered.payer);
      else unknown.push(eventKey);
    }
    const found = unknown.length > 0 ? await store.getMany(events, unknown) : [];
    for (const { id, value } of found) {
      const payer = value.mode === 'live' ? value.organisationId : null;
      known.set(id, { payer });
      note(id, payer);
    }
    return payers;
  };
}
