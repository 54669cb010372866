/**
 * From the groups of a message to their deliveries: each group is fanned out by itself, and the deliveries of all are
 * dispatched together. The message is one of the journal, or a waiting part (waiting-parts.ts).
 *
 * States of a message: its groups are fanned out → all placed, or some, or none. A group is placed when the catalog has
 * named its receivers, of which there may be none. All → dispatched → acknowledged. Some → the groups that are not
 * placed become waiting parts, and the placed groups are dispatched and acknowledged: the trouble of one event delivers
 * no other event of its commit twice. None → given back with a growing pause: the catalog is away, or the message has
 * one group. A group of an event that the catalog still does not have after `unknownReadingsMax` readings is given up.
 *
 * Failure at each await: a part cannot be put → the message is given back before a delivery is dispatched; a delivery
 * is not settled → given back. Parts that were put before have an id, so the queue takes them once.
 */
import { textOfLink } from '@parterre/shared/protocol/journal/links';
import { linkAfter, type PackedGroup } from '@parterre/shared/protocol/journal/messages';
import type { JournalPlace } from '@parterre/shared/protocol/occurrences/occurrences';
import type { Logger } from '@parterre/shared/runtime/log';
import type { PulledMessage } from '@parterre/shared/runtime/pull';
import { decodeTraces, tracing } from '@parterre/shared/runtime/tracing';
import type { Dispatch } from '../deliveries/dispatch.ts';
import type { Delivery } from '../deliveries/rules/delivery.ts';
import type { Unsettled } from '../streams/unsettled.ts';
import type { FannedOut, FanOut } from './fan-out.ts';

const LATER_MS_MIN = 1_000;
const LATER_MS_MAX = 60_000;
/**
 * How often a group of an event that the catalog does not have is read before it is given up. The catalog's record is
 * durable before the event's first group, so a person has removed this event.
 */
const unknownReadingsMax = 10;

/** The part of `event` in the commit at this place. `link`: the event's link behind the part, as text. */
export type WaitingPart = { partition: number; sequence: number; event: string; link: string };

/** Resolves once the part is stored. Throws when this is unknown. */
export type PutPart = (part: WaitingPart) => Promise<void>;

export type SettlePorts = {
  fanOut: FanOut;
  putPart: PutPart;
  dispatch: Pick<Dispatch, 'dispatchNew' | 'room'>;
  /** Shared by all partitions. */
  unsettled: Unsettled;
  log: Logger;
};

/** Groups of one place in the journal, and the message that brought them. */
export type HeardGroups = {
  message: Pick<PulledMessage, 'data' | 'ack' | 'again' | 'working' | 'deliveryCount' | 'traces'>;
  place: JournalPlace;
  groups: readonly PackedGroup[];
};

/** Resolves when the deliveries are fanned out and dispatched; they settle by themselves. Never rejects. */
export async function settleGroups(ports: SettlePorts, heard: HeardGroups, stopping: AbortSignal): Promise<void> {
  const { dispatch, unsettled, log } = ports;
  const { message, place } = heard;
  const putOff = (): void => message.again(stopping.aborted ? 0 : laterMs(message.deliveryCount));
  try {
    const deliveries = await placedDeliveries(ports, heard);
    if (deliveries === null) return putOff();
    if (deliveries.length === 0) return message.ack();
    if (tracing !== null && message.traces) nameTraces(deliveries, message.traces);
    // The message keeps its whole commit until it is acknowledged.
    const remove = unsettled.add(message, message.data.length + bodyBytesOf(deliveries));
    void dispatch
      .dispatchNew(deliveries)
      .then(
        () => message.ack(),
        (error: unknown) => {
          if (!stopping.aborted)
            log.warn({ ...place, err: error }, 'a journal message was not settled, reading it again later');
          putOff();
        },
      )
      .finally(remove);
  } catch (error) {
    log.error({ ...place, err: error }, 'a journal message could not be handled, reading it again later');
    putOff();
  }
}

type Unplaced = PackedGroup & { fannedOut: Exclude<FannedOut, { kind: 'deliveries' }> };

/** Null when the whole message must come again. Groups that are not placed now wait in the queue of parts. */
async function placedDeliveries(
  { fanOut, putPart, log }: SettlePorts,
  { message, place, groups }: HeardGroups,
): Promise<Delivery[] | null> {
  const fannedOut = await Promise.all(groups.map((group) => fanOut({ ...place, ...group })));
  const deliveries: Delivery[] = [];
  const unplaced: Unplaced[] = [];
  for (const [index, each] of fannedOut.entries()) {
    if (each.kind === 'deliveries') deliveries.push(...each.deliveries);
    else unplaced.push({ ...groups[index]!, fannedOut: each });
  }
  const isGivenUp = ({ fannedOut: { kind } }: Unplaced): boolean =>
    kind === 'unknown' && message.deliveryCount >= unknownReadingsMax;
  for (const {
    eventKey,
    fannedOut: { why },
  } of unplaced.filter(isGivenUp)) {
    log.error({ ...place, eventKey, why }, 'gave up a journal message: the catalog does not have its event');
  }
  const later = unplaced.filter((each) => !isGivenUp(each));
  for (const {
    eventKey,
    fannedOut: { why },
  } of later) {
    log.info({ ...place, eventKey, why }, 'a journal message was not settled, reading it again later');
  }
  if (later.length === groups.length) return null;
  await Promise.all(
    later.map(({ eventKey, data: part }) => putPart({ ...place, event: eventKey, link: textOfLink(linkAfter(part)) })),
  );
  return deliveries;
}

/** Each delivery gets the context of the command whose record it tells. */
function nameTraces(deliveries: readonly Delivery[], header: string): void {
  const traces = decodeTraces(header);
  for (const delivery of deliveries) {
    const { index } = delivery.place;
    const cause = traces.find(({ event, from, to }) => event === delivery.eventKey && from <= index && index < to);
    if (cause) delivery.trace = cause.traceparent;
  }
}

/** An estimate: subscriptions share the body of an occurrence, and most of its characters have one byte. */
function bodyBytesOf(deliveries: readonly Delivery[]): number {
  let bytes = 0;
  let last: string | null = null;
  for (const { body } of deliveries) {
    if (body !== null && body !== last) bytes += body.length;
    last = body;
  }
  return bytes;
}

export function laterMs(readings: number): number {
  return Math.min(LATER_MS_MIN * 2 ** Math.min(readings - 1, 10), LATER_MS_MAX);
}
