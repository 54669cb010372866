/**
 * A delivery: one occurrence on its way to one subscription. It carries its own count of attempts, because a queue's count
 * of redeliveries also grows when a delivery is put back unsent. It never carries an address or a secret: both are
 * asked for at every attempt, so that a rotated secret or a deleted subscription counts at once.
 *
 * States: made out of a journal message → posted at once, or waiting in the backlog of its subscription → delivered, or due
 * again in a lane → … → delivered, or over: exhausted, gone, or not wanted any more.
 */
import type { KeptDelivery, OccurrencePlace } from '@parterre/shared/catalog/deliveries';
import { derivedId, sha256 } from '@parterre/shared/ids';
import type { Mode } from '@parterre/shared/records';
import {
  backlogPieceBodyBytesMax,
  backlogPieceDeliveriesMax,
  deliveryBodyBytesMax,
} from '@parterre/shared/webhook-limits';
import type { Occurrence } from '../../occurrences/rules/occurrences.ts';
import { retryQueueOf } from './schedule.ts';

export type Delivery = {
  deliveryId: string;
  subId: string;
  organisationId: string;
  mode: Mode;
  eventKey: string;
  occurrenceId: string;
  name: string;
  ref: string | null;
  place: OccurrencePlace;
  /** Null in a queue where it is too long to be asStored: it is made again from its place. */
  body: string | null;
  /** When it was made out, microseconds. */
  order: number;
  /** Attempts made. */
  attempts: number;
};

/** A delivery that is to be tried again. */
export type Retry = Delivery & {
  /** Not to be sent before, epoch ms. */
  dueAt: number;
  lane: number;
};

export type Addressee = Pick<Delivery, 'subId' | 'organisationId' | 'mode' | 'eventKey'>;

export function firstDelivery(occurrence: Occurrence, to: Addressee, order: number): Delivery {
  const { id, name, ref, place, body } = occurrence;
  const { subId, organisationId, mode, eventKey } = to;
  const deliveryId = derivedId('dlv', id, subId);
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

/** The delivery after a failed attempt, due again in `delayMs`. */
export function retryOf(delivery: Delivery, delayMs: number, now: number): Retry {
  return { ...delivery, attempts: delivery.attempts + 1, dueAt: now + delayMs, lane: retryQueueOf(delayMs) };
}

/** Names this step of the delivery's life: queueing the same step twice queues it once (I5). */
export function retryIdOf({ deliveryId, attempts }: Delivery): string {
  return `${deliveryId}.${attempts}`;
}

/** Names what waits by all that is in it, so that the same deliveries of a journal message read again are queued once. */
export function backlogIdOf(piece: readonly Delivery[]): string {
  return sha256(piece.map(retryIdOf).join(' '));
}

/** As a queue and the history carry it. */
export function asStored<D extends Delivery>(delivery: D): D {
  const { body } = delivery;
  // One without a place cannot be made again, and was asStored before.
  return body === null || delivery.place.sequence === 0 || isShort(body) ? delivery : { ...delivery, body: null };
}

/** No character takes more than three bytes. */
function isShort(body: string): boolean {
  return body.length * 3 <= deliveryBodyBytesMax || Buffer.byteLength(body) <= deliveryBodyBytesMax;
}

/**
 * Whether a retry is still to be made, by what the history has of its delivery: not when somebody has had it delivered by
 * hand, when it was given up, or when another copy of this retry has been made. Attempts are what tells of that, no times: where a
 * notifier dies behind its queueing and before its telling, the attempt is made again, and the history has another time than the retry that stands queued.
 */
export function isStillDue(
  kept: Pick<KeptDelivery, 'retryState' | 'attempt'>,
  { attempts }: Pick<Delivery, 'attempts'>,
): boolean {
  return kept.retryState === 'scheduled' && kept.attempt <= attempts;
}

/** In order, in pieces that a message has room for. */
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

/** What a notifier before this form of deliveries has queued: its body is there, and names the event. */
type EarlierRetry = Pick<
  Retry,
  'occurrenceId' | 'subId' | 'organisationId' | 'mode' | 'name' | 'attempts' | 'dueAt'
> & {
  lane: number;
  body: string;
};

/** A retry as it was read from its lane. */
export function storedRetry(kept: Retry | EarlierRetry): Retry {
  if ('deliveryId' in kept) return kept;
  const { occurrenceId, subId, organisationId, mode, name, body, attempts, dueAt, lane } = kept;
  const { eventKey } = JSON.parse(body) as { eventKey: string };
  const deliveryId = derivedId('dlv', occurrenceId, subId);
  const place = { partition: 0, sequence: 0, index: 0 };
  const known = { deliveryId, subId, organisationId, mode, eventKey, occurrenceId, name, ref: null, place };
  return { ...known, body, order: dueAt * 1_000, attempts, dueAt, lane };
}
