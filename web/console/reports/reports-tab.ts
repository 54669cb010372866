/**
 * The reports of an event: what is sold by category, channel, release, section and accessibility, the money with its
 * fees, and the sale over time. `by`, `from` and `to` are in the address. Days are those of the event's zone.
 *
 * States: reading → shown or failed; "read again" goes to reading and keeps the figures. Figures of now come from the
 * server's report of one moment. Figures of a span, and the graph, are summed from the bookings (bookings.ts), which
 * arrive page by page. A tab that is left drops what is on its way.
 */
import { html, nothing, type TemplateResult } from 'lit-html';
import type { EventRoom, Tab } from '../event/tab.ts';
import { csvOf, saveFile } from '../frame/files.ts';
import { dayAfter, startOfDay } from '../frame/zoned-time.ts';
import '../frame/page-looks.ts';
import { BookingReader } from './bookings.ts';
import { Graph } from './graph.ts';
import './looks.ts';
import {
  type By,
  type columns,
  columnsOf,
  type ReportAnswer,
  type Row,
  rowsNow,
  rowsOfSpan,
  sumOf,
  views,
} from './rows.ts';
import { type Dimension, dimensions, type SoldTime, type Span, soldBy, soldOverTime } from './sold.ts';

export const openReports = (room: EventRoom): Tab => new ReportsTab(room);

class ReportsTab implements Tab {
  readonly #room: EventRoom;
  readonly #left = new AbortController();
  readonly #graph: Graph;
  #bookings: BookingReader;
  #answer: ReportAnswer | null = null;
  #readAt = 0;
  #state: 'reading' | 'shown' | 'failed' = 'reading';
  #over: { of: number; key: string; sold: ReturnType<typeof soldOverTime> } | null = null;

  constructor(room: EventRoom) {
    this.#room = room;
    const { text, number } = room.ports.words;
    const label = text('reports.graph');
    const words = { label, booked: text('reports.booked'), sum: text('reports.sum'), number };
    this.#graph = new Graph(words, room.meta().timezone);
    this.#bookings = this.#readBookings();
    void this.#read();
  }

  close(): void {
    this.#left.abort();
    this.#bookings.close();
    this.#graph.close();
  }

  #readBookings(): BookingReader {
    const { key, ports } = this.#room;
    return new BookingReader(key, ports.server, () => ports.changed());
  }

  async #read(): Promise<void> {
    this.#state = 'reading';
    const { key, ports } = this.#room;
    const answer = await ports.server.get<ReportAnswer>(`events/${encodeURIComponent(key)}/report`, this.#left.signal);
    if (this.#left.signal.aborted) return;
    this.#state = answer.ok ? 'shown' : 'failed';
    if (answer.ok) {
      this.#answer = answer.value;
      this.#readAt = Date.now();
    }
    ports.changed();
  }

  #again = (): void => {
    this.#bookings.close();
    this.#bookings = this.#readBookings();
    this.#over = null;
    void this.#read();
    this.#room.ports.changed();
  };

  get #by(): By {
    return views.find((view) => view === this.#room.place().query.by) ?? 'category';
  }

  get #span(): Span {
    const { from = '', to = '' } = this.#room.place().query;
    const { timezone } = this.#room.meta();
    return { from: startOfDay(from, timezone), to: to === '' ? null : startOfDay(dayAfterOr(to), timezone) };
  }

  draw(): TemplateResult {
    const { text } = this.#room.ports.words;
    if (!this.#answer) {
      return this.#state === 'failed'
        ? html`<p role="alert">${text('reports.failed')}</p><button @click=${this.#again}>${text('console.again')}</button>`
        : html`<p role="status">${text('console.loading')}</p>`;
    }
    return html`<div class="page">${this.#tools()}<p role="status" class="muted">${this.#told()}</p>
      ${this.#figures(this.#answer)} ${this.#breakdown(this.#answer)} ${this.#overTime()} ${this.#money(this.#answer)}</div>`;
  }

  #told(): string {
    const { words } = this.#room.ports;
    if (this.#state === 'failed') return words.text('reports.behind', { time: this.#time(this.#readAt) });
    return words.text('reports.from', { time: this.#time(this.#readAt) });
  }

  #time(at: number): string {
    return this.#room.ports.words.date(at, this.#room.meta().timezone, 'medium', true);
  }

  #price(amount: number | null): string {
    const { currency, priceUnit } = this.#answer!;
    return amount === null ? '–' : this.#room.ports.words.money(amount, { currency, priceUnit });
  }

  #tools(): TemplateResult {
    const { text } = this.#room.ports.words;
    const { from = '', to = '' } = this.#room.place().query;
    const by = this.#by;
    const file = `/v1/events/${encodeURIComponent(this.#room.key)}/report.csv`;
    return html`<div class="tools">
      <label>${text('reports.by')} <select @change=${(event: Event) => this.#ask({ by: textIn(event) })}>
        ${views.map((view) => html`<option value=${view} ?selected=${view === by}>${text(`reports.by.${view}`)}</option>`)}
      </select></label>
      <label>${text('reports.span.from')}
        <input type="date" .value=${from} @change=${(event: Event) => this.#ask({ from: textIn(event) })}></label>
      <label>${text('reports.span.to')}
        <input type="date" .value=${to} @change=${(event: Event) => this.#ask({ to: textIn(event) })}></label>
      ${from || to ? html`<button @click=${() => this.#ask({ from: '', to: '' })}>${text('reports.span.none')}</button>` : nothing}
      <span class="space"></span>
      <button @click=${this.#again} ?disabled=${this.#state === 'reading'}>${text('reports.again')}</button>
      <button @click=${this.#saveTable}>${text('reports.csv.table')}</button>
      <a href=${file} download>${text('reports.csv.places')}</a>
      <button @click=${() => print()}>${text('reports.print')}</button>
    </div>`;
  }

  #ask(changes: Record<string, string>): void {
    const place = this.#room.place();
    const query = Object.fromEntries(
      Object.entries({ ...place.query, ...changes }).filter(([, value]) => value !== ''),
    );
    this.#room.ports.go({ ...place, query }, 'replace');
    this.#room.ports.changed();
  }

  #figures({ report }: ReportAnswer): TemplateResult {
    const { number, text } = this.#room.ports.words;
    const { free, held, booked, not_for_sale: blocked } = report.byStatus;
    const figures = [
      ['reports.free', number(free)],
      ['reports.held', number(held)],
      ['reports.booked', number(booked)],
      ['reports.blocked', number(blocked)],
      ['reports.paid', this.#price(report.bookedTotal)],
    ] as const;
    return html`<dl class="figures">${figures.map(([key, figure]) => html`<div><dt>${text(key)}</dt><dd>${figure}</dd></div>`)}</dl>`;
  }

  #rows(answer: ReportAnswer): Row[] {
    const { text } = this.#room.ports.words;
    const words = { public: text('reports.public'), none: text('reports.none') };
    const span = this.#span;
    const by = this.#by;
    if ((span.from === null && span.to === null) || !isDimension(by)) return rowsNow(answer, by, words);
    return rowsOfSpan(soldBy(this.#bookings.objects, span, by), answer, by, words);
  }

  #breakdown(answer: ReportAnswer): TemplateResult {
    const { text } = this.#room.ports.words;
    const rows = this.#rows(answer);
    const hasSpan = this.#span.from !== null || this.#span.to !== null;
    const note = hasSpan ? (isDimension(this.#by) ? 'reports.of.span' : 'reports.of.accessibility') : 'reports.of.now';
    return html`<section aria-labelledby="breakdown"><h2 id="breakdown">${text(`reports.by.${this.#by}`)}</h2>
      ${hasSpan ? this.#reading() : nothing}
      ${rows.length === 0 ? html`<p>${text('reports.empty')}</p>` : this.#table(rows, text(note))}</section>`;
  }

  #table(rows: readonly Row[], caption: string): TemplateResult {
    const { text } = this.#room.ports.words;
    const shown = columnsOf(rows);
    const sums = sumOf(rows);
    const most = Math.max(...rows.map(({ booked }) => booked), 1);
    return html`<div class="wide" tabindex="0" role="region" aria-label=${caption}><table><caption>${caption}</caption>
      <thead><tr><th scope="col">${text(`reports.by.${this.#by}`)}</th>
        ${shown.map((column) => html`<th scope="col" class="number">${text(`reports.${column}`)}</th>`)}
        <th scope="col" class="only-screen"><span class="unseen">${text('reports.share')}</span></th></tr></thead>
      <tbody>${rows.map(
        (row) => html`<tr><th scope="row">${row.name}</th>${shown.map((column) => this.#cell(column, row[column]))}
          <td class="only-screen"><meter aria-label=${`${row.name}: ${text('reports.booked')}`} max=${row.total ?? most} value=${row.booked}></meter></td></tr>`,
      )}</tbody>
      <tfoot><tr><th scope="row">${text('reports.total')}</th>
        ${shown.map((column) => this.#cell(column, sums[column]))}<td class="only-screen"></td></tr></tfoot>
    </table></div>`;
  }

  #cell(column: (typeof columns)[number], figure: number | null): TemplateResult {
    const isMoney = column === 'value' || column === 'fees';
    const shown = figure === null ? '–' : isMoney ? this.#price(figure) : this.#room.ports.words.number(figure);
    return html`<td class="number">${shown}</td>`;
  }

  #overTime(): TemplateResult {
    const { text } = this.#room.ports.words;
    const { unit, times } = this.#sold();
    return html`<section aria-labelledby="over-time"><h2 id="over-time">${text('reports.time')}</h2>${this.#reading()}
      ${times.length === 0 ? html`<p>${text('reports.empty')}</p>` : html`<p class="muted only-screen">${text('reports.legend')}</p>${this.#graph.draw(times, stepsMs[unit])} ${this.#times(unit, times)}`}
    </section>`;
  }

  #sold(): ReturnType<typeof soldOverTime> {
    const span = this.#span;
    const { objects } = this.#bookings;
    const key = `${span.from} ${span.to}`;
    if (this.#over?.of !== objects.length || this.#over.key !== key) {
      const sold = soldOverTime(objects, span, this.#room.meta().timezone);
      this.#over = { of: objects.length, key, sold };
    }
    return this.#over.sold;
  }

  #times(unit: 'hour' | 'day', times: readonly SoldTime[]): TemplateResult {
    const { number, text } = this.#room.ports.words;
    return html`<details><summary>${text('reports.time.table')}</summary><div class="wide" tabindex="0" role="region" aria-label=${text('reports.time.table')}><table>
      <thead><tr><th scope="col">${text(`reports.time.${unit}`)}</th><th scope="col" class="number">${text('reports.booked')}</th>
        <th scope="col" class="number">${text('reports.value')}</th></tr></thead>
      <tbody>${times.map(
        ({ at, booked, value }) => html`<tr><th scope="row">${unit === 'hour' ? this.#time(at) : this.#day(at)}</th>
          <td class="number">${number(booked)}</td><td class="number">${this.#price(value)}</td></tr>`,
      )}</tbody></table></div></details>`;
  }

  #day(at: number): string {
    const { timezone } = this.#room.meta();
    const zone = timezone === null ? {} : { timeZone: timezone };
    return new Intl.DateTimeFormat(this.#room.ports.words.locale, { dateStyle: 'full', ...zone }).format(at);
  }

  /** How far the bookings are read. Nothing once they are whole. */
  #reading(): TemplateResult | typeof nothing {
    const { text } = this.#room.ports.words;
    const { state, bookings } = this.#bookings;
    if (state === 'whole') return nothing;
    if (state === 'reading') return html`<p role="status">${text('reports.reading', { count: bookings })}</p>`;
    return html`<p role="alert">${text('reports.reading.failed', { count: bookings })}
      <button @click=${() => void this.#bookings.read()}>${text('console.again')}</button></p>`;
  }

  #money({ report }: ReportAnswer): TemplateResult {
    const { number, text } = this.#room.ports.words;
    const { byFee, exchanges, bookedTotal } = report;
    return html`<section aria-labelledby="money"><h2 id="money">${text('reports.money')}</h2>
      <div class="wide" tabindex="0" role="region" aria-label=${text('reports.money')}><table><caption>${text('reports.of.money')}</caption>
      <thead><tr><th scope="col">${text('reports.fee')}</th><th scope="col" class="number">${text('reports.booked')}</th>
        <th scope="col" class="number">${text('reports.amount')}</th></tr></thead>
      <tbody>${byFee.map(
        ({
          name,
          allIn,
          booked,
          amount,
        }) => html`<tr><th scope="row">${name} <small class="muted">${text(allIn ? 'reports.fee.inside' : 'reports.fee.top')}</small></th>
          <td class="number">${number(booked)}</td><td class="number">${this.#price(amount)}</td></tr>`,
      )}
      <tr><th scope="row">${text('reports.exchange.fees')}</th><td></td><td class="number">${this.#price(exchanges.fees)}</td></tr>
      <tr><th scope="row">${text('reports.exchange.waived')}</th><td></td><td class="number">${this.#price(exchanges.waivedDifferences)}</td></tr>
      </tbody><tfoot><tr><th scope="row">${text('reports.paid')}</th><td></td><td class="number">${this.#price(bookedTotal)}</td></tr></tfoot>
    </table></div></section>`;
  }

  #saveTable = (): void => {
    const { text } = this.#room.ports.words;
    const rows = this.#rows(this.#answer!);
    const shown = columnsOf(rows);
    const head = [text(`reports.by.${this.#by}`), ...shown.map((column) => text(`reports.${column}`))];
    const lines = rows.map((row) => [row.name, ...shown.map((column) => row[column])]);
    saveFile(`${this.#room.key}-${this.#by}.csv`, 'text/csv', csvOf([head, ...lines]));
  };
}

const stepsMs = { hour: 3_600_000, day: 86_400_000 };

function isDimension(by: By): by is Dimension {
  return dimensions.some((dimension) => dimension === by);
}

/** An unfinished day has no day behind it. */
function dayAfterOr(day: string): string {
  return /^\d{4}-\d{2}-\d{2}$/.test(day) ? dayAfter(day) : day;
}

const textIn = (event: Event): string => (event.target as HTMLInputElement | HTMLSelectElement).value;
