/**
 * The chart of the event: whether a newer version is published, what a move to it or to another chart would do, and the
 * move. The preview comes first. Places that are sold or held and would move need a word and a reason; places that
 * would vanish forbid the move.
 *
 * States: idle → looking → looked or failed; a choice of another chart starts over. The server judges again at the
 * move, so a sale in between is refused, and not lost.
 */
import { roleHas } from '@parterre/shared/protocol/rights';
import { html, nothing, type TemplateResult } from 'lit-html';
import type { EventRoom } from '../event/tab.ts';
import { Act } from '../frame/act.ts';
import { checkField, field, textField } from '../frame/field.ts';
import { refusedWith, toldOf } from '../frame/refusals.ts';
import type { EventDetail } from './detail.ts';

type Stand = { category: string; objectId: string };
type Preview = {
  vanishing: string[];
  vanishingCount: number;
  moved: { label: string; from: Stand; to: Stand }[];
  movedCount: number;
  renumberedCount: number;
  droppedAssignments: { channelId: string; count: number }[];
};
type Chart = { id: string; name: string; status: string };

const LABELS_SHOWN_MAX = 20;

export class ChartMove {
  readonly #room: EventRoom;
  readonly #left = new AbortController();
  readonly #moved: () => Promise<void>;
  readonly #look: Act;
  #charts: readonly Chart[] = [];
  #chosen: string;
  #preview: Preview | null = null;

  /** `moved` reads everything anew that the chart has. */
  constructor(room: EventRoom, moved: () => Promise<void>) {
    this.#room = room;
    this.#moved = moved;
    this.#chosen = room.meta().chartId;
    this.#look = new Act(room.ports.changed);
    void this.#readCharts();
  }

  close(): void {
    this.#left.abort();
  }

  get #path(): string {
    return `events/${encodeURIComponent(this.#room.key)}/update-chart`;
  }

  /** Without an answer the list has the event's own chart alone. */
  async #readCharts(): Promise<void> {
    const { workspaceId } = this.#room.meta();
    for (let cursor: string | undefined = ''; cursor !== undefined; ) {
      const query = new URLSearchParams({ limit: '200', workspaceId, ...(cursor !== '' && { cursor }) });
      const answer = await this.#room.ports.server.get<{ charts: Chart[]; nextCursor?: string }>(
        `charts?${query}`,
        this.#left.signal,
      );
      if (!answer.ok) return;
      this.#charts = [...this.#charts, ...answer.value.charts.filter(({ status }) => status === 'published')];
      cursor = answer.value.nextCursor;
      this.#room.ports.changed();
    }
  }

  draw({ chartUpdate }: EventDetail): TemplateResult {
    const { who, words } = this.#room.ports;
    const { text } = words;
    const state = chartUpdate.behind
      ? chartUpdate.canAutoUpdate
        ? 'sale.chart.alone'
        : 'sale.chart.behind'
      : 'sale.chart.latest';
    return html`<section aria-labelledby="chart-title"><h2 id="chart-title">${text('sale.chart')}</h2>
      <p>${text(state)}</p>
      <p class="acts"><label>${text('sale.chart.choose')} <select @change=${this.#choose}>${this.#options()}</select></label>
        <button ?disabled=${this.#look.state.kind === 'sending'} @click=${() => void this.#lookAhead()}>${text('sale.chart.look')}</button></p>
      <p role="alert">${toldOf(this.#look.state, words)}</p>
      ${this.#preview ? this.#drawPreview(this.#preview, roleHas(who.user.role, 'manage')) : nothing}</section>`;
  }

  #options(): TemplateResult[] {
    const { text } = this.#room.ports.words;
    const own = this.#room.meta().chartId;
    const others = this.#charts.filter(({ id }) => id !== own);
    const name = this.#charts.find(({ id }) => id === own)?.name ?? own;
    return [{ id: own, name: text('sale.chart.own', { chart: name }) }, ...others].map(
      (chart) => html`<option value=${chart.id} ?selected=${chart.id === this.#chosen}>${chart.name}</option>`,
    );
  }

  #choose = (event: Event): void => {
    this.#chosen = (event.target as HTMLSelectElement).value;
    this.#preview = null;
    this.#look.renew();
    this.#room.ports.changed();
  };

  async #lookAhead(): Promise<void> {
    const chartId = this.#chosen;
    this.#preview = null;
    const looked = await this.#look.send((key) =>
      this.#room.ports.server.send<Preview>('POST', `${this.#path}/preview`, { body: { chartId }, key }),
    );
    if (this.#left.signal.aborted || chartId !== this.#chosen || !looked) return;
    this.#preview = looked.value;
    this.#room.ports.changed();
  }

  #drawPreview(preview: Preview, mayChange: boolean): TemplateResult {
    const { text } = this.#room.ports.words;
    const { vanishingCount, movedCount, renumberedCount } = preview;
    const dropped = droppedIn(preview);
    const isQuiet = vanishingCount + movedCount + renumberedCount + dropped === 0;
    return html`<div class="preview" role="status">
      ${isQuiet ? html`<p>${text('sale.chart.quiet')}</p>` : nothing}
      ${vanishingCount > 0 ? html`<p><strong>${text('sale.chart.vanish', { count: vanishingCount })}</strong> ${this.#labels(preview.vanishing, vanishingCount)}</p>` : nothing}
      ${movedCount > 0 ? html`<p>${text('sale.chart.moves', { count: movedCount })}</p>${this.#moves(preview)}` : nothing}
      ${renumberedCount > 0 ? html`<p>${text('sale.chart.renumbered', { count: renumberedCount })}</p>` : nothing}
      ${dropped > 0 ? html`<p>${text('sale.chart.dropped', { count: dropped })}</p>` : nothing}
      ${mayChange && vanishingCount === 0 ? html`<button class="primary" @click=${() => this.#ask(preview)}>${text('sale.chart.move')}</button>` : nothing}
    </div>`;
  }

  #labels(labels: readonly string[], count: number): string {
    const { join, text } = this.#room.ports.words;
    const shown = labels.slice(0, LABELS_SHOWN_MAX);
    const more = count - shown.length;
    return more > 0 ? `${join(shown)} ${text('refused.more', { count: more })}` : join(shown);
  }

  #moves({ moved, movedCount }: Preview): TemplateResult {
    const { text } = this.#room.ports.words;
    const shown = moved.slice(0, LABELS_SHOWN_MAX);
    return html`<ul>${shown.map(
      ({ label, from, to }) =>
        html`<li><strong>${label}</strong> ${from.category === to.category ? text('sale.chart.place') : text('sale.chart.category', { from: from.category, to: to.category })}</li>`,
    )}</ul>${movedCount > shown.length ? html`<p>${text('refused.more', { count: movedCount - shown.length })}</p>` : nothing}`;
  }

  #ask(preview: Preview): void {
    const { ports } = this.#room;
    const { text } = ports.words;
    const chartId = this.#chosen;
    const dropped = droppedIn(preview);
    const needsReason = dropped > 0 || preview.movedCount > 0;
    ports.ask<{ updated: boolean }>({
      title: text('sale.chart.move'),
      confirm: text('sale.chart.move'),
      isDanger: needsReason,
      draw: (fault) => html`<p>${text('sale.chart.move.told')}</p>
        ${preview.movedCount > 0 ? checkField(text('sale.chart.word.moved', { count: preview.movedCount }), 'moved') : nothing}
        ${dropped > 0 ? checkField(text('sale.chart.word.dropped', { count: dropped }), 'dropped') : nothing}
        ${
          needsReason
            ? textField({ label: text('sale.chart.reason'), fault: fault('reason') }, 'reason', '', true)
            : field(
                { label: text('sale.chart.reason.optional'), fault: fault('reason') },
                html`<input name="reason" maxlength="500">`,
              )
        }`,
      send: async (form, key) => {
        const isTold = (name: string, count: number): boolean => count === 0 || form.get(name) !== null;
        if (!isTold('moved', preview.movedCount) || !isTold('dropped', dropped)) {
          return refusedWith(text('sale.chart.word.missing'));
        }
        const reason = String(form.get('reason')).trim();
        const body = {
          chartId,
          ...(reason !== '' && { reason }),
          ...(preview.movedCount > 0 && { acknowledgeMoved: true }),
          ...(dropped > 0 && { acknowledgeDroppedAssignments: true }),
        };
        return ports.server.send('POST', this.#path, { body, key });
      },
      done: ({ updated }) => {
        this.#preview = null;
        ports.tell({ text: text(updated ? 'sale.chart.moved' : 'sale.chart.same') });
        void this.#moved();
      },
    });
  }
}

const droppedIn = ({ droppedAssignments }: Preview): number =>
  droppedAssignments.reduce((sum, { count }) => sum + count, 0);
