/**
 * The channels of an event on its live map: a list, seats painted into the open channel, its facts and links, sales by
 * channel, and the sessions of buyers. The address keeps the open channel and the choice.
 *
 * - channel-book.ts reads; painting.ts colours the map; paint-panel.ts moves seats; channel-acts.ts changes channels;
 *   link-list.ts and session-list.ts have the access.
 */
import { roleHas } from '@parterre/shared/protocol/rights';
import { html, nothing, type TemplateResult } from 'lit-html';
import { inkOn } from '../../src/rules/palette.ts';
import type { MapPane } from '../event/hall/map-pane.ts';
import type { EventRoom, Tab } from '../event/tab.ts';
import { adopt } from '../frame/adopt.ts';
import type { ChannelId } from './assigning.ts';
import { ChannelActs } from './channel-acts.ts';
import { type Channel, ChannelBook, type ChannelCounts } from './channel-book.ts';
import { lettersOf } from './letters.ts';
import { LinkList } from './link-list.ts';
import { looks } from './looks.ts';
import { PaintPanel } from './paint-panel.ts';
import { type BuyersView, byChannel, type Painted } from './painting.ts';
import { reportTable } from './report-table.ts';
import { SessionList } from './session-list.ts';

adopt(looks);

type SeenByBuyers = BuyersView & { counts: { free: number; held: number; booked: number; not_for_sale: number } };

/** The view of the open channel's buyers: off, being read, shown or failed. */
type SeenState = { id: ChannelId; withPublic: boolean; view: SeenByBuyers | 'reading' | 'failed' } | null;

export function openChannelsTab(room: EventRoom): Tab {
  return new ChannelsTab(room);
}

class ChannelsTab implements Tab {
  readonly #room: EventRoom;
  readonly #pane: MapPane;
  readonly #book: ChannelBook;
  readonly #acts: ChannelActs;
  readonly #paint: PaintPanel;
  readonly #sessions: SessionList;
  readonly #left = new AbortController();
  #links: LinkList | null = null;
  #seen: SeenState = null;
  #painted: Painted;
  #paintedAs = '';
  #colours: readonly string[] = [];

  constructor(room: EventRoom) {
    this.#room = room;
    this.#pane = room.map();
    this.#book = new ChannelBook(room.ports.server, room.key, () => this.#bookChanged());
    this.#acts = new ChannelActs(room, this.#book);
    this.#paint = new PaintPanel(room, this.#pane, this.#book);
    this.#sessions = new SessionList(room, this.#book);
    this.#painted = this.#paintedNow();
    this.#pane.repaint(byChannel(() => this.#painted));
  }

  close(): void {
    this.#left.abort();
    this.#book.close();
    this.#links?.close();
    this.#sessions.close();
    this.#pane.repaint(null);
  }

  /** The open channel, or the choice. */
  moved(): void {
    this.#paint.renew();
    if (this.#seen && this.#seen.id !== this.#open) this.#seen = null;
    this.#show();
  }

  /** Null is public sale, and stands for a channel that is not there. */
  get #open(): ChannelId {
    const { channel = '' } = this.#room.place().query;
    return this.#channels.some(({ id }) => id === channel) ? channel : null;
  }

  get #channels(): readonly Channel[] {
    return this.#book.channels.filter(({ state }) => state !== 'archived');
  }

  #paintedNow(): Painted {
    const { words } = this.#room.ports;
    const channels = this.#channels;
    const view = this.#seen?.view;
    return {
      channels,
      numbers: new Map(channels.map(({ id }, index) => [id, index + 1])),
      letters: lettersOf(channels),
      open: this.#open,
      view: typeof view === 'object' ? view : null,
      channelOf: this.#book.channelOf,
      statusOf: (label) => this.#pane.live.statusOf(label),
      isChosen: (label) => this.#pane.chosen.has(label),
      cardLine: (letter, count) => words.text('channels.card', { letter, count }),
      coloured: (colours) => {
        this.#colours = colours;
        this.#room.ports.changed();
      },
    };
  }

  /** Other channels need other colours, and so the whole map anew. */
  #show(): void {
    this.#painted = this.#paintedNow();
    const as = JSON.stringify(this.#channels.map(({ id, color, marker }) => [id, color, marker]));
    if (as === this.#paintedAs) this.#pane.refresh();
    else this.#pane.repaint(byChannel(() => this.#painted));
    this.#paintedAs = as;
  }

  #bookChanged(): void {
    this.#show();
    this.#room.ports.changed();
  }

  #go(channel: ChannelId): void {
    const { ports, place } = this.#room;
    const { channel: _, ...query } = place().query;
    ports.go({ ...place(), query: channel === null ? query : { ...query, channel } });
  }

  draw(): TemplateResult {
    const { text } = this.#room.ports.words;
    const { state, report } = this.#book;
    if (state === 'failed') {
      return html`<p role="alert">${text('channels.failed')}
        <button @click=${() => void this.#book.reread()}>${text('console.again')}</button></p>`;
    }
    if (state === 'reading') return html`<p role="status">${text('console.loading')}</p>`;
    const open = this.#channels.find(({ id }) => id === this.#open) ?? null;
    return html`<p role="status">${this.#told()}</p>
      <div class="beside">${this.#pane.draw()}
        <aside>${this.#list()} ${this.#mayChange ? this.#paint.draw(this.#open) : nothing}</aside></div>
      ${open ? this.#details(open) : html`<div class="channel-open">${this.#view(null)}</div>`}
      ${report ? reportTable(this.#room, report) : nothing} ${this.#sessions.draw()}`;
  }

  get #mayChange(): boolean {
    return roleHas(this.#room.ports.who.user.role, 'market');
  }

  #told(): string {
    const { text } = this.#room.ports.words;
    const { live } = this.#pane;
    if (this.#book.state === 'behind') return text('channels.behind');
    if (live.state === 'failed') return text('map.failed');
    if (live.state === 'behind') return text('map.behind');
    return live.objects?.stale ? text('map.stale') : text('map.live');
  }

  #list(): TemplateResult {
    const { text } = this.#room.ports.words;
    return html`<section aria-labelledby="channels-title">
      <header class="part-head"><h2 id="channels-title">${text('channels.list')}</h2>
        ${
          this.#mayChange
            ? html`<button @click=${() => this.#acts.create((id) => this.#go(id))}>${text('channels.create')}</button>`
            : nothing
        }</header>
      <div class="channel-list">${this.#listed(null, text('channels.public'), this.#book.publicSale, '')}
        ${this.#channels.map(({ id, name, counts, state }) =>
          this.#listed(id, name, counts, state === 'paused' ? text('channels.state.paused') : ''),
        )}</div>
      ${this.#channels.length === 0 ? html`<p class="muted">${text('channels.none')}</p>` : nothing}</section>`;
  }

  #listed(id: ChannelId, name: string, { free, allocated }: ChannelCounts, more: string): TemplateResult {
    const { text } = this.#room.ports.words;
    const colour = this.#colours[id === null ? 0 : (this.#painted.numbers.get(id) ?? 0)];
    // The page's policy refuses the attribute, not the property.
    const style = colour ? `background: ${colour}; color: ${inkOn(colour)}; border-color: ${colour}` : '';
    return html`<button aria-pressed=${id === this.#open} @click=${() => this.#go(id)}>
      <span class="letter" aria-hidden="true" .style=${style}>${id === null ? '1' : this.#painted.letters.get(id)}</span>
      <span>${name} ${more === '' ? nothing : html`<small>${more}</small>`}</span>
      <small>${text('channels.free', { free, count: allocated })}</small></button>`;
  }

  #details(channel: Channel): TemplateResult {
    const { date, text } = this.#room.ports.words;
    const { id, name, state, accessIntent, salesStartAt = null, externalRef } = channel;
    if (this.#links?.channelId !== id) {
      this.#links?.close();
      this.#links = new LinkList(this.#room, { id, name });
    }
    const begins =
      salesStartAt === null
        ? text('channels.own.event')
        : text('channels.own.at', { date: date(salesStartAt, this.#room.meta().timezone, 'medium', true) });
    const facts = [text(`channels.state.${state}`), begins, text(`channels.intent.${accessIntent}`), externalRef ?? ''];
    return html`<div class="channel-open"><section aria-labelledby="channel-title">
        <h2 id="channel-title">${name}</h2>
        <p>${facts.filter((fact) => fact !== '').join(' · ')}</p>
        ${this.#mayChange ? this.#buttons(channel) : nothing} ${this.#view(id)}</section>
      ${this.#links.draw()}</div>`;
  }

  #buttons(channel: Channel): TemplateResult {
    const { text } = this.#room.ports.words;
    const categories = this.#pane.live.hall?.categories ?? [];
    return html`<p class="acts">
      <button @click=${() => this.#acts.change(channel)}>${text('channels.change')}</button>
      <button @click=${() => this.#acts.ownStart(channel)}>${text('channels.own')}</button>
      <button ?disabled=${categories.length === 0} @click=${() => this.#acts.prices(channel, categories)}>${text('channels.prices')}</button>
      ${
        channel.state === 'paused'
          ? html`<button @click=${() => this.#acts.resume(channel)}>${text('channels.resume')}</button>`
          : html`<button @click=${() => this.#acts.pause(channel)}>${text('channels.pause')}</button>`
      }
      <button @click=${() => this.#chooseAll(channel)}>${text('channels.seats')}</button>
      <button class="danger" @click=${() => this.#acts.end(channel)}>${text('channels.end')}</button></p>`;
  }

  #chooseAll({ id }: Channel): void {
    const { hall } = this.#pane.live;
    if (!hall) return;
    const labels = hall.labels.filter((label) => this.#book.channelOf(label) === id);
    this.#pane.visit(labels);
    this.#pane.choose(labels);
  }

  /** The map as the buyers of the channel see it, and its counts. */
  #view(id: ChannelId): TemplateResult {
    const { text } = this.#room.ports.words;
    const seen = this.#seen?.id === id ? this.#seen : null;
    return html`<p class="acts"><button aria-pressed=${seen !== null}
        @click=${() => (seen ? this.#stopSeeing() : void this.#see(id, false))}>${text('channels.seen')}</button>
      ${
        seen && id !== null
          ? html`<label class="check"><input type="checkbox" .checked=${seen.withPublic}
              @change=${() => void this.#see(id, !seen.withPublic)}> ${text('channels.seen.public')}</label>`
          : nothing
      }</p>
      ${seen ? html`<p role="status">${this.#seenTold(seen.view)}</p>` : nothing}`;
  }

  #seenTold(view: NonNullable<SeenState>['view']): string {
    const { text } = this.#room.ports.words;
    if (view === 'reading') return text('console.loading');
    if (view === 'failed') return text('channels.seen.failed');
    const { free, held, booked, not_for_sale: closed } = view.counts;
    return text('channels.seen.counts', { free, held, booked, closed });
  }

  #stopSeeing(): void {
    this.#seen = null;
    this.#show();
  }

  async #see(id: ChannelId, withPublic: boolean): Promise<void> {
    const seen: NonNullable<SeenState> = { id, withPublic, view: 'reading' };
    this.#seen = seen;
    this.#room.ports.changed();
    const query = id === null ? '' : `?channelIds=${id}&includePublic=${withPublic ? 1 : 0}`;
    const path = `events/${encodeURIComponent(this.#room.key)}/channels/preview${query}`;
    const answer = await this.#room.ports.server.get<SeenByBuyers>(path, this.#left.signal);
    if (this.#seen !== seen || this.#left.signal.aborted) return;
    seen.view = answer.ok ? answer.value : 'failed';
    this.#show();
    this.#room.ports.changed();
  }
}
