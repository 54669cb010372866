/**
 * One performance group: its state and moves, what each night has left, and its holds and sales.
 *
 * States: reading → shown or failed. Holds and sales are read again every few seconds while something goes on with one.
 */
import { roleHas } from '@parterre/shared/protocol/rights';
import { html, nothing, type TemplateResult } from 'lit-html';
import type { ViewAddress } from '../address.ts';
import { type Column, Rows } from '../frame/rows.ts';
import type { PlainKey } from '../messages/words.ts';
import type { Ports } from '../view.ts';
import { NightList } from './night-list.ts';
import type { Group } from './records.ts';
import { groupMoves } from './season-moves.ts';
import { askDelete, askMove } from './steps.ts';

type Operation = {
  operationId: string;
  kind: 'hold' | 'booking';
  state: string;
  bookingRef: string | null;
  createdAt: number;
  expiresAt: number | null;
};

const READ_EVERY_MS = 5_000;
const states = [
  'preparing',
  'commit_pending',
  'committed',
  'expire_pending',
  'expired',
  'booked',
  'abort_pending',
  'aborted',
  'cancelled',
] as const;

export class GroupPage {
  readonly #ports: Ports;
  readonly #place: () => ViewAddress;
  readonly #key: string;
  readonly #left = new AbortController();
  readonly #nights: NightList;
  readonly #rows: Rows<Operation>;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #group: Group | null = null;
  #operations: readonly Operation[] = [];
  #isCut = false;
  #state: 'reading' | 'shown' | 'failed' = 'reading';
  #areSalesFailed = false;

  constructor(key: string, ports: Ports, place: () => ViewAddress) {
    this.#key = key;
    this.#ports = ports;
    this.#place = place;
    this.#nights = new NightList(ports, this.#left.signal);
    this.#rows = new Rows(ports.words.text('seasons.group.sales'), ports.changed);
    void this.#open();
  }

  get title(): string {
    return this.#group?.name ?? this.#key;
  }

  close(): void {
    this.#left.abort();
    clearTimeout(this.#timer);
  }

  get #path(): string {
    return `performance-groups/${encodeURIComponent(this.#key)}`;
  }

  async #open(): Promise<void> {
    this.#state = 'reading';
    await this.#read();
    if (this.#group === null) return;
    await Promise.all([this.#nights.read(this.#group.performances ?? []), this.#readSales()]);
  }

  #read = async (): Promise<void> => {
    const answer = await this.#ports.server.get<{ performanceGroup: Group }>(this.#path, this.#left.signal);
    if (this.#left.signal.aborted) return;
    if (answer.ok && answer.value.performanceGroup.mode === this.#place().mode) {
      this.#group = answer.value.performanceGroup;
      this.#state = 'shown';
    } else if (this.#group === null || answer.ok || answer.status === 404) this.#state = 'failed';
    this.#ports.changed();
  };

  async #readSales(): Promise<void> {
    clearTimeout(this.#timer);
    const path = `${this.#path}/operations`;
    const answer = await this.#ports.server.get<{ operations: Operation[]; truncated: boolean }>(
      path,
      this.#left.signal,
    );
    if (this.#left.signal.aborted) return;
    if (answer.ok) {
      this.#operations = answer.value.operations;
      this.#isCut = answer.value.truncated;
    }
    this.#areSalesFailed = !answer.ok;
    this.#ports.changed();
    this.#timer = setTimeout(() => void this.#readSales(), READ_EVERY_MS);
  }

  draw(): TemplateResult {
    const { who, words } = this.#ports;
    const { text } = words;
    if (this.#state === 'failed') {
      return html`<h1>${this.title}</h1><p role="alert">${text('seasons.one.failed')}
        <button @click=${() => void this.#open()}>${text('console.again')}</button></p>`;
    }
    const group = this.#group;
    if (!group) return html`<h1>${this.title}</h1><p role="status">${text('console.loading')}</p>`;
    return html`<h1>${group.name}</h1><p role="status">${text(`seasons.state.${group.state}`)}</p>
      ${roleHas(who.user.role, 'manage') ? this.#moves(group) : nothing}
      ${this.#nights.draw(this.#place(), null)}
      <section aria-labelledby="sales-title"><h2 id="sales-title">${text('seasons.group.sales')}</h2>
        ${this.#areSalesFailed ? html`<p role="alert">${text('seasons.group.sales.failed')}</p>` : nothing}
        ${this.#operations.length === 0 ? html`<p class="muted">${text('seasons.group.sales.none')}</p>` : this.#rows.draw(this.#operations, this.#columns(group))}
        ${this.#isCut ? html`<p class="muted">${text('seasons.group.sales.cut')}</p>` : nothing}</section>`;
  }

  #columns({ timezone }: Group): Column<Operation>[] {
    const { date, text } = this.#ports.words;
    const stateOf = ({ state }: Operation): string => {
      const known = states.find((each) => each === state);
      return known ? text(`seasons.operation.${known}` satisfies PlainKey) : state;
    };
    return [
      {
        id: 'ref',
        title: text('seasons.operation'),
        draw: ({ bookingRef, operationId }) => bookingRef ?? operationId,
        sortBy: ({ bookingRef, operationId }) => bookingRef ?? operationId,
      },
      {
        id: 'kind',
        title: text('seasons.operation.kind'),
        draw: ({ kind }) => text(`seasons.operation.${kind}`),
        sortBy: ({ kind }) => kind,
      },
      { id: 'state', title: text('seasons.state'), draw: stateOf, sortBy: stateOf },
      {
        id: 'at',
        title: text('seasons.operation.at'),
        draw: ({ createdAt }) => date(createdAt, timezone, 'medium'),
        sortBy: ({ createdAt }) => createdAt,
      },
      {
        id: 'until',
        title: text('seasons.operation.until'),
        draw: ({ expiresAt, kind }) =>
          expiresAt === null || kind === 'booking' ? nothing : date(expiresAt, timezone, 'medium'),
        sortBy: ({ expiresAt }) => expiresAt,
      },
    ];
  }

  #moves(group: Group): TemplateResult {
    const ports = this.#ports;
    const { text } = ports.words;
    return html`<p class="acts">${groupMoves(group, ports.words).map(
      (move) =>
        html`<button class=${move.isDanger ? 'danger' : nothing} @click=${() => askMove(ports, this.#path, move, this.#left.signal, this.#read)}>${move.confirm}</button>`,
    )}
      ${group.state === 'draft' ? html`<button class="danger" @click=${() => askDelete(ports, this.#path, group.name, this.#place())}>${text('seasons.delete')}</button>` : nothing}</p>`;
  }
}
