/**
 * The nights of a season or group with what each has left. The counts come from each event, a few calls at a time.
 *
 * States of a night: unread → read, or unread again where its event does not answer: then its cells stay empty.
 */
import { html, nothing, type TemplateResult } from 'lit-html';
import { addressOf, beside, type ViewAddress } from '../address.ts';
import type { Ports } from '../view.ts';
import type { Night, NightCounts } from './records.ts';

const CALLS_AT_ONCE = 6;
const columns = ['free', 'held', 'booked', 'blocked'] as const;

export class NightList {
  readonly #ports: Ports;
  readonly #left: AbortSignal;
  #counts = new Map<string, NightCounts>();
  #nights: readonly Night[] = [];

  constructor(ports: Ports, left: AbortSignal) {
    this.#ports = ports;
    this.#left = left;
  }

  get nights(): readonly Night[] {
    return this.#nights;
  }

  /** Reads the counts of these nights anew. */
  async read(nights: readonly Night[]): Promise<void> {
    this.#nights = nights;
    const waiting = nights.map(({ eventKey }) => eventKey);
    const readNext = async (): Promise<void> => {
      for (let key = waiting.shift(); key !== undefined; key = waiting.shift()) await this.#readOne(key);
    };
    await Promise.all(Array.from({ length: CALLS_AT_ONCE }, readNext));
  }

  async #readOne(key: string): Promise<void> {
    const path = `events/${encodeURIComponent(key)}`;
    const answer = await this.#ports.server.get<{ counts: NightCounts }>(path, this.#left);
    if (this.#left.aborted) return;
    if (answer.ok) this.#counts.set(key, answer.value.counts);
    this.#ports.changed();
  }

  /** `acts` are the buttons of a night. */
  draw(place: ViewAddress, acts: ((night: Night) => TemplateResult) | null): TemplateResult {
    const { date, number, text } = this.#ports.words;
    return html`<section aria-labelledby="nights-title"><h2 id="nights-title">${text('seasons.nights')}</h2>
      <div class="wide" tabindex="0" role="region" aria-labelledby="nights-title"><table>
        <thead><tr><th scope="col">${text('events.name')}</th><th scope="col">${text('events.date')}</th>
          ${columns.map((name) => html`<th scope="col" class="number">${text(name === 'free' ? 'seasons.nights.left' : `events.${name}`)}</th>`)}
          ${acts ? html`<th scope="col">${text('seasons.actions')}</th>` : nothing}</tr></thead>
        <tbody>${this.#nights.map((night) => {
          const { eventKey, name, startsAt, timezone, venue } = night;
          const counts = this.#counts.get(eventKey);
          return html`<tr><th scope="row"><a href=${addressOf(beside(place, ['event', eventKey, 'map']))}>${name}</a>
              ${venue === null ? nothing : html`<br><small class="muted">${venue}</small>`}</th>
            <td>${startsAt === null ? nothing : date(startsAt, timezone, 'medium', true)}</td>
            ${columns.map((each) => html`<td class="number">${counts ? number(counts[each]) : nothing}</td>`)}
            ${acts ? html`<td>${acts(night)}</td>` : nothing}</tr>`;
        })}</tbody></table></div></section>`;
  }
}
