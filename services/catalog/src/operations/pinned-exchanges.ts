/**
 * Goes on with exchanges over two events whose coordinator stopped: a front door died in the middle of a call, or an
 * event did not answer. Every pin that stands for `operationPatienceMs` is brought to its end: the event that takes
 * refuses the try, and the pin goes; or the event has taken, and the pinned units are given. Any number of catalogs may
 * do this, beside a coordinator that is only slow: the event that takes decides once.
 *
 * States of a pin in this process: standing → (patience) due → under way → ended, and seen no more; or → (a pause that
 * doubles) due.
 *
 * Failure at each await: the store cannot be read → logged, and the next look tries again; an event does not answer →
 * the pin stands, and is due again after its pause; this process dies → every other catalog sees the pin. A pin stands
 * in the journal alone, so a restore of an older store loses none.
 */
import type { Caller } from '@parterre/shared/protocol/commands';
import { resumeExchange } from '@parterre/shared/protocol/operations/exchanges';
import { createWatching, type Watching } from '@parterre/shared/runtime/watching';
import { currentViews } from '../projections/generations.ts';
import type { Ports } from '../store/operations.ts';
import {
  openOperationsPerLook,
  openOperationsPollMs,
  operationPatienceMs,
  operationResumeMs,
  operationRetryMs,
  operationsResumedAtOnce,
} from '../store/rules/bounds.ts';
import type { PinnedExchangeProjection } from '../store/rules/records.ts';

export type PinnedExchanges = Watching & {
  /** One look. Resolves when the tries that it began are over. */
  look(): Promise<void>;
};

const byTimer: Caller = { source: 'timer', actor: null, accessSource: 'public' };

export function createPinnedExchanges(ports: Ports): PinnedExchanges {
  const { store, clock, log, ask } = ports;
  /** By pin: the time (`Clock.elapsed`) of the next try, and the tries so far. */
  let sights = new Map<string, { dueAt: number; tries: number }>();

  async function look(): Promise<void> {
    try {
      const { pinnedExchanges } = await currentViews(store);
      const query = { index: 'open', equal: [true], limit: openOperationsPerLook };
      const { documents } = await store.page(pinnedExchanges, query);
      sights = new Map(documents.map(({ id, value }) => [id, sights.get(id) ?? sightOf(value)]));
      const due = documents.filter(({ id }) => sights.get(id)!.dueAt <= clock.elapsed());
      await Promise.all(due.slice(0, operationsResumedAtOnce).map(({ id, value }) => end(id, value)));
    } catch (error) {
      log.warn({ err: error }, 'the pinned exchanges cannot be read now');
    }
  }

  function sightOf({ changedAt }: PinnedExchangeProjection): { dueAt: number; tries: number } {
    const age = Math.max(clock.now() - changedAt, 0);
    return { dueAt: clock.elapsed() + Math.max(operationPatienceMs - age, 0), tries: 0 };
  }

  async function end(id: string, pinned: PinnedExchangeProjection): Promise<void> {
    const { exchangeId, pinId, eventKey: fromEventKey, toEventKey } = pinned;
    const sight = sights.get(id)!;
    const deadlineAt = clock.elapsed() + operationResumeMs;
    const exchange = { exchangeId, pinId, fromEventKey, toEventKey };
    const ended = await resumeExchange({ ask, now: clock.now }, exchange, byTimer, deadlineAt);
    if (!ended.ok) log.debug({ exchange: exchangeId, refusal: ended.refusal }, 'a pinned exchange stays open');
    // The projection may not have counted the end yet. Another try is harmless.
    sight.dueAt = clock.elapsed() + Math.min(operationRetryMs.msMin * 2 ** sight.tries++, operationRetryMs.msMax);
  }

  return { look, ...createWatching(clock, openOperationsPollMs, look) };
}
