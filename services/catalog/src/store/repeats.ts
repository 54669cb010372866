/**
 * Calls that may be repeats. Every repeat in the catalog is recognised here, so the order of the questions is the same
 * everywhere: first the caller's scope, then the repeat, then the state of the thing. A stranger who repeats another
 * caller's call gets the same refusal as for a read of the thing. The order matters because the name of a call may be
 * guessed: the name of a lifecycle call follows from a season's key and a small revision.
 *
 * `madeOnce` is for creates that belong to a named call (Idempotency-Key) and run again: the first run may have made
 * the thing and died before its answer. So the thing is looked for before it is made, since its preconditions (credits,
 * a chart, an active workspace) may be gone by now. The thing is looked for again where a run at the same time has
 * taken its id (I5).
 *
 * Failure at each await: the store fails, so the call fails; the call is repeated and finds the thing.
 */
import type { Scope } from '@parterre/shared/protocol/catalog/scope';
import { done, Fault, type Outcome } from '@parterre/shared/protocol/errors';
import type { Stored } from './store.ts';

type CallOn<V> = {
  isRepeated: () => boolean | Promise<boolean>;
  decide: (value: V) => Outcome<V> | Promise<Outcome<V>>;
};

/**
 * The value that a call on a stored thing leaves: unchanged where the call stands already. `within` is the thing as the
 * caller's scope sees it. A repeat is looked up only for a thing within the scope.
 */
export async function unlessRepeated<V>(within: Outcome<V>, { isRepeated, decide }: CallOn<V>): Promise<Outcome<V>> {
  if (!within.ok || (await isRepeated())) return within;
  return decide(within.value);
}

/** The fields by which a scope is judged. A chart has no mode. A workspace has neither. */
type Owned = { organisationId: string; workspaceId?: string; mode?: Scope['mode'] };

type CreateOf<V> = {
  scope: Pick<Scope, 'organisationId'> & Partial<Pick<Scope, 'workspaceId' | 'mode'>>;
  callId: string | undefined;
  find: () => Promise<Stored<V> | null>;
  /** Resolves with `taken` where the thing's id exists already. */
  make: () => Promise<Outcome<Stored<V> | 'taken'>>;
};

export async function madeOnce<V extends Owned>({
  scope,
  callId,
  find,
  make,
}: CreateOf<V>): Promise<Outcome<Stored<V>>> {
  const before = callId === undefined ? null : await find();
  if (before !== null && isOwned(before.value, scope)) return done(before);
  const made = await make();
  if (!made.ok || made.value !== 'taken') return made as Outcome<Stored<V>>;
  const atOnce = await find();
  if (atOnce === null || !isOwned(atOnce.value, scope)) {
    throw new Fault(`run call ${callId} again: its id is taken by another thing`);
  }
  return done(atOnce);
}

function isOwned(thing: Owned, { organisationId, workspaceId = null, mode = null }: CreateOf<Owned>['scope']): boolean {
  if (thing.organisationId !== organisationId) return false;
  if (workspaceId !== null && thing.workspaceId !== undefined && thing.workspaceId !== workspaceId) return false;
  return mode === null || thing.mode === undefined || thing.mode === mode;
}
