/**
 * The seasons and performance groups of a mode and workspace, newest first, and the forms that make one. The server
 * gives both modes of a user in pages; the list keeps those of its mode.
 *
 * States: reading → shown (whole, or with more to read) or failed.
 */
import { roleHas } from '@parterre/shared/protocol/rights';
import { html, nothing, type TemplateResult } from 'lit-html';
import { addressOf, beside, type ViewAddress } from '../address.ts';
import { fieldOf, textField } from '../frame/field.ts';
import { type FaultOf, refusedWith } from '../frame/refusals.ts';
import type { Ports } from '../view.ts';
import type { Group, Season } from './records.ts';

type Listed = { seasons: Season[]; nextCursor?: string } & { performanceGroups: Group[] };
type EventOption = { key: string; name: string; mode: string; startsAt: number | null; timezone: string | null };
type Kind = 'seasons' | 'performance-groups';

const PER_PAGE = 200;

export class OwnerList {
  readonly #ports: Ports;
  readonly #place: () => ViewAddress;
  readonly #left = new AbortController();
  #seasons: readonly Season[] = [];
  #groups: readonly Group[] = [];
  #next: Record<Kind, string | null> = { seasons: '', 'performance-groups': '' };
  #state: 'reading' | 'shown' | 'failed' = 'reading';
  #events: readonly EventOption[] = [];

  constructor(ports: Ports, place: () => ViewAddress) {
    this.#ports = ports;
    this.#place = place;
    void this.#read();
  }

  close(): void {
    this.#left.abort();
  }

  async #read(): Promise<void> {
    this.#state = 'reading';
    const answers = await Promise.all([this.#readPage('seasons'), this.#readPage('performance-groups')]);
    if (this.#left.signal.aborted) return;
    this.#state = answers.every((isRead) => isRead) ? 'shown' : 'failed';
    this.#ports.changed();
  }

  async #readPage(kind: Kind): Promise<boolean> {
    const cursor = this.#next[kind];
    if (cursor === null) return true;
    const { mode } = this.#place();
    const answer = await this.#ports.server.get<Listed>(`${kind}?${this.#query(cursor)}`, this.#left.signal);
    if (!answer.ok) return false;
    const { seasons = [], performanceGroups = [], nextCursor } = answer.value;
    this.#seasons = [...this.#seasons, ...seasons.filter((season) => season.mode === mode)];
    this.#groups = [...this.#groups, ...performanceGroups.filter((group) => group.mode === mode)];
    this.#next[kind] = nextCursor ?? null;
    return true;
  }

  #query(cursor: string): URLSearchParams {
    const { workspaceId } = this.#place();
    const query = new URLSearchParams({ limit: String(PER_PAGE) });
    if (workspaceId !== null) query.set('workspaceId', workspaceId);
    if (cursor !== '') query.set('cursor', cursor);
    return query;
  }

  draw(): TemplateResult {
    const { who, words } = this.#ports;
    const { text } = words;
    const mayChange = roleHas(who.user.role, 'manage');
    const hasMore = Object.values(this.#next).some((cursor) => cursor !== null && cursor !== '');
    return html`<h1>${text('seasons.title')}</h1><p role="status">${this.#told()}</p>
      <header class="part-head"><h2>${text('seasons.seasons')}</h2>
        ${mayChange ? html`<button @click=${() => void this.#create('seasons')}>${text('seasons.new')}</button>` : nothing}</header>
      ${this.#seasons.length > 0 ? this.#seasonTable() : nothing}
      <header class="part-head"><h2>${text('seasons.groups')}</h2>
        ${mayChange ? html`<button @click=${() => void this.#create('performance-groups')}>${text('seasons.group.new')}</button>` : nothing}</header>
      ${this.#groups.length > 0 ? this.#groupTable() : nothing}
      ${
        this.#state === 'failed' || hasMore
          ? html`<button ?disabled=${this.#state === 'reading'} @click=${() => void this.#read()}>${text(this.#state === 'failed' ? 'console.again' : 'seasons.more')}</button>`
          : nothing
      }`;
  }

  #told(): string {
    const { text } = this.#ports.words;
    if (this.#state === 'reading') return text('console.loading');
    if (this.#state === 'failed') return text('seasons.failed');
    const count = this.#seasons.length + this.#groups.length;
    return count === 0 ? text('seasons.none') : text('seasons.count', { count });
  }

  #link(key: string, name: string): TemplateResult {
    return html`<a href=${addressOf(beside(this.#place(), ['seasons', key]))}>${name}</a>`;
  }

  #seasonTable(): TemplateResult {
    const { number, text } = this.#ports.words;
    return html`<table aria-label=${text('seasons.seasons')}><thead><tr><th scope="col">${text('seasons.name')}</th>
        <th scope="col">${text('seasons.state')}</th><th scope="col">${text('seasons.sales')}</th>
        <th scope="col" class="number">${text('seasons.nights')}</th></tr></thead>
      <tbody>${this.#seasons.map(
        ({ key, name, edition, structureState, salesState, occurrenceCount }) => html`<tr>
          <th scope="row">${this.#link(key, name)} ${edition === null ? nothing : html`<small class="muted">${edition}</small>`}</th>
          <td>${text(`seasons.state.${structureState}`)}</td><td>${text(`seasons.sales.${salesState}`)}</td>
          <td class="number">${number(occurrenceCount)}</td></tr>`,
      )}</tbody></table>`;
  }

  #groupTable(): TemplateResult {
    const { number, text } = this.#ports.words;
    return html`<table aria-label=${text('seasons.groups')}><thead><tr><th scope="col">${text('seasons.name')}</th>
        <th scope="col">${text('seasons.state')}</th><th scope="col" class="number">${text('seasons.nights')}</th></tr></thead>
      <tbody>${this.#groups.map(
        ({ key, name, state, performanceCount }) => html`<tr><th scope="row">${this.#link(key, name)}</th>
          <td>${text(`seasons.state.${state}`)}</td><td class="number">${number(performanceCount)}</td></tr>`,
      )}</tbody></table>`;
  }

  async #create(kind: Kind): Promise<void> {
    const ports = this.#ports;
    const { text } = ports.words;
    const title = text(kind === 'seasons' ? 'seasons.new' : 'seasons.group.new');
    this.#events = [];
    void this.#readEvents();
    ports.ask<{ season?: Season; performanceGroup?: Group }>({
      title,
      confirm: title,
      draw: (fault) => this.#fields(kind, fault),
      async send(form, key) {
        const eventKeys = form.getAll('event').map(String);
        if (eventKeys.length < 2) return refusedWith(text('seasons.new.few'));
        const edition = fieldOf(form, 'edition');
        const body = { name: fieldOf(form, 'name'), eventKeys, ...(edition !== '' && { edition }) };
        return ports.server.send('POST', kind, { body, key });
      },
      done: ({ season, performanceGroup }) => {
        const { key, name } = (season ?? performanceGroup)!;
        ports.tell({
          text: text('seasons.made', { name }),
          undo: (undoKey) => ports.server.send('DELETE', `${kind}/${key}`, { key: undoKey }),
        });
        ports.go(beside(this.#place(), ['seasons', key]));
      },
    });
  }

  #fields(kind: Kind, fault: FaultOf): TemplateResult {
    const { date, text } = this.#ports.words;
    const events = this.#events;
    return html`<p>${text(kind === 'seasons' ? 'seasons.new.told' : 'seasons.group.new.told')}</p>
      ${textField({ label: text('seasons.name'), fault: fault('name') }, 'name', '', true)}
      ${kind === 'seasons' ? textField({ label: text('seasons.edition'), fault: fault('edition') }, 'edition') : nothing}
      <fieldset class="pick"><legend>${text('seasons.nights')}</legend>
        ${events.length === 0 ? html`<p class="muted">${text('seasons.new.events')}</p>` : nothing}
        ${events.map(
          ({
            key,
            name,
            startsAt,
            timezone,
          }) => html`<label class="check"><input type="checkbox" name="event" value=${key}>
            <span>${name} <small class="muted">${startsAt === null ? key : date(startsAt, timezone, 'medium')}</small></span></label>`,
        )}</fieldset>`;
  }

  /** The events of the mode and workspace that a season may have, in the order of their starts. */
  async #readEvents(): Promise<void> {
    const { mode } = this.#place();
    for (let cursor: string | undefined = ''; cursor !== undefined; ) {
      const query = this.#query(cursor);
      query.set('counts', '0');
      const answer = await this.#ports.server.get<{
        events: (EventOption & { status: string })[];
        nextCursor?: string;
      }>(`events?${query}`, this.#left.signal);
      if (!answer.ok) return;
      const fitting = answer.value.events.filter((event) => event.mode === mode && event.status === 'active');
      this.#events = [...this.#events, ...fitting].sort((one, other) => (one.startsAt ?? 0) - (other.startsAt ?? 0));
      cursor = answer.value.nextCursor;
      this.#ports.changed();
    }
  }
}
