/**
 * One season: its state and moves, its plans, what each night has left, subscribers and offers, amendments, and its
 * sales in numbers.
 *
 * States: reading → shown or failed. A reading after a change that fails leaves the last state.
 */
import { roleHas } from '@parterre/shared/protocol/rights';
import { html, nothing, type TemplateResult } from 'lit-html';
import type { ViewAddress } from '../address.ts';
import { textField } from '../frame/field.ts';
import type { Ports } from '../view.ts';
import { AmendmentList } from './amendment-list.ts';
import { HolderList } from './holder-list.ts';
import { NightList } from './night-list.ts';
import type { Night, Plan, Season } from './records.ts';
import { seasonMoves } from './season-moves.ts';
import { askDelete, askMove, type Move } from './steps.ts';

type Report = {
  inventory: { bookings: number; booked: number; cancelled: number };
  stuckOperations: number;
};

export class SeasonPage {
  readonly #ports: Ports;
  readonly #place: () => ViewAddress;
  readonly #key: string;
  readonly #left = new AbortController();
  readonly #nights: NightList;
  readonly #holders: HolderList;
  readonly #amendments: AmendmentList;
  #season: Season | null = null;
  #report: Report | null = null;
  #state: 'reading' | 'shown' | 'failed' = 'reading';

  constructor(key: string, ports: Ports, place: () => ViewAddress) {
    this.#key = key;
    this.#ports = ports;
    this.#place = place;
    const { signal } = this.#left;
    this.#nights = new NightList(ports, signal);
    this.#holders = new HolderList(ports, signal, () => this.#season!);
    this.#amendments = new AmendmentList(
      ports,
      signal,
      () => this.#season!,
      () => this.#readNights(),
    );
    void this.#open();
  }

  get title(): string {
    return this.#season?.name ?? this.#key;
  }

  close(): void {
    this.#left.abort();
  }

  get #path(): string {
    return `seasons/${encodeURIComponent(this.#key)}`;
  }

  async #open(): Promise<void> {
    this.#state = 'reading';
    await this.#read();
    if (this.#season === null) return;
    await Promise.all([this.#readNights(), this.#holders.read(), this.#amendments.read(), this.#readReport()]);
  }

  #read = async (): Promise<void> => {
    const answer = await this.#ports.server.get<{ season: Season }>(this.#path, this.#left.signal);
    if (this.#left.signal.aborted) return;
    if (answer.ok && answer.value.season.mode === this.#place().mode) {
      this.#season = answer.value.season;
      this.#state = 'shown';
    } else if (this.#season === null || answer.ok || answer.status === 404) this.#state = 'failed';
    this.#ports.changed();
  };

  async #readNights(): Promise<void> {
    const answer = await this.#ports.server.get<{ occurrences: Night[] }>(
      `${this.#path}/occurrences`,
      this.#left.signal,
    );
    if (answer.ok && !this.#left.signal.aborted) await this.#nights.read(answer.value.occurrences);
  }

  async #readReport(): Promise<void> {
    const answer = await this.#ports.server.get<{ report: Report }>(`${this.#path}/reports`, this.#left.signal);
    if (this.#left.signal.aborted || !answer.ok) return;
    this.#report = answer.value.report;
    this.#ports.changed();
  }

  draw(): TemplateResult {
    const { text } = this.#ports.words;
    if (this.#state === 'failed') {
      return html`<h1>${this.title}</h1><p role="alert">${text('seasons.one.failed')}
        <button @click=${() => void this.#open()}>${text('console.again')}</button></p>`;
    }
    const season = this.#season;
    if (!season) return html`<h1>${this.title}</h1><p role="status">${text('console.loading')}</p>`;
    const mayChange = roleHas(this.#ports.who.user.role, 'manage');
    const mayAmend = mayChange && season.structureState === 'active';
    return html`<h1>${season.name} ${season.edition === null ? nothing : html`<small class="muted">${season.edition}</small>`}</h1>
      <p role="status">${text(`seasons.state.${season.structureState}`)} · ${text('seasons.sales')}: ${text(`seasons.sales.${season.salesState}`)}</p>
      ${this.#numbers()} ${mayChange ? this.#moves(season) : nothing} ${this.#plans(season, mayChange)}
      ${this.#nights.draw(this.#place(), mayAmend ? (night) => this.#amendments.acts(night) : null)}
      ${this.#holders.draw()} ${this.#amendments.draw(mayAmend)}`;
  }

  #numbers(): TemplateResult | typeof nothing {
    const { text } = this.#ports.words;
    if (!this.#report) return nothing;
    const { inventory, stuckOperations } = this.#report;
    return html`<p>${text('seasons.numbers', { booked: inventory.booked, cancelled: inventory.cancelled })}
      ${stuckOperations > 0 ? html`<strong>${text('seasons.stuck', { count: stuckOperations })}</strong>` : nothing}</p>`;
  }

  #moves(season: Season): TemplateResult {
    const { text } = this.#ports.words;
    return html`<p class="acts">${seasonMoves(season, this.#ports.words).map(
      (move) =>
        html`<button class=${move.isDanger ? 'danger' : nothing} @click=${() => this.#ask(move)}>${move.confirm}</button>`,
    )}
      ${season.structureState === 'draft' ? html`<button class="danger" @click=${() => askDelete(this.#ports, this.#path, season.name, this.#place())}>${text('seasons.delete')}</button>` : nothing}</p>`;
  }

  #ask(move: Move): void {
    askMove(this.#ports, this.#path, move, this.#left.signal, this.#read);
  }

  #plans(season: Season, mayChange: boolean): TemplateResult {
    const { date, number, text } = this.#ports.words;
    const { plans = [], structureState, timezone } = season;
    const mayAdd = mayChange && (structureState === 'draft' || structureState === 'active');
    return html`<section aria-labelledby="plans-title"><header class="part-head"><h2 id="plans-title">${text('seasons.plans')}</h2>
        ${mayAdd ? html`<button @click=${() => this.#addPlan(season)}>${text('seasons.plan.new')}</button>` : nothing}</header>
      ${
        plans.length === 0
          ? html`<p class="muted">${text('seasons.plans.none')}</p>`
          : html`<table><thead><tr><th scope="col">${text('seasons.name')}</th><th scope="col">${text('seasons.state')}</th>
              <th scope="col" class="number">${text('seasons.nights')}</th>${mayChange ? html`<th scope="col">${text('seasons.actions')}</th>` : nothing}</tr></thead>
            <tbody>${plans.map(
              (plan) => html`<tr><th scope="row">${plan.name}</th>
                <td>${text(`seasons.plan.${plan.publicationState}`)} ${plan.publishedAt === null ? nothing : html`<small class="muted">${date(plan.publishedAt, timezone, 'medium')}</small>`}</td>
                <td class="number">${number(plan.eventKeys.length)}</td>${mayChange ? html`<td>${this.#planMove(season, plan)}</td>` : nothing}</tr>`,
            )}</tbody></table>`
      }</section>`;
  }

  #planMove({ revision, structureState, salesState }: Season, { key, name, publicationState }: Plan) {
    const { text } = this.#ports.words;
    const move = publicationState === 'draft' ? 'publish' : 'supersede';
    const isPossible =
      move === 'publish'
        ? structureState === 'active'
        : publicationState === 'published' && (salesState === 'closed' || salesState === 'ended');
    if (!isPossible) return nothing;
    const confirm = text(`seasons.plan.${move}`);
    const press = () =>
      this.#ask({
        title: `${confirm}: ${name}`,
        told: text(`seasons.plan.${move}.told`),
        confirm,
        done: text(`seasons.plan.${move}.done`, { name }),
        path: `plans/${key}/${move}`,
        revision,
        isDanger: move === 'supersede',
      });
    return html`<button aria-label="${confirm}: ${name}" @click=${press}>${confirm}</button>`;
  }

  #addPlan({ occurrenceCount }: Season): void {
    const ports = this.#ports;
    const { text } = ports.words;
    const nights = this.#nights.nights;
    ports.ask<{ plan: Plan }>({
      title: text('seasons.plan.new'),
      confirm: text('seasons.plan.new'),
      draw: (fault) => html`<p>${text('seasons.plan.new.told', { count: occurrenceCount })}</p>
        ${textField({ label: text('seasons.name'), fault: fault('name') }, 'name', '', true)}
        <fieldset class="pick"><legend>${text('seasons.nights')}</legend>${nights.map(
          ({ eventKey, name }) =>
            html`<label class="check"><input type="checkbox" name="event" value=${eventKey} checked> <span>${name}</span></label>`,
        )}</fieldset>`,
      send: (form, key) => {
        const eventKeys = form.getAll('event').map(String);
        const isWhole = eventKeys.length === nights.length;
        const body = { name: String(form.get('name')).trim(), ...(!isWhole && { eventKeys }) };
        return ports.server.send('POST', `${this.#path}/plans`, { body, key });
      },
      done: ({ plan }) => {
        ports.tell({ text: text('seasons.plan.made', { name: plan.name }) });
        void this.#read();
      },
    });
  }
}
