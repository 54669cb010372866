/** Credits with their movements and reasons, and the use of the organisation: the places sold in each live event. */

import { html, nothing, type TemplateResult } from 'lit-html';
import { addressOf, type ViewAddress } from '../address.ts';
import { Listing } from '../frame/listing.ts';
import { type Column, Rows } from '../frame/rows.ts';
import { timeOf } from '../messages/words.ts';
import type { Ports } from '../view.ts';
import type { Page } from './page.ts';

type Movement = {
  id: string;
  delta: number;
  reason: string;
  by: { kind: string; id: string | null } | null;
  at: number;
  balance: number;
};
type Used = {
  key: string;
  name: string;
  mode: string;
  startsAt: number | null;
  timezone: string | null;
  counts?: { booked: number; held: number };
};

export const openCredits = (ports: Ports, place: ViewAddress): Page => new Credits(ports, place);

class Credits implements Page {
  readonly #ports: Ports;
  readonly #list: Listing<Movement>;
  readonly #events: Listing<Used>;
  readonly #table: Rows<Used>;
  readonly #columns: readonly Column<Used>[];
  #balance: number | null = null;
  #used: { of: readonly Used[]; rows: readonly Used[] } | null = null;

  constructor(ports: Ports, place: ViewAddress) {
    this.#ports = ports;
    this.#list = new Listing(async (cursor, signal) => {
      const query = new URLSearchParams({ limit: '100', ...(cursor !== undefined && { cursor }) });
      type Answer = { movements: Movement[]; credits: number; nextCursor?: string };
      const answer = await ports.server.get<Answer>(`dashboard/credits?${query}`, signal);
      if (!answer.ok) return answer;
      this.#balance = answer.value.credits;
      return { ok: true, value: { items: answer.value.movements, next: answer.value.nextCursor } };
    }, ports.changed);
    this.#events = new Listing(async (cursor, signal) => {
      const query = new URLSearchParams({ limit: '200', ...(cursor !== undefined && { cursor }) });
      const answer = await ports.server.get<{ events: Used[]; nextCursor?: string }>(`events?${query}`, signal);
      return answer.ok ? { ok: true, value: { items: answer.value.events, next: answer.value.nextCursor } } : answer;
    }, ports.changed);
    this.#table = new Rows(ports.words.text('house.usage'), ports.changed);
    this.#columns = columnsOf(ports, place);
  }

  close(): void {
    this.#list.close();
    this.#events.close();
  }

  draw(): TemplateResult {
    const { words } = this.#ports;
    const { text, number } = words;
    const used = this.#live();
    const sold = used.reduce((sum, { counts }) => sum + (counts?.booked ?? 0), 0);
    return html`<dl class="figures">
        <div><dt>${text('house.credits.balance')}</dt><dd>${this.#balance === null ? '–' : number(this.#balance)}</dd></div>
        <div><dt>${text('house.usage.sold')}</dt><dd>${number(sold)}</dd></div>
        <div><dt>${text('house.usage.events')}</dt><dd>${number(used.length)}</dd></div></dl>
      <p class="muted">${text('house.credits.what')}</p>
      <section aria-labelledby="usage"><h2 id="usage">${text('house.usage')}</h2>
        ${this.#events.draw(words, 'house.usage.none')}
        ${used.length === 0 ? (this.#events.state === 'shown' && this.#events.items.length > 0 ? html`<p>${text('house.usage.none')}</p>` : nothing) : this.#table.draw(used, this.#columns)}</section>
      <section aria-labelledby="movements"><h2 id="movements">${text('house.credits.movements')}</h2>
        <div class="tools"><a href="/v1/dashboard/credits.csv" download>${text('house.csv')}</a></div>
        ${this.#list.draw(words, 'house.credits.none')} ${this.#list.items.length === 0 ? nothing : this.#movements()}</section>`;
  }

  #live(): readonly Used[] {
    const of = this.#events.items;
    if (this.#used?.of !== of) this.#used = { of, rows: of.filter(({ mode }) => mode === 'live') };
    return this.#used.rows;
  }

  #movements(): TemplateResult {
    const { text, number } = this.#ports.words;
    return html`<div class="wide" tabindex="0" role="region" aria-label=${text('house.credits.movements')}><table>
      <thead><tr><th scope="col">${text('house.at')}</th><th scope="col" class="number">${text('house.credits.delta')}</th>
        <th scope="col" class="number">${text('house.credits.after')}</th><th scope="col">${text('house.reason')}</th><th scope="col">${text('house.by')}</th></tr></thead>
      <tbody>${this.#list.items.map(
        ({
          at,
          delta,
          balance,
          reason,
          by,
        }) => html`<tr><td>${timeOf(this.#ports, at)}</td><td class="number">${delta > 0 ? '+' : ''}${number(delta)}</td>
          <td class="number">${number(balance)}</td><td>${reason}</td><td>${by === null ? nothing : by.kind === 'root' ? text('house.by.root') : by.id}</td></tr>`,
      )}</tbody></table></div>`;
  }
}

function columnsOf({ words }: Ports, place: ViewAddress): readonly Column<Used>[] {
  const { text, number, date } = words;
  const reports = (key: string): string => {
    return addressOf({ ...place, mode: 'live', path: ['event', key, 'reports'], query: {} });
  };
  return [
    {
      id: 'name',
      title: text('events.name'),
      draw: ({ key, name }) => html`<a href=${reports(key)}>${name}</a>`,
      sortBy: ({ name }) => name,
    },
    {
      id: 'date',
      title: text('events.date'),
      draw: ({ startsAt, timezone }) => (startsAt === null ? nothing : date(startsAt, timezone, 'medium', true)),
      sortBy: ({ startsAt }) => startsAt,
    },
    {
      id: 'sold',
      title: text('reports.booked'),
      isNumber: true,
      draw: ({ counts }) => (counts ? number(counts.booked) : nothing),
      sortBy: ({ counts }) => counts?.booked ?? null,
    },
  ];
}
