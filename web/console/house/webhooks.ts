/**
 * Webhook subscriptions, and one of them with its deliveries. Everybody reads them; owners make, change, pause and send
 * again. `house/webhooks/whk_1?status=failed&delivery=dlv_1` is one subscription, filtered, with a delivery open.
 */

import { roleHas } from '@parterre/shared/protocol/rights';
import { webhookEvents } from '@parterre/shared/protocol/vocabulary';
import { html, nothing, type TemplateResult } from 'lit-html';
import { addressOf, beside, type ViewAddress } from '../address.ts';
import { fieldOf } from '../frame/field.ts';
import { Listing } from '../frame/listing.ts';
import { Secret } from '../frame/secret.ts';
import { timeOf } from '../messages/words.ts';
import type { Ports } from '../view.ts';
import { Deliveries, type Subscription } from './deliveries.ts';
import type { Page } from './page.ts';

export const openWebhooks = (ports: Ports, place: ViewAddress): Page => new Webhooks(ports, place);

class Webhooks implements Page {
  readonly #ports: Ports;
  readonly #openId: string | null;
  readonly #list: Listing<Subscription>;
  readonly #secret: Secret;
  readonly #mayChange: boolean;
  #deliveries: Deliveries | null = null;

  constructor(ports: Ports, place: ViewAddress) {
    this.#ports = ports;
    this.#openId = place.path[2] ?? null;
    this.#mayChange = roleHas(ports.who.user.role, 'administer');
    this.#secret = new Secret(ports.words, ports.changed);
    this.#list = new Listing(async (_, signal) => {
      const answer = await ports.server.get<{ subs: Subscription[] }>('webhooks', signal);
      if (!answer.ok) return answer;
      const items = answer.value.subs.filter(({ mode }) => mode === null || mode === place.mode);
      return { ok: true, value: { items } };
    }, ports.changed);
  }

  close(): void {
    this.#list.close();
    this.#deliveries?.close();
  }

  draw(place: ViewAddress): TemplateResult {
    const { words } = this.#ports;
    const { text } = words;
    if (this.#openId !== null) return this.#one(place);
    return html`${
      this.#mayChange
        ? html`<div class="tools"><button class="primary" @click=${() => this.#make(place)}>${text(`house.webhooks.make.${place.mode}`)}</button></div>`
        : nothing
    }
      ${this.#secret.draw()} ${this.#list.draw(words, 'house.webhooks.none')}
      ${this.#list.items.length === 0 ? nothing : this.#table(place)}`;
  }

  #table(place: ViewAddress): TemplateResult {
    const { text, number } = this.#ports.words;
    const heads = ['house.webhooks.url', 'house.state', 'house.webhooks.waiting', 'house.webhooks.last'] as const;
    return html`<div class="wide" tabindex="0" role="region" aria-label=${text('house.webhooks')}><table>
      <thead><tr>${heads.map((head) => html`<th scope="col">${text(head)}</th>`)}</tr></thead>
      <tbody>${this.#list.items.map(
        (
          sub,
        ) => html`<tr><th scope="row"><a dir="ltr" href=${addressOf(beside(place, ['house', 'webhooks', sub.id]))}>${sub.url}</a></th>
          <td>${this.#stateOf(sub)}</td><td>${sub.backlog ? number(sub.backlog.count) : '–'}</td>
          <td>${sub.lastAt === null ? nothing : `${sub.lastStatus || text('house.webhooks.silent')}, ${timeOf(this.#ports, sub.lastAt)}`}</td></tr>`,
      )}</tbody></table></div>`;
  }

  #stateOf({ disabled, pausedReason }: Subscription): string {
    const { text } = this.#ports.words;
    return disabled ? text(`house.webhooks.paused.${pausedReason ?? 'operator'}`) : text('house.webhooks.active');
  }

  #one(place: ViewAddress): TemplateResult {
    const { words } = this.#ports;
    const { text } = words;
    const sub = this.#list.items.find(({ id }) => id === this.#openId);
    const back = html`<p><a href=${addressOf(beside(place, ['house', 'webhooks']))}>${text('house.webhooks')}</a></p>`;
    if (!sub) {
      const isGone = this.#list.state === 'shown';
      return html`${back}${isGone ? html`<p role="alert">${text('house.webhooks.gone')}</p>` : this.#list.draw(words, 'house.webhooks.none')}`;
    }
    this.#deliveries ??= new Deliveries(this.#ports, sub.id, place.query.status === 'failed', () =>
      this.#list.reread(),
    );
    return html`${back}${this.#secret.draw()} ${this.#facts(sub)} ${this.#mayChange ? this.#acts(sub, place) : nothing}
      ${this.#deliveries.draw(sub, place, this.#mayChange)}`;
  }

  #facts(sub: Subscription): TemplateResult {
    const { text, number, list } = this.#ports.words;
    const share = sub.uptime7d === null ? '–' : `${number(Math.round(sub.uptime7d * 1_000) / 10)} %`;
    const waiting = sub.backlog === null ? text('house.webhooks.unknown') : number(sub.backlog.count);
    return html`<h2 dir="ltr">${sub.url}</h2><dl class="facts">
      <dt>${text('house.state')}</dt><dd>${this.#stateOf(sub)}</dd>
      <dt>${text('house.webhooks.events')}</dt><dd>${list(sub.events, webhookEvents.length)}</dd>
      <dt>${text('house.webhooks.waiting')}</dt><dd>${waiting}</dd>
      <dt>${text('house.webhooks.uptime')}</dt><dd>${share}</dd>
      ${sub.lastDroppedAt === null ? nothing : html`<dt>${text('house.webhooks.dropped')}</dt><dd>${timeOf(this.#ports, sub.lastDroppedAt)}</dd>`}
    </dl>`;
  }

  #acts(sub: Subscription, place: ViewAddress): TemplateResult {
    const { text } = this.#ports.words;
    return html`<div class="tools">
      <button @click=${() => this.#change(sub)}>${text('house.webhooks.change')}</button>
      <button @click=${() => this.#pause(sub)}>${text(sub.disabled ? 'house.webhooks.resume' : 'house.webhooks.pause')}</button>
      <button @click=${() => this.#test(sub)}>${text('house.webhooks.test')}</button>
      <button @click=${() => this.#rotate(sub)}>${text('house.webhooks.rotate')}</button>
      <button @click=${() => this.#delete(sub, place)}>${text('house.webhooks.delete')}</button></div>`;
  }

  #fields(url: string, events: readonly string[]): TemplateResult {
    const { text } = this.#ports.words;
    return html`<label>${text('house.webhooks.url')} <input name="url" type="url" dir="ltr" placeholder="https://" autocomplete="off" required .value=${url}></label>
      <fieldset tabindex="0"><legend>${text('house.webhooks.events')}</legend>${webhookEvents.map(
        (event) =>
          html`<label><input type="checkbox" name="events" value=${event} ?checked=${events.includes(event)}> <code dir="ltr">${event}</code></label>`,
      )}</fieldset>`;
  }

  #make({ mode }: ViewAddress): void {
    const { ask, server, words } = this.#ports;
    const { text } = words;
    ask<{ sub: Subscription; secret: string }>({
      title: text(`house.webhooks.make.${mode}`),
      draw: () => this.#fields('', ['seat.booked', 'seat.released']),
      confirm: text('house.webhooks.make'),
      send: (form, key) => {
        const body = { url: fieldOf(form, 'url'), events: form.getAll('events'), mode };
        return server.send('POST', 'webhooks', { body, key });
      },
      done: ({ sub, secret }) => {
        this.#secret.show(text('house.webhooks.secret', { url: sub.url }), secret);
        this.#list.reread();
      },
    });
  }

  #change(sub: Subscription): void {
    const { ask, words } = this.#ports;
    const before = { url: sub.url, events: sub.events };
    ask({
      title: words.text('house.webhooks.change'),
      draw: () => this.#fields(sub.url, sub.events),
      confirm: words.text('house.save'),
      send: (form, key) => this.#put(sub, { url: fieldOf(form, 'url'), events: form.getAll('events') }, key),
      done: () => this.#tellUndoable(words.text('house.webhooks.changed'), sub, before),
    });
  }

  #pause(sub: Subscription): void {
    const { ask, words } = this.#ports;
    const { text, number } = words;
    const name = sub.disabled ? 'resume' : 'pause';
    const waiting = number(sub.backlog?.count ?? 0);
    ask({
      title: text(`house.webhooks.${name}`),
      draw: () => html`<p>${text(`house.webhooks.${name}.what`, { waiting })}</p>`,
      confirm: text(`house.webhooks.${name}`),
      send: (_, key) => this.#put(sub, { disabled: !sub.disabled }, key),
      done: () => this.#tellUndoable(text(`house.webhooks.${name}.done`), sub, { disabled: sub.disabled }),
    });
  }

  #put({ id }: Subscription, body: object, key: string) {
    return this.#ports.server.send('PATCH', `webhooks/${id}`, { body, key });
  }

  #tellUndoable(text: string, sub: Subscription, before: object): void {
    const undo = async (key: string) => {
      const undone = await this.#put(sub, before, key);
      this.#list.reread();
      return undone;
    };
    this.#ports.tell({ text, undo });
    this.#list.reread();
  }

  #test({ id, url }: Subscription): void {
    const { ask, server, tell, words } = this.#ports;
    const { text, number } = words;
    ask<{ test: { status: number; durationMs: number; errorMessage: string | null } }>({
      title: text('house.webhooks.test'),
      draw: () => html`<p>${text('house.webhooks.test.what', { url })}</p>`,
      confirm: text('house.webhooks.test'),
      send: (_, key) => server.send('POST', `webhooks/${id}/test`, { body: {}, key }),
      done: ({ test: { status, durationMs, errorMessage } }) => {
        const answer = { status: String(status), ms: number(durationMs), error: errorMessage ?? '' };
        tell({ text: text(status === 0 ? 'house.webhooks.test.failed' : 'house.webhooks.test.done', answer) });
      },
    });
  }

  #rotate({ id, url }: Subscription): void {
    const { ask, server, words } = this.#ports;
    const { text } = words;
    ask<{ secret: string }>({
      title: text('house.webhooks.rotate'),
      draw: () => html`<p>${text('house.webhooks.rotate.what')}</p>`,
      confirm: text('house.webhooks.rotate'),
      isDanger: true,
      send: (_, key) => server.send('POST', `webhooks/${id}/rotate-secret`, { body: {}, key }),
      done: ({ secret }) => this.#secret.show(text('house.webhooks.secret', { url }), secret),
    });
  }

  #delete({ id, url, backlog }: Subscription, place: ViewAddress): void {
    const { ask, go, server, tell, words } = this.#ports;
    const { text, number } = words;
    ask({
      title: text('house.webhooks.delete'),
      draw: () => html`<p>${text('house.webhooks.delete.what', { url, waiting: number(backlog?.count ?? 0) })}</p>`,
      confirm: text('house.webhooks.delete'),
      isDanger: true,
      send: (_, key) => server.send('DELETE', `webhooks/${id}`, { key }),
      done: () => {
        tell({ text: text('house.webhooks.deleted', { url }) });
        go(beside(place, ['house', 'webhooks']));
      },
    });
  }
}
