/** A season whose plan is published, and events that reserve the seats of offers as their actors do. */
import type { Contract, Offer, OfferDetail } from '@parterre/shared/protocol/catalog/rights';
import type { Command } from '@parterre/shared/protocol/commands';
import { done, type Outcome, refuse } from '@parterre/shared/protocol/errors';
import type { Store } from '../../../services/catalog/src/store/store.ts';
import { type SeasonShop, seasonShop } from '../seasons/season-shop.ts';

export type RightsShop = SeasonShop & {
  seasonKey: string;
  eventKeys: string[];
  plan: string;
  seats: Seats;
  /** Imports one holder a label, and resolves with the contracts. */
  holders(...labels: string[]): Promise<Contract[]>;
  offer(more?: object): Promise<Offer[]>;
  get(offerId: string): Promise<OfferDetail>;
  move(offerId: string, move: object): Promise<OfferDetail>;
  of: { scope: SeasonShop['scope']; seasonKey: string };
};

/** The seats of all events: the offer or booking that has each. */
export class Seats {
  /** `<event> <label>` → the offer, or the booking reference. */
  readonly reserved = new Map<string, string>();
  readonly booked = new Map<string, string>();
  readonly #over = new Set<string>();
  /** Events that do not answer. */
  readonly silent = new Set<string>();
  /** Every change of a seat. */
  readonly changes: string[] = [];

  answer(eventKey: string, command: Command): Outcome<unknown> | null {
    const isOfOffer = command.type === 'reserve' || command.type === 'unreserve' || command.type === 'book-reserved';
    if (!isOfOffer) return null;
    if (this.silent.has(eventKey)) return refuse('shard_unavailable', 'silent', { retryable: true });
    const offer = `${eventKey} ${command.offerId}`;
    const own = [...this.reserved].filter(([seat, id]) => seat.startsWith(`${eventKey} `) && id === command.offerId);
    switch (command.type) {
      case 'reserve': {
        if (this.#over.has(offer)) return refuse('conflict', 'over', { reason: 'offer_over' });
        const labels = command.selections.map(({ label }) => label);
        const isTaken = (label: string) => {
          const seat = `${eventKey} ${label}`;
          return this.booked.has(seat) || ![undefined, command.offerId].includes(this.reserved.get(seat));
        };
        const conflicts = labels.filter(isTaken).map((label) => ({ label, status: 'booked' }));
        if (conflicts.length > 0) return refuse('conflict', 'taken', { details: { conflicts } });
        for (const label of labels) this.#set(this.reserved, eventKey, label, command.offerId, 'reserve');
        return done({ reserved: labels, items: [] });
      }
      case 'unreserve':
        this.#over.add(offer);
        for (const [seat] of own) {
          this.reserved.delete(seat);
          this.changes.push(`free ${seat}`);
        }
        return done({ unreserved: own.map(([seat]) => seat) });
      case 'book-reserved':
        if (this.#over.has(offer)) return refuse('conflict', 'over', { reason: 'offer_over' });
        for (const [seat] of own) {
          this.reserved.delete(seat);
          this.booked.set(seat, command.bookingRef);
          this.changes.push(`book ${seat}`);
        }
        return done({ booked: own.map(([seat]) => seat) });
    }
  }

  #set(seats: Map<string, string>, eventKey: string, label: string, owner: string, what: string): void {
    if (seats.get(`${eventKey} ${label}`) === owner) return;
    seats.set(`${eventKey} ${label}`, owner);
    this.changes.push(`${what} ${eventKey} ${label}`);
  }
}

let imports = 0;

export async function rightsShop(store: Store): Promise<RightsShop> {
  const shop = await seasonShop(store);
  const { catalog, scope } = shop;
  const { key: seasonKey, eventKeys, revision } = await shop.active();
  const seats = new Seats();
  for (const eventKey of eventKeys) {
    shop.answers.set(eventKey, (command) => seats.answer(eventKey, command) as Outcome<never> | null);
  }
  const of = { scope, seasonKey };
  const planned = await catalog.ask('seasons.create-plan', { ...of, name: 'Full pass', selection: {} });
  const published = { ...of, expectedRevision: revision + 1, planKey: planned.plan.key };
  const plan = (await catalog.ask('seasons.publish-plan', published)).plan.activationId!;
  return {
    ...shop,
    seasonKey,
    eventKeys,
    plan,
    seats,
    of,
    async holders(...labels) {
      const callId = `import-${++imports}`;
      const begun = { ...of, successorPlanActivationId: plan, dryRun: false, callId };
      const { importId } = (await catalog.ask('rights.begin-import', begun)).import;
      const rows = labels.map((label) => ({
        rowId: label,
        holderRef: `holder-${label}`,
        priorPlanActivationId: 'spa_before',
        priorContractRef: label,
        labels: [label],
        existingBookingRef: null,
        fault: null,
        isBooked: false,
      }));
      await catalog.ask('rights.import-rows', { seasonKey, importId, at: 0, rows });
      await catalog.ask('rights.end-import', { seasonKey, importId, rowCount: rows.length, waitMs: 2_000 });
      const page = { ...of, versions: [], planActivationId: plan, page: {} };
      return (await catalog.ask('rights.contracts', page)).contracts;
    },
    async offer(more = {}) {
      const deadlineAt = catalog.clock.now() + 60_000;
      return (await catalog.ask('rights.offer', { ...of, deadlineAt, ...more })).offers;
    },
    async get(offerId) {
      return (await catalog.ask('rights.get-offer', { ...of, offerId })).offer;
    },
    async move(offerId, move) {
      return (await catalog.ask('rights.move-offer', { ...of, offerId, ...move } as never)).offer;
    },
  };
}
