/**
 * What buyers see of each section: open, closed or hidden, by its state and by its availability rule.
 *
 * States: folded → reading → shown, or failed: the person tries again. A change reads states and rules anew before it
 * is sent, and changes its own division alone, so that the change of another operator stays. The rules have a
 * version: a change of the rules that comes between is refused, and the person sends it again. An answer after the
 * end is dropped.
 */
import { roleHas } from '@parterre/shared/protocol/rights';
import { html, nothing, type TemplateResult } from 'lit-html';
import type { Result } from '../../src/sale/calls.ts';
import type { MapPane } from '../event/hall/map-pane.ts';
import type { EventRoom } from '../event/tab.ts';
import { changedTime, localTime, zoneName } from '../frame/zoned-time.ts';
import { countsIn, type Division, divisionsOf } from './divisions.ts';

const states = ['open', 'closed', 'hidden'] as const;
const modes = ['none', 'closed', 'hidden', 'timed', 'threshold'] as const;
type State = (typeof states)[number];
type Mode = (typeof modes)[number];

type Rule = { mode: Exclude<Mode, 'none'>; revealAt?: number; thresholdPct?: number; revealedAt?: number };
type Settings = { states: Record<string, State>; rules: Record<string, Rule>; version: number };
type Wanted = { state: State; rule: Rule | null };

export class Sections {
  readonly #room: EventRoom;
  readonly #pane: MapPane;
  readonly #left = new AbortController();
  #state: 'folded' | 'reading' | 'shown' | 'failed' = 'folded';
  #settings: Settings = { states: {}, rules: {}, version: 0 };

  constructor(room: EventRoom) {
    this.#room = room;
    this.#pane = room.map();
  }

  close(): void {
    this.#left.abort();
  }

  draw(): TemplateResult {
    const { text } = this.#room.ports.words;
    return html`<details ?open=${this.#state !== 'folded'} @toggle=${this.#toggled}>
      <summary>${text('map.sections')}</summary>${this.#body()}</details>`;
  }

  #toggled = ({ currentTarget }: Event): void => {
    const isOpen = (currentTarget as HTMLDetailsElement).open;
    if (isOpen && this.#state === 'folded') void this.#show();
    else if (!isOpen) {
      this.#state = 'folded';
      this.#room.ports.changed();
    }
  };

  async #show(): Promise<void> {
    this.#state = 'reading';
    this.#room.ports.changed();
    const read = await this.#read();
    if (this.#left.signal.aborted || (this.#state as string) === 'folded') return;
    this.#state = read.ok ? 'shown' : 'failed';
    this.#room.ports.changed();
  }

  get #path(): string {
    return `events/${encodeURIComponent(this.#room.key)}`;
  }

  async #read(): Promise<Result<Settings>> {
    const { server } = this.#room.ports;
    const { signal } = this.#left;
    const [event, availability] = await Promise.all([
      server.get<{ sectionStates: Settings['states'] }>(this.#path, signal),
      server.get<Pick<Settings, 'rules' | 'version'>>(`${this.#path}/availability`, signal),
    ]);
    if (!event.ok) return event;
    if (!availability.ok) return availability;
    const { rules, version } = availability.value;
    this.#settings = { states: event.value.sectionStates, rules, version };
    return { ok: true, value: this.#settings };
  }

  #body(): TemplateResult | typeof nothing {
    const { text } = this.#room.ports.words;
    const { doc } = this.#pane.live;
    if (this.#state === 'folded' || !doc) return nothing;
    if (this.#state === 'reading') return html`<p role="status">${text('console.loading')}</p>`;
    if (this.#state === 'failed') {
      return html`<p role="alert">${text('map.sections.failed')}</p>
        <button @click=${() => void this.#show()}>${text('console.again')}</button>`;
    }
    return html`<ul class="sections">${divisionsOf(doc).map((division) => this.#row(division))}</ul>`;
  }

  #nameOf({ kind, name }: Division): string {
    const { text } = this.#room.ports.words;
    if (kind === 'rest') return text('map.sections.rest');
    return kind === 'zone' ? text('map.sections.zone', { zone: name }) : name;
  }

  #row(division: Division): TemplateResult {
    const { text } = this.#room.ports.words;
    const { hall, statuses } = this.#pane.live;
    const name = this.#nameOf(division);
    const counts = hall && statuses ? countsIn(division, hall, statuses) : null;
    const count = counts ? Object.values(counts).reduce((sum, each) => sum + each, 0) : 0;
    const rule = this.#settings.rules[division.id];
    return html`<li><strong>${name}</strong> <span>${text(`map.sections.now.${this.#now(division.id)}`)}</span>
      ${counts && count > 0 ? html`<span class="muted">${text('map.free', { free: counts.free, count })}</span>` : nothing}
      ${rule ? html`<span class="muted">${this.#ruleText(rule)}</span>` : nothing}
      ${
        roleHas(this.#room.ports.who.user.role, 'manage')
          ? html`<button aria-label=${text('map.sections.change.of', { name })} @click=${() => this.#change(division)}
            >${text('map.sections.change')}</button>`
          : nothing
      }</li>`;
  }

  /** For buyers, at this moment, as the live map has it. */
  #now(id: string): State {
    const { hidden = [], closed = [] } = this.#pane.live.statuses ?? {};
    if (hidden.includes(id)) return 'hidden';
    return closed.includes(id) ? 'closed' : 'open';
  }

  #ruleText({ mode, revealAt, thresholdPct, revealedAt }: Rule): string {
    const { text, date } = this.#room.ports.words;
    const { timezone } = this.#room.meta();
    if (revealedAt !== undefined)
      return text('map.rule.revealed', { time: date(revealedAt, timezone, 'medium', true) });
    if (mode === 'timed') return text('map.rule.timed.at', { time: date(revealAt!, timezone, 'medium', true) });
    if (mode === 'threshold') return text('map.rule.threshold.at', { percent: thresholdPct! });
    return text(`map.rule.${mode}`);
  }

  #change(division: Division): void {
    const { ports } = this.#room;
    const { text } = ports.words;
    const name = this.#nameOf(division);
    const { states: all, rules } = this.#settings;
    const before: Wanted = { state: all[division.id] ?? 'open', rule: rules[division.id] ?? null };
    let mode: Mode = before.rule?.mode ?? 'none';
    ports.ask({
      title: text('map.sections.title', { name }),
      draw: () => html`<p>${text('map.sections.what')}</p>
        <label>${text('map.sections.state')} <select name="state">${states.map(
          (each) =>
            html`<option value=${each} ?selected=${each === before.state}>${text(`map.sections.now.${each}`)}</option>`,
        )}</select></label>
        <label>${text('map.rule')} <select name="mode" @change=${({ target }: Event) => {
          mode = (target as HTMLSelectElement).value as Mode;
          ports.changed();
        }}>${modes.map((each) => html`<option value=${each} ?selected=${each === before.rule?.mode}>${text(`map.rule.${each}`)}</option>`)}</select></label>
        ${this.#fieldsOf(mode, before.rule)}`,
      confirm: text('map.sections.confirm'),
      send: (form, key) => this.#set(division.id, this.#wantedIn(form, before.rule), key),
      done: () => {
        ports.tell({ text: text('map.sections.done', { name }), undo: (key) => this.#set(division.id, before, key) });
      },
    });
  }

  #fieldsOf(mode: Mode, rule: Rule | null): TemplateResult | typeof nothing {
    const { text } = this.#room.ports.words;
    const { timezone } = this.#room.meta();
    if (mode === 'timed') {
      const value = rule?.revealAt === undefined ? '' : localTime(rule.revealAt, timezone);
      return html`<label>${text('map.rule.at', { zone: zoneName(timezone) })}
        <input type="datetime-local" name="at" value=${value} required></label>`;
    }
    if (mode !== 'threshold') return nothing;
    return html`<label>${text('map.rule.percent')}
      <input type="number" name="percent" min="1" max="100" value=${rule?.thresholdPct ?? 80} required></label>`;
  }

  #wantedIn(form: FormData, before: Rule | null): Wanted {
    const state = form.get('state') as State;
    const mode = form.get('mode') as Mode;
    if (mode === 'none') return { state, rule: null };
    if (mode === 'timed') {
      const { timezone } = this.#room.meta();
      const revealAt = changedTime(String(form.get('at')), timezone, before?.revealAt ?? null);
      return { state, rule: { mode, ...(revealAt !== null && { revealAt }) } };
    }
    return { state, rule: mode === 'threshold' ? { mode, thresholdPct: Number(form.get('percent')) } : { mode } };
  }

  /** Sends what differs from the present settings: the state first, then the rule. */
  async #set(id: string, { state, rule }: Wanted, key: string): Promise<Result<unknown>> {
    const { server } = this.#room.ports;
    const read = await this.#read();
    if (!read.ok) return read;
    const { states: all, rules, version } = read.value;
    let last: Result<unknown> = read;
    if ((all[id] ?? 'open') !== state) {
      const { [id]: _, ...others } = all;
      const body = { sectionStates: state === 'open' ? others : { ...others, [id]: state } };
      last = await server.send('PATCH', this.#path, { body, key });
    }
    if (last.ok && !isSame(rules[id] ?? null, rule)) {
      const { [id]: _, ...others } = rules;
      const body = { rules: rule === null ? others : { ...others, [id]: rule }, version };
      last = await server.send('POST', `${this.#path}/availability`, { body, key });
    }
    await this.#read();
    this.#room.ports.changed();
    return last;
  }
}

const isSame = (one: Rule | null, other: Rule | null): boolean =>
  one?.mode === other?.mode && one?.revealAt === other?.revealAt && one?.thresholdPct === other?.thresholdPct;
