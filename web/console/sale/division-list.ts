/**
 * The divisions of the house: the state of each (open, closed, hidden), and the rule that opens it by itself. A
 * division may have both, and the strictest counts.
 *
 * Two people at once: rules are sent with the version that was read, and the server refuses an older one. States have
 * no version: the page reads the event anew right before it sends them, and changes one division alone.
 */
import { roleHas } from '@parterre/shared/protocol/rights';
import { html, nothing, type TemplateResult } from 'lit-html';
import type { Result } from '../../src/sale/calls.ts';
import type { EventRoom } from '../event/tab.ts';
import { field, timeField } from '../frame/field.ts';
import { changedTime, zoneName } from '../frame/zoned-time.ts';
import type { EventDetail, SectionState } from './detail.ts';
import type { Division } from './divisions.ts';

type Rule = {
  mode: 'hidden' | 'closed' | 'timed' | 'threshold';
  revealAt?: number;
  thresholdPct?: number;
  revealedAt?: number;
};
type Availability = { rules: Record<string, Rule>; hidden: string[]; closed: string[]; version: number };

const states = ['open', 'closed', 'hidden'] as const;
const modes = ['none', 'hidden', 'closed', 'timed', 'threshold'] as const;

export class DivisionList {
  readonly #room: EventRoom;
  readonly #left = new AbortController();
  /** Reads the event anew after a change. */
  readonly #reread: () => Promise<void>;
  #rules: Availability | null = null;
  #state: 'reading' | 'shown' | 'failed' = 'reading';

  constructor(room: EventRoom, reread: () => Promise<void>) {
    this.#room = room;
    this.#reread = reread;
    void this.#read();
  }

  close(): void {
    this.#left.abort();
  }

  get #event(): string {
    return `events/${encodeURIComponent(this.#room.key)}`;
  }

  async #read(): Promise<void> {
    const answer = await this.#room.ports.server.get<Availability>(`${this.#event}/availability`, this.#left.signal);
    if (this.#left.signal.aborted) return;
    if (answer.ok) this.#rules = answer.value;
    this.#state = answer.ok ? 'shown' : 'failed';
    this.#room.ports.changed();
  }

  draw(divisions: readonly Division[], detail: EventDetail): TemplateResult {
    const { text } = this.#room.ports.words;
    return html`<section aria-labelledby="divisions-title"><h2 id="divisions-title">${text('sale.divisions')}</h2>
      <p class="muted">${text('sale.divisions.told')}</p>${this.#body(divisions, detail)}</section>`;
  }

  #body(divisions: readonly Division[], detail: EventDetail): TemplateResult {
    const { who, words } = this.#room.ports;
    const { text } = words;
    if (this.#state === 'failed') {
      return html`<p role="alert">${text('sale.divisions.failed')}
        <button @click=${() => void this.#read()}>${text('console.again')}</button></p>`;
    }
    const rules = this.#rules;
    if (rules === null) return html`<p role="status">${text('console.loading')}</p>`;
    const mayChange = roleHas(who.user.role, 'manage');
    return html`<div class="wide" tabindex="0" role="region" aria-labelledby="divisions-title"><table><thead><tr>
        ${(['name', 'now', 'state', 'rule'] as const).map((name) => html`<th scope="col">${text(`sale.divisions.${name}`)}</th>`)}
        ${mayChange ? html`<th scope="col">${text('sale.releases.actions')}</th>` : nothing}</tr></thead>
      <tbody>${divisions.map((division) => {
        const { id, kind } = division;
        const name = this.#nameOf(division);
        const inForce = rules.hidden.includes(id) ? 'hidden' : rules.closed.includes(id) ? 'closed' : 'open';
        const state = detail.sectionStates[id] ?? 'open';
        return html`<tr><th scope="row">${name} <small class="muted">${text(`sale.divisions.${kind}`)}</small></th>
          <td><span class="badge" data-place=${inForce}>${text(`sale.state.${inForce}`)}</span></td>
          <td>${text(`sale.state.${state}`)}</td><td>${this.#ruleText(rules.rules[id])}</td>
          ${
            mayChange
              ? html`<td><span class="row-acts">
                <button aria-label="${text('sale.divisions.state')}: ${name}" @click=${() => this.#changeState(division, detail)}>${text('sale.divisions.state')}</button>
                <button aria-label="${text('sale.divisions.rule')}: ${name}" @click=${() => this.#changeRule(division, rules)}>${text('sale.divisions.rule')}</button></span></td>`
              : nothing
          }</tr>`;
      })}</tbody></table></div>`;
  }

  #nameOf({ kind, name }: Division): string {
    return kind === 'rest' ? this.#room.ports.words.text('sale.divisions.rest.name') : name;
  }

  #ruleText(rule: Rule | undefined): string {
    const { date, text } = this.#room.ports.words;
    if (!rule) return text('sale.rule.none');
    const { mode, revealAt = 0, thresholdPct = 0, revealedAt } = rule;
    const at = (time: number): string => date(time, this.#room.meta().timezone, 'medium');
    if (revealedAt !== undefined) return text('sale.rule.opened', { date: at(revealedAt) });
    if (mode === 'timed') return text('sale.rule.timed.at', { date: at(revealAt) });
    if (mode === 'threshold') return text('sale.rule.threshold.at', { share: thresholdPct });
    return text(`sale.rule.${mode}`);
  }

  #changeState(division: Division, { sectionStates }: EventDetail): void {
    const { ports } = this.#room;
    const { text } = ports.words;
    const before = sectionStates[division.id] ?? 'open';
    const name = this.#nameOf(division);
    let after: SectionState = before;
    ports.ask<EventDetail>({
      title: `${text('sale.divisions.state')}: ${name}`,
      confirm: text('sale.change'),
      draw: (fault) => html`<p>${text('sale.state.told')}</p>
        ${field(
          { label: text('sale.divisions.state'), fault: fault('sectionStates') },
          html`<select name="state">${states.map(
            (each) => html`<option value=${each} ?selected=${each === before}>${text(`sale.state.${each}`)}</option>`,
          )}</select>`,
        )}`,
      send: (form, key) => {
        after = form.get('state') as SectionState;
        return this.#setState(division.id, after, key);
      },
      done: () => {
        this.#told(
          text('sale.changed', { name, before: text(`sale.state.${before}`), after: text(`sale.state.${after}`) }),
          (key) => this.#setState(division.id, before, key),
        );
      },
    });
  }

  async #setState(id: string, state: SectionState, key: string): Promise<Result<EventDetail>> {
    const { server } = this.#room.ports;
    const present = await server.get<EventDetail>(this.#event);
    if (!present.ok) return present;
    const { [id]: _, ...others } = present.value.sectionStates;
    const sectionStates = state === 'open' ? others : { ...others, [id]: state };
    return server.send('PATCH', this.#event, { body: { sectionStates }, key });
  }

  #changeRule(division: Division, { rules, version }: Availability): void {
    const { ports, meta } = this.#room;
    const { text } = ports.words;
    const { timezone } = meta();
    const before = rules[division.id];
    const name = this.#nameOf(division);
    const kept = before?.revealAt ?? null;
    ports.ask<Availability>({
      title: `${text('sale.divisions.rule')}: ${name}`,
      confirm: text('sale.change'),
      draw: (fault) => html`<p>${text('sale.rule.told')}</p>
        ${field(
          { label: text('sale.divisions.rule') },
          html`<select name="mode">${modes.map(
            (each) =>
              html`<option value=${each} ?selected=${each === (before?.mode ?? 'none')}>${text(`sale.rule.${each}`)}</option>`,
          )}</select>`,
        )}
        ${timeField(
          {
            label: text('sale.rule.at'),
            hint: text('sale.zone', { zone: zoneName(timezone) }),
            fault: fault(`rules.${division.id}.revealAt`),
          },
          'revealAt',
          { at: kept, timezone },
        )}
        ${field(
          { label: text('sale.rule.share'), fault: fault(`rules.${division.id}.thresholdPct`) },
          html`<input type="number" name="thresholdPct" min="1" max="100" value=${before?.thresholdPct ?? ''}>`,
        )}`,
      send: (form, key) => {
        const mode = String(form.get('mode'));
        const { [division.id]: _, ...others } = rules;
        const rule = {
          mode,
          ...(mode === 'timed' && { revealAt: changedTime(String(form.get('revealAt')), timezone, kept) }),
          ...(mode === 'threshold' && { thresholdPct: Number(form.get('thresholdPct')) }),
        };
        return this.#setRules(mode === 'none' ? others : { ...others, [division.id]: rule }, version, key);
      },
      done: (answer) => {
        this.#rules = answer;
        this.#told(
          text('sale.changed', {
            name,
            before: this.#ruleText(before),
            after: this.#ruleText(answer.rules[division.id]),
          }),
          (key) => this.#setRules(rules, answer.version, key),
        );
      },
    });
  }

  #setRules(rules: object, version: number, key: string): Promise<Result<Availability>> {
    return this.#room.ports.server.send('POST', `${this.#event}/availability`, { body: { rules, version }, key });
  }

  #told(what: string, undo: (key: string) => Promise<Result<unknown>>): void {
    void this.#readAll();
    this.#room.ports.tell({
      text: what,
      undo: async (key) => {
        const undone = await undo(key);
        void this.#readAll();
        return undone;
      },
    });
  }

  async #readAll(): Promise<void> {
    await Promise.all([this.#read(), this.#reread()]);
  }
}
