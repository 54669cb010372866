/**
 * Frees claims on events that no document knows: locks of groups and seasons, and seats that offers reserve. A restore
 * of an older store leaves such claims, which nobody else frees. The owner of a lock may be there, and be older than
 * its lock, as a draft that was activated since: a lock belongs to its activation.
 *
 * A claim is freed only when all of these hold, in this order of reads:
 *   1. This catalog's projection shows the claim, and has counted the claim's stream behind the record that made it. A
 *      catalog that is behind does not see the claim.
 *   2. The store answers, after that, that the offer has no document, or that the owner of the lock has none or names
 *      no such activation. The document is written before its first claim, and names an activation before its first
 *      lock. So a store that is as new as the record knows the claim.
 *   3. Both were so for `orphanPatienceMs`, at every look.
 *   4. The store has the event. An empty store has no event, and frees nothing.
 *
 * States of a claim in this process: standing → missing its owner (since a time) → asked to end → ended, by a record
 * that the event's actor decides. A look that finds the owner begins anew.
 *
 * Failure at each await: the store does not answer → nothing is freed, and every wait begins anew; the event does not
 * answer, or operations of the owner live there → the next look asks again; this process dies → every other catalog
 * looks by itself; two catalogs ask at once → the command names the lock or the offer, so the second has no effect
 * (I5). A catalog hangs between its reads and its command → the command is late. The owner's document cannot appear
 * meanwhile but by a restore: no activation and no offer takes the name of a lost one.
 */
import type { Caller } from '@parterre/shared/protocol/commands';
import { derivedId } from '@parterre/shared/protocol/ids';
import { pauseUnless } from '@parterre/shared/runtime/clock';
import { unlockAll } from '../lifecycles/event-locks.ts';
import type { LivingOwner } from '../lifecycles/lifecycle-machine.ts';
import { currentViews, positionsOf } from '../projections/generations.ts';
import { events } from '../store/collections.ts';
import { groups } from '../store/group-collections.ts';
import type { Ports } from '../store/operations.ts';
import { offers } from '../store/right-collections.ts';
import { eventLockAskMs, orphanPatienceMs, orphansPerLook, orphansPollMs } from '../store/rules/bounds.ts';
import type { Position } from '../store/rules/paging.ts';
import type { ClaimProjection } from '../store/rules/records.ts';
import { seasons } from '../store/season-collections.ts';
import type { Stored } from '../store/store.ts';

export type Orphans = {
  /** One look. Resolves when the claims that it freed are answered. */
  look(): Promise<void>;
  /** Looks until `stop`. */
  watch(): void;
  stop(): Promise<void>;
};

const byTimer: Caller = { source: 'timer', actor: null, accessSource: 'public' };

export function createOrphans(ports: Ports): Orphans {
  const { store, clock, log } = ports;
  const stopping = new AbortController();
  let watching: Promise<unknown> = Promise.resolve();
  let after: Position | null = null;
  let round = 0;
  /** By claim: the time (`Clock.elapsed`) since which its owner is missing, and the round that saw it last. */
  const missing = new Map<string, { since: number; round: number }>();

  async function look(): Promise<void> {
    try {
      const suspects = await suspectsOf();
      for (const [claim, since] of suspects) {
        if (stopping.signal.aborted) return;
        if (clock.elapsed() - since >= orphanPatienceMs) await free(ports, claim.value);
      }
    } catch (error) {
      missing.clear();
      log.warn({ err: error }, 'claims without an owner cannot be looked for now');
    }
  }

  /** The claims of this page whose owner is missing, each with the time since when. */
  async function suspectsOf(): Promise<[Stored<ClaimProjection>, number][]> {
    const { documents, next, found } = await readPage();
    const suspects: [Stored<ClaimProjection>, number][] = [];
    for (const [index, claim] of documents.entries()) {
      if (found[index]) {
        missing.delete(claim.id);
        continue;
      }
      const since = missing.get(claim.id)?.since ?? clock.elapsed();
      missing.set(claim.id, { since, round });
      suspects.push([claim, since]);
    }
    after = next;
    if (next === null) forgetEnded();
    return suspects;
  }

  /** A round has seen every claim that stands. */
  function forgetEnded(): void {
    for (const [id, seen] of missing) if (seen.round < round) missing.delete(id);
    round++;
  }

  async function readPage() {
    const views = await currentViews(store);
    const query = { index: 'byStanding', equal: [true], limit: orphansPerLook };
    const { documents, next } = await store.page(views.claims, { ...query, ...(after && { after }) });
    const streams = [...new Set(documents.map(({ value }) => value.stream))];
    const positions = await positionsOf(store, views, streams);
    const found = await Promise.all(
      documents.map(async ({ value }) => {
        const isCounted = (positions.get(value.stream) ?? 0) >= value.madeAt;
        return !isCounted || (await isKnown(ports, value));
      }),
    );
    return { documents, next, found };
  }

  async function lookOn(): Promise<void> {
    while (!stopping.signal.aborted) {
      await look();
      await pauseUnless(stopping.signal, clock, orphansPollMs);
    }
  }

  return {
    look,
    watch() {
      watching = lookOn();
    },
    async stop() {
      stopping.abort();
      await watching;
    },
  };
}

/**
 * A deleted owner had no claims when it was deleted, and its document stays. An event without a document says nothing.
 */
async function isKnown({ store }: Ports, { eventKey, claim }: ClaimProjection): Promise<boolean> {
  const known =
    claim.kind === 'offer'
      ? (await store.get(offers, claim.offerId)) !== null
      : claim.owner.kind === 'group'
        ? namesActivation(await store.get(groups, claim.owner.key), claim)
        : namesActivation(await store.get(seasons, claim.owner.key), claim);
  return known || (await store.get(events, eventKey)) === null;
}

/** A document keeps its latest activations by name, also those that have ended. */
function namesActivation(
  owner: Stored<Pick<LivingOwner, 'lockId' | 'lifecycles'>> | null,
  { lockId }: { lockId: string },
): boolean {
  if (owner === null) return false;
  const { lifecycles, lockId: standing } = owner.value;
  return standing === lockId || lifecycles.some(({ operationId }) => operationId === lockId);
}

async function free(ports: Ports, { eventKey, claim }: ClaimProjection): Promise<void> {
  const { ask, clock, log } = ports;
  if (claim.kind === 'lock') {
    const { owner, lockId } = claim;
    const acks = await unlockAll(ports, { owner, lockId }, [eventKey]);
    if (acks.waiting || acks.refused) return;
    log.warn({ event: eventKey, lock: lockId, owner }, 'a lock of an activation that no document names was freed');
    return;
  }
  const { offerId, owner } = claim;
  const callId = derivedId('call', 'orphan', offerId, eventKey);
  const freed = await ask(eventKey, { type: 'unreserve', callId, offerId }, byTimer, clock.elapsed() + eventLockAskMs);
  if (freed.ok)
    log.warn({ event: eventKey, offer: offerId, owner }, 'the seats of an offer without a document were freed');
}
