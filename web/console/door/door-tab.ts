/**
 * The door list of an event: each booked place with its reference, searched and sorted in the page, on paper, and as a
 * file that works without a connection (saved-list.ts).
 *
 * States: reading → shown or failed; "read again" keeps the list that is there, and a failure says from when it is. The
 * list is whole in the page, so a lost connection changes nothing but its age. The server reads all places at one
 * moment of the event.
 */
import { html, nothing, render, type TemplateResult } from 'lit-html';
import { ref } from 'lit-html/directives/ref.js';
import type { EventRoom, Tab } from '../event/tab.ts';
import { adopt } from '../frame/adopt.ts';
import { saveFile } from '../frame/files.ts';
import '../frame/page-looks.ts';
import { type Column, Rows } from '../frame/rows.ts';
import {
  columnsIn,
  type DoorColumn,
  type DoorRow,
  doorColumns,
  doorFound,
  doorRows,
  guestsOf,
  sortText,
} from './door-list.ts';
import { savedList } from './saved-list.ts';

/** A place stays on one or two lines on a phone. */
adopt('.door-rows td:nth-child(2) { min-width: 8em; }');

export const openDoor = (room: EventRoom): Tab => new DoorTab(room);

class DoorTab implements Tab {
  readonly #room: EventRoom;
  readonly #left = new AbortController();
  readonly #table: Rows<DoorRow>;
  readonly #columns: readonly (Column<DoorRow> & { id: DoorColumn })[];
  #shown: readonly DoorColumn[] = [];
  #rows: readonly DoorRow[] | null = null;
  #found: { of: readonly DoorRow[]; search: string; rows: readonly DoorRow[] } | null = null;
  #paper: HTMLElement | null = null;
  #readAt = 0;
  #state: 'reading' | 'shown' | 'failed' = 'reading';

  constructor(room: EventRoom) {
    this.#room = room;
    const { text, number } = room.ports.words;
    this.#table = new Rows(text('reports.door'), () => room.ports.changed());
    this.#columns = doorColumns.map((id) => ({
      id,
      title: text(`reports.door.${id}`),
      isNumber: id === 'guests',
      draw: (row) => (id === 'guests' ? number(row.guests) : row[id]),
      sortBy: (row) => (id === 'guests' ? row.guests : sortText(row[id])),
    }));
    window.addEventListener('beforeprint', this.#fillPaper, { signal: this.#left.signal });
    window.addEventListener('afterprint', this.#clearPaper, { signal: this.#left.signal });
    void this.#read();
  }

  close(): void {
    this.#left.abort();
  }

  /** The file is no JSON, so the call goes past `ports.server`. A session that has ended is told as a failure. */
  async #read(): Promise<void> {
    this.#state = 'reading';
    this.#room.ports.changed();
    const path = `/v1/events/${encodeURIComponent(this.#room.key)}/report.csv`;
    const csv = await fetch(path, { signal: this.#left.signal })
      .then((answer) => (answer.ok ? answer.text() : null))
      .catch(() => null);
    if (this.#left.signal.aborted) return;
    this.#state = csv === null ? 'failed' : 'shown';
    if (csv !== null) {
      this.#rows = doorRows(csv);
      this.#shown = columnsIn(this.#rows);
      this.#readAt = Date.now();
    }
    this.#room.ports.changed();
  }

  draw(): TemplateResult {
    const { text } = this.#room.ports.words;
    if (this.#rows === null) {
      return this.#state === 'failed'
        ? html`<p role="alert">${text('reports.door.failed')}</p><button @click=${() => void this.#read()}>${text('console.again')}</button>`
        : html`<p role="status">${text('console.loading')}</p>`;
    }
    const found = this.#foundRows(this.#rows);
    return html`<div class="page">${this.#tools()}
      <p role=${this.#state === 'failed' ? 'alert' : 'status'}>${this.#told(found)}</p>
      ${found.length === 0 ? nothing : html`<div class="only-screen door-rows">${this.#table.draw(found, this.#present())}</div><div class="only-paper" ${ref(this.#mountPaper)}></div>`}
    </div>`;
  }

  #tools(): TemplateResult {
    const { text } = this.#room.ports.words;
    const { search = '' } = this.#room.place().query;
    return html`<div class="tools">
      <label>${text('reports.door.search')} <input type="search" autocomplete="off" .value=${search}
        @input=${(event: Event) => this.#search((event.target as HTMLInputElement).value)}></label>
      <span class="space"></span>
      <button ?disabled=${this.#state === 'reading'} @click=${() => void this.#read()}>${text('reports.again')}</button>
      <button class="primary" @click=${this.#save}>${text('reports.door.save')}</button>
      <button @click=${() => print()}>${text('reports.print')}</button></div>
      <p class="muted only-screen">${text('reports.door.save.what')}</p>`;
  }

  #told(found: readonly DoorRow[]): string {
    const { text } = this.#room.ports.words;
    const from = text(this.#state === 'failed' ? 'reports.behind' : 'reports.from', { time: this.#time() });
    if (this.#rows!.length === 0) return `${text('reports.door.none')} ${from}`;
    if (found.length === 0) return `${text('reports.door.none.found')} ${from}`;
    return `${text('reports.door.shown', { count: found.length })} ${text('reports.door.guests.all', { count: guestsOf(found) })} ${from}`;
  }

  #time(): string {
    return this.#room.ports.words.date(this.#readAt, this.#room.meta().timezone, 'medium', true);
  }

  #present() {
    return this.#columns.filter(({ id }) => this.#shown.includes(id));
  }

  /** The table of the screen has the rows in sight. A printer gets all of them, drawn before it looks. */
  #fillPaper = (): void => {
    if (this.#paper === null || this.#rows === null) return;
    const heads = this.#present().map(({ title }) => html`<th scope="col">${title}</th>`);
    const lines = this.#foundRows(this.#rows).map(
      (row) => html`<tr>${this.#shown.map((id) => html`<td>${row[id]}</td>`)}</tr>`,
    );
    render(html`<table><thead><tr>${heads}</tr></thead><tbody>${lines}</tbody></table>`, this.#paper);
  };

  #clearPaper = (): void => {
    if (this.#paper !== null) render(nothing, this.#paper);
  };

  #mountPaper = (element: Element | undefined): void => {
    this.#paper = (element as HTMLElement | undefined) ?? null;
  };

  #foundRows(rows: readonly DoorRow[]): readonly DoorRow[] {
    const { search = '' } = this.#room.place().query;
    if (this.#found?.of !== rows || this.#found.search !== search) {
      this.#found = { of: rows, search, rows: doorFound(rows, search) };
    }
    return this.#found.rows;
  }

  #search(search: string): void {
    const place = this.#room.place();
    this.#room.ports.go({ ...place, query: search === '' ? {} : { search } }, 'replace');
  }

  #save = (): void => {
    const { text, locale, direction } = this.#room.ports.words;
    const { name } = this.#room.meta();
    const columns = {
      in: text('reports.door.in'),
      ref: text('reports.door.ref'),
      place: text('reports.door.place'),
      section: text('reports.door.section'),
      entrance: text('reports.door.entrance'),
      category: text('reports.door.category'),
      guests: text('reports.door.guests'),
    };
    const page = savedList(this.#rows!, {
      locale,
      direction,
      title: text('reports.door.of', { event: name }),
      from: text('reports.from', { time: this.#time() }),
      search: text('reports.door.search'),
      shown: text('reports.door.saved.shown', { places: '{places}', all: '{all}', inside: '{inside}' }),
      print: text('reports.print'),
      columns,
    });
    const day = new Date(this.#readAt).toISOString().slice(0, 16).replace(':', '-');
    saveFile(`door-${this.#room.key}-${day}Z.html`, 'text/html', page);
    this.#room.ports.tell({ text: text('reports.door.saved') });
  };
}
