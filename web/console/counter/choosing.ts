/**
 * The choice of the counter: places of the map with their ticket types and guests, places of areas by quantity. It
 * becomes a hold, or, where nothing can be held (sales are closed, or a place is blocked), a price without a hold.
 *
 * States of the act: ready → sending → a basket; refused (the choice stays, and places that are gone can be left out);
 * unknown (the same call again finds the same hold).
 */
import { html, nothing, type TemplateResult } from 'lit-html';
import { LabelFinder } from '../event/label-finder.ts';
import type { Item } from '../event/line-items.ts';
import { refusedLabels, saleTold } from '../event/sale-refusals.ts';
import { Act } from '../frame/act.ts';
import type { PlainKey } from '../messages/words.ts';
import { BestAvailable } from './best-available.ts';
import { counterSale, type Desk } from './desk.ts';
import { endHoldsQuestion } from './end-holds.ts';
import { randomReference, selectionsOf } from './rules/draft.ts';
import { ticketChoice, tiersAt } from './ticket-choice.ts';

const statusKeys: Readonly<Record<string, PlainKey>> = {
  held: 'counter.status.held',
  booked: 'counter.status.booked',
  blocked: 'counter.status.blocked',
  reserved: 'counter.status.reserved',
};

export class Choosing {
  readonly #desk: Desk;
  readonly #act: Act;
  readonly #best: BestAvailable;
  readonly #finder: LabelFinder;
  readonly #tierOf = new Map<string, string>();
  readonly #guestsOf = new Map<string, number>();
  readonly #placesOf = new Map<string, number>();
  #reason = '';
  #isOverChannels = false;
  #sent = '';

  constructor(desk: Desk) {
    this.#desk = desk;
    this.#act = new Act(desk.room.ports.changed);
    this.#best = new BestAvailable(desk);
    this.#finder = new LabelFinder(desk.room, 'counter.find');
  }

  get #text() {
    return this.#desk.room.ports.words.text;
  }

  #statusOf(label: string): string {
    const { live } = this.#desk.room.map();
    return live.reservationOf(label) ? 'reserved' : live.statusOf(label);
  }

  #chosenWith(...statuses: string[]): string[] {
    return [...this.#desk.room.map().chosen].filter((label) => statuses.includes(this.#statusOf(label)));
  }

  /** Whether the places cannot be held before they are sold. */
  get #isDirect(): boolean {
    const { status, salesPaused } = this.#desk.room.meta();
    return status !== 'active' || salesPaused || this.#chosenWith('blocked').length > 0;
  }

  draw(): TemplateResult {
    const { chosen, live } = this.#desk.room.map();
    const text = this.#text;
    return html`<h2 id="counter-sale">${text('counter.sale')}</h2>
      ${this.#finder.draw()}
      <p role="status">${text('counter.chosen', { count: chosen.size })}</p>
      ${chosen.size > 0 ? html`<ul class="choice">${[...chosen].map((label) => this.#row(label))}</ul>` : nothing}
      ${live.hall && live.hall.areas.length > 0 ? this.#areas() : nothing}
      ${this.#wayOut()}
      <p role="alert">${saleTold(this.#act.state, this.#desk.room.ports.words)}</p>
      ${this.#leaveOut()}
      ${this.#needsReason() ? this.#reasonField() : nothing}
      <p class="buttons">${this.#forward()}</p>
      ${this.#isDirect ? html`<p class="muted">${text('counter.direct')}</p>` : nothing}
      ${this.#best.draw()}`;
  }

  #row(label: string): TemplateResult {
    const pane = this.#desk.room.map();
    const { words } = this.#desk.room.ports;
    const { hall } = pane.live;
    const status = this.#statusOf(label);
    const key = statusKeys[status];
    const reservation = pane.live.reservationOf(label);
    const tier = hall
      ? ticketChoice({ words, name: label, tiers: tiersAt(hall, label), chosen: this.#tierOf.get(label) }, (id) =>
          this.#change(() => this.#tierOf.set(label, id)),
        )
      : nothing;
    return html`<li><strong>${label}</strong>
      ${key ? html`<span class="state">${this.#text(key)}${reservation ? ` (${reservation.name})` : ''}</span>` : nothing}
      ${tier} ${this.#guests(label)}
      <button aria-label=${this.#text('counter.leave', { place: label })} @click=${() => pane.toggle(label)}>×</button></li>`;
  }

  #guests(label: string): TemplateResult | typeof nothing {
    const { hall } = this.#desk.room.map().live;
    const spot = hall?.spotOf.get(label);
    const object = spot === undefined ? undefined : hall!.objects[hall!.objectOf[spot]!];
    if (object?.mode !== 'variable') return nothing;
    const guests = this.#guestsOf.get(label) ?? object.max;
    return html`<label class="inline">${this.#text('counter.guests')} <input type="number" min=${object.min}
      max=${object.max} .value=${String(guests)}
      @change=${(event: Event) => this.#change(() => this.#guestsOf.set(label, numberIn(event)))}></label>`;
  }

  #areas(): TemplateResult {
    const { hall } = this.#desk.room.map().live;
    const { words } = this.#desk.room.ports;
    return html`<fieldset><legend>${this.#text('counter.areas')}</legend>${hall!.areas.map(
      ({ label, name, capacity }) => {
        const tiers = tiersAt(hall!, label);
        const chosen = this.#tierOf.get(label);
        return html`<p class="area"><label class="inline"><span>${name}</span> <input type="number" min="0" max=${capacity}
          .value=${String(this.#placesOf.get(label) ?? 0)}
          @change=${(event: Event) => this.#change(() => this.#placesOf.set(label, numberIn(event)))}></label>
        ${ticketChoice({ words, name, tiers, chosen }, (id) => this.#change(() => this.#tierOf.set(label, id)))}</p>`;
      },
    )}</fieldset>`;
  }

  /** Places of the choice that somebody has. */
  #wayOut(): TemplateResult | typeof nothing {
    const held = this.#chosenWith('held');
    if (held.length === 0) return nothing;
    return html`<p class="buttons"><button @click=${() => endHoldsQuestion(this.#desk, held)}
      >${this.#text('counter.end', { count: held.length })}</button></p>`;
  }

  #leaveOut(): TemplateResult | typeof nothing {
    const gone = new Set(refusedLabels(this.#act.state));
    const pane = this.#desk.room.map();
    const left = [...pane.chosen].filter((label) => !gone.has(label));
    if (left.length === pane.chosen.size) return nothing;
    return html`<p class="buttons"><button @click=${() => this.#change(() => pane.choose(left))}
      >${this.#text('counter.leaveOut', { count: pane.chosen.size - left.length })}</button></p>`;
  }

  #refusal(): string | null {
    const { state } = this.#act;
    return state.kind === 'refused' ? state.problem.code : null;
  }

  #needsReason(): boolean {
    const refused = this.#refusal();
    const isAsked = refused === 'companion_pair_required' || refused === 'channel_access_denied';
    return isAsked || this.#reason !== '' || this.#chosenWith('blocked').length > 0;
  }

  #reasonField(): TemplateResult {
    const isOfChannel = this.#refusal() === 'channel_access_denied' || this.#isOverChannels;
    return html`<label>${this.#text('counter.reason')} <input maxlength="500" .value=${this.#reason}
        @input=${(event: Event) => this.#typed((event.target as HTMLInputElement).value)}></label>
      ${
        isOfChannel
          ? html`<label class="inline"><input type="checkbox" .checked=${this.#isOverChannels}
            @change=${(event: Event) => this.#overChannels((event.target as HTMLInputElement).checked)}>
            ${this.#text('counter.overChannels')}</label>`
          : nothing
      }`;
  }

  /** What is typed keeps the refusal in sight, since the field belongs to it. */
  #typed(reason: string): void {
    this.#reason = reason;
    this.#desk.room.ports.changed();
  }

  #overChannels(isOver: boolean): void {
    this.#isOverChannels = isOver;
    this.#desk.room.ports.changed();
  }

  #forward(): TemplateResult {
    const { state } = this.#act;
    const areMissing = this.#chosenWith('blocked').length > 0 && this.#reason.trim() === '';
    const isEmpty = this.#selections().length === 0;
    const name = state.kind === 'unknown' ? 'console.again' : this.#isDirect ? 'counter.price' : 'counter.hold';
    return html`<button class="primary" ?disabled=${isEmpty || areMissing || state.kind === 'sending'}
      @click=${() => void this.#send()}>${this.#text(name)}</button>`;
  }

  #selections() {
    const labels = this.#desk.room.map().chosen;
    return selectionsOf({ labels, tierOf: this.#tierOf, guestsOf: this.#guestsOf, placesOf: this.#placesOf });
  }

  #terms(): Record<string, unknown> {
    const reason = this.#reason.trim();
    return {
      selections: this.#selections(),
      ...(reason !== '' && { reason }),
      ...(this.#isOverChannels && { ignoreChannelRestrictions: true }),
    };
  }

  async #send(): Promise<void> {
    const body = this.#terms();
    // Another choice is another wish, also after a silent server.
    const sent = JSON.stringify(body);
    if (sent !== this.#sent) this.#act.renew();
    this.#sent = sent;
    if (this.#isDirect)
      return this.#ask({ ...body, ...(this.#chosenWith('blocked').length > 0 && { fromBlock: true }) });
    const held = await this.#act.send((key) => this.#desk.post<{ holdId: string }>('hold', body, key));
    if (held) this.#desk.openHold(held.value.holdId);
  }

  /** The price of a sale without a hold. */
  async #ask(body: Record<string, unknown>): Promise<void> {
    const asked = { ...body, bookingRef: randomReference(), dryRun: true };
    const call = counterSale(this.#desk);
    const told = await this.#act.send((key) => this.#desk.post<{ items: Item[]; total: number }>(call, asked, key));
    if (told) this.#desk.openQuote({ body, ...told.value });
  }

  #change(change: () => void): void {
    change();
    this.#act.renew();
    this.#desk.room.ports.changed();
  }

  /** The choice was sold. */
  forget(): void {
    for (const map of [this.#tierOf, this.#guestsOf, this.#placesOf]) map.clear();
    this.#reason = '';
    this.#isOverChannels = false;
  }
}

function numberIn(event: Event): number {
  const { value, min, max } = event.target as HTMLInputElement;
  return Math.min(Math.max(Math.round(Number(value)) || 0, Number(min)), Number(max));
}
