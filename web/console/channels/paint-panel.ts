/**
 * Paints the chosen places into the open channel. The table tells the units of each channel before and after. The act
 * is undone by giving each place back to the channel that it left.
 *
 * Two people at once: each assignment names the version of the seats that the page has read. The server refuses an
 * older one, nothing moves, and the page reads the channels anew.
 */
import { html, nothing, type TemplateResult } from 'lit-html';
import type { Result } from '../../src/sale/calls.ts';
import type { MapPane } from '../event/hall/map-pane.ts';
import type { EventRoom } from '../event/tab.ts';
import { Act } from '../frame/act.ts';
import { toldOf } from '../frame/refusals.ts';
import { type Assigning, assigning, type ChannelId, singlePlaces } from './assigning.ts';
import type { ChannelBook } from './channel-book.ts';

type Assigned = {
  applied: number;
  assignmentVersion: number;
  buckets: { skippedHeld: { count: number }; skippedBooked: { count: number } };
};

export class PaintPanel {
  readonly #room: EventRoom;
  readonly #pane: MapPane;
  readonly #book: ChannelBook;
  readonly #act: Act;
  #reason = '';

  constructor(room: EventRoom, pane: MapPane, book: ChannelBook) {
    this.#room = room;
    this.#pane = pane;
    this.#book = book;
    this.#act = new Act(room.ports.changed);
  }

  /** A choice or a channel has changed: the next press is another wish. */
  renew(): void {
    this.#act.renew();
  }

  #nameOf(id: ChannelId): string {
    const { text } = this.#room.ports.words;
    return this.#book.channels.find((channel) => channel.id === id)?.name ?? text('channels.public');
  }

  draw(open: ChannelId): TemplateResult {
    const { text } = this.#room.ports.words;
    const { chosen, live } = this.#pane;
    const areas = live.hall?.areas ?? [];
    return html`<section class="paint" aria-labelledby="paint-title"><h2 id="paint-title">${text('channels.paint')}</h2>
      ${areas.length > 0 ? this.#areas() : nothing}
      ${chosen.size === 0 ? html`<p class="muted">${text('channels.paint.none')}</p>` : this.#effect(open)}
      <p role="alert">${toldOf(this.#act.state, this.#room.ports.words)}</p></section>`;
  }

  /** Areas have no seats on the map: each is chosen by its name. */
  #areas(): TemplateResult {
    const { text } = this.#room.ports.words;
    return html`<div class="acts" role="group" aria-label=${text('channels.paint.areas')}>
      ${this.#pane.live.hall!.areas.map(
        ({ label, name }) => html`<button aria-pressed=${this.#pane.chosen.has(label)}
          @click=${() => this.#pane.toggle(label)}>${name}</button>`,
      )}</div>`;
  }

  #effect(open: ChannelId): TemplateResult {
    const { text } = this.#room.ports.words;
    const effect = this.#effectOf(open);
    const { moving, alreadyThere, held, booked } = effect;
    const facts = [
      alreadyThere > 0 ? text('channels.paint.already', { count: alreadyThere }) : '',
      held > 0 ? text('channels.paint.held', { count: held }) : '',
      booked > 0 ? text('channels.paint.booked', { count: booked }) : '',
    ].filter((fact) => fact !== '');
    const isSending = this.#act.state.kind === 'sending';
    const press =
      open === null
        ? text('channels.paint.public', { count: moving })
        : text('channels.paint.into', { count: moving, channel: this.#nameOf(open) });
    return html`${moving > 0 ? this.#table(effect) : html`<p>${text('channels.paint.nothing')}</p>`}
      ${facts.map((fact) => html`<p class="muted">${fact}</p>`)}
      ${
        moving > 0
          ? html`<label>${text('channels.paint.reason')}
              <input maxlength="500" autocomplete="off" .value=${this.#reason} @input=${this.#retyped}></label>
            <button class="primary" ?disabled=${isSending} @click=${() => void this.#paint(open, effect)}
              >${this.#act.state.kind === 'unknown' ? text('console.again') : press}</button>`
          : nothing
      }`;
  }

  #effectOf(open: ChannelId): Assigning {
    const { chosen, live } = this.#pane;
    const labels = singlePlaces(chosen, live.hall?.areas ?? []);
    return assigning(labels, open, { channelOf: this.#book.channelOf, statusOf: (label) => live.statusOf(label) });
  }

  #table({ changes }: Assigning): TemplateResult {
    const { number, text } = this.#room.ports.words;
    return html`<table aria-label=${text('channels.paint.effect')}><thead><tr>
        <th scope="col">${text('channels.paint.channel')}</th><th scope="col" class="number">${text('channels.paint.before')}</th>
        <th scope="col" class="number">${text('channels.paint.after')}</th><th scope="col" class="number">${text('channels.paint.free')}</th></tr></thead>
      <tbody>${[...changes].map(([id, { units, free }]) => {
        const before = this.#book.countsOf(id) ?? { allocated: 0, free: 0 };
        return html`<tr><th scope="row">${this.#nameOf(id)}</th><td class="number">${number(before.allocated)}</td>
          <td class="number">${number(before.allocated + units)}</td><td class="number">${number(before.free + free)}</td></tr>`;
      })}</tbody></table>`;
  }

  #retyped = (event: Event): void => {
    this.#reason = (event.target as HTMLInputElement).value;
    this.#act.renew();
  };

  async #paint(open: ChannelId, { leaving }: Assigning): Promise<void> {
    const { chosen } = this.#pane;
    const reason = this.#reason.trim();
    const sent = await this.#act.send((key) => this.#assign(open, [...chosen], key, reason));
    await this.#book.reread();
    if (sent === null) return;
    const { applied, buckets } = sent.value;
    const { text } = this.#room.ports.words;
    const stayed = buckets.skippedHeld.count + buckets.skippedBooked.count;
    this.#reason = '';
    this.#pane.choose([]);
    this.#room.ports.tell({
      text: [
        text('channels.painted', { count: applied, channel: this.#nameOf(open) }),
        stayed > 0 ? text('channels.painted.stayed', { count: stayed }) : '',
      ].join(' '),
      undo: (key) => this.#giveBack(leaving, key),
    });
  }

  #assign(to: ChannelId, labels: readonly string[], key: string, reason = ''): Promise<Result<Assigned>> {
    const path = `events/${encodeURIComponent(this.#room.key)}/channels/assignments`;
    const why = reason === '' ? {} : { reason };
    const body = { targetChannelId: to, labels, assignmentVersion: this.#book.version, ...why };
    return this.#room.ports.server.send('POST', path, { body, key });
  }

  /** Each place goes back to the channel that it left. Stops at the first refusal, which the notice tells. */
  async #giveBack(leaving: Assigning['leaving'], key: string): Promise<Result<unknown>> {
    let last: Result<unknown> = { ok: true, value: null };
    for (const [id, labels] of leaving) {
      await this.#book.reread();
      last = await this.#assign(id, labels, `${key}-${id ?? 'public'}`);
      if (!last.ok) break;
    }
    await this.#book.reread();
    return last;
  }
}
