/**
 * The deliveries of a subscription: attempts, bodies and answers, one sent again, and a span sent again.
 *
 * States of "send again since": ready → counting → asked (frame/question.ts) → sent. The count reads the failed
 * deliveries page by page until they are older than the time; the question names it. A count that fails says so, and
 * nothing is asked. A subscription that is left while counting drops the count.
 */

import { html, nothing, type TemplateResult } from 'lit-html';
import type { ViewAddress } from '../address.ts';
import { Listing } from '../frame/listing.ts';
import { timeOf } from '../messages/words.ts';
import type { Ports } from '../view.ts';

export type Subscription = {
  id: string;
  url: string;
  events: string[];
  disabled: boolean;
  pausedReason: 'operator' | 'gone' | 'failing' | null;
  lastStatus: number | null;
  lastAt: number | null;
  mode: string | null;
  uptime7d: number | null;
  lastDroppedAt: number | null;
  backlog: { count: number } | null;
};

type Delivery = {
  id: string;
  at: number;
  event: string;
  ref: string | null;
  status: number;
  attempt: number;
  maxAttempts: number;
  retryState: 'scheduled' | 'delivered' | 'exhausted' | 'none';
  nextAttemptAt: number | null;
  occurrenceId: string;
  payload: unknown;
  responseBody: string | null;
  errorMessage: string | null;
  lastAttemptAt: number | null;
};
type Answer = { deliveries: Delivery[]; nextBefore: number | null };

const PER_PAGE = '50';
/** The history has at most 10,000 deliveries. */
const PAGES_COUNTED_MAX = 200;

export class Deliveries {
  readonly #ports: Ports;
  readonly #path: string;
  readonly #left = new AbortController();
  readonly #resent: () => void;
  #failedOnly: boolean;
  #list: Listing<Delivery>;
  #counting: 'ready' | 'counting' | 'failed' = 'ready';

  constructor(ports: Ports, id: string, failedOnly: boolean, resent: () => void) {
    this.#ports = ports;
    this.#path = `webhooks/${id}`;
    this.#failedOnly = failedOnly;
    this.#resent = resent;
    this.#list = this.#open();
  }

  close(): void {
    this.#left.abort();
    this.#list.close();
  }

  #open(): Listing<Delivery> {
    const failedOnly = this.#failedOnly;
    return new Listing(async (before, signal) => {
      const answer = await this.#page(failedOnly, before, signal);
      return answer.ok
        ? { ok: true, value: { items: answer.value.deliveries, next: answer.value.nextBefore } }
        : answer;
    }, this.#ports.changed);
  }

  #page(failedOnly: boolean, before: string | undefined, signal: AbortSignal) {
    const query = new URLSearchParams({ limit: PER_PAGE });
    if (failedOnly) query.set('status', 'failed');
    if (before !== undefined) query.set('before', before);
    return this.#ports.server.get<Answer>(`${this.#path}/deliveries?${query}`, signal);
  }

  draw(sub: Subscription, place: ViewAddress, mayChange: boolean): TemplateResult {
    const { words, go } = this.#ports;
    const { text } = words;
    const isFailedOnly = place.query.status === 'failed';
    if (isFailedOnly !== this.#failedOnly) {
      this.#failedOnly = isFailedOnly;
      this.#list.close();
      this.#list = this.#open();
    }
    const filter = (): void => go({ ...place, query: isFailedOnly ? {} : { status: 'failed' } }, 'replace');
    return html`<section aria-labelledby="deliveries"><h2 id="deliveries">${text('house.deliveries')}</h2>
      <div class="tools"><button aria-pressed=${isFailedOnly} @click=${filter}>${text('house.deliveries.failed')}</button>
        <button @click=${this.#list.reread}>${text('reports.again')}</button></div>
      ${mayChange ? this.#span(sub) : nothing}
      ${this.#list.items.length === 0 ? nothing : this.#table(sub, place, mayChange)}
      ${this.#list.draw(words, 'house.deliveries.none')}</section>`;
  }

  #span(sub: Subscription): TemplateResult {
    const { text } = this.#ports.words;
    return html`<form class="tools" @submit=${(event: SubmitEvent) => void this.#count(event, sub)}>
      <label>${text('house.recover.since')} <input type="datetime-local" name="since" required></label>
      <button ?disabled=${this.#counting === 'counting'}>${text('house.recover')}</button>
      ${this.#counting === 'ready' ? nothing : html`<span role=${this.#counting === 'failed' ? 'alert' : 'status'}>${text(`house.recover.${this.#counting}`)}</span>`}
    </form>`;
  }

  async #count(event: SubmitEvent, sub: Subscription): Promise<void> {
    event.preventDefault();
    const since = new Date(String(new FormData(event.currentTarget as HTMLFormElement).get('since'))).getTime();
    if (Number.isNaN(since) || this.#counting === 'counting') return;
    this.#counting = 'counting';
    this.#ports.changed();
    const count = await this.#failedSince(since);
    if (this.#left.signal.aborted) return;
    this.#counting = count === null ? 'failed' : 'ready';
    this.#ports.changed();
    if (count !== null) this.#recover(sub, since, count);
  }

  /** Null where a page could not be read. */
  async #failedSince(since: number): Promise<number | null> {
    const ids = new Set<string>();
    let before: string | undefined;
    for (let page = 0; page < PAGES_COUNTED_MAX; page++) {
      const answer = await this.#page(true, before, this.#left.signal);
      if (!answer.ok) return null;
      const { deliveries, nextBefore } = answer.value;
      for (const { id, at } of deliveries) if (at >= since) ids.add(id);
      const isOlder = deliveries.some(({ at }) => at < since);
      if (isOlder || nextBefore === null) break;
      before = String(nextBefore);
    }
    return ids.size;
  }

  #recover({ url, disabled }: Subscription, since: number, count: number): void {
    const { ask, server, tell, words } = this.#ports;
    const { text } = words;
    const time = timeOf(this.#ports, since);
    ask({
      title: text('house.recover.title', { count }),
      draw: () => html`<p>${text('house.recover.what', { time, url })}</p>
        <p>${text('house.recover.more')}</p>${disabled ? html`<p>${text('house.recover.paused')}</p>` : nothing}`,
      confirm: text('house.recover.confirm'),
      send: (_, key) => server.send('POST', `${this.#path}/recover`, { body: { since }, key }),
      done: () => {
        tell({ text: text('house.recover.done', { time }) });
        this.#list.reread();
        this.#resent();
      },
    });
  }

  #table(sub: Subscription, place: ViewAddress, mayChange: boolean): TemplateResult {
    const { text } = this.#ports.words;
    const heads = [
      'house.at',
      'house.deliveries.event',
      'house.deliveries.ref',
      'house.deliveries.attempts',
      'house.deliveries.answer',
      'house.state',
    ] as const;
    return html`<div class="wide" tabindex="0" role="region" aria-label=${text('house.deliveries')}><table>
      <thead><tr>${heads.map((head) => html`<th scope="col">${text(head)}</th>`)}<th scope="col">${text('house.acts')}</th></tr></thead>
      <tbody>${this.#list.items.map((delivery) => this.#row(delivery, sub, place, mayChange))}</tbody></table></div>`;
  }

  #row(delivery: Delivery, sub: Subscription, place: ViewAddress, mayChange: boolean): TemplateResult {
    const { text, number } = this.#ports.words;
    const { id, at, event, ref, attempt, maxAttempts, status, retryState, nextAttemptAt } = delivery;
    const isOpen = place.query.delivery === id;
    const { delivery: _, ...others } = place.query;
    const toggle = (): void =>
      this.#ports.go({ ...place, query: isOpen ? others : { ...others, delivery: id } }, 'replace');
    const of = (act: string): string => `${act}: ${event}, ${ref ?? id}`;
    return html`<tr><td>${timeOf(this.#ports, at)}</td><td><code dir="ltr">${event}</code></td><td>${ref}</td>
        <td>${text('house.deliveries.of', { attempt: number(attempt), most: number(maxAttempts) })}</td>
        <td>${status === 0 ? text('house.webhooks.silent') : String(status)}</td>
        <td>${text(`house.deliveries.state.${retryState}`)} ${nextAttemptAt === null ? nothing : timeOf(this.#ports, nextAttemptAt)}</td>
        <td><span class="acts"><button aria-expanded=${isOpen} aria-label=${of(text('house.deliveries.show'))} @click=${toggle}>${text('house.deliveries.show')}</button>
          ${mayChange ? html`<button aria-label=${of(text('house.deliveries.again'))} @click=${() => this.#again(delivery, sub)}>${text('house.deliveries.again')}</button>` : nothing}</span></td></tr>
      ${isOpen ? html`<tr><td colspan="7">${this.#body(delivery)}</td></tr>` : nothing}`;
  }

  #body({ payload, responseBody, errorMessage, occurrenceId, lastAttemptAt }: Delivery): TemplateResult {
    const { text } = this.#ports.words;
    return html`<dl class="facts"><dt>occurrenceId</dt><dd>${occurrenceId}</dd>
        <dt>${text('house.deliveries.last')}</dt><dd>${lastAttemptAt === null ? '–' : timeOf(this.#ports, lastAttemptAt)}</dd>
        ${errorMessage === null ? nothing : html`<dt>${text('house.deliveries.error')}</dt><dd>${errorMessage}</dd>`}</dl>
      <h3>${text('house.deliveries.body')}</h3><pre dir="ltr" tabindex="0">${JSON.stringify(payload, null, 2)}</pre>
      <h3>${text('house.deliveries.answered')}</h3><pre dir="ltr" tabindex="0">${responseBody || text('house.deliveries.empty')}</pre>`;
  }

  #again({ id, event, ref }: Delivery, { url }: Subscription): void {
    const { ask, server, tell, words } = this.#ports;
    const { text } = words;
    ask<{ delivery: Delivery }>({
      title: text('house.deliveries.again.title'),
      draw: () => html`<p>${text('house.deliveries.again.what', { event, ref: ref ?? id, url })}</p>`,
      confirm: text('house.deliveries.again'),
      send: (_, key) => server.send('POST', `${this.#path}/deliveries/${id}/retry`, { body: {}, key }),
      done: ({ delivery: { status } }) => {
        const told = status >= 200 && status < 300 ? 'house.deliveries.again.done' : 'house.deliveries.again.refused';
        tell({ text: text(told, { status: status === 0 ? text('house.webhooks.silent') : String(status) }) });
        this.#list.reread();
        this.#resent();
      },
    });
  }
}
