/**
 * The sessions of buyers that shops, partners and links have opened, read when the list is opened and after each end.
 * States: reading → shown or failed.
 */
import { roleHas } from '@parterre/shared/protocol/rights';
import { html, nothing, type TemplateResult } from 'lit-html';
import type { EventRoom } from '../event/tab.ts';
import { type Column, Rows } from '../frame/rows.ts';
import type { ChannelBook } from './channel-book.ts';

type Session = {
  sessionId: string;
  channelIds: string[];
  includePublic: boolean;
  allowedOrigin: string;
  expiresAt: number;
  maxQuantity: number | null;
  buyerRef: string | null;
  partnerRef: string | null;
  state: 'active' | 'revoked' | 'expired';
};

export class SessionList {
  readonly #room: EventRoom;
  readonly #book: ChannelBook;
  readonly #rows: Rows<Session>;
  readonly #left = new AbortController();
  #sessions: readonly Session[] = [];
  #state: 'closed' | 'reading' | 'shown' | 'failed' = 'closed';

  constructor(room: EventRoom, book: ChannelBook) {
    this.#room = room;
    this.#book = book;
    this.#rows = new Rows(room.ports.words.text('channels.sessions'), room.ports.changed);
  }

  close(): void {
    this.#left.abort();
  }

  get #path(): string {
    return `events/${encodeURIComponent(this.#room.key)}/buyer-access-sessions`;
  }

  async #read(): Promise<void> {
    this.#state = 'reading';
    const answer = await this.#room.ports.server.get<{ sessions: Session[] }>(this.#path, this.#left.signal);
    if (this.#left.signal.aborted) return;
    if (answer.ok) this.#sessions = answer.value.sessions;
    this.#state = answer.ok ? 'shown' : 'failed';
    this.#room.ports.changed();
  }

  draw(): TemplateResult {
    const { text } = this.#room.ports.words;
    return html`<details class="part" @toggle=${this.#toggled}>
      <summary><h2>${text('channels.sessions')}</h2></summary>
      <p class="muted">${text('channels.sessions.told')}</p>${this.#body()}</details>`;
  }

  #toggled = (event: Event): void => {
    if ((event.target as HTMLDetailsElement).open) void this.#read();
  };

  #body(): TemplateResult {
    const { text } = this.#room.ports.words;
    if (this.#state === 'failed') {
      return html`<p role="alert">${text('channels.sessions.failed')}
        <button @click=${() => void this.#read()}>${text('console.again')}</button></p>`;
    }
    if (this.#sessions.length > 0) return this.#rows.draw(this.#sessions, this.#columns());
    return html`<p role="status">${text(this.#state === 'shown' ? 'channels.sessions.none' : 'console.loading')}</p>`;
  }

  #nameOf({ buyerRef, partnerRef }: Session): string {
    const names = [buyerRef, partnerRef].filter((name) => name !== null);
    return names.length > 0 ? names.join(', ') : this.#room.ports.words.text('channels.sessions.unnamed');
  }

  #columns(): Column<Session>[] {
    const { who, words } = this.#room.ports;
    const { date, number, text } = words;
    const { timezone } = this.#room.meta();
    const columns: Column<Session>[] = [
      {
        id: 'buyer',
        title: text('channels.sessions.buyer'),
        draw: (session) => this.#nameOf(session),
        sortBy: (session) => this.#nameOf(session),
      },
      { id: 'reach', title: text('channels.sessions.reach'), draw: (session) => this.#reachOf(session) },
      {
        id: 'from',
        title: text('channels.sessions.from'),
        draw: ({ allowedOrigin }) => allowedOrigin,
        sortBy: ({ allowedOrigin }) => allowedOrigin,
      },
      {
        id: 'quantity',
        title: text('channels.sessions.quantity'),
        isNumber: true,
        draw: ({ maxQuantity }) => (maxQuantity === null ? nothing : number(maxQuantity)),
        sortBy: ({ maxQuantity }) => maxQuantity,
      },
      {
        id: 'expires',
        title: text('channels.sessions.expires'),
        draw: ({ expiresAt }) => date(expiresAt, timezone, 'medium'),
        sortBy: ({ expiresAt }) => expiresAt,
      },
      {
        id: 'state',
        title: text('channels.sessions.state'),
        draw: ({ state }) => text(`channels.sessions.state.${state}`),
        sortBy: ({ state }) => state,
      },
    ];
    const actions = {
      id: 'actions',
      title: text('channels.links.actions'),
      draw: (session: Session) => this.#act(session),
    };
    return roleHas(who.user.role, 'market') ? [...columns, actions] : columns;
  }

  #reachOf({ channelIds, includePublic }: Session): string {
    const { list, text } = this.#room.ports.words;
    const nameOf = (id: string): string => this.#book.channels.find((channel) => channel.id === id)?.name ?? id;
    return list([...channelIds.map(nameOf), ...(includePublic ? [text('channels.public')] : [])]);
  }

  #act(session: Session): TemplateResult | typeof nothing {
    const { text } = this.#room.ports.words;
    if (session.state !== 'active') return nothing;
    return html`<button aria-label="${text('channels.sessions.end')}: ${this.#nameOf(session)}"
      @click=${() => this.#end(session)}>${text('channels.sessions.end')}</button>`;
  }

  #end(session: Session): void {
    const { ports } = this.#room;
    const { text } = ports.words;
    const buyer = this.#nameOf(session);
    ports.ask({
      title: text('channels.sessions.end.title', { buyer }),
      confirm: text('channels.sessions.end.confirm'),
      isDanger: true,
      draw: () => html`<p>${text('channels.sessions.end.told')}</p>`,
      send: (_, key) => ports.server.send('DELETE', `${this.#path}/${session.sessionId}`, { key }),
      done: () => {
        ports.tell({ text: text('channels.sessions.end.done', { buyer }) });
        void this.#read();
      },
    });
  }
}
