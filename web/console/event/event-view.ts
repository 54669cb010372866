/**
 * One event: its name, time and state, and the tabs that the user may open.
 *
 * States: reading → open or failed (deleted, of the other mode, or no answer: the person tries again). A tab's code is
 * loaded when its address is opened: loading → shown or failed. A tab that is left before its code has come is not
 * made.
 */
import { roleHas } from '@parterre/shared/protocol/rights';
import { html, nothing, type TemplateResult } from 'lit-html';
import { addressOf, beside, type ViewAddress } from '../address.ts';
import type { Ports, View } from '../view.ts';
import { MapPane } from './hall/map-pane.ts';
import type { EventMeta, EventRoom, Tab } from './tab.ts';
import { firstTab, tabs } from './tabs.ts';

export function openEvent(place: ViewAddress, ports: Ports): View {
  return new EventView(place, ports);
}

class EventView implements View {
  readonly #ports: Ports;
  readonly #left = new AbortController();
  readonly #room: EventRoom;
  #place: ViewAddress;
  #meta: EventMeta | null = null;
  #pane: MapPane | null = null;
  #name: string | null = null;
  #tab: Tab | null = null;
  #state: 'reading' | 'open' | 'failed' = 'reading';

  constructor(place: ViewAddress, ports: Ports) {
    this.#place = place;
    this.#ports = ports;
    const key = place.path[1] ?? '';
    this.#room = {
      key,
      ports,
      place: () => this.#place,
      meta: () => this.#meta!,
      reread: () => this.#read(),
      map: () => {
        this.#pane ??= new MapPane(key, this.#room);
        return this.#pane;
      },
    };
    void this.#open();
  }

  get title(): string {
    return this.#meta?.name ?? this.#room.key;
  }

  moved(place: ViewAddress): boolean {
    const isSame = addressOf({ ...place, path: place.path.slice(0, 2), query: {} }) === this.#addressOfEvent();
    if (!isSame) return false;
    this.#place = place;
    this.#pane?.moved();
    // Before the event is read, no tab is open: the reading opens the tab of the address.
    if (this.#meta && this.#tabName() !== this.#name) void this.#openTab();
    else this.#tab?.moved?.();
    this.#ports.changed();
    return true;
  }

  close(): void {
    this.#left.abort();
    this.#tab?.close();
    this.#pane?.close();
  }

  #addressOfEvent(): string {
    return addressOf({ ...this.#place, path: this.#place.path.slice(0, 2), query: {} });
  }

  #tabName(): string {
    const name = this.#place.path[2] ?? firstTab;
    return Object.hasOwn(tabs, name) ? name : firstTab;
  }

  async #open(): Promise<void> {
    await this.#read();
    if (this.#state === 'open' && this.#name === null) await this.#openTab();
  }

  async #read(): Promise<void> {
    const { server } = this.#ports;
    const path = `events/${encodeURIComponent(this.#room.key)}`;
    const answer = await server.get<{ meta: EventMeta }>(path, this.#left.signal);
    if (this.#left.signal.aborted) return;
    if (answer.ok && answer.value.meta.mode === this.#place.mode) {
      this.#meta = answer.value.meta;
      this.#state = 'open';
    } else if (this.#meta === null || answer.ok || answer.status === 404) this.#state = 'failed';
    this.#ports.changed();
  }

  async #openTab(): Promise<void> {
    const name = this.#tabName();
    this.#name = name;
    this.#tab?.close();
    this.#tab = null;
    const open = await tabs[name]!.load().catch(() => null);
    if (this.#left.signal.aborted || this.#name !== name || !this.#meta) return;
    if (open) this.#tab = open(this.#room);
    else this.#state = 'failed';
    this.#ports.changed();
  }

  draw(): TemplateResult {
    const { date, text } = this.#ports.words;
    if (this.#state === 'failed') {
      return html`<h1>${this.title}</h1><p role="alert">${text('map.failed')}</p>
        <button @click=${this.#again}>${text('console.again')}</button>`;
    }
    if (!this.#meta) return html`<h1>${this.title}</h1><p role="status">${text('console.loading')}</p>`;
    const { name, startsAt, timezone } = this.#meta;
    return html`<header class="event-head"><h1>${name}</h1>
        <span class="muted">${startsAt === null ? nothing : date(startsAt, timezone, 'medium', true)}</span>
        ${this.#tabList()}</header>
      ${this.#tab?.draw() ?? html`<p role="status">${text('console.loading')}</p>`}`;
  }

  #tabList(): TemplateResult {
    const { who, words } = this.#ports;
    const open = Object.entries(tabs).filter(([, { needs }]) => roleHas(who.user.role, needs));
    const { seats } = this.#place.query;
    return html`<nav class="tabs" aria-label=${words.text('event.tabs')}>${open.map(([name, { title }]) => {
      const place = beside(this.#place, ['event', this.#room.key, name], seats ? { seats } : {});
      return html`<a href=${addressOf(place)} aria-current=${name === this.#name ? 'page' : nothing}
        >${words.text(title)}</a>`;
    })}</nav>`;
  }

  #again = (): void => {
    this.#state = 'reading';
    this.#name = null;
    this.#ports.changed();
    void this.#open();
  };
}
