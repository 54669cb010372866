/**
 * The exchange of places of a booking: for places that are chosen on the map, for the best places, or for places of
 * another night. The server tells the price difference before anything happens.
 *
 * States of the price: none → asking → told or refused. Each change of the choice, the fee or the waiver asks anew, and
 * drops the older answer. States of the act: ready → sending → done, refused or unknown (the same key is the same
 * exchange).
 */
import { digitsOf } from '@parterre/shared/protocol/currencies';
import { html, nothing, type TemplateResult } from 'lit-html';
import { tiersFor } from '../../src/rules/prices.ts';
import { LabelFinder } from '../event/label-finder.ts';
import { type Item, labelsOfItems, placesOfItems } from '../event/line-items.ts';
import { moneyOf, pricedList } from '../event/priced-list.ts';
import { refusedLabels, saleTold } from '../event/sale-refusals.ts';
import { Act, type ActState } from '../frame/act.ts';
import { amountIn, keptTickets, labelsIn } from './booking.ts';
import type { BookingDesk } from './desk.ts';

type Exchanged = {
  from: string[];
  to: string[];
  items: Item[];
  priceDifference: number;
  amountDue: number;
  fee?: number;
  currency: string;
  priceUnit: 'major' | 'minor';
};
type EventRow = {
  key: string;
  name: string;
  startsAt: number | null;
  timezone: string | null;
  mode: string;
  status: string;
  workspaceId: string;
};

const PAUSE_MS = 300;
const EVENTS_MAX = 200;

export class ExchangePart {
  readonly #desk: BookingDesk;
  readonly #act: Act;
  readonly #finder: LabelFinder;
  #asking = new AbortController();
  #pause: ReturnType<typeof setTimeout> | undefined;
  #asked = '';
  #told: Exchanged | null = null;
  #refused: ActState = { kind: 'ready' };
  #fee = '';
  #isWaived = false;
  #reason = '';
  #isBest = false;
  #eventKey = '';
  #otherLabels = '';
  #events: readonly EventRow[] | null = null;

  constructor(desk: BookingDesk) {
    this.#desk = desk;
    this.#act = new Act(desk.room.ports.changed);
    this.#finder = new LabelFinder(desk.room, 'bookings.exchange.find');
  }

  close(): void {
    this.#asking.abort();
    clearTimeout(this.#pause);
  }

  /** The places of the map to move to. */
  targets(): string[] {
    const own = new Set(this.#desk.booking().activeLabels);
    return [...this.#desk.room.map().chosen].filter((label) => !own.has(label));
  }

  /** The choice may be another: the server tells its price after a short rest. */
  follow(): void {
    const body = this.#body();
    const asked = JSON.stringify(body);
    if (asked === this.#asked) return;
    this.#asked = asked;
    this.#asking.abort();
    clearTimeout(this.#pause);
    this.#told = null;
    this.#refused = { kind: 'ready' };
    this.#act.renew();
    if (body) this.#pause = setTimeout(() => void this.#ask(body), PAUSE_MS);
    this.#desk.room.ports.changed();
  }

  async #ask(body: Record<string, unknown>): Promise<void> {
    const asking = new AbortController();
    this.#asking = asking;
    const { server, changed } = this.#desk.room.ports;
    const sent = { body: { ...body, dryRun: true }, key: crypto.randomUUID(), signal: asking.signal };
    const answer = await server.send<Exchanged>('POST', `${this.#desk.path}/exchange`, sent);
    if (asking.signal.aborted) return;
    if (answer.ok) this.#told = answer.value;
    else if (answer.status === 0) this.#refused = { kind: 'unknown' };
    else this.#refused = { kind: 'refused', status: answer.status, problem: answer.problem };
    changed();
  }

  /** Null while there is nothing to ask: the sides differ, or a field is not filled. */
  #body(): Record<string, unknown> | null {
    const { booking, chosen, room } = this.#desk;
    const items = chosen();
    const count = placesOfItems(items);
    const to = this.#to(items, count);
    const digits = room.meta().priceUnit === 'minor' ? digitsOf(room.meta().currency) : 0;
    const fee = this.#fee.trim() === '' ? 0 : amountIn(this.#fee, digits);
    const isUnsaid = this.#isWaived && this.#reason.trim() === '';
    if (to === null || fee === null || isUnsaid || count === 0) return null;
    return {
      bookingRef: booking().bookingRef,
      from: labelsOfItems(items),
      to: { ...to, ...(this.#eventKey !== '' && { eventKey: this.#eventKey }) },
      ...(fee > 0 && { fee }),
      ...(this.#isWaived && { waiveDifference: { reason: this.#reason.trim() } }),
    };
  }

  #to(items: readonly Item[], count: number): Record<string, unknown> | null {
    if (this.#isBest) return { bestAvailable: { qty: count } };
    if (this.#eventKey !== '') {
      const labels = labelsIn(this.#otherLabels);
      return labels.length === 0 ? null : { labels };
    }
    const labels = this.targets();
    if (labels.length === 0) return null;
    return { selections: keptTickets(items, labels, (label, tierId) => this.#hasTier(label, tierId)) };
  }

  #hasTier(label: string, tierId: string): boolean {
    const { hall } = this.#desk.room.map().live;
    const spot = hall?.spotOf.get(label);
    if (!hall || spot === undefined) return false;
    return tiersFor(hall, hall.categoryOf[spot]!, label, hall.accessibilityOf[spot]!).some(({ id }) => id === tierId);
  }

  draw(): TemplateResult {
    const { room } = this.#desk;
    const { text } = room.ports.words;
    return html`<section class="card" aria-labelledby="exchange"><h3 id="exchange">${text('bookings.exchange')}</h3>
      <p class="muted">${text('bookings.exchange.how')}</p>
      ${this.#sides()}
      <div class="fields">${this.#fields()}</div>
      ${this.#price()}</section>`;
  }

  #sides(): TemplateResult {
    const { words } = this.#desk.room.ports;
    const { text, list } = words;
    const items = this.#desk.chosen();
    const to = this.#eventKey === '' ? this.targets() : labelsIn(this.#otherLabels);
    return html`<p>${text('bookings.exchange.from', {
      count: placesOfItems(items),
      places: list(
        items.map(({ place }) => place.name),
        12,
      ),
    })}</p>
      ${this.#isBest ? nothing : html`<p role="status">${text('bookings.exchange.to', { count: to.length, places: list(to, 12) })}</p>`}`;
  }

  #fields(): TemplateResult {
    const { text } = this.#desk.room.ports.words;
    const { currency } = this.#desk.room.meta();
    return html`${this.#eventKey === '' && !this.#isBest ? this.#finder.draw() : nothing}
      <label class="inline"><input type="checkbox" .checked=${this.#isBest}
        @change=${(event: Event) =>
          this.#set(() => {
            this.#isBest = (event.target as HTMLInputElement).checked;
          })}> ${text('bookings.exchange.best')}</label>
      <label>${text('bookings.exchange.night')} <select @focus=${() => void this.#readEvents()} @change=${(
        event: Event,
      ) =>
        this.#set(() => {
          this.#eventKey = (event.target as HTMLSelectElement).value;
          this.#otherLabels ||= labelsOfItems(this.#desk.chosen()).join(', ');
        })}>
        <option value="">${text('bookings.exchange.same')}</option>
        ${this.#events?.map((event) => html`<option value=${event.key} ?selected=${event.key === this.#eventKey}>${this.#nightOf(event)}</option>`)}
      </select></label>
      ${
        this.#eventKey !== '' && !this.#isBest
          ? html`<label>${text('bookings.exchange.there')} <input .value=${this.#otherLabels} @input=${(event: Event) =>
              this.#set(() => {
                this.#otherLabels = (event.target as HTMLInputElement).value;
              })}></label>`
          : nothing
      }
      <label>${text('bookings.fee', { currency })} <input inputmode="decimal" .value=${this.#fee} @input=${(
        event: Event,
      ) =>
        this.#set(() => {
          this.#fee = (event.target as HTMLInputElement).value;
        })}></label>
      <label class="inline"><input type="checkbox" .checked=${this.#isWaived} @change=${(event: Event) =>
        this.#set(() => {
          this.#isWaived = (event.target as HTMLInputElement).checked;
        })}> ${text('bookings.waive')}</label>
      ${
        this.#isWaived
          ? html`<label>${text('counter.reason')} <input maxlength="500" .value=${this.#reason} @input=${(
              event: Event,
            ) =>
              this.#set(() => {
                this.#reason = (event.target as HTMLInputElement).value;
              })}></label>`
          : nothing
      }`;
  }

  #nightOf({ name, startsAt, timezone }: EventRow): string {
    const { date } = this.#desk.room.ports.words;
    return startsAt === null ? name : `${name} · ${date(startsAt, timezone, 'medium')}`;
  }

  /** Events that are near in time come first; an event of another workspace takes no place. */
  async #readEvents(): Promise<void> {
    if (this.#events !== null) return;
    this.#events = [];
    const { key, ports, meta } = this.#desk.room;
    const { mode, workspaceId } = meta();
    const query = new URLSearchParams({ limit: String(EVENTS_MAX), counts: '0', workspaceId });
    const answer = await ports.server.get<{ events: EventRow[] }>(`events?${query}`);
    if (!answer.ok) {
      this.#events = null;
      return;
    }
    const fits = (event: EventRow): boolean => event.key !== key && event.mode === mode && event.status !== 'archived';
    const others = answer.value.events.filter(fits);
    this.#events = others.sort((one, other) => (one.startsAt ?? 0) - (other.startsAt ?? 0));
    ports.changed();
  }

  #set(change: () => void): void {
    change();
    this.follow();
    this.#desk.room.ports.changed();
  }

  #price(): TemplateResult {
    const { words } = this.#desk.room.ports;
    const { text } = words;
    const told = this.#told;
    const { state } = this.#act;
    const isSilent = this.#refused.kind === 'unknown';
    const unpriced = isSilent ? text('bookings.exchange.silent') : saleTold(this.#refused, words);
    const problem = unpriced || saleTold(state, words);
    return html`<p role="alert">${problem}</p>
      ${isSilent ? html`<p><button @click=${this.#askAgain}>${text('console.again')}</button></p>` : nothing}
      ${this.#leaveOut()}
      ${
        told
          ? html`${pricedList({ words, items: told.items, caption: text('bookings.exchange.new') })}
            <p role="status">${text('bookings.difference', { amount: moneyOf(words, told, told.priceDifference) })}
              <strong>${this.#dueOf(told)}</strong></p>`
          : nothing
      }
      <p class="buttons"><button class="primary" ?disabled=${!told || state.kind === 'sending'} @click=${() => void this.#send()}
        >${text(state.kind === 'unknown' ? 'console.again' : 'bookings.exchange.now')}</button></p>`;
  }

  #askAgain = (): void => {
    this.#asked = '';
    this.follow();
  };

  #dueOf(told: Exchanged): string {
    const { words } = this.#desk.room.ports;
    const amount = moneyOf(words, told, Math.abs(told.amountDue));
    if (told.amountDue === 0) return words.text('bookings.due.none');
    return words.text(told.amountDue > 0 ? 'bookings.due.pays' : 'bookings.due.gets', { amount });
  }

  #leaveOut(): TemplateResult | typeof nothing {
    const gone = new Set([...refusedLabels(this.#refused), ...refusedLabels(this.#act.state)]);
    const pane = this.#desk.room.map();
    const left = [...pane.chosen].filter((label) => !gone.has(label));
    const count = pane.chosen.size - left.length;
    if (count === 0) return nothing;
    return html`<p class="buttons"><button @click=${() => pane.choose(left)}
      >${this.#desk.room.ports.words.text('counter.leaveOut', { count })}</button></p>`;
  }

  async #send(): Promise<void> {
    const { room, path, booking } = this.#desk;
    const { server, tell, words } = room.ports;
    const { text, list } = words;
    const body = this.#body();
    if (!body) return;
    const from = this.#desk.chosen();
    const isElsewhere = this.#eventKey !== '';
    const done = await this.#act.send((key) => server.send<Exchanged>('POST', `${path}/exchange`, { body, key }));
    if (!done) return;
    const { to, items } = done.value;
    const { bookingRef } = booking();
    const back = {
      bookingRef,
      from: to,
      to: {
        selections: from.map(({ label, tierId, quantity }) => ({
          label,
          ...(tierId !== null && { tierId }),
          ...(quantity !== undefined && { quantity }),
        })),
      },
    };
    tell({
      text: text('bookings.exchanged', {
        places: list(
          items.map(({ place }) => place.name),
          12,
        ),
        due: this.#dueOf(done.value),
      }),
      ...(!isElsewhere && {
        undo: async (key: string) => {
          const undone = await server.send('POST', `${path}/exchange`, { body: back, key });
          if (undone.ok) this.#desk.done();
          return undone;
        },
      }),
    });
    this.#told = null;
    this.#asked = '';
    this.#fee = '';
    this.#reason = '';
    this.#isWaived = false;
    this.#isBest = false;
    this.#eventKey = '';
    this.#desk.go({ act: undefined, places: undefined, seats: undefined });
    this.#desk.done();
  }
}
