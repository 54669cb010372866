/**
 * The sale of an event: its ticket releases, its settings, the divisions of the house, prices with their fees, and the
 * chart.
 *
 * States: reading → shown; failed, where the event or its chart cannot be read. A reading after a change that fails
 * leaves the last values.
 */
import type { Category, ChartDocument } from '@parterre/shared/charts/document';
import { feesFor } from '@parterre/shared/protocol/money';
import { roleHas } from '@parterre/shared/protocol/rights';
import { html, nothing, type TemplateResult } from 'lit-html';
import type { Result } from '../../src/sale/calls.ts';
import type { EventRoom, Tab } from '../event/tab.ts';
import { adopt } from '../frame/adopt.ts';
import { ChartMove } from './chart-move.ts';
import type { EventDetail } from './detail.ts';
import { DivisionList } from './division-list.ts';
import { divisionsOf } from './divisions.ts';
import { looks } from './looks.ts';
import { ReleaseList } from './release-list.ts';
import { type Setting, settingsOf } from './settings.ts';

adopt(looks);

export function openSaleTab(room: EventRoom): Tab {
  return new SaleTab(room);
}

class SaleTab implements Tab {
  readonly #room: EventRoom;
  readonly #left = new AbortController();
  readonly #releases: ReleaseList;
  readonly #divisions: DivisionList;
  readonly #chart: ChartMove;
  #detail: EventDetail | null = null;
  #doc: ChartDocument | null = null;
  #state: 'reading' | 'shown' | 'failed' = 'reading';

  constructor(room: EventRoom) {
    this.#room = room;
    this.#releases = new ReleaseList(room, () => this.#categories);
    this.#divisions = new DivisionList(room, () => this.#readDetail());
    this.#chart = new ChartMove(room, async () => {
      await Promise.all([this.#read(), this.#releases.read(), room.reread()]);
    });
    void this.#read();
  }

  close(): void {
    this.#left.abort();
    this.#releases.close();
    this.#divisions.close();
    this.#chart.close();
  }

  get #path(): string {
    return `events/${encodeURIComponent(this.#room.key)}`;
  }

  get #categories(): readonly Category[] {
    return this.#doc?.categories ?? [];
  }

  async #read(): Promise<void> {
    const [chart] = await Promise.all([
      this.#room.ports.server.get<{ doc: ChartDocument }>(`${this.#path}/chart`, this.#left.signal),
      this.#readDetail(),
    ]);
    if (this.#left.signal.aborted) return;
    if (chart.ok) this.#doc = chart.value.doc;
    this.#state = this.#doc && this.#detail ? 'shown' : 'failed';
    this.#room.ports.changed();
  }

  async #readDetail(): Promise<void> {
    const answer = await this.#room.ports.server.get<EventDetail>(this.#path, this.#left.signal);
    if (this.#left.signal.aborted || !answer.ok) return;
    this.#detail = answer.value;
    this.#room.ports.changed();
  }

  draw(): TemplateResult {
    const { text } = this.#room.ports.words;
    const [detail, doc] = [this.#detail, this.#doc];
    if (this.#state === 'failed') {
      return html`<p role="alert">${text('sale.failed')}
        <button @click=${() => void this.#read()}>${text('console.again')}</button></p>`;
    }
    if (!detail || !doc) return html`<p role="status">${text('console.loading')}</p>`;
    return html`<p role="status">${this.#told(detail)}</p>
      ${this.#releases.draw()} ${this.#prices()}
      <section aria-labelledby="settings-title"><h2 id="settings-title">${text('sale.settings')}</h2>
        <div class="settings">${settingsOf(this.#categories).map((setting) => this.#setting(setting, detail))}</div></section>
      ${this.#divisions.draw(divisionsOf(doc), detail)} ${this.#chart.draw(detail)}`;
  }

  /** Whether buyers can buy now. */
  #told({ meta, salesStartAt, salesEndAt }: EventDetail): string {
    const { date, text } = this.#room.ports.words;
    const now = Date.now();
    const at = (time: number): string => date(time, meta.timezone, 'medium', true);
    if (meta.status !== 'active') return text('sale.told.off');
    if (meta.salesPaused) return text('sale.told.paused');
    if (salesStartAt !== null && now < salesStartAt) return text('sale.told.before', { date: at(salesStartAt) });
    if (salesEndAt !== null && now >= salesEndAt) return text('sale.told.after', { date: at(salesEndAt) });
    return salesEndAt === null ? text('sale.told.open') : text('sale.told.until', { date: at(salesEndAt) });
  }

  /** Prices and fees belong to the chart. */
  #prices(): TemplateResult {
    const { words } = this.#room.ports;
    const { text } = words;
    const unit = this.#room.meta();
    const rows = this.#categories.flatMap((category) => {
      const { label, tiers = [] } = category;
      const parts = tiers.length > 0 ? tiers : [null];
      return parts.map((tier) => ({
        name: tier ? `${label}, ${tier.name}` : label,
        price: tier ? tier.price : category.price,
        fees: feesFor(category, tier),
      }));
    });
    return html`<section aria-labelledby="prices-title"><h2 id="prices-title">${text('sale.prices')}</h2>
      <div class="wide" tabindex="0" role="region" aria-labelledby="prices-title"><table><thead><tr><th scope="col">${text('sale.releases.category')}</th><th scope="col">${text('sale.prices.price')}</th>
        <th scope="col">${text('sale.prices.fees')}</th></tr></thead>
      <tbody>${rows.map(
        ({ name, price, fees }) => html`<tr><th scope="row">${name}</th>
          <td>${price === undefined ? text('sale.prices.none') : words.money(price, unit)}</td>
          <td>${
            fees.fees.length === 0
              ? text('sale.prices.fees.none')
              : html`${words.list(fees.fees.map((fee) => `${fee.name} ${words.money(fee.amount, unit)}`))}
                <small class="muted">${text(fees.allIn ? 'sale.prices.in' : 'sale.prices.top')}</small>`
          }</td></tr>`,
      )}</tbody></table></div><p class="muted">${text('sale.prices.told')}</p></section>`;
  }

  #setting(setting: Setting, detail: EventDetail): TemplateResult {
    const { who, words } = this.#room.ports;
    const { text } = words;
    const title = text(setting.title);
    return html`<article class="setting" aria-labelledby="setting-${setting.id}"><h3 id="setting-${setting.id}">${title}</h3>
      <ul>${setting.shown(detail, words).map((line) => html`<li>${line}</li>`)}</ul>
      <p class="muted">${text(setting.told)}</p>
      ${
        roleHas(who.user.role, 'manage')
          ? html`<button aria-label="${text('sale.change')}: ${title}" @click=${() => this.#change(setting, detail)}>${text('sale.change')}</button>`
          : nothing
      }</article>`;
  }

  #change(setting: Setting, detail: EventDetail): void {
    const { ports } = this.#room;
    const { words } = ports;
    const { text } = words;
    const before = words.join(setting.shown(detail, words));
    ports.ask({
      title: text(setting.title),
      confirm: text('sale.change'),
      draw: (fault) => html`<p>${text('sale.now', { value: before })}</p>
        <p class="muted">${text(setting.told)}</p>${setting.fields(detail, words, fault)}`,
      send: async (form, key) => {
        const body = setting.read(form, detail, words);
        return 'ok' in body ? body : this.#send(setting, body, key);
      },
      done: async () => {
        await this.#readDetail();
        const after = this.#detail ? words.join(setting.shown(this.#detail, words)) : '';
        ports.tell({
          text: text('sale.changed', { name: text(setting.title), before, after }),
          undo: async (key) => {
            const undone = await this.#send(setting, setting.kept(detail), key);
            await this.#readDetail();
            return undone;
          },
        });
        if (setting.id === 'currency') void this.#room.reread();
      },
    });
  }

  #send({ route }: Setting, body: object, key: string): Promise<Result<unknown>> {
    const { server } = this.#room.ports;
    return route
      ? server.send('POST', `${this.#path}/${route}`, { body, key })
      : server.send('PATCH', this.#path, { body, key });
  }
}
