/**
 * The principals of credentials, by the SHA-256 of the token, in front of the catalog.
 *
 * States of a hash: new → looking up → known → looking up again → known …; or looking up → unknown → new.
 * - Known: the principal is used for `principalCacheMs` without a lookup, and for up to `staleAnswerMsMax` while no
 *   catalog answers. An announced revocation ends the use at once. While the link to NATS is gone no revocation can
 *   come, so that only publishable keys are used for longer than `principalCacheMs`: they read public maps.
 * - Unknown: the hash is refused for `unknownCredentialKeepMs` without a lookup. So a flood of one unknown key asks the
 *   catalog once in this time. `drop` ends the state: the catalog announces new and changed keys.
 *
 * The gate counts the lookups of an address before they begin, and gives back every lookup that was not in vain. A
 * flood of different unknown keys is therefore refused before the catalog is asked. Two orders keep valid users behind
 * the same address: a known hash never comes to the gate, and a hash that was known lately (`provenCredentialKeepMs`)
 * is looked up again without the gate.
 *
 * A hash goes from new to known without a lookup where the catalog has just minted the session (`minting`): a page uses
 * its session at once, mostly at the front door that opened it. An end of access that is announced during the question
 * may be the end of this session, so no session of the question is kept then.
 *
 * Failure at the await: the catalog does not answer → `catalog_unavailable`. The lookup is given back, nothing is
 * remembered, and a principal that was known stays in use (loading-cache.ts). A change that is announced during the
 * lookup: the answer may be older than the change, so an unknown hash is not remembered.
 */
import type { Principal } from '@parterre/shared/protocol/catalog/scope';
import { type Outcome, refuse } from '@parterre/shared/protocol/errors';
import {
  principalCacheEntries,
  principalCacheMs,
  provenCredentialKeepMs,
  staleAnswerMsMax,
  unknownCredentialKeepMs,
  unknownCredentialsKept,
} from '@parterre/shared/protocol/limits';
import type { CatalogClient } from '@parterre/shared/runtime/catalog-client';
import type { Clock } from '@parterre/shared/runtime/clock';
import { createLoadingCache } from '@parterre/shared/runtime/loading-cache';
import { RecentMap } from '@parterre/shared/runtime/recent-map';

/** The party that asks with a credential. */
export type From = { address(): string };

/** Counts lookups by address. */
export type LookupGate = {
  /** Counts a lookup that is about to begin. The refusal if the address has made too many in vain; null if it may. */
  enter(address: string): Outcome<never> | null;
  /** The lookup was not in vain. */
  giveBack(address: string): void;
};

export type CredentialCache = {
  /** `from` is null for the front door's own checks, which are not counted. */
  get(hash: string, from: From | null): Outcome<Principal> | Promise<Outcome<Principal>>;
  /** Call this before the catalog is asked to mint sessions, and the returned function with each of its sessions. */
  minting(): (hash: string, session: Principal) => void;
  drop(hash: string): void;
  clear(): void;
};

const FORGOTTEN = Number.NEGATIVE_INFINITY;
const unknownHash = refuse('unauthorized', 'The credential is unknown, revoked or expired.');

export function createCredentialCache(
  catalog: CatalogClient,
  clock: Clock,
  gate: LookupGate | null,
  linked: () => boolean = () => true,
): CredentialCache {
  /** The time at which the catalog did not know a hash. */
  const unknownAt = new RecentMap<number>(clock, {
    entriesMax: unknownCredentialsKept,
    keepMs: unknownCredentialKeepMs,
  });
  const proven = new RecentMap<boolean>(clock, { entriesMax: principalCacheEntries, keepMs: provenCredentialKeepMs });
  let changes = 0;
  let clearedAt = FORGOTTEN;
  /** The asker of the `get` under way. A lookup reads it before `get` returns. */
  let asking: From | null = null;

  function isUnknown(hash: string): boolean {
    const at = unknownAt.get(hash) ?? FORGOTTEN;
    return at > clearedAt && clock.elapsed() < at + unknownCredentialKeepMs;
  }

  async function lookUp(hash: string): Promise<Outcome<Principal>> {
    if (isUnknown(hash)) return unknownHash;
    const address = gate === null || asking === null || proven.get(hash) ? null : asking.address();
    const refused = address === null ? null : gate!.enter(address);
    if (refused) return refused;
    const changesBefore = changes;
    const found = await catalog('credentials.resolve', { hash });
    const inVain = !found.ok && found.refusal.code === 'unauthorized';
    if (address !== null && !inVain) gate!.giveBack(address);
    if (found.ok) proven.set(hash, true);
    else if (inVain && changes === changesBefore) {
      unknownAt.set(hash, clock.elapsed());
      if (proven.get(hash)) proven.set(hash, false);
    }
    return found;
  }

  const bounds = {
    entriesMax: principalCacheEntries,
    keepMs: principalCacheMs,
    staleMsMax: staleAnswerMsMax,
    mayBeStale: ({ kind }: Principal) => kind === 'publishable' || linked(),
  };
  const cache = createLoadingCache<Principal>(clock, bounds, lookUp);

  return {
    get(hash, from) {
      asking = from;
      return cache.get(hash);
    },
    minting() {
      const changesBefore = changes;
      return (hash, session) => {
        if (changes !== changesBefore) return;
        cache.put(hash, session);
        proven.set(hash, true);
      };
    },
    drop(hash) {
      changes++;
      if (unknownAt.get(hash) !== undefined) unknownAt.set(hash, FORGOTTEN);
      cache.drop(hash);
    },
    clear() {
      changes++;
      clearedAt = clock.elapsed();
      cache.clear();
    },
  };
}
