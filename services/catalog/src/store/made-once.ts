/**
 * Creates that their caller has named (Idempotency-Key) and that are carried out again: the first run may have made the thing
 * and died before it answered. What it made is looked for first, since what it stood on then (credits, a chart, an active
 * workspace) may be gone by now, and again where a run at the same time has taken its id (I5).
 *
 * Failure at each await: the store fails, which is the create's; the call is repeated and finds what was made.
 */
import { done, Fault, type Outcome } from '@parterre/shared/errors';
import type { Collection, Store, Stored } from './store.ts';

/** `make` tells `taken` where the id of what it would make is there already. */
export async function madeOnce<T>(
  callId: string | undefined,
  find: () => Promise<T | null>,
  make: () => Promise<Outcome<T | 'taken'>>,
): Promise<Outcome<T>> {
  const before = callId === undefined ? null : await find();
  if (before !== null) return done(before);
  const made = await make();
  if (!made.ok || made.value !== 'taken') return made as Outcome<T>;
  const atOnce = await find();
  if (atOnce === null) throw new Fault(`make what call ${callId} names: its id is taken`);
  return done(atOnce);
}

/** The thing of this id, if it is the organisation's. */
export async function foundOf<V extends { organisationId: string }>(
  store: Store,
  collection: Collection<V>,
  organisationId: string,
  id: string,
): Promise<Stored<V> | null> {
  const found = await store.get(collection, id);
  return found?.value.organisationId === organisationId ? found : null;
}
