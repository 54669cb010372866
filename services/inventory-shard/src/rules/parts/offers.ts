/**
 * The offers that reserve units of an event. A unit of an offer is blocked and has the offer's slot as its holder, so
 * that nobody else takes or frees it. Data alone; the room of operations has the rules.
 *
 * A live offer is replaced, never changed in place, since captures share it. An offer that has ended is known for a
 * day: a late copy of its `reserve` does nothing. Past `endedOffersMax`, the offers that ended first are forgotten
 * early (I8), by the records alone (I6).
 */
import { endedHoldKeepMs } from '@parterre/shared/protocol/limits';
import type { OperationOwner } from '@parterre/shared/protocol/operations/operation';
import type { Line } from '@parterre/shared/protocol/records';

/** The lines have the prices of the time when the offer took them. */
export type LiveOffer = Readonly<{ offerId: string; owner: OperationOwner; slot: number; lines: Line[] }>;

/** `units` went to this booking, or back on sale (null). An offer that never reserved here has no units. */
export type EndedOffer = Readonly<{
  offerId: string;
  units: number[];
  bookingRef: string | null;
  endedAt: number;
}>;

/** Ended offers that an event knows, and those that one more makes forgotten. */
const endedOffersMax = 100_000;
const forgottenAtOnce = 8;

export class EventOffers {
  /** By the offer's id. */
  readonly live = new Map<string, LiveOffer>();
  /** In the order of their ends. */
  readonly ended = new Map<string, EndedOffer>();
  /** The units of all offers, live and ended. */
  unitCount = 0;

  get isEmpty(): boolean {
    return this.live.size + this.ended.size === 0;
  }

  /** For folds, and for the ways into a state. */
  put(offer: LiveOffer): void {
    this.live.set(offer.offerId, offer);
    this.unitCount += offer.lines.length;
  }

  putEnded(ended: EndedOffer): void {
    this.ended.set(ended.offerId, ended);
    this.unitCount += ended.units.length;
  }

  /** For folds: the offer is over. */
  end(ended: EndedOffer): void {
    const { offerId, endedAt } = ended;
    this.unitCount -= this.live.get(offerId)?.lines.length ?? 0;
    this.live.delete(offerId);
    this.#forgetEnded(offerId);
    this.putEnded(ended);
    for (let left = forgottenAtOnce; left > 0; left--) {
      const oldest = this.ended.values().next().value!;
      if (oldest.endedAt + endedHoldKeepMs > endedAt && this.ended.size <= endedOffersMax) return;
      this.#forgetEnded(oldest.offerId);
    }
  }

  #forgetEnded(offerId: string): void {
    this.unitCount -= this.ended.get(offerId)?.units.length ?? 0;
    this.ended.delete(offerId);
  }
}

/** The end of this offer. An offer that ended a day ago is forgotten. */
export function knownEnd(
  { ended }: { ended: ReadonlyMap<string, EndedOffer> },
  offerId: string,
  now: number,
): EndedOffer | undefined {
  const known = ended.get(offerId);
  return known && known.endedAt + endedHoldKeepMs <= now ? undefined : known;
}
