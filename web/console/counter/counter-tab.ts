/**
 * The counter: places are chosen on the map, held with their prices, sold, and printed; reservations stand beside it.
 * The address has the part: `hold` for a basket, `sold` for a receipt, `part=reservations`. A hold is also kept for
 * the browser's tab, so a person who looks at another tab of the event, or signs in again, finds the basket.
 *
 * States: choosing → basket or price without a hold → sold → choosing.
 */
import { html, nothing, type TemplateResult } from 'lit-html';
import { addressOf } from '../address.ts';
import type { EventRoom, Tab } from '../event/tab.ts';
import { adopt } from '../frame/adopt.ts';
import { Basket } from './basket.ts';
import { Choosing } from './choosing.ts';
import type { Desk, Quote } from './desk.ts';
import { keptSale } from './kept.ts';
import { looks } from './looks.ts';
import { QuotePart } from './quote-part.ts';
import { Receipt } from './receipt.ts';
import { Reservations } from './reservations.ts';
import { randomReference } from './rules/draft.ts';

adopt(looks);

export function openCounterTab(room: EventRoom): Tab {
  return new CounterTab(room);
}

const parts = ['sale', 'reservations'] as const;

class CounterTab implements Tab {
  readonly #room: EventRoom;
  readonly #desk: Desk;
  readonly #choosing: Choosing;
  readonly #kept: ReturnType<typeof keptSale>;
  #basket: Basket | null = null;
  #receipt: Receipt | null = null;
  #quote: QuotePart | null = null;
  #reservations: Reservations | null = null;
  #holdId: string | null;

  constructor(room: EventRoom) {
    this.#room = room;
    this.#kept = keptSale(room.key, room.ports.who.user.id);
    const before = this.#kept.read();
    this.#holdId = room.place().query.hold ?? before?.holdId ?? null;
    const path = `events/${encodeURIComponent(room.key)}`;
    this.#desk = {
      room,
      path,
      fields: before?.fields ?? { bookingRef: randomReference(), buyerRef: '', payment: '', note: '' },
      keep: () => this.#keep(),
      post: (action, body, key) => room.ports.server.send('POST', `${path}/${action}`, { body, key }),
      openHold: (holdId) => this.#openHold(holdId),
      leaveHold: () => this.#leaveHold(),
      openQuote: (quote) => this.#openQuote(quote),
      sold: (bookingRef) => this.#sold(bookingRef),
    };
    this.#choosing = new Choosing(this.#desk);
    const { query } = room.place();
    if (this.#holdId !== null && query.hold === undefined && query.sold === undefined) this.#openHold(this.#holdId);
    // The event does not know the tab yet, so nobody tells of the new address.
    this.moved();
  }

  close(): void {
    this.#basket?.close();
    this.#receipt?.close();
    this.#reservations?.close();
  }

  /** The address has another hold, receipt or part. */
  moved(): void {
    const { hold, sold, part } = this.#room.place().query;
    if (this.#basket?.holdId !== hold) {
      this.#basket?.close();
      this.#basket = hold === undefined ? null : new Basket(this.#desk, hold);
    }
    if (this.#receipt?.bookingRef !== sold) {
      this.#receipt?.close();
      this.#receipt = sold === undefined ? null : new Receipt(this.#desk, sold);
    }
    if (part === 'reservations') this.#reservations ??= new Reservations(this.#desk);
    else if (this.#reservations) {
      this.#reservations.close();
      this.#reservations = null;
    }
  }

  #keep(): void {
    this.#kept.write({ holdId: this.#holdId, fields: this.#desk.fields });
  }

  /** Changes the query of the address; undefined takes a part away. */
  #go(changes: Readonly<Record<string, string | undefined>>): void {
    const place = this.#room.place();
    const query = Object.entries({ ...place.query, ...changes }).filter((entry): entry is [string, string] => {
      return entry[1] !== undefined;
    });
    this.#room.ports.go({ ...place, query: Object.fromEntries(query) }, 'replace');
  }

  #openHold(holdId: string): void {
    this.#holdId = holdId;
    this.#quote = null;
    this.#keep();
    this.#go({ hold: holdId, sold: undefined, part: undefined });
  }

  #leaveHold(): void {
    this.#holdId = null;
    this.#quote = null;
    this.#keep();
    this.#go({ hold: undefined, sold: undefined });
  }

  #openQuote(quote: Quote | null): void {
    this.#quote = quote && new QuotePart(this.#desk, quote);
    this.#room.ports.changed();
  }

  #sold(bookingRef: string): void {
    this.#holdId = null;
    this.#quote = null;
    this.#choosing.forget();
    this.#keep();
    this.#go({ hold: undefined, seats: undefined, sold: bookingRef });
  }

  draw(): TemplateResult {
    const pane = this.#room.map();
    const { text } = this.#room.ports.words;
    return html`<div class="beside counter">${pane.draw()}<aside>
      <nav class="parts" aria-label=${text('counter.parts')}>${parts.map((part) => this.#link(part))}</nav>
      ${pane.live.state === 'failed' ? this.#failed() : nothing}
      ${pane.live.state === 'behind' ? html`<p role="status">${text('map.behind')}</p>` : nothing}
      ${this.#part()}</aside></div>`;
  }

  #link(part: (typeof parts)[number]): TemplateResult {
    const place = this.#room.place();
    const { part: _, ...query } = place.query;
    const its = { ...place, query: part === 'sale' ? query : { ...query, part } };
    const isHere = (this.#reservations ? 'reservations' : 'sale') === part;
    return html`<a href=${addressOf(its)} aria-current=${isHere ? 'page' : nothing}
      >${this.#room.ports.words.text(`counter.part.${part}`)}</a>`;
  }

  #failed(): TemplateResult {
    const { text } = this.#room.ports.words;
    return html`<p role="alert">${text('map.failed')}</p>
      <p><button @click=${() => this.#room.map().live.again()}>${text('console.again')}</button></p>`;
  }

  #part(): TemplateResult {
    const shown = this.#reservations ?? this.#receipt ?? this.#basket ?? this.#quote ?? this.#choosing;
    return shown.draw();
  }
}
