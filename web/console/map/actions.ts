/**
 * What a person does with the chosen places. Each act is a question that tells by status what will change and what
 * stays as it is. Two operators at once: the server refuses the whole call and names the places; these are marked on
 * the map and left out of the selection, the question stays with the rest, and the person sends it again.
 *
 * States of an act are those of its question (frame/question.ts). What a call names is fixed for the life of its key.
 * An act on more places than one call takes goes in pieces (pieces.ts).
 */
import type { Category } from '@parterre/shared/charts/document';
import { roleHas } from '@parterre/shared/protocol/rights';
import { html, nothing, type TemplateResult } from 'lit-html';
import type { Result } from '../../src/sale/calls.ts';
import type { MapPane } from '../event/hall/map-pane.ts';
import { trueStatuses } from '../event/hall/true-statuses.ts';
import type { EventRoom } from '../event/tab.ts';
import { epochOf, zoneName } from '../frame/zoned-time.ts';
import { pricesOf } from './category-price.ts';
import {
  type ActOutcome,
  type ChosenPlace,
  outcomeOfBlock,
  outcomeOfCategory,
  outcomeOfEnd,
  outcomeOfUnblock,
  placesOf,
  type Staying,
  tablesOf,
} from './outcomes.ts';
import { fixedByKey, inPieces } from './pieces.ts';

const LABELS_PER_CALL = 50_000;
const LABELS_PER_END = 1_000;
const REASON_LENGTH_MAX = 500;
const BLOCKED = trueStatuses.indexOf('blocked');

type Goes = 'map.block.goes' | 'map.unblock.goes' | 'map.end.goes' | 'map.category.goes';
type Booking = { mode: 'individual' | 'whole' | 'variable'; minOccupancy?: number; maxOccupancy?: number };

export class HallActions {
  readonly #room: EventRoom;
  readonly #pane: MapPane;

  constructor(room: EventRoom) {
    this.#room = room;
    this.#pane = room.map();
  }

  /** The buttons of what this role may do with the chosen places. */
  draw(): TemplateResult | typeof nothing {
    const { hall, statuses } = this.#pane.live;
    const { text } = this.#room.ports.words;
    if (!hall || !statuses || this.#pane.chosen.size === 0 || !this.#may('sell')) return nothing;
    const { free, held, blocked } = this.#pane.chosenCounts;
    const tables = tablesOf((spot) => this.#pane.isChosen(spot), hall, statuses.of);
    const button = (isOffered: boolean, name: string, act: () => void) =>
      isOffered ? html`<button @click=${act}>${name}</button>` : nothing;
    return html`<section aria-labelledby="acts"><h2 id="acts">${text('map.acts')}</h2><p class="choices">
      ${button(free + blocked > 0, text('map.block'), () => this.#block())}
      ${button(blocked > 0, text('map.unblock'), () => this.#unblock())}
      ${button(held > 0, text('map.end'), () => this.#end())}
      ${button(free + blocked > 0 && this.#may('manage'), text('map.category'), () => this.#category())}
      ${button(tables.ids.length + tables.inUse.length > 0, text('map.tables'), () => this.#tables())}
    </p></section>`;
  }

  #may(right: 'sell' | 'manage'): boolean {
    return roleHas(this.#room.ports.who.user.role, right);
  }

  get #path(): string {
    return `events/${encodeURIComponent(this.#room.key)}`;
  }

  /** The chosen places with their present statuses. */
  #places(): ChosenPlace[] {
    const { hall, statuses } = this.#pane.live;
    return placesOf(this.#pane.chosen, hall!, statuses!, (label) => this.#pane.live.reservationOf(label) !== null);
  }

  /** What will happen, as sentences. */
  #told(goes: Goes, { count, again, stays }: ActOutcome): TemplateResult {
    const { text } = this.#room.ports.words;
    const left = Object.entries(stays) as [Staying, number][];
    return html`<p>${text(goes, { count })} ${again > 0 ? text('map.again', { count: again }) : nothing}</p>
      ${
        left.length === 0
          ? nothing
          : html`<p>${text('map.stays')}</p><ul>${left.map(
              ([why, number]) => html`<li>${text(`map.stays.${why}`, { count: number })}</li>`,
            )}</ul>`
      }`;
  }

  #reasonField(isRequired: boolean): TemplateResult {
    const { text } = this.#room.ports.words;
    return html`<label>${text(isRequired ? 'map.reason' : 'map.reason.free')}
      <input name="reason" maxlength=${REASON_LENGTH_MAX} ?required=${isRequired} autocomplete="off"></label>`;
  }

  /** A refused act marks its places and leaves them out, so that the rest can be sent. */
  async #judged<T>(answer: Promise<Result<T>>): Promise<Result<T>> {
    const result = await answer;
    if (result.ok) return result;
    const { conflicts = [], labels = [] } = result.problem;
    const refused = new Set([...conflicts.map(({ label }) => label), ...labels]);
    if (refused.size > 0) {
      this.#pane.mark(refused);
      this.#pane.choose([...this.#pane.chosen].filter((label) => !refused.has(label)));
    }
    return result;
  }

  #tellPart(count: number): void {
    const { ports } = this.#room;
    ports.tell({ text: ports.words.text('map.part', { count }) });
  }

  #bulk<T>(action: string, labels: readonly string[], key: string, more: object = {}, most = LABELS_PER_CALL) {
    const { server } = this.#room.ports;
    const call = (piece: readonly string[], pieceKey: string): Promise<Result<T>> =>
      server.send<T>('POST', `${this.#path}/${action}`, { body: { labels: piece, ...more }, key: pieceKey });
    return inPieces(labels, most, key, call, (count) => this.#tellPart(count));
  }

  #block(): void {
    const { ports } = this.#room;
    const { text } = ports.words;
    const { timezone } = this.#room.meta();
    const fixed = fixedByKey(() => ({ ...outcomeOfBlock(this.#places()), blockedBefore: this.#blockedPlaces() }));
    let blockedBefore: ReadonlySet<string> = new Set();
    this.#pane.mark([]);
    ports.ask({
      title: text('map.block.title'),
      draw: () => html`${this.#told('map.block.goes', outcomeOfBlock(this.#places()))} ${this.#reasonField(false)}
        <label>${text('map.until', { zone: zoneName(timezone) })}
          <input type="datetime-local" name="until"></label>`,
      confirm: text('map.block.confirm'),
      send: (form, key) => {
        const reason = String(form.get('reason')).trim();
        const until = epochOf(String(form.get('until')), timezone);
        const { goes, blockedBefore: before } = fixed(key);
        blockedBefore = before;
        const terms = { ...(reason !== '' && { reason }), ...(until !== null && { releaseAt: until }) };
        return this.#judged(this.#bulk<{ blocked: string[] }>('block', goes, key, terms));
      },
      done: (parts) => {
        const blocked = parts.flatMap((part) => part.blocked).filter((label) => !blockedBefore.has(label));
        ports.tell({
          text: blocked.length > 0 ? text('map.block.done', { count: blocked.length }) : text('map.block.again'),
          ...(blocked.length > 0 && { undo: (key: string) => this.#bulk('unblock', blocked, key) }),
        });
      },
    });
  }

  /** Blocked seats and places of areas: an undo leaves these as they are. */
  #blockedPlaces(): Set<string> {
    const { hall, statuses } = this.#pane.live;
    const { of, places } = statuses!;
    const blocked = new Set([...places].filter(([, code]) => code === BLOCKED).map(([label]) => label));
    for (const label of this.#pane.chosen) if (of[hall!.spotOf.get(label) ?? -1] === BLOCKED) blocked.add(label);
    return blocked;
  }

  #unblock(): void {
    const { ports } = this.#room;
    const { text } = ports.words;
    const fixed = fixedByKey(() => outcomeOfUnblock(this.#places()).goes);
    this.#pane.mark([]);
    ports.ask({
      title: text('map.unblock.title'),
      draw: () => html`${this.#told('map.unblock.goes', outcomeOfUnblock(this.#places()))}
        <p class="muted">${text('map.unblock.undo')}</p>`,
      confirm: text('map.unblock.confirm'),
      send: (_form, key) => this.#judged(this.#bulk<{ unblocked: string[] }>('unblock', fixed(key), key)),
      done: (parts) => {
        const unblocked = parts.flatMap((part) => part.unblocked);
        ports.tell({
          text: text('map.unblock.done', { count: unblocked.length }),
          ...(unblocked.length > 0 && { undo: (key: string) => this.#bulk('block', unblocked, key) }),
        });
      },
    });
  }

  #end(): void {
    const { ports } = this.#room;
    const { text } = ports.words;
    const fixed = fixedByKey(() => outcomeOfEnd(this.#places()).goes);
    this.#pane.mark([]);
    ports.ask({
      title: text('map.end.title'),
      isDanger: true,
      draw: () => html`${this.#told('map.end.goes', outcomeOfEnd(this.#places()))}
        <p>${text('map.end.buyers')}</p> ${this.#reasonField(true)}`,
      confirm: text('map.end.confirm'),
      send: (form, key) => {
        const reason = String(form.get('reason')).trim();
        return this.#judged(
          this.#bulk<{ released: string[] }>('holds/end', fixed(key), key, { reason }, LABELS_PER_END),
        );
      },
      done: (parts) => {
        const count = parts.reduce((sum, { released }) => sum + released.length, 0);
        ports.tell({ text: text('map.end.done', { count }) });
      },
    });
  }

  #category(): void {
    const { ports } = this.#room;
    const { text } = ports.words;
    const { categories } = this.#pane.live.hall!;
    const fixed = fixedByKey(() => this.#categoriesOf(outcomeOfCategory(this.#places()).goes));
    let before: Map<string, string[]> = new Map();
    let category = categories[0]!;
    this.#pane.mark([]);
    ports.ask({
      title: text('map.category.title'),
      draw: () => html`${this.#told('map.category.goes', outcomeOfCategory(this.#places()))}
        <label>${text('map.category.to')} <select name="category" @change=${({ target }: Event) => {
          category = categories[Number((target as HTMLSelectElement).value)]!;
          ports.changed();
        }}>${categories.map(({ label }, index) => html`<option value=${index}>${label}</option>`)}</select></label>
        <p>${this.#pricesOf(category)} ${text('map.category.event')}</p>`,
      confirm: text('map.category.confirm'),
      send: (form, key) => {
        before = fixed(key);
        category = categories[Number(form.get('category'))]!;
        const labels = [...before.values()].flat();
        return this.#judged(this.#bulk('category-assignments', labels, key, { categoryKey: category.key }));
      },
      done: () => {
        const count = [...before.values()].reduce((sum, { length }) => sum + length, 0);
        const undo = (key: string): Promise<Result<unknown>> => this.#restoreCategories(before, key);
        ports.tell({ text: text('map.category.done', { count, category: category.label }), undo });
      },
    });
  }

  #pricesOf(category: Category): string {
    const { words } = this.#room.ports;
    const prices = pricesOf(words, category, this.#room.meta());
    const { label } = category;
    if (prices === '') return words.text('map.category.unpriced', { category: label });
    return words.text('map.category.price', { category: label, prices });
  }

  /** The labels by their present category. */
  #categoriesOf(labels: readonly string[]): Map<string, string[]> {
    const { hall } = this.#pane.live;
    const areas = new Map(hall!.areas.map((area) => [area.label, area.category]));
    const alike = new Map<string, string[]>();
    for (const label of labels) {
      const category = areas.get(label) ?? hall!.categoryOf[hall!.spotOf.get(label)!]!;
      const { key } = hall!.categories[category]!;
      const its = alike.get(key) ?? [];
      its.push(label);
      alike.set(key, its);
    }
    return alike;
  }

  async #restoreCategories(before: ReadonlyMap<string, string[]>, key: string): Promise<Result<unknown>> {
    let last: Result<unknown> = { ok: true, value: null };
    for (const [index, [categoryKey, labels]] of [...before].entries()) {
      last = await this.#bulk('category-assignments', labels, `${key}-${index}`, { categoryKey });
      if (!last.ok) return last;
    }
    return last;
  }

  #tables(): void {
    const { ports } = this.#room;
    const { text, list } = ports.words;
    const chosen = () =>
      tablesOf((spot) => this.#pane.isChosen(spot), this.#pane.live.hall!, this.#pane.live.statuses!.of);
    const fixed = fixedByKey(() => ({ ...chosen(), before: this.#bookingsOf(chosen().ids) }));
    let sent = fixed('');
    let mode: Booking['mode'] = 'whole';
    this.#pane.mark([]);
    ports.ask({
      title: text('map.tables.title'),
      draw: () => {
        const { names, inUse } = chosen();
        return html`<p>${text('map.tables.goes', { count: names.length, tables: list(names) })}</p>
          ${inUse.length > 0 ? html`<p>${text('map.tables.inUse', { count: inUse.length, tables: list(inUse) })}</p>` : nothing}
          <label>${text('map.tables.how')} <select name="mode" @change=${({ target }: Event) => {
            mode = (target as HTMLSelectElement).value as Booking['mode'];
            ports.changed();
          }}>${(['whole', 'individual', 'variable'] as const).map(
            (each) => html`<option value=${each}>${text(`map.tables.${each}`)}</option>`,
          )}</select></label>
          ${mode === 'variable' ? this.#guests() : nothing}`;
      },
      confirm: text('map.tables.confirm'),
      send: (form, key) => {
        sent = fixed(key);
        return this.#judged(this.#setBooking(sent.ids, bookingIn(form), key));
      },
      done: () => {
        const labels = new Set(sent.labels);
        this.#pane.choose([...this.#pane.chosen].filter((label) => !labels.has(label)));
        const { before } = sent;
        ports.tell({
          text: text('map.tables.done', { count: sent.ids.length }),
          undo: (key) => this.#restoreBookings(before, key),
        });
      },
    });
  }

  #guests(): TemplateResult {
    const { text } = this.#room.ports.words;
    return html`<label>${text('map.tables.least')} <input name="least" type="number" min="1" value="1" required></label>
      <label>${text('map.tables.most')} <input name="most" type="number" min="1"></label>`;
  }

  #setBooking(tableIds: readonly string[], booking: Booking, key: string): Promise<Result<unknown>> {
    return this.#room.ports.server.send('POST', `${this.#path}/table-booking`, { body: { tableIds, ...booking }, key });
  }

  /** How the tables are sold now, with the tables that are sold alike. */
  #bookingsOf(ids: readonly string[]): { booking: Booking; ids: string[] }[] {
    const wanted = new Set(ids);
    const alike = new Map<string, { booking: Booking; ids: string[] }>();
    for (const { id, mode, min, max } of this.#pane.live.hall!.objects) {
      if (!wanted.has(id)) continue;
      const booking: Booking = mode === 'variable' ? { mode, minOccupancy: min, maxOccupancy: max } : { mode };
      const name = JSON.stringify(booking);
      const its = alike.get(name) ?? { booking, ids: [] };
      its.ids.push(id);
      alike.set(name, its);
    }
    return [...alike.values()];
  }

  async #restoreBookings(
    before: readonly { booking: Booking; ids: string[] }[],
    key: string,
  ): Promise<Result<unknown>> {
    let last: Result<unknown> = { ok: true, value: null };
    for (const [index, { booking, ids }] of before.entries()) {
      last = await this.#setBooking(ids, booking, `${key}-${index}`);
      if (!last.ok) return last;
    }
    return last;
  }
}

function bookingIn(form: FormData): Booking {
  const mode = form.get('mode') as Booking['mode'];
  if (mode !== 'variable') return { mode };
  const most = Number(form.get('most'));
  return { mode, minOccupancy: Number(form.get('least')), ...(most > 0 && { maxOccupancy: most }) };
}
