/**
 * The subscribers of a season's plan with their seats, and the offers that ask them to renew, each with its deadline.
 *
 * States of either list: reading → shown or failed. Offers reserve seats in every night, or none is made. A renewal
 * that is under way is read again until it has ended.
 */
import { roleHas } from '@parterre/shared/protocol/rights';
import { html, nothing, type TemplateResult } from 'lit-html';
import type { Result } from '../../src/sale/calls.ts';
import { textField, timeField } from '../frame/field.ts';
import { type Column, Rows } from '../frame/rows.ts';
import { epochOf, zoneName } from '../frame/zoned-time.ts';
import type { Ports } from '../view.ts';
import type { Season } from './records.ts';

type Contract = {
  contractId: string;
  holderRef: string;
  labels: string[];
  exchanged?: unknown[];
  source: 'import' | 'booking' | 'renewal';
  bookingRef: string | null;
};
type OfferState =
  | 'offered'
  | 'intent_received'
  | 'committing'
  | 'renewed'
  | 'declined'
  | 'lapsed'
  | 'released'
  | 'partial_terminal';
type Offer = {
  offerId: string;
  contractId: string;
  holderRef: string;
  successorPlanActivationId: string;
  labels: string[];
  state: OfferState;
  deadlineAt: number;
  bookingRef: string | null;
  total?: number;
};

const DAY_MS = 86_400_000;
const OFFER_DAYS = 14;
const POLL_EVERY_MS = 2_000;
const openStates: readonly OfferState[] = ['offered', 'intent_received'];

export class HolderList {
  readonly #ports: Ports;
  readonly #left: AbortSignal;
  readonly #season: () => Season;
  readonly #contractRows: Rows<Contract>;
  readonly #offerRows: Rows<Offer>;
  #contracts: readonly Contract[] = [];
  #next: string | null = null;
  #offers: readonly Offer[] = [];
  #isCut = false;
  #state: 'reading' | 'shown' | 'failed' = 'reading';

  constructor(ports: Ports, left: AbortSignal, season: () => Season) {
    const { text } = ports.words;
    this.#ports = ports;
    this.#left = left;
    this.#season = season;
    this.#contractRows = new Rows(text('seasons.holders'), ports.changed);
    this.#offerRows = new Rows(text('seasons.offers'), ports.changed);
  }

  get #path(): string {
    return `seasons/${encodeURIComponent(this.#season().key)}`;
  }

  /** Reads both lists anew. */
  async read(): Promise<void> {
    const [areContracts, offers] = await Promise.all([
      this.#readContracts('', []),
      this.#ports.server.get<{ offers: Offer[]; truncated: boolean }>(`${this.#path}/renewal-offers`, this.#left),
    ]);
    if (this.#left.aborted) return;
    if (offers.ok) {
      this.#offers = offers.value.offers;
      this.#isCut = offers.value.truncated;
    }
    this.#state = areContracts && offers.ok ? 'shown' : 'failed';
    this.#ports.changed();
    if (this.#offers.some(({ state }) => state === 'committing')) setTimeout(() => void this.#reread(), POLL_EVERY_MS);
  }

  async #reread(): Promise<void> {
    if (!this.#left.aborted) await this.read();
  }

  /** Reads the page behind `cursor`, and puts it behind the contracts `before`. */
  async #readContracts(cursor: string, before: readonly Contract[]): Promise<boolean> {
    const query = new URLSearchParams({ limit: '200', ...(cursor !== '' && { cursor }) });
    const answer = await this.#ports.server.get<{ contracts: Contract[]; nextCursor?: string }>(
      `${this.#path}/contracts?${query}`,
      this.#left,
    );
    if (!answer.ok) return false;
    this.#contracts = [...before, ...answer.value.contracts];
    this.#next = answer.value.nextCursor ?? null;
    this.#ports.changed();
    return true;
  }

  draw(): TemplateResult {
    const { who, words } = this.#ports;
    const { text } = words;
    if (this.#state === 'reading') return html`<p role="status">${text('console.loading')}</p>`;
    if (this.#state === 'failed') {
      return html`<p role="alert">${text('seasons.holders.failed')}
        <button @click=${() => void this.read()}>${text('console.again')}</button></p>`;
    }
    const maySell = roleHas(who.user.role, 'sell');
    const free = this.#contracts.filter((contract) => contract.bookingRef === null && !this.#openOffer(contract));
    return html`<section aria-labelledby="holders-title"><header class="part-head">
        <h2 id="holders-title">${text('seasons.holders')}</h2>
        ${maySell && free.length > 0 ? html`<button @click=${() => this.#offer(null, free.length)}>${text('seasons.offer.all')}</button>` : nothing}</header>
      ${this.#contracts.length === 0 ? html`<p class="muted">${text('seasons.holders.none')}</p>` : this.#contractRows.draw(this.#contracts, this.#contractColumns(maySell))}
      ${this.#next === null ? nothing : html`<button @click=${() => void this.#readContracts(this.#next!, this.#contracts)}>${text('seasons.more')}</button>`}</section>
    <section aria-labelledby="offers-title"><h2 id="offers-title">${text('seasons.offers')}</h2>
      ${this.#offers.length === 0 ? html`<p class="muted">${text('seasons.offers.none')}</p>` : this.#offerRows.draw(this.#offers, this.#offerColumns(maySell))}
      ${this.#isCut ? html`<p class="muted">${text('seasons.offers.cut')}</p>` : nothing}</section>`;
  }

  #openOffer({ contractId }: Contract): Offer | undefined {
    return this.#offers.find((offer) => offer.contractId === contractId && openStates.includes(offer.state));
  }

  #contractColumns(maySell: boolean): Column<Contract>[] {
    const { join, text } = this.#ports.words;
    const columns: Column<Contract>[] = [
      {
        id: 'holder',
        title: text('seasons.holder'),
        draw: ({ holderRef }) => holderRef,
        sortBy: ({ holderRef }) => holderRef,
      },
      { id: 'seats', title: text('seasons.seats'), draw: ({ labels }) => join(labels) },
      {
        id: 'source',
        title: text('seasons.source'),
        draw: ({ source }) => text(`seasons.source.${source}`),
        sortBy: ({ source }) => source,
      },
      {
        id: 'booking',
        title: text('seasons.booking'),
        draw: ({ bookingRef }) => bookingRef ?? text('seasons.booking.none'),
        sortBy: ({ bookingRef }) => bookingRef,
      },
    ];
    const act = (contract: Contract): TemplateResult | typeof nothing =>
      contract.bookingRef !== null || this.#openOffer(contract)
        ? nothing
        : html`<button aria-label="${text('seasons.offer')}: ${contract.holderRef}" @click=${() => this.#offer(contract, 1)}>${text('seasons.offer')}</button>`;
    return maySell ? [...columns, { id: 'acts', title: text('seasons.actions'), draw: act }] : columns;
  }

  #offerColumns(maySell: boolean): Column<Offer>[] {
    const { date, join, money, text } = this.#ports.words;
    const season = this.#season();
    const columns: Column<Offer>[] = [
      {
        id: 'holder',
        title: text('seasons.holder'),
        draw: ({ holderRef }) => holderRef,
        sortBy: ({ holderRef }) => holderRef,
      },
      { id: 'seats', title: text('seasons.seats'), draw: ({ labels }) => join(labels) },
      {
        id: 'state',
        title: text('seasons.state'),
        draw: ({ state }) => text(`seasons.offer.${state}`),
        sortBy: ({ state }) => state,
      },
      {
        id: 'deadline',
        title: text('seasons.deadline'),
        draw: ({ deadlineAt }) => date(deadlineAt, season.timezone, 'medium', true),
        sortBy: ({ deadlineAt }) => deadlineAt,
      },
      {
        id: 'total',
        title: text('seasons.total'),
        isNumber: true,
        draw: ({ total }) => (total === undefined ? nothing : money(total, season)),
        sortBy: ({ total = null }) => total,
      },
    ];
    return maySell
      ? [...columns, { id: 'acts', title: text('seasons.actions'), draw: (offer) => this.#acts(offer) }]
      : columns;
  }

  #acts(offer: Offer): TemplateResult | typeof nothing {
    const { text } = this.#ports.words;
    if (!openStates.includes(offer.state)) return nothing;
    const act = (title: string, press: () => void) =>
      html`<button aria-label="${title}: ${offer.holderRef}" @click=${press}>${title}</button>`;
    return html`<span class="row-acts">${act(text('seasons.renew'), () => this.#renew(offer))}
      ${act(text('seasons.extend'), () => this.#extend(offer))}
      ${act(text('seasons.decline'), () => this.#free(offer, 'decline'))}
      ${act(text('seasons.release'), () => this.#free(offer, 'release'))}</span>`;
  }

  #deadline(at: number, fault: string | null): TemplateResult {
    const { text } = this.#ports.words;
    const { timezone } = this.#season();
    const hint = text('seasons.zone', { zone: zoneName(timezone) });
    return timeField({ label: text('seasons.deadline'), hint, fault }, 'deadlineAt', {
      at,
      timezone,
      isRequired: true,
    });
  }

  #deadlineIn(form: FormData): number | null {
    return epochOf(String(form.get('deadlineAt')), this.#season().timezone);
  }

  /** Null offers every holder of the plan. */
  #offer(contract: Contract | null, count: number): void {
    const ports = this.#ports;
    const { text } = ports.words;
    const at = Date.now() + OFFER_DAYS * DAY_MS;
    ports.ask<{ offers: Offer[]; truncated: boolean }>({
      title: contract ? `${text('seasons.offer')}: ${contract.holderRef}` : text('seasons.offer.all'),
      confirm: text('seasons.offer.make'),
      draw: (fault) => html`<p>${text('seasons.offer.told', { count })}</p>${this.#deadline(at, fault('deadlineAt'))}`,
      send: (form, key) => {
        const body = { deadlineAt: this.#deadlineIn(form), ...(contract && { contractIds: [contract.contractId] }) };
        return ports.server.send('POST', `${this.#path}/renewal-offers`, { body, key });
      },
      done: ({ offers, truncated }) => {
        const made = text('seasons.offer.made', { count: offers.length });
        ports.tell({
          text: truncated ? `${made} ${text('seasons.offer.more')}` : made,
          undo: (key) => this.#takeBack(offers, key),
        });
        void this.read();
      },
    });
  }

  /** Takes the offers back one by one. Stops at the first refusal, which the notice tells. */
  async #takeBack(offers: readonly Offer[], key: string): Promise<Result<unknown>> {
    let last: Result<unknown> = { ok: true, value: null };
    for (const { offerId } of offers) {
      last = await this.#send(offerId, 'release', {}, `${key}-${offerId}`);
      if (!last.ok) break;
    }
    void this.read();
    return last;
  }

  #send(offerId: string, move: string, body: object, key: string): Promise<Result<unknown>> {
    return this.#ports.server.send('POST', `${this.#path}/renewal-offers/${encodeURIComponent(offerId)}/${move}`, {
      body,
      key,
    });
  }

  #moved(what: string): void {
    this.#ports.tell({ text: what });
    void this.read();
  }

  #extend({ offerId, holderRef, deadlineAt }: Offer): void {
    const { text } = this.#ports.words;
    this.#ports.ask({
      title: `${text('seasons.extend')}: ${holderRef}`,
      confirm: text('seasons.extend'),
      draw: (fault) => html`<p>${text('seasons.extend.told')}</p>${this.#deadline(deadlineAt, fault('deadlineAt'))}`,
      send: (form, key) => this.#send(offerId, 'extend', { deadlineAt: this.#deadlineIn(form) }, key),
      done: () => this.#moved(text('seasons.extended', { holder: holderRef })),
    });
  }

  #free({ offerId, holderRef, labels }: Offer, move: 'decline' | 'release'): void {
    const { join, text } = this.#ports.words;
    this.#ports.ask({
      title: `${text(`seasons.${move}`)}: ${holderRef}`,
      confirm: text(`seasons.${move}`),
      isDanger: true,
      draw: () => html`<p>${text('seasons.free.told', { seats: join(labels) })}</p>`,
      send: (_, key) => this.#send(offerId, move, {}, key),
      done: () => this.#moved(text('seasons.freed', { holder: holderRef })),
    });
  }

  #renew({ offerId, holderRef, labels, total, successorPlanActivationId }: Offer): void {
    const { join, money, text } = this.#ports.words;
    const price = total === undefined ? '' : money(total, this.#season());
    this.#ports.ask({
      title: `${text('seasons.renew')}: ${holderRef}`,
      confirm: text('seasons.renew'),
      draw: (fault) => html`<p>${text('seasons.renew.told', { seats: join(labels), price })}</p>
        ${textField({ label: text('seasons.renew.order'), fault: fault('bookingRef') ?? fault('orderRef') }, 'order', '', true)}`,
      send: (form, key) => {
        const order = String(form.get('order')).trim();
        const names = { commitActionId: key, orderRef: order, bookingRef: order };
        return this.#send(offerId, 'commit', { ...names, planActivationId: successorPlanActivationId }, key);
      },
      done: () => this.#moved(text('seasons.renewed', { holder: holderRef })),
    });
  }
}
