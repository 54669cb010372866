/**
 * The audit: who changed what, when and from where. `search` and `action` are in the address; they look through what is
 * read.
 */
import { html, nothing, type TemplateResult } from 'lit-html';
import type { ViewAddress } from '../address.ts';
import type { Ports } from '../view.ts';
import { type Entry, entriesFound } from './audit-entries.ts';
import { timeOf } from './fields.ts';
import { Listing } from './listing.ts';

type AuditPorts = Pick<Ports, 'words' | 'server' | 'changed' | 'go'>;

export class AuditList {
  readonly #ports: AuditPorts;
  readonly #list: Listing<Entry>;

  /** `path` is the route of the list. */
  constructor(ports: AuditPorts, path: string) {
    this.#ports = ports;
    this.#list = new Listing(async (cursor, signal) => {
      const query = new URLSearchParams({ limit: '200', ...(cursor !== undefined && { cursor }) });
      const answer = await ports.server.get<{ entries: Entry[]; nextCursor?: string }>(`${path}?${query}`, signal);
      return answer.ok ? { ok: true, value: { items: answer.value.entries, next: answer.value.nextCursor } } : answer;
    }, ports.changed);
  }

  close(): void {
    this.#list.close();
  }

  draw(place: ViewAddress): TemplateResult {
    const { words } = this.#ports;
    const { text } = words;
    const { search = '', action = '' } = place.query;
    const entries = this.#list.items;
    const actions = [...new Set(entries.map((entry) => entry.action))].sort();
    const found = entriesFound(entries, search, action);
    const put = (changes: Record<string, string>): void => {
      const query = Object.fromEntries(
        Object.entries({ search, action, ...changes }).filter(([, value]) => value !== ''),
      );
      this.#ports.go({ ...place, query }, 'replace');
    };
    return html`<div class="tools">
        <label>${text('house.audit.search')} <input type="search" autocomplete="off" .value=${search}
          @input=${(event: Event) => put({ search: (event.target as HTMLInputElement).value })}></label>
        <label>${text('house.audit.action')} <select @change=${(event: Event) => put({ action: (event.target as HTMLSelectElement).value })}>
          <option value="">${text('house.audit.every')}</option>
          ${actions.map((each) => html`<option value=${each} ?selected=${each === action}>${each}</option>`)}</select></label></div>
      <p role="status">${text('house.audit.shown', { count: found.length, all: words.number(entries.length) })}</p>
      ${found.length === 0 ? nothing : this.#table(found)} ${this.#list.draw(words, 'house.audit.none')}`;
  }

  #table(entries: readonly Entry[]): TemplateResult {
    const { text } = this.#ports.words;
    const heads = [
      'house.at',
      'house.by',
      'house.address',
      'house.audit.action',
      'house.audit.subject',
      'house.audit.facts',
    ] as const;
    return html`<div class="wide" tabindex="0" role="region" aria-label=${text('house.audit')}><table>
      <thead><tr>${heads.map((head) => html`<th scope="col">${text(head)}</th>`)}</tr></thead>
      <tbody>${entries.map((entry) => this.#row(entry))}</tbody></table></div>`;
  }

  #row({ at, action, by, subject, outcome, facts }: Entry): TemplateResult {
    const { text } = this.#ports.words;
    const who = by.kind === 'root' ? text('house.by.root') : (by.email ?? by.id ?? text('house.by.nobody'));
    return html`<tr><td>${timeOf(this.#ports, at)}</td><td>${who}</td><td>${by.address}</td>
      <td>${action} ${outcome === 'done' ? nothing : html`<strong>${outcome}</strong>`}</td><td>${subject}</td>
      <td><dl class="facts">${Object.entries(facts).map(
        ([name, value]) => html`<dt>${name}</dt><dd>${typeof value === 'string' ? value : JSON.stringify(value)}</dd>`,
      )}</dl></td></tr>`;
  }
}
