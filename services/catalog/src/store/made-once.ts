/**
 * Creates that belong to a named call (Idempotency-Key) and run again: the first run may have made the thing and died
 * before its answer. So the thing is looked for before it is made, since its preconditions (credits, a chart, an active
 * workspace) may be gone by now. It is looked for again where a run at the same time has taken its id (I5).
 *
 * Failure at each await: the store fails, so the create fails; the call is repeated and finds the thing.
 */
import { done, Fault, type Outcome } from '@parterre/shared/errors';
import type { Collection, Store, Stored } from './store.ts';

/** `make` resolves with `taken` where the thing's id exists already. */
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
  if (atOnce === null) throw new Fault(`run call ${callId} again: its id is taken by another thing`);
  return done(atOnce);
}

/** The thing of this id, if it belongs to the organisation. */
export async function foundOf<V extends { organisationId: string }>(
  store: Store,
  collection: Collection<V>,
  organisationId: string,
  id: string,
): Promise<Stored<V> | null> {
  const found = await store.get(collection, id);
  return found?.value.organisationId === organisationId ? found : null;
}
