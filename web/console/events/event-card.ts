/**
 * One event beside the list: its facts, and its moves, each with what it does. A move is asked for before it is made.
 */
import { roleHas } from '@parterre/shared/protocol/rights';
import { html, nothing, type TemplateResult } from 'lit-html';
import { addressOf, beside, type ViewAddress } from '../address.ts';
import type { Ports } from '../view.ts';
import type { EventList } from './event-list.ts';
import { type ListedEvent, stateOf } from './listed-event.ts';
import { callOf, type Move, movesOf, undoOf } from './moves.ts';

type Moved = { meta?: ListedEvent };

export class EventCard {
  readonly #ports: Ports;
  readonly #list: EventList;
  #close = (): void => {};

  constructor(ports: Ports, list: EventList) {
    this.#ports = ports;
    this.#list = list;
  }

  draw(place: ViewAddress, event: ListedEvent, close: () => void): TemplateResult {
    this.#close = close;
    const { who, words } = this.#ports;
    const { date, number, text } = words;
    const { name, key, startsAt, timezone, venue, seatTotal } = event;
    const isManager = roleHas(who.user.role, 'manage');
    return html`<section class="event-card" aria-labelledby="event-card">
      <header><h2 id="event-card" tabindex="-1">${name}</h2>
        <button aria-label=${text('events.card.close')} @click=${close}>×</button></header>
      <p>${text(`events.status.${stateOf(event)}`)}${startsAt === null ? nothing : html` · ${date(startsAt, timezone, 'medium', true)}`}
        ${venue ? html` · ${venue}` : nothing}</p>
      <p class="muted">${key} · ${text('events.places', { count: seatTotal })}
        ${event.counts ? html` · ${text('events.card.booked', { booked: number(event.counts.booked) })}` : nothing}</p>
      <p class="buttons start">
        <a class="button primary" href=${addressOf(beside(place, ['event', key, 'map']))}>${text('events.open')}</a>
        ${
          isManager
            ? html`<a class="button" href=${addressOf(beside(place, ['new-event'], { from: key }))}>${text('events.duplicate')}</a>`
            : nothing
        }</p>
      ${isManager ? html`<ul class="moves">${movesOf(stateOf(event)).map((move) => this.#move(event, move))}</ul>` : nothing}
    </section>`;
  }

  #move(event: ListedEvent, move: Move): TemplateResult {
    const { text } = this.#ports.words;
    return html`<li><button class=${move === 'delete' ? 'danger' : nothing} @click=${() => this.#ask(event, move)}
        >${text(`events.move.${move}`)}</button>
      <span>${this.#effect(event, move)}</span></li>`;
  }

  #effect(event: ListedEvent, move: Move): string {
    const { text } = this.#ports.words;
    return [text(`events.effect.${move}`), move === 'reopen' ? this.#credits(event) : ''].join(' ').trim();
  }

  /** Every place that a live event sells costs a credit. */
  #credits({ mode }: ListedEvent): string {
    const { who, words } = this.#ports;
    return mode === 'live' ? words.text('events.credits', { count: who.organisation.credits }) : '';
  }

  #ask(event: ListedEvent, move: Move): void {
    const { text } = this.#ports.words;
    const { key, name, counts } = event;
    const { method, path } = callOf(move, key);
    const isDanger = move === 'delete';
    this.#ports.ask<Moved>({
      title: text(`events.ask.${move}`, { name }),
      draw: () => html`<p>${this.#effect(event, move)}</p>
        ${counts && counts.held > 0 && move !== 'unarchive' ? html`<p>${text('events.ask.held', { count: counts.held })}</p>` : nothing}
        ${counts && isDanger && counts.booked > 0 ? html`<p><strong>${text('events.ask.booked', { count: counts.booked })}</strong></p>` : nothing}
        ${
          isDanger
            ? html`<label class="check"><input type="checkbox" name="sure" required> <span>${text('events.ask.sure')}</span></label>`
            : nothing
        }`,
      confirm: text(`events.move.${move}`),
      isDanger,
      send: (_form, sentKey) => this.#ports.server.send<Moved>(method, path, { key: sentKey }),
      done: ({ meta }) => this.#moved(event, move, meta),
    });
  }

  #moved({ key, name }: ListedEvent, move: Move, meta: ListedEvent | undefined): void {
    const { server, tell, words } = this.#ports;
    if (meta) this.#list.put(meta);
    else {
      this.#list.drop(key);
      this.#close();
    }
    const undo = undoOf[move];
    tell({
      text: words.text(`events.moved.${move}`, { name }),
      ...(undo && {
        undo: async (sentKey) => {
          const back = callOf(undo, key);
          const answer = await server.send<Moved>(back.method, back.path, { key: sentKey });
          if (answer.ok && answer.value.meta) this.#list.put(answer.value.meta);
          return answer;
        },
      }),
    });
  }
}
