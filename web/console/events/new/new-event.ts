/**
 * The page of a new event: from a published chart, from a template, or as a copy of another event. The address keeps
 * the choice of the source; the fields keep what is typed.
 *
 * States: reading (the charts, the balance, the event to copy) → writing → sending → made, and the event opens; a
 * refusal or a silent server leads back to writing, with everything that was typed. failed: the charts, or the event
 * to copy, cannot be read, and the person tries again. The document of a chosen chart is read for its prices: while it
 * is unknown, or cannot be read, no price is asked for.
 */
import { html, nothing, type TemplateResult } from 'lit-html';
import { addressOf, beside, type ViewAddress } from '../../address.ts';
import { Act } from '../../frame/act.ts';
import { adopt } from '../../frame/adopt.ts';
import { faultAt, faultsOf, toldOf } from '../../frame/refusals.ts';
import type { Ports, View } from '../../view.ts';
import { looks } from '../looks.ts';
import type { ChartMeta } from './chart-source.ts';
import { eventBody, laterBody, type Source, type Written } from './draft.ts';
import { eventFields } from './fields.ts';
import { Making } from './making.ts';
import { SourceChoice } from './source-choice.ts';

adopt(looks);

export function openNewEvent(place: ViewAddress, ports: Ports): View {
  return new NewEvent(place, ports);
}

class NewEvent implements View {
  readonly #ports: Ports;
  readonly #left = new AbortController();
  readonly #act: Act;
  readonly #making: Making;
  readonly #choice: SourceChoice;
  #place: ViewAddress;
  #state: 'reading' | 'writing' | 'failed' = 'reading';
  #copied: Source | null = null;
  #credits: number;

  constructor(place: ViewAddress, ports: Ports) {
    this.#place = place;
    this.#ports = ports;
    this.#credits = ports.who.organisation.credits;
    this.#act = new Act(ports.changed);
    this.#making = new Making(ports.server);
    this.#choice = new SourceChoice(ports, () => this.#place, this.#left.signal);
    void this.#read();
  }

  get title(): string {
    return this.#ports.words.text(`events.new.${this.#place.mode}`);
  }

  /** A copy of another event is another page. */
  moved(place: ViewAddress): boolean {
    const isSame =
      place.path[0] === 'new-event' &&
      place.mode === this.#place.mode &&
      place.workspaceId === this.#place.workspaceId &&
      place.query.from === this.#place.query.from;
    if (!isSame) return false;
    this.#place = place;
    this.#choice.moved();
    return true;
  }

  close(): void {
    this.#left.abort();
  }

  async #read(): Promise<void> {
    this.#state = 'reading';
    const { server, changed } = this.#ports;
    const { workspaceId, query } = this.#place;
    const { signal } = this.#left;
    const within = workspaceId === null ? '' : `&workspaceId=${encodeURIComponent(workspaceId)}`;
    const [charts, me, copied] = await Promise.all([
      server.get<{ charts: ChartMeta[] }>(`charts?limit=200${within}`, signal),
      server.get<{ organisation: { credits: number } }>('dashboard/me', signal),
      query.from === undefined ? null : server.get<Source>(`events/${encodeURIComponent(query.from)}`, signal),
    ]);
    if (signal.aborted) return;
    if (me.ok) this.#credits = me.value.organisation.credits;
    if (charts.ok && copied?.ok !== false) {
      this.#copied = copied?.value ?? null;
      this.#choice.offer(charts.value.charts, this.#copied?.meta.chartId ?? null);
      this.#state = 'writing';
    } else this.#state = 'failed';
    changed();
  }

  draw(): TemplateResult {
    const { text } = this.#ports.words;
    if (this.#state === 'reading') return html`<h1>${this.title}</h1><p role="status">${text('console.loading')}</p>`;
    if (this.#state === 'failed') {
      return html`<h1>${this.title}</h1><p role="alert">${text('events.new.failed')}</p>
        <button @click=${() => void this.#read()}>${text('console.again')}</button>`;
    }
    return html`<h1>${this.#copied ? text('events.copy.title', { name: this.#copied.meta.name }) : this.title}</h1>
      ${this.#copied ? html`<p>${text('events.copy.takes')}</p><p>${text('events.copy.leaves')}</p>` : nothing}
      <form class="new-event" @submit=${this.#submit} @input=${() => this.#act.renew()}>
        ${this.#choice.draw()}
        ${this.#choice.isReady ? this.#fields() : nothing}
      </form>`;
  }

  #fields(): TemplateResult {
    const { who, words } = this.#ports;
    const { text } = words;
    const { state } = this.#act;
    const faults = faultsOf(state);
    const fields = eventFields(words, who.organisation.currency, this.#copied, this.#choice, faults.at);
    const isSending = state.kind === 'sending';
    return html`${fields}
      <p class="note" data-mode=${this.#place.mode}>${text(`events.new.note.${this.#place.mode}`)}
        ${this.#place.mode === 'live' ? text('events.credits', { count: this.#credits }) : nothing}</p>
      <p role="alert">${toldOf(state, words)} ${faults.rest()}</p>
      <p class="buttons start">
        <button class="primary" ?disabled=${isSending}>${state.kind === 'unknown' ? text('console.again') : text(`events.create.${this.#place.mode}`)}</button>
        <a class="button" href=${addressOf(beside(this.#place, ['events']))}>${text('frame.cancel')}</a>
      </p>`;
  }

  #submit = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault();
    const form = new FormData(event.currentTarget as HTMLFormElement);
    const sent = await this.#act.send(async (key) => {
      const written = this.#written(form);
      const { text } = this.#ports.words;
      if (!isZone(written.timezone)) return faultAt('timezone', text('events.new.bad_zone'));
      const chart = this.#choice.wish(form, written.currency || this.#ports.who.organisation.currency);
      if ('fault' in chart) return faultAt(chart.fault, text('events.new.bad_price'));
      const body = (chartId: string) => eventBody(written, chartId, this.#place.mode, this.#copied);
      const later = this.#copied && laterBody(this.#copied);
      const isClosed = form.get('closed') === 'on';
      return this.#making.send({ chart, body, later, holdTtlMs: this.#copied?.holdTtlMs ?? null, isClosed }, key);
    });
    if (sent === null) return;
    const { meta, unfinished } = sent.value;
    const { go, tell, words } = this.#ports;
    tell({ text: words.text(`events.made.${this.#place.mode}`, { name: meta.name }) });
    if (unfinished) tell({ text: words.text('events.made.unfinished', { name: meta.name }) });
    go(beside(this.#place, ['event', meta.key, 'map']));
  };

  #written(form: FormData): Written {
    const text = (name: string) => String(form.get(name) ?? '');
    return {
      name: text('name'),
      startsAt: text('startsAt'),
      timezone: text('timezone'),
      venue: text('venue'),
      slug: text('slug'),
      currency: text('currency'),
      priceUnit: this.#choice.priceUnit(form),
      ownership: text('ownership') === 'platform' ? 'platform' : 'managed',
    };
  }
}

/** An empty text leaves the event without a zone. */
function isZone(timezone: string): boolean {
  if (timezone.trim() === '') return true;
  try {
    return new Intl.DateTimeFormat('en', { timeZone: timezone.trim() }) !== null;
  } catch {
    return false;
  }
}
