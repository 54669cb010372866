/**
 * Fan-out: a journal group → its occurrences → one delivery for each subscription that matches. Reading the group again
 * fans out the same deliveries (I5). Only the last given order is kept between groups.
 *
 * Most events have no subscription. A message names its events outside of their records, so `isUnheard` knows groups
 * without a receiver by two cached answers, without a wait and without decoding.
 */

import type { PlanSource } from '@parterre/shared/charts/plans/plans';
import { linkAfter, type PackedGroup, readGroup } from '@parterre/shared/protocol/journal/messages';
import {
  type JournalPlace,
  needsPlan,
  occurrenceNamesOf,
  occurrencesOf,
} from '@parterre/shared/protocol/occurrences/occurrences';
import type { Clock } from '@parterre/shared/runtime/clock';
import type { Logger } from '@parterre/shared/runtime/log';
import type { Directory, KnownAnswers } from '../catalog/directory.ts';
import { type Delivery, firstDelivery } from '../deliveries/rules/delivery.ts';
import { createDeliveryOrder } from '../deliveries/rules/delivery-order.ts';
import { matchesEvent, matchesTime } from '../occurrences/rules/matching.ts';

export type FanOutPorts = { directory: Directory; plans: PlanSource; clock: Clock; log: Logger };

/** A group at its place in the journal, still encoded. */
export type JournalEntry = JournalPlace & PackedGroup;

export type FannedOut =
  | { kind: 'deliveries'; deliveries: Delivery[] }
  /** The catalog or a plan is away. */
  | { kind: 'later'; why: string }
  /** The catalog has no such event. */
  | { kind: 'unknown'; why: string };

export type FanOut = (entry: JournalEntry) => Promise<FannedOut>;

/** Whether no subscription hears of an event. False where the cached answers do not tell. */
export type IsUnheard = (eventKey: string) => boolean;

export function createIsUnheard(known: KnownAnswers): IsUnheard {
  return (eventKey) => {
    const event = known.event(eventKey);
    const subs = event && known.subscriptions(event.organisationId, event.mode);
    return subs !== null && !subs.some((sub) => matchesEvent(sub, event!));
  };
}

export function createFanOut({ directory, plans, clock, log }: FanOutPorts): FanOut {
  const nextOrder = createDeliveryOrder(clock);

  async function fanOut(entry: JournalEntry): Promise<FannedOut> {
    const event = await directory.event(entry.eventKey);
    if (!event.ok) {
      // Other refusals, for example of a failing store, say nothing about the event.
      const kind = event.refusal.code === 'not_found' ? 'unknown' : 'later';
      return { kind, why: event.refusal.message };
    }
    const { organisationId, mode } = event.value;
    const subs = await directory.subscriptions(organisationId, mode);
    if (!subs.ok) return { kind: 'later', why: subs.refusal.message };
    const matching = subs.value.filter((sub) => matchesEvent(sub, event.value));
    if (matching.length === 0) return { kind: 'deliveries', deliveries: [] };
    const group = readGroup(entry.data);
    const matchingThen = matching.filter((sub) => matchesTime(sub, group.at));
    const names: Set<string> = occurrenceNamesOf(group);
    const wanted = new Set(matchingThen.flatMap((sub) => sub.events.filter((name) => names.has(name))));
    if (wanted.size === 0) return { kind: 'deliveries', deliveries: [] };
    try {
      const plan = needsPlan(wanted) ? await plans(group.plan) : null;
      const occurrences = occurrencesOf({ group, link: linkAfter(entry.data) }, entry, event.value, plan, wanted);
      const deliveries = occurrences.flatMap((occurrence) =>
        matchingThen
          .filter((sub) => sub.events.includes(occurrence.name))
          .map(({ id }) => {
            const to = { subId: id, organisationId, mode, eventKey: entry.eventKey };
            return firstDelivery(occurrence, to, nextOrder());
          }),
      );
      return { kind: 'deliveries', deliveries };
    } catch (error) {
      log.warn({ err: error, eventKey: entry.eventKey }, 'a journal group cannot be fanned out now');
      return { kind: 'later', why: error instanceof Error ? error.message : String(error) };
    }
  }

  return fanOut;
}
