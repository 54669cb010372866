/**
 * A delivery: one occurrence on its way to one subscription. It carries its own count of attempts, because the queue's
 * count of redeliveries also grows when a delivery is put back unsent. It never carries an address or a secret: both
 * are asked for at every attempt, so that a rotated secret or a deleted subscription counts at once.
 */
import type { Mode } from '@parterre/shared/records';
import type { Occurrence } from './occurrences.ts';
import { deferralMs, laneOf } from './schedule.ts';

export type Delivery = {
  occurrenceId: string;
  subId: string;
  organisationId: string;
  mode: Mode;
  name: string;
  body: string;
  /** Attempts made. */
  attempts: number;
  /** Times it was put back because its endpoint was busy; not attempts. */
  deferrals: number;
  /** Not to be sent before, epoch ms. */
  dueAt: number;
  lane: number;
};

export type Addressee = { subId: string; organisationId: string; mode: Mode };

export function firstDelivery(
  occurrence: Pick<Occurrence, 'id' | 'name' | 'body'>,
  to: Addressee,
  now: number,
): Delivery {
  const { id, name, body } = occurrence;
  return { ...to, occurrenceId: id, name, body, attempts: 0, deferrals: 0, dueAt: now, lane: laneOf(0) };
}

/** The delivery after a failed attempt, due again in `delayMs`. */
export function retried(delivery: Delivery, delayMs: number, now: number): Delivery {
  return { ...delivery, attempts: delivery.attempts + 1, dueAt: now + delayMs, lane: laneOf(delayMs) };
}

/** The delivery put back unsent because too many wait for its endpoint. */
export function deferred(delivery: Delivery, now: number): Delivery {
  const delayMs = deferralMs(delivery.deferrals);
  return { ...delivery, deferrals: delivery.deferrals + 1, dueAt: now + delayMs, lane: laneOf(delayMs) };
}

/** Names this step of the delivery's life: queueing the same step twice queues it once (I5). */
export function messageIdOf(delivery: Delivery): string {
  const first = `${delivery.occurrenceId}.${delivery.subId}`;
  const { attempts, deferrals } = delivery;
  return attempts + deferrals === 0 ? first : `${first}.${attempts}.${deferrals}`;
}
