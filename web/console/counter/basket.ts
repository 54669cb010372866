/**
 * The basket of the counter: a hold with its prices, its end by the server's clock, and its sale.
 *
 * States of the reading: reading → active, over (booked, released, expired) or failed (the person tries again). A hold
 * that is over keeps its places in sight, so that they can be held again. The acts (longer, give up, other tickets or
 * places, hold again) are one after the other; a hold that changes is a new hold in the place of the old one. An answer
 * that comes after the basket was left is dropped.
 */
import { html, nothing, type TemplateResult } from 'lit-html';
import { type Item, placesOfItems, type Selection, selectionOf, totalOfItems } from '../event/line-items.ts';
import { moneyOf, pricedList } from '../event/priced-list.ts';
import { saleTold } from '../event/sale-refusals.ts';
import { Act } from '../frame/act.ts';
import type { Words } from '../messages/words.ts';
import type { Desk } from './desk.ts';
import { isOtherChoice } from './rules/draft.ts';
import { SaleForm } from './sale-form.ts';
import { ticketChoice, tiersAt } from './ticket-choice.ts';

type Hold = {
  holdId: string;
  status: 'active' | 'booked' | 'released' | 'expired';
  items: Item[];
  expiresAt: number;
  bookingRef: string | null;
};

const TICK_MS = 1_000;
/** The least pause between two looks at a hold whose places are no more held. */
const LOOK_AGAIN_MS = 3_000;
const SHORT_MS = 120_000;

export class Basket {
  readonly holdId: string;
  readonly #desk: Desk;
  readonly #act: Act;
  readonly #form: SaleForm;
  readonly #left = new AbortController();
  readonly #ticks: ReturnType<typeof setInterval>;
  #hold: Hold | null = null;
  #state: 'reading' | 'read' | 'failed' = 'reading';
  #lookedAt = 0;
  /** The act of the last press, for “try again”. */
  #last: () => Promise<void> = async () => {};

  constructor(desk: Desk, holdId: string) {
    this.#desk = desk;
    this.holdId = holdId;
    this.#act = new Act(desk.room.ports.changed);
    this.#form = new SaleForm(desk);
    this.#ticks = setInterval(() => this.#tick(), TICK_MS);
    void this.#read();
  }

  close(): void {
    this.#left.abort();
    clearInterval(this.#ticks);
  }

  async #read(): Promise<void> {
    const { server, changed } = this.#desk.room.ports;
    this.#lookedAt = server.now();
    const path = `${this.#desk.path}/holds/${encodeURIComponent(this.holdId)}`;
    const answer = await server.get<Hold>(path, this.#left.signal);
    if (this.#left.signal.aborted) return;
    this.#state = answer.ok || this.#hold ? 'read' : 'failed';
    if (answer.ok) this.#hold = answer.value;
    changed();
    if (this.#hold?.status === 'booked' && this.#hold.bookingRef !== null) this.#desk.sold(this.#hold.bookingRef);
    else if (answer.ok) this.#showPlaces();
  }

  /** The map shows the places of a basket that is found again. */
  #showPlaces(): void {
    const pane = this.#desk.room.map();
    if (pane.chosen.size === 0) pane.choose(this.#seats());
  }

  #seats(): string[] {
    return this.#hold!.items.filter(({ objectType }) => objectType !== 'ga').map(({ label }) => label);
  }

  #leftMs(): number {
    return Math.max((this.#hold?.expiresAt ?? 0) - this.#desk.room.ports.server.now(), 0);
  }

  /** A hold may end before its time: a colleague ends it by its seat. */
  #tick(): void {
    if (this.#hold?.status !== 'active') return;
    const { server, changed } = this.#desk.room.ports;
    const { live } = this.#desk.room.map();
    const isGone = this.#seats().some((label) => live.objects && live.statusOf(label) !== 'held');
    const isDue = server.now() - this.#lookedAt >= LOOK_AGAIN_MS;
    if (isDue && (isGone || this.#leftMs() === 0)) void this.#read();
    changed();
  }

  draw(): TemplateResult {
    const { text } = this.#desk.room.ports.words;
    if (this.#state === 'failed') {
      return html`<p role="alert">${text('counter.hold.lost')}</p>
        <p class="buttons"><button @click=${() => void this.#read()}>${text('console.again')}</button>
        <button @click=${() => this.#desk.leaveHold()}>${text('counter.new')}</button></p>`;
    }
    if (!this.#hold) return html`<p role="status">${text('console.loading')}</p>`;
    return this.#hold.status === 'active' ? this.#open(this.#hold) : this.#over(this.#hold);
  }

  #open(hold: Hold): TemplateResult {
    const { words } = this.#desk.room.ports;
    const { text, clock, minutes } = words;
    const left = this.#leftMs();
    const isSending = this.#act.state.kind === 'sending';
    const { items } = hold;
    return html`<h2>${text('counter.basket', { count: placesOfItems(items) })}</h2>
      <p class="countdown" data-short=${left < SHORT_MS}><span aria-hidden="true">${text('counter.left', { time: clock(left) })}</span>
        <span class="unseen" role="timer">${text('counter.left', { time: minutes(left) })}</span></p>
      ${pricedList({ words, items, caption: text('counter.basket.table'), ticket: (item) => this.#ticket(item) })}
      <p class="buttons">
        <button ?disabled=${isSending} @click=${() => this.#do(() => this.#extend())}>${text('counter.extend')}</button>
        <button ?disabled=${isSending} @click=${() => this.#do(() => this.#giveUp())}>${text('counter.giveUp')}</button>
        ${this.#otherPlaces(isSending)}
      </p>
      ${this.#told()}
      ${this.#form.draw(priceOf(words, items), 'book', { holdId: hold.holdId })}`;
  }

  #ticket(item: Item): TemplateResult | typeof nothing | null {
    const { hall } = this.#desk.room.map().live;
    const tiers = hall ? tiersAt(hall, item.label) : [];
    if (tiers.length < 2 || item.tierId === null) return null;
    const { words } = this.#desk.room.ports;
    const choice = { words, name: item.place.name, tiers, chosen: item.tierId };
    return ticketChoice(choice, (tierId) => {
      const selections = this.#hold!.items.map((each) => ({ ...selectionOf(each), ...(each === item && { tierId }) }));
      this.#do(() => this.#replace(selections));
    });
  }

  /** The choice on the map has changed since the hold. */
  #otherPlaces(isSending: boolean): TemplateResult | typeof nothing {
    const { chosen } = this.#desk.room.map();
    if (!isOtherChoice(chosen, this.#seats())) return nothing;
    const { text } = this.#desk.room.ports.words;
    return html`<button ?disabled=${isSending} @click=${() => this.#do(() => this.#replace(this.#selectionsOf(chosen)))}
      >${text('counter.change', { count: chosen.size })}</button>`;
  }

  /** Places that stay keep their tickets; areas stay as they are. */
  #selectionsOf(chosen: ReadonlySet<string>): Selection[] {
    const { items } = this.#hold!;
    const known = new Map(items.map((item) => [item.label, selectionOf(item)]));
    const areas = items.filter(({ objectType }) => objectType === 'ga').map(selectionOf);
    return [...[...chosen].map((label) => known.get(label) ?? { label }), ...areas];
  }

  /** A press is a new wish. “Try again” repeats the last one under its key. */
  #do(act: () => Promise<void>): void {
    this.#act.renew();
    this.#last = act;
    void act();
  }

  #told(): TemplateResult {
    const { words } = this.#desk.room.ports;
    const isUnknown = this.#act.state.kind === 'unknown';
    return html`<p role="alert">${saleTold(this.#act.state, words)}</p>
      ${isUnknown ? html`<p class="buttons"><button @click=${() => void this.#last()}>${words.text('console.again')}</button></p>` : nothing}`;
  }

  async #replace(selections: readonly Selection[]): Promise<void> {
    const body = { selections, replaceHoldId: this.holdId };
    const held = await this.#act.send((key) => this.#desk.post<{ holdId: string }>('hold', body, key));
    if (held && !this.#left.signal.aborted) this.#desk.openHold(held.value.holdId);
  }

  async #extend(): Promise<void> {
    const longer = await this.#act.send((key) =>
      this.#desk.post<{ expiresAt: number }>('extend', { holdId: this.holdId }, key),
    );
    if (longer && this.#hold) this.#hold = { ...this.#hold, expiresAt: longer.value.expiresAt };
    this.#desk.room.ports.changed();
  }

  async #giveUp(): Promise<void> {
    const { items } = this.#hold!;
    const { ports } = this.#desk.room;
    const given = await this.#act.send((key) => this.#desk.post('release', { holdId: this.holdId }, key));
    if (!given) return;
    const selections = items.map(selectionOf);
    ports.tell({
      text: ports.words.text('counter.givenUp', { count: placesOfItems(items) }),
      undo: async (key) => {
        const again = await this.#desk.post<{ holdId: string }>('hold', { selections }, key);
        if (again.ok) this.#desk.openHold(again.value.holdId);
        return again;
      },
    });
    this.#desk.leaveHold();
  }

  #over({ status, items }: Hold): TemplateResult {
    const { words } = this.#desk.room.ports;
    const { text } = words;
    const names = items.map(({ place }) => place.name);
    return html`<h2>${text('counter.over')}</h2>
      <p role="alert">${text(status === 'expired' ? 'counter.over.expired' : 'counter.over.released', { places: words.list(names) })}
</p>
      ${this.#told()}
      <p class="buttons"><button class="primary" @click=${() => this.#do(() => this.#again(items))}>${text('counter.holdAgain')}</button>
        <button @click=${() => this.#desk.leaveHold()}>${text('counter.new')}</button></p>`;
  }

  async #again(items: readonly Item[]): Promise<void> {
    const body = { selections: items.map(selectionOf) };
    const held = await this.#act.send((key) => this.#desk.post<{ holdId: string }>('hold', body, key));
    if (held && !this.#left.signal.aborted) this.#desk.openHold(held.value.holdId);
  }
}

export function priceOf(words: Words, items: readonly Item[]): string {
  const [first] = items;
  return first ? moneyOf(words, first, totalOfItems(items)) : '';
}
