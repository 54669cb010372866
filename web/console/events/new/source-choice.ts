/**
 * The choice of a new event's chart: a published one, or a template in sizes of the person's choice, and the prices
 * that it lacks. The address keeps chart and template (`chart=cht_…`, `template=theatre`).
 *
 * States of a chart: none → reading its document → known, or unreadable (then no price is asked for). A document that
 * comes after another choice is dropped.
 */
import type { Category, ChartDocument } from '@parterre/shared/charts/document';
import { html, nothing, type TemplateResult } from 'lit-html';
import { addressOf, beside, type ViewAddress } from '../../address.ts';
import { amountFrom, amountStep, amountText } from '../../frame/amount.ts';
import { field, fieldOf } from '../../frame/field.ts';
import type { FaultOf } from '../../frame/refusals.ts';
import { smallPicture, TemplateChoice } from '../../frame/template-choice.ts';
import type { Ports } from '../../view.ts';
import { type ChartMeta, hasDraft, unpriced, withPrices } from './chart-source.ts';
import type { ChartWish } from './making.ts';

type PriceUnit = 'major' | 'minor';
type ReadChart = { doc: ChartDocument; categorySeats: Record<string, number>; meta: ChartMeta };

export class SourceChoice {
  readonly #ports: Ports;
  readonly #place: () => ViewAddress;
  readonly #left: AbortSignal;
  readonly #templates: TemplateChoice;
  #charts: readonly ChartMeta[] = [];
  #copied: string | null = null;
  #read: ReadChart | null = null;
  #unit: PriceUnit = 'major';

  constructor(ports: Ports, place: () => ViewAddress, left: AbortSignal) {
    this.#ports = ports;
    this.#place = place;
    this.#left = left;
    this.#templates = new TemplateChoice(ports.words, ports.changed);
  }

  /** `copied` is the chart of the event to copy. */
  offer(charts: readonly ChartMeta[], copied: string | null): void {
    this.#charts = charts.filter(({ status }) => status === 'published');
    this.#copied = copied;
    this.moved();
  }

  /** The address has changed. */
  moved(): void {
    if (this.#templateId !== null) void this.#templates.load();
    else if (this.#chart && this.#read?.meta.id !== this.#chart.id) void this.#readChart(this.#chart.id);
  }

  get #templateId(): string | null {
    return this.#place().query.template ?? null;
  }

  get #chart(): ChartMeta | null {
    const wanted = this.#place().query.chart ?? this.#copied;
    return this.#charts.find(({ id }) => id === wanted) ?? null;
  }

  /** There is a chart or a template to make an event from. */
  get isReady(): boolean {
    return this.#templateId === null ? this.#chart !== null : this.#drawn !== null;
  }

  async #readChart(id: string): Promise<void> {
    this.#read = null;
    const answer = await this.#ports.server.get<ReadChart>(`charts/${encodeURIComponent(id)}`, this.#left);
    if (this.#left.aborted || this.#chart?.id !== id) return;
    if (answer.ok) this.#read = answer.value;
    this.#ports.changed();
  }

  draw(): TemplateResult {
    const { text } = this.#ports.words;
    const isTemplate = this.#templateId !== null;
    const link = (label: string, isHere: boolean, query: Record<string, string>) =>
      html`<a class="button" href=${this.#addressWith(query)} aria-current=${isHere ? 'true' : nothing}>${label}</a>`;
    return html`<fieldset class="source"><legend>${text('events.new.source')}</legend>
      <p class="buttons start">${link(text('events.new.from_chart'), !isTemplate, {})}
        ${link(text('events.new.from_template'), isTemplate, { template: this.#templateId ?? 'theatre' })}</p>
      ${isTemplate ? this.#templates.draw(this.#templateId!, (template) => this.#go({ template })) : this.#chartChoice()}
    </fieldset>`;
  }

  #addressWith(query: Record<string, string>): string {
    const { from } = this.#place().query;
    return addressOf({ ...this.#place(), query: { ...(from !== undefined && { from }), ...query } });
  }

  #go(query: Record<string, string>): void {
    const { from } = this.#place().query;
    this.#ports.go({ ...this.#place(), query: { ...(from !== undefined && { from }), ...query } }, 'replace');
  }

  #chartChoice(): TemplateResult {
    const { text } = this.#ports.words;
    if (this.#charts.length === 0) {
      const link = (path: string, label: string) =>
        html`<a class="button" href=${addressOf(beside(this.#place(), [path]))}>${label}</a>`;
      return html`<p>${text('events.new.no_chart')}</p>
        <p class="buttons start">${link('charts', text('charts.title'))} ${link('import-chart', text('charts.import'))}</p>`;
    }
    const chart = this.#chart;
    const choose = (event: Event) => this.#go({ chart: (event.target as HTMLSelectElement).value });
    return html`${field(
      { label: text('events.new.chart'), hint: chart ? text('events.places', { count: chart.seatTotal }) : undefined },
      html`<select required @change=${choose}>
        <option value="">${text('events.new.chart.choose')}</option>
        ${this.#charts.map(({ id, name }) => html`<option value=${id} ?selected=${id === chart?.id}>${name}</option>`)}
      </select>`,
    )}
      ${this.#copied !== null && chart === null ? html`<p role="alert">${text('events.copy.no_chart')}</p>` : nothing}
      ${this.#read && this.#read.meta.id === chart?.id ? smallPicture(this.#read.doc) : nothing}`;
  }

  get #drawn(): ChartDocument | null {
    return this.#templateId === null ? null : this.#templates.document(this.#templateId);
  }

  /** The categories whose price the form asks for. */
  get #asked(): readonly Category[] {
    if (this.#templateId !== null) return this.#drawn?.categories ?? [];
    if (!this.#read || hasDraft(this.#read.meta)) return [];
    return unpriced(this.#read.doc, this.#read.categorySeats);
  }

  /** Null where the chart decides. */
  priceUnit(form: FormData): PriceUnit | null {
    if (this.#templateId === null) return null;
    return form.get('priceUnit') === 'minor' ? 'minor' : 'major';
  }

  /** The fields of prices, and of their unit. */
  prices(currency: string, faultAt: FaultOf): TemplateResult {
    const { text } = this.#ports.words;
    const isTemplate = this.#templateId !== null;
    const unit = isTemplate ? this.#unit : (this.#chart?.priceUnit ?? 'major');
    const money = { currency, priceUnit: unit };
    const choose = (each: PriceUnit) => {
      this.#unit = each;
      this.#ports.changed();
    };
    return html`${
      isTemplate
        ? (['major', 'minor'] as const).map(
            (
              each,
            ) => html`<label class="check"><input type="radio" name="priceUnit" value=${each} ?checked=${each === unit}
              @change=${() => choose(each)}> <span>${text(`events.new.unit.${each}`)}</span></label>`,
          )
        : html`<p class="muted">${text(`events.new.unit.of_chart.${unit}`)}</p>`
    }
      ${isTemplate || this.#asked.length === 0 ? nothing : html`<p>${text('events.new.prices.missing')}</p>`}
      ${this.#hasUnpricedDraft ? html`<p role="note">${text('events.new.prices.draft')}</p>` : nothing}
      <div class="sizes">${this.#asked.map(({ key, label, price }) =>
        field(
          { label, fault: faultAt(`price.${key}`) },
          html`<input type="number" name=${`price.${key}`} min="0" step=${amountStep(money)} required
            value=${price === undefined ? '' : amountText(unit === 'minor' ? price * scaleOf(currency) : price, money)}>`,
        ),
      )}</div>`;
  }

  /** A chart with changes behind its publish keeps its prices: a publish here would publish the changes too. */
  get #hasUnpricedDraft(): boolean {
    return (
      this.#read !== null && hasDraft(this.#read.meta) && unpriced(this.#read.doc, this.#read.categorySeats).length > 0
    );
  }

  /** The chart that the event is made from, or the field with a bad price. */
  wish(form: FormData, currency: string): ChartWish | { fault: string } {
    const unit = this.#templateId === null ? (this.#chart?.priceUnit ?? 'major') : this.priceUnit(form)!;
    const prices = new Map<string, number>();
    for (const { key } of this.#asked) {
      const amount = amountFrom(String(form.get(`price.${key}`) ?? ''), { currency, priceUnit: unit });
      if (amount === null) return { fault: `price.${key}` };
      prices.set(key, amount);
    }
    const { workspaceId } = this.#place();
    if (this.#templateId !== null) {
      const name = fieldOf(form, 'name');
      const document = { ...withPrices(this.#drawn!, prices), name, priceUnit: unit };
      return { id: null, document, updatedAt: null, workspaceId };
    }
    const { id, updatedAt } = this.#read?.meta ?? { id: this.#chart!.id, updatedAt: null };
    const document = prices.size > 0 ? withPrices(this.#read!.doc, prices) : null;
    return { id, document, updatedAt, workspaceId };
  }
}

/** Prices of templates are whole. */
const scaleOf = (currency: string): number => 1 / Number(amountStep({ currency, priceUnit: 'minor' }));
