/**
 * Gives the changes of an event's facts (name, times, venue) a place in the event's journal, so that the log and the
 * webhooks tell them in their order.
 *
 * States of a change: written to the event's document together with its note → the event's actor has journaled the note
 * → the note is gone. The notes of an event are told one after the other, in the order of the changes. The actor knows
 * each by its name, so a second teller has no second effect (I5), and no teller comes to a note before the notes before
 * it were journaled.
 *
 * Failure at each await: the actor does not answer, or this process dies → the note is told at a later look, by any
 * catalog; the actor refuses (the event is in the archive or deleted) → the note is dropped; the store fails → the note
 * is told again.
 */

import { refuse } from '@parterre/shared/protocol/errors';
import { pause } from '@parterre/shared/runtime/clock';
import { createWatching, type Watching } from '@parterre/shared/runtime/watching';
import { events } from '../store/collections.ts';
import { change, type Ports } from '../store/operations.ts';
import { factsAskMs, factsSoonMs, untoldFactsAtOnceMax, untoldFactsPollMs } from '../store/rules/bounds.ts';
import type { EventDocument } from '../store/rules/records.ts';
import type { Stored } from '../store/store.ts';
import { withoutFactsNote } from './rules/facts-notes.ts';

const gone = () => refuse('not_found', 'The event has no document.');

export type UntoldFacts = Watching & {
  /** One look. Resolves when its events are told, or do not answer. */
  look(): Promise<void>;
};

export function createUntoldFacts(ports: Pick<Ports, 'store' | 'clock' | 'ask' | 'log'>): UntoldFacts {
  const { store, clock, log } = ports;

  async function look(): Promise<void> {
    const query = { index: 'byUntold', equal: [true], limit: untoldFactsAtOnceMax };
    const { documents } = await store.page(events, query);
    await Promise.all(documents.map((event) => tell(ports, event)));
  }

  async function lookQuietly(): Promise<void> {
    try {
      await look();
    } catch (error) {
      log.warn({ err: error }, 'changes of events cannot be told to their journals now');
    }
  }

  return { look, ...createWatching(clock, untoldFactsPollMs, lookQuietly) };
}

/** The caller of a change waits a moment, so that a call behind it stands behind it in the journal. */
export async function tellSoon(ports: Pick<Ports, 'store' | 'clock' | 'ask' | 'log'>, event: Stored<EventDocument>) {
  if (!event.value.hasUntold) return;
  const { clock, log } = ports;
  const told = tell(ports, event).catch((error: unknown) => {
    log.warn({ err: error, eventKey: event.id }, 'a change of an event is told later');
  });
  await Promise.race([told, pause(clock, factsSoonMs)]);
}

async function tell(
  { store, clock, ask, log }: Pick<Ports, 'store' | 'clock' | 'ask' | 'log'>,
  { id, value }: Stored<EventDocument>,
): Promise<void> {
  for (const { callId, source, actor, facts } of value.untold ?? []) {
    const caller = { source, actor, accessSource: 'public' } as const;
    const told = await ask(id, { type: 'configure', callId, facts }, caller, clock.elapsed() + factsAskMs);
    if (!told.ok && told.refusal.retryable) return;
    if (!told.ok) log.info({ eventKey: id, code: told.refusal.code }, 'a change of an event is not told');
    await change(store, events, id, gone, (event) => ({ ok: true, value: withoutFactsNote(event, callId) }));
  }
}
