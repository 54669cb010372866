/**
 * A delivery: one occurrence on its way to one subscription. It carries its own count of attempts, because a queue's
 * count of redeliveries also grows when a delivery is given back without a post. It carries no address and no secret.
 * Every attempt asks for both, so a rotated secret or a deleted subscription takes effect at once.
 *
 * States: fanned out of a journal message → attempted at once, or waiting in its backlog → delivered, or in a retry
 * queue → … → delivered, or over: exhausted, gone, or no longer wanted.
 */
import type { KeptDelivery, OccurrencePlace, UndeliveredDelivery } from '@parterre/shared/protocol/catalog/deliveries';
import type { DueOccurrence, SeasonReach } from '@parterre/shared/protocol/catalog/season-outbox';
import type { Recovery } from '@parterre/shared/protocol/catalog/webhooks';
import { derivedIdAt, sha256 } from '@parterre/shared/protocol/ids';
import type { Occurrence } from '@parterre/shared/protocol/occurrences/occurrences';
import type { Mode } from '@parterre/shared/protocol/records';
import { readStored, readStoredList, type StoredForm } from '@parterre/shared/protocol/stored';
import {
  backlogPieceBodyBytesMax,
  backlogPieceDeliveriesMax,
  deliveryBodyBytesMax,
} from '@parterre/shared/protocol/webhook-limits';
import { retryQueueOf } from './schedule.ts';

export type Delivery = {
  deliveryId: string;
  subId: string;
  organisationId: string;
  mode: Mode;
  /** Empty for an occurrence of a season. */
  eventKey: string;
  /** The season of an occurrence of its own. [of an event] */
  season?: SeasonReach;
  occurrenceId: string;
  name: string;
  ref: string | null;
  place: OccurrencePlace;
  /** Null in a queue where the body is too long to be stored there. It is then made again from `place`. */
  body: string | null;
  /** When the delivery was fanned out, microseconds. */
  order: number;
  /** Attempts made so far. */
  attempts: number;
  /**
   * A copy that a recovery has made; `asked` is its number. `from`: the attempts before, behind which the schedule
   * begins again. `from` null: one attempt beside the schedule, whose own retry stays queued. [none]
   */
  recovery?: { asked: number; from: number | null };
  /** The context of the traced call that caused the occurrence. [not traced] */
  trace?: string;
};

/** A delivery that waits for another attempt. */
export type Retry = Delivery & {
  /** No attempt comes before this time, epoch ms. */
  dueAt: number;
  /** The number of its retry queue. */
  retryQueue: number;
};

const deliveryForm: StoredForm<Delivery> = {
  deliveryId: 'text',
  subId: 'text',
  organisationId: 'text',
  mode: 'text',
  eventKey: 'text',
  occurrenceId: 'text',
  name: 'text',
  ref: 'text or null',
  place: 'fields',
  body: 'text or null',
  order: 'number',
  attempts: 'number',
};
const retryForm: StoredForm<Retry> = { ...deliveryForm, dueAt: 'number', retryQueue: 'number' };

/** The deliveries of one message of a backlog. Throws a `Fault` for anything else. */
export function readDeliveries(data: Uint8Array): Delivery[] {
  return readStoredList('read deliveries of a backlog', data, deliveryForm);
}

/** Throws a `Fault` for anything else. */
export function readRetry(data: Uint8Array): Retry {
  return readStored('read a queued retry', data, retryForm);
}

export type Addressee = Pick<Delivery, 'subId' | 'organisationId' | 'mode' | 'eventKey'>;

export function firstDelivery(occurrence: Occurrence, to: Addressee, order: number): Delivery {
  const { id, name, ref, place, at, body } = occurrence;
  const { subId, organisationId, mode, eventKey } = to;
  const deliveryId = derivedIdAt('dlv', at, id, subId);
  return {
    deliveryId,
    subId,
    organisationId,
    mode,
    eventKey,
    occurrenceId: id,
    name,
    ref,
    place,
    body,
    order,
    attempts: 0,
  };
}

/** Such a delivery has no place in a journal, so its body goes with it. A replay is a delivery of its own. */
export function seasonDelivery(due: DueOccurrence, subId: string, order: number): Delivery {
  const { occurrenceId, replayCount, organisationId, mode, season, eventName: name, at, body } = due;
  const deliveryId = derivedIdAt('dlv', at, occurrenceId, subId, String(replayCount));
  const place = { partition: 0, sequence: 0, index: 0 };
  const named = { deliveryId, subId, organisationId, mode, eventKey: '', season, occurrenceId, name };
  return { ...named, ref: season.key, place, body, order, attempts: 0 };
}

/** The delivery after a failed attempt, due again in `delayMs`. */
export function retryOf(delivery: Delivery, delayMs: number, now: number): Retry {
  return { ...delivery, attempts: delivery.attempts + 1, dueAt: now + delayMs, retryQueue: retryQueueOf(delayMs) };
}

/** Identifies this attempt of the delivery. Queueing the same retry twice stores it once (I5). */
export function retryIdOf({ deliveryId, attempts, recovery }: Delivery): string {
  return `${deliveryId}.${attempts}${recovery ? `.${recovery.asked}` : ''}`;
}

/**
 * Identifies a piece by all deliveries in it. A journal message that is read again therefore stores the same piece
 * once.
 */
export function backlogIdOf(piece: readonly Delivery[]): string {
  return sha256(piece.map(retryIdOf).join(' '));
}

/** The delivery as a queue and the history store it. */
export function asStored<D extends Delivery>(delivery: D): D {
  const { body } = delivery;
  // A body without a place cannot be made again. It was stored before, so it is stored again.
  return body === null || delivery.place.sequence === 0 || isShort(body) ? delivery : { ...delivery, body: null };
}

/** No character takes more than three bytes. */
function isShort(body: string): boolean {
  return body.length * 3 <= deliveryBodyBytesMax || Buffer.byteLength(body) <= deliveryBodyBytesMax;
}

/**
 * Whether a retry is still due, by the history's record of its delivery. It is not due when a manual retry has
 * delivered it, when it was given up, or when another copy of it was attempted. Attempts decide, not times: a notifier
 * may die after it queues a retry and before it reports the attempt. The attempt is then made again, and the history's
 * time differs from the queued retry's.
 */
export function isStillDue(
  kept: Pick<KeptDelivery, 'retryState' | 'attempt'>,
  { attempts, recovery }: Pick<Delivery, 'attempts' | 'recovery'>,
): boolean {
  if (recovery?.from === null) return kept.retryState !== 'delivered';
  const isOpen = recovery ? kept.retryState !== 'delivered' : kept.retryState === 'scheduled';
  return isOpen && kept.attempt <= attempts;
}

/** The number of the last attempt whose schedule begins again: the history tells more attempts than this apart. */
const restartsUpTo = 20;

/**
 * The copy of a delivery that has not arrived. A scheduled delivery gets an attempt beside its schedule. A delivery
 * that was given up since the asked time gets a new schedule. Null where the recovery does not concern the delivery.
 */
export function recoveredDelivery(
  kept: UndeliveredDelivery,
  { asked, since, mode }: Pick<Recovery, 'asked' | 'since' | 'mode'>,
): Delivery | null {
  const isScheduled = kept.retryState === 'scheduled';
  if (!isScheduled && (since === null || kept.endedAt < since)) return null;
  const { attempt, event: name, retryState: _, nextAttemptAt: __, endedAt: ___, ...facts } = kept;
  const from = isScheduled || attempt > restartsUpTo ? null : attempt;
  // A subscription of both modes is found in each.
  return { ...facts, name, mode: mode ?? 'live', attempts: attempt, recovery: { asked, from } };
}

/** The deliveries in order, in pieces that each fit into one message of a backlog. */
export function piecesOf(deliveries: readonly Delivery[]): Delivery[][] {
  const pieces: Delivery[][] = [];
  let room = 0;
  for (const delivery of deliveries.map(asStored)) {
    const bytes = delivery.body === null ? 0 : Buffer.byteLength(delivery.body);
    const last = pieces.at(-1);
    if (last && bytes <= room && last.length < backlogPieceDeliveriesMax) last.push(delivery);
    else {
      pieces.push([delivery]);
      room = backlogPieceBodyBytesMax;
    }
    room -= bytes;
  }
  return pieces;
}
