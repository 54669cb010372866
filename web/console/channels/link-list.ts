/**
 * The access links of a channel: made, shared, replaced and ended. The address of a link is shown once, in the answer
 * that makes the link. It stays on the page until the person says “I have it”, and is gone with the tab.
 *
 * States: reading → shown or failed. The server makes a link with each call. So a repeated call whose first answer got
 * lost looks first whether the link is there already, and makes no second one.
 */
import { roleHas } from '@parterre/shared/protocol/rights';
import { html, nothing, type TemplateResult } from 'lit-html';
import type { Result } from '../../src/sale/calls.ts';
import type { EventRoom } from '../event/tab.ts';
import { isUnanswered } from '../frame/act.ts';
import { copied } from '../frame/copy.ts';
import { checkField, field, fieldOf, textField, timeField } from '../frame/field.ts';
import { type Column, Rows } from '../frame/rows.ts';
import { epochOf, zoneName } from '../frame/zoned-time.ts';

type Link = {
  id: string;
  label: string | null;
  includePublic: boolean;
  expiresAt: number;
  maxRedemptions: number;
  redemptions: number;
  maxQuantity: number | null;
  sessionTtlSeconds: number;
  status: 'active' | 'revoked' | 'rotated' | 'expired' | 'exhausted';
  activeSessions: number;
};
type Revealed = { link: Link; url: string; capability: string };
/** Null for a link whose answer got lost. */
type MadeLink = Revealed | null;

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
const USES_USUAL = 100;
const MINUTES_USUAL = 30;

export class LinkList {
  readonly #room: EventRoom;
  readonly #channel: { id: string; name: string };
  readonly #rows: Rows<Link>;
  readonly #left = new AbortController();
  #links: readonly Link[] = [];
  #state: 'reading' | 'shown' | 'failed' = 'reading';
  #revealed: (Revealed & { told: string }) | null = null;
  #copied: 'url' | 'message' | 'refused' | null = null;

  constructor(room: EventRoom, channel: { id: string; name: string }) {
    this.#room = room;
    this.#channel = channel;
    this.#rows = new Rows(room.ports.words.text('channels.links', { channel: channel.name }), room.ports.changed);
    void this.#read();
  }

  get channelId(): string {
    return this.#channel.id;
  }

  close(): void {
    this.#left.abort();
  }

  get #path(): string {
    return `events/${encodeURIComponent(this.#room.key)}/channels/${this.#channel.id}/access-links`;
  }

  async #read(): Promise<void> {
    const answer = await this.#room.ports.server.get<{ links: Link[] }>(this.#path, this.#left.signal);
    if (this.#left.signal.aborted) return;
    if (answer.ok) this.#links = answer.value.links;
    this.#state = answer.ok ? 'shown' : 'failed';
    this.#room.ports.changed();
  }

  draw(): TemplateResult {
    const { who, words } = this.#room.ports;
    const { text } = words;
    const mayChange = roleHas(who.user.role, 'market');
    return html`<section aria-labelledby="links-title">
      <header class="part-head"><h2 id="links-title">${text('channels.links', { channel: this.#channel.name })}</h2>
        ${mayChange ? html`<button @click=${this.#make}>${text('channels.links.make')}</button>` : nothing}</header>
      ${this.#revealed ? this.#drawRevealed(this.#revealed) : nothing}
      ${this.#body(mayChange)}</section>`;
  }

  #body(mayChange: boolean): TemplateResult {
    const { text } = this.#room.ports.words;
    if (this.#state === 'reading') return html`<p role="status">${text('console.loading')}</p>`;
    if (this.#state === 'failed') {
      return html`<p role="alert">${text('channels.links.failed')}
        <button @click=${() => void this.#read()}>${text('console.again')}</button></p>`;
    }
    if (this.#links.length === 0) return html`<p class="muted">${text('channels.links.none')}</p>`;
    return this.#rows.draw(this.#links, this.#columns(mayChange));
  }

  #columns(mayChange: boolean): Column<Link>[] {
    const { date, number, text } = this.#room.ports.words;
    const { timezone } = this.#room.meta();
    const columns: Column<Link>[] = [
      {
        id: 'label',
        title: text('channels.links.label'),
        draw: (link) => this.#nameOf(link),
        sortBy: ({ label }) => label,
      },
      {
        id: 'status',
        title: text('channels.links.status'),
        draw: ({ status }) => text(`channels.links.status.${status}`),
        sortBy: ({ status }) => status,
      },
      {
        id: 'uses',
        title: text('channels.links.uses'),
        isNumber: true,
        draw: ({ redemptions, maxRedemptions }) =>
          text('channels.links.uses.of', { used: redemptions, most: maxRedemptions }),
        sortBy: ({ redemptions }) => redemptions,
      },
      {
        id: 'sessions',
        title: text('channels.links.sessions'),
        isNumber: true,
        draw: ({ activeSessions }) => number(activeSessions),
        sortBy: ({ activeSessions }) => activeSessions,
      },
      {
        id: 'expires',
        title: text('channels.links.expires'),
        draw: ({ expiresAt }) => date(expiresAt, timezone, 'medium'),
        sortBy: ({ expiresAt }) => expiresAt,
      },
    ];
    const actions = { id: 'actions', title: text('channels.links.actions'), draw: (link: Link) => this.#actions(link) };
    return mayChange ? [...columns, actions] : columns;
  }

  #nameOf({ label }: Pick<Link, 'label'>): string {
    return label ?? this.#room.ports.words.text('channels.links.unnamed');
  }

  #actions(link: Link): TemplateResult | typeof nothing {
    const { text } = this.#room.ports.words;
    if (link.status !== 'active') return nothing;
    const name = this.#nameOf(link);
    return html`<span class="row-acts">
      <button aria-label="${text('channels.links.rotate')}: ${name}" @click=${() => this.#rotate(link)}>${text('channels.links.rotate')}</button>
      <button aria-label="${text('channels.links.end')}: ${name}" @click=${() => this.#end(link)}>${text('channels.links.end')}</button></span>`;
  }

  #make = (): void => {
    const { ports, meta } = this.#room;
    const { text } = ports.words;
    const { timezone } = meta();
    const zone = zoneName(timezone);
    const before = new Set(this.#links.map(({ id }) => id));
    let isRepeated = false;
    const end = { at: Date.now() + 30 * DAY_MS, timezone, isRequired: true };
    ports.ask<MadeLink>({
      title: text('channels.links.make'),
      confirm: text('channels.links.make'),
      draw: (fault) => html`${textField({ label: text('channels.links.label'), fault: fault('label') }, 'label')}
        ${timeField(
          {
            label: text('channels.links.expires'),
            hint: text('channels.own.zone', { zone }),
            fault: fault('expiresAt'),
          },
          'expiresAt',
          end,
        )}
        ${this.#count('maxRedemptions', text('channels.links.uses.most'), USES_USUAL, fault('maxRedemptions'))}
        ${this.#count('maxQuantity', text('channels.links.quantity'), null, fault('maxQuantity'))}
        ${this.#count('minutes', text('channels.links.minutes'), MINUTES_USUAL, fault('sessionTtlSeconds'))}
        ${checkField(text('channels.links.public'), 'includePublic')}`,
      send: async (form, key) => {
        const known = isRepeated ? await this.#madeBefore(before) : null;
        if (known) return known;
        const sent = await ports.server.send<MadeLink>('POST', this.#path, { body: draftIn(form, timezone), key });
        isRepeated = isUnanswered(sent);
        return sent;
      },
      done: (made) => this.#reveal(made, text('channels.links.made')),
    });
  };

  /** The answer for a link that an earlier call has made; null without one. */
  async #madeBefore(before: ReadonlySet<string>): Promise<Result<MadeLink> | null> {
    const listed = await this.#room.ports.server.get<{ links: Link[] }>(this.#path);
    if (!listed.ok) return listed;
    return listed.value.links.some(({ id }) => !before.has(id)) ? { ok: true, value: null } : null;
  }

  #count(name: string, label: string, value: number | null, fault: string | null): TemplateResult {
    return field(
      { label, fault },
      html`<input type="number" name=${name} min="1" step="1" value=${value ?? ''} ?required=${value !== null}>`,
    );
  }

  #rotate(link: Link): void {
    const { ports } = this.#room;
    const { text } = ports.words;
    ports.ask<Revealed>({
      title: text('channels.links.rotate.title', { link: this.#nameOf(link) }),
      confirm: text('channels.links.rotate'),
      draw: () => html`<p>${text('channels.links.rotate.told')}</p>${this.#sessionsToo(link)}`,
      send: (form, key) => {
        const body = { endActiveSessions: form.get('sessions') !== null };
        return ports.server.send('POST', `${this.#path}/${link.id}/rotate`, { body, key });
      },
      done: (rotated) => this.#reveal(rotated, text('channels.links.rotated')),
    });
  }

  #end(link: Link): void {
    const { ports } = this.#room;
    const { text } = ports.words;
    ports.ask<{ endedSessions: number }>({
      title: text('channels.links.end.title', { link: this.#nameOf(link) }),
      confirm: text('channels.links.end'),
      isDanger: true,
      draw: () => html`<p>${text('channels.links.end.told')}</p>${this.#sessionsToo(link)}`,
      send: (form, key) => {
        const query = form.get('sessions') === null ? '' : '?endActiveSessions=1';
        return ports.server.send('DELETE', `${this.#path}/${link.id}${query}`, { key });
      },
      done: ({ endedSessions }) => {
        ports.tell({ text: text('channels.links.end.done', { link: this.#nameOf(link), count: endedSessions }) });
        void this.#read();
      },
    });
  }

  #sessionsToo({ activeSessions }: Link): TemplateResult | typeof nothing {
    if (activeSessions === 0) return nothing;
    return checkField(
      this.#room.ports.words.text('channels.links.end.sessions', { count: activeSessions }),
      'sessions',
      true,
    );
  }

  #reveal(made: MadeLink, told: string): void {
    const { ports } = this.#room;
    this.#revealed = made && { ...made, told };
    this.#copied = null;
    if (!made) ports.tell({ text: ports.words.text('channels.links.lost') });
    void this.#read();
  }

  #drawRevealed({ link, url, capability, told }: Revealed & { told: string }): TemplateResult {
    const { ports, meta } = this.#room;
    const { date, text } = ports.words;
    const { name, timezone } = meta();
    const until = date(link.expiresAt, timezone, 'medium', true);
    const message = text('channels.links.message.text', { event: name, url, date: until });
    const told_ = this.#copied === 'refused' ? text('channels.links.copy.refused') : text('channels.links.copied');
    return html`<div class="revealed" role="group" aria-label=${this.#nameOf(link)}>
      <p role="status"><strong>${told}</strong> ${this.#copied ? told_ : nothing}</p>
      ${field({ label: text('channels.links.address') }, html`<input readonly dir="ltr" value=${url} @focus=${selected}>`)}
      ${field({ label: text('channels.links.capability') }, html`<input readonly dir="ltr" value=${capability} @focus=${selected}>`)}
      ${field({ label: text('channels.links.message') }, html`<textarea readonly rows="5" .value=${message} @focus=${selected}></textarea>`)}
      <p class="buttons">
        <button class="primary" @click=${() => void this.#copy(url, 'url')}>${text('channels.links.copy')}</button>
        <button @click=${() => void this.#copy(message, 'message')}>${text('channels.links.copy.message')}</button>
        <button @click=${this.#forget}>${text('channels.links.kept')}</button></p></div>`;
  }

  async #copy(what: string, part: 'url' | 'message'): Promise<void> {
    this.#copied = (await copied(what)) ? part : 'refused';
    this.#room.ports.changed();
  }

  #forget = (): void => {
    this.#revealed = null;
    this.#room.ports.changed();
  };
}

function selected(event: Event): void {
  (event.target as HTMLInputElement | HTMLTextAreaElement).select();
}

function draftIn(form: FormData, timezone: string | null): object {
  const number = (name: string): number | null => (form.get(name) ? Number(form.get(name)) : null);
  return {
    label: fieldOf(form, 'label') || null,
    expiresAt: epochOf(String(form.get('expiresAt')), timezone),
    maxRedemptions: number('maxRedemptions'),
    maxQuantity: number('maxQuantity'),
    sessionTtlSeconds: (number('minutes') ?? MINUTES_USUAL) * 60,
    includePublic: form.get('includePublic') !== null,
  };
}
