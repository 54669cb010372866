/**
 * Goes on with operations over several events whose coordinator stopped: a front door died in the middle of a call, or
 * an event did not answer. The projection knows which operations are open, so a look grows with open work only. Any
 * number of catalogs may go on with one operation, beside a coordinator that is only slow: the home takes one decision.
 *
 * States of an open operation in this process:
 *
 *   seen → (no record for `operationPatienceMs`,
 *           or no try for `operationPatienceMsMax`) due → under way → closed, and seen no more
 *                                                               → seen anew, if it has further records
 *                                                               → (a pause that doubles) due, if it has none
 *
 * On failure, at each await: the store cannot be read → logged, and the next look tries again; an event does not answer
 * → the operation is open still, and due again after its pause; the process dies → the operation is open, and every
 * other catalog sees it. A stop awaits the tries under way, which have a deadline.
 */

import type { Coordinator } from '@parterre/shared/protocol/operations/ports';
import { type Clock, pauseUnless } from '@parterre/shared/runtime/clock';
import type { Logger } from '@parterre/shared/runtime/log';
import { currentViews } from '../projections/generations.ts';
import {
  openOperationsPerLook,
  openOperationsPollMs,
  operationPatienceMs,
  operationPatienceMsMax,
  operationResumeMs,
  operationRetryMs,
  operationsResumedAtOnce,
} from '../store/rules/bounds.ts';
import type { Position } from '../store/rules/paging.ts';
import type { OperationProjection } from '../store/rules/records.ts';
import type { Store, Stored } from '../store/store.ts';

export type CarryOnPorts = {
  store: Store;
  clock: Clock;
  log: Logger;
  coordinator: Pick<Coordinator, 'resume'>;
};

export type CarryOn = { stop(): Promise<void> };

/**
 * `tries` of this version of the document. `since`: the first sight, or the end of the latest try. Times in
 * `Clock.elapsed`.
 */
type DocumentSight = { version: number; dueAt: number; tries: number; since: number };

export function startCarryOn({ store, clock, log, coordinator }: CarryOnPorts): CarryOn {
  const stopping = new AbortController();
  const underWay = new Map<string, Promise<void>>();
  let seen = new Map<string, DocumentSight>();
  let after: Position | null = null;

  async function look(): Promise<void> {
    const { operations } = await currentViews(store);
    const { documents, next } = await store.page(operations, {
      index: 'open',
      equal: [true],
      limit: openOperationsPerLook,
      ...(after && { after }),
    });
    after = next;
    // Operations of other pages are forgotten. Their next look finds them old, so they are due at once.
    seen = new Map(documents.map((document) => [document.id, sightOf(document)]));
    for (const { id, value } of documents) {
      if (underWay.size >= operationsResumedAtOnce) return;
      if (!underWay.has(id) && seen.get(id)!.dueAt <= clock.elapsed()) begin(id, value);
    }
  }

  function sightOf({ id, version, value }: Stored<OperationProjection>): DocumentSight {
    const known = seen.get(id);
    if (known?.version === version) return known;
    // A clock that is ahead of the shards' makes this catalog impatient, a clock that is behind no more than patient.
    const age = known ? 0 : Math.max(clock.now() - value.changedAt, 0);
    const now = clock.elapsed();
    const since = known?.since ?? now;
    const dueAt = Math.min(now + Math.max(operationPatienceMs - age, 0), since + operationPatienceMsMax);
    return { version, tries: 0, dueAt, since };
  }

  function begin(id: string, { head }: OperationProjection): void {
    const sight = seen.get(id)!;
    const { msMin, msMax } = operationRetryMs;
    const { owner, operationId, eventKeys } = head;
    const going = coordinator
      .resume({ owner, operationId, eventKeys }, clock.elapsed() + operationResumeMs)
      .then((outcome) => {
        if (!outcome.ok) log.debug({ operation: head.id, refusal: outcome.refusal }, 'an operation stays open');
      })
      .catch((error) => log.warn({ err: error, operation: head.id }, 'an operation cannot be carried on now'))
      .finally(() => {
        const now = clock.elapsed();
        sight.dueAt = now + Math.min(msMin * 2 ** sight.tries++, msMax);
        // A record of the try may have come, with a sight of its own.
        (seen.get(id) ?? sight).since = now;
        underWay.delete(id);
      });
    underWay.set(id, going);
  }

  async function lookAgainAndAgain(): Promise<void> {
    while (!stopping.signal.aborted) {
      try {
        await look();
      } catch (error) {
        log.warn({ err: error }, 'the open operations cannot be read now');
      }
      await pauseUnless(stopping.signal, clock, openOperationsPollMs);
    }
    await Promise.all(underWay.values());
  }

  const looking = lookAgainAndAgain();
  return {
    async stop() {
      stopping.abort();
      await looking;
    },
  };
}
