/**
 * The ticket releases of an event: in their order, with what sells now and next. A change sends the whole list.
 *
 * Two people at once: the server takes the last list. So the page reads the list anew right before it sends one, and
 * refuses to overwrite a list that somebody else has changed.
 */
import type { Category } from '@parterre/shared/charts/document';
import { roleHas } from '@parterre/shared/protocol/rights';
import { html, nothing, type TemplateResult } from 'lit-html';
import type { Result } from '../../src/sale/calls.ts';
import type { EventRoom } from '../event/tab.ts';
import { isUnanswered } from '../frame/act.ts';
import { amountExample, amountFrom, amountText } from '../frame/amount.ts';
import { field, fieldOf, textField, timeField } from '../frame/field.ts';
import { type FaultOf, faultAt, refusedWith } from '../frame/refusals.ts';
import { changedTime, zoneName } from '../frame/zoned-time.ts';
import { draftOf, isSameList, moved, placesOf, type Release, type ReleaseDraft, restored } from './release-plan.ts';

type Answer = { releases: Release[] };

const actions = ['buy', 'apply', 'invoice'] as const;
export class ReleaseList {
  readonly #room: EventRoom;
  readonly #left = new AbortController();
  /** Of the event's chart. */
  readonly #categories: () => readonly Category[];
  #releases: readonly Release[] = [];
  #state: 'reading' | 'shown' | 'failed' = 'reading';

  constructor(room: EventRoom, categories: () => readonly Category[]) {
    this.#room = room;
    this.#categories = categories;
    void this.read();
  }

  close(): void {
    this.#left.abort();
  }

  get #path(): string {
    return `events/${encodeURIComponent(this.#room.key)}/releases`;
  }

  async read(): Promise<void> {
    const answer = await this.#room.ports.server.get<Answer>(this.#path, this.#left.signal);
    if (this.#left.signal.aborted) return;
    if (answer.ok) this.#releases = answer.value.releases;
    this.#state = answer.ok ? 'shown' : 'failed';
    this.#room.ports.changed();
  }

  draw(): TemplateResult {
    const { who, words } = this.#room.ports;
    const { text } = words;
    const mayChange = roleHas(who.user.role, 'market');
    return html`<section aria-labelledby="releases-title"><header class="part-head">
        <h2 id="releases-title">${text('sale.releases')}</h2>
        ${mayChange ? html`<button @click=${() => this.#edit(null)}>${text('sale.releases.new')}</button>` : nothing}</header>
      ${this.#body(mayChange)}</section>`;
  }

  #body(mayChange: boolean): TemplateResult {
    const { text } = this.#room.ports.words;
    if (this.#state === 'reading') return html`<p role="status">${text('console.loading')}</p>`;
    if (this.#state === 'failed') {
      return html`<p role="alert">${text('sale.releases.failed')}
        <button @click=${() => void this.read()}>${text('console.again')}</button></p>`;
    }
    if (this.#releases.length === 0) return html`<p class="muted">${text('sale.releases.none')}</p>`;
    const columns = ['place', 'name', 'category', 'price', 'left', 'time'] as const;
    const places = placesOf(this.#releases);
    return html`<div class="wide" tabindex="0" role="region" aria-labelledby="releases-title"><table>
        <thead><tr>${columns.map((name) => html`<th scope="col">${text(`sale.releases.${name}`)}</th>`)}
          ${mayChange ? html`<th scope="col">${text('sale.releases.actions')}</th>` : nothing}</tr></thead>
        <tbody>${this.#releases.map((release, index) => {
          const place =
            release.state === 'active' || release.state === 'upcoming' ? places.get(release.id)! : release.state;
          return html`<tr><td><span class="badge" data-place=${place}>${text(`sale.place.${place}`)}</span></td>
            <th scope="row">${release.name}</th><td>${this.#categoryOf(release.categoryKey)}</td>
            <td>${this.#price(release)}</td><td>${this.#quota(release)}</td><td>${this.#time(release)}</td>
            ${mayChange ? html`<td>${this.#acts(release, index)}</td>` : nothing}</tr>`;
        })}</tbody></table></div>
      <p class="muted">${text('sale.releases.told')}</p>`;
  }

  #categoryOf(key: string | null): string {
    const { text } = this.#room.ports.words;
    if (key === null) return text('sale.releases.every');
    return this.#categories().find((category) => category.key === key)?.label ?? key;
  }

  #price({ price, previousPrice, action }: Release): TemplateResult {
    const { money, text } = this.#room.ports.words;
    const unit = this.#room.meta();
    return html`${money(price, unit)} ${previousPrice === null ? nothing : html`<s class="muted">${money(previousPrice, unit)}</s>`}
      ${action === 'buy' ? nothing : html`<small class="muted">${text(`sale.action.${action}`)}</small>`}`;
  }

  #quota({ quota, remaining, consumed }: Release): string {
    const { text } = this.#room.ports.words;
    if (quota === null || remaining === null) return text('sale.releases.sold', { count: consumed });
    return text('sale.releases.of', { left: remaining, quota });
  }

  #time({ startsAt, endsAt }: Release): string {
    const { date, text } = this.#room.ports.words;
    const { timezone } = this.#room.meta();
    const at = (time: number): string => date(time, timezone, 'medium');
    if (startsAt !== null && endsAt !== null) return text('sale.from.to', { from: at(startsAt), to: at(endsAt) });
    if (startsAt !== null) return text('sale.from', { from: at(startsAt) });
    return endsAt === null ? text('sale.always') : text('sale.to', { to: at(endsAt) });
  }

  #acts(release: Release, index: number): TemplateResult {
    const { text } = this.#room.ports.words;
    const act = (title: string, press: () => void, isOff = false) =>
      html`<button aria-label="${title}: ${release.name}" ?disabled=${isOff} @click=${press}>${title}</button>`;
    const isOver = release.state === 'closed' || release.state === 'ended';
    return html`<span class="row-acts">${act(text('sale.releases.change'), () => this.#edit(release))}
      ${act(text('sale.releases.up'), () => this.#move(release, -1), index === 0)}
      ${act(text('sale.releases.down'), () => this.#move(release, 1), index === this.#releases.length - 1)}
      ${isOver ? nothing : act(text('sale.releases.close'), () => this.#close(release))}
      ${act(text('sale.releases.remove'), () => this.#remove(release))}</span>`;
  }

  #edit(release: Release | null): void {
    const { ports } = this.#room;
    const { text } = ports.words;
    const { id } = release ?? {};
    const title = release ? text('sale.releases.change') : text('sale.releases.new');
    const index = id === undefined ? this.#releases.length : this.#releases.findIndex((each) => each.id === id);
    this.#ask({
      title: release ? `${title}: ${release.name}` : title,
      confirm: title,
      draw: (fault) => this.#fields(release, (path) => fault(`releases.${index}.${path}`)),
      list: (form) => {
        const draft = this.#draftIn(form, release, `releases.${index}`);
        if ('ok' in draft) return draft;
        const others = this.#releases.map(draftOf);
        return id === undefined ? [...others, draft] : others.map((each) => (each.id === id ? { id, ...draft } : each));
      },
      told: text('sale.releases.saved'),
    });
  }

  #fields(release: Release | null, fault: FaultOf): TemplateResult {
    const { text } = this.#room.ports.words;
    const unit = this.#room.meta();
    const { timezone } = unit;
    const amount = (value: number | null | undefined): string => (value == null ? '' : amountText(value, unit));
    const zone = text('sale.zone', { zone: zoneName(timezone) });
    const plain = this.#categories().filter(({ tiers = [] }) => tiers.length === 0);
    return html`${textField({ label: text('sale.releases.name'), fault: fault('name') }, 'name', release?.name, true)}
      ${field(
        { label: text('sale.releases.category'), fault: fault('categoryKey'), hint: text('sale.releases.tiers') },
        html`<select name="categoryKey"><option value="">${text('sale.releases.every')}</option>${plain.map(
          ({ key, label }) => html`<option value=${key} ?selected=${release?.categoryKey === key}>${label}</option>`,
        )}</select>`,
      )}
      ${field(
        { label: text('sale.releases.price'), fault: fault('price') },
        html`<input name="price" inputmode="decimal" autocomplete="off" required value=${amount(release?.price)}>`,
      )}
      ${field(
        { label: text('sale.releases.before'), fault: fault('previousPrice') },
        html`<input name="previousPrice" inputmode="decimal" autocomplete="off" value=${amount(release?.previousPrice)}>`,
      )}
      ${field(
        { label: text('sale.releases.quota'), fault: fault('quota'), hint: text('sale.releases.quota.none') },
        html`<input type="number" name="quota" min="1" step="1" value=${release?.quota ?? ''}>`,
      )}
      ${timeField({ label: text('sale.releases.starts'), hint: zone, fault: fault('startsAt') }, 'startsAt', { at: release?.startsAt ?? null, timezone })}
      ${timeField({ label: text('sale.releases.ends'), hint: zone, fault: fault('endsAt') }, 'endsAt', { at: release?.endsAt ?? null, timezone })}
      ${field(
        { label: text('sale.releases.action'), fault: fault('action') },
        html`<select name="action">${actions.map(
          (each) =>
            html`<option value=${each} ?selected=${release?.action === each}>${text(`sale.action.${each}`)}</option>`,
        )}</select>`,
      )}
      ${field(
        { label: text('sale.releases.url'), fault: fault('actionUrl') },
        html`<input type="url" name="actionUrl" autocomplete="off" value=${release?.actionUrl ?? ''}>`,
      )}`;
  }

  #draftIn(
    form: FormData,
    release: Release | null,
    path: string,
  ): ReleaseDraft | Extract<Result<never>, { ok: false }> {
    const unit = this.#room.meta();
    const example = amountExample(unit);
    const wrong = (name: string) => faultAt(`${path}.${name}`, this.#room.ports.words.text('sale.amount', { example }));
    const price = amountFrom(fieldOf(form, 'price'), unit);
    const before = fieldOf(form, 'previousPrice');
    const previousPrice = before === '' ? null : amountFrom(before, unit);
    if (price === null) return wrong('price');
    if (before !== '' && previousPrice === null) return wrong('previousPrice');
    const time = (name: 'startsAt' | 'endsAt'): number | null =>
      changedTime(fieldOf(form, name), unit.timezone, release?.[name] ?? null);
    return {
      name: fieldOf(form, 'name'),
      price,
      previousPrice,
      quota: fieldOf(form, 'quota') === '' ? null : Number(fieldOf(form, 'quota')),
      startsAt: time('startsAt'),
      endsAt: time('endsAt'),
      categoryKey: fieldOf(form, 'categoryKey') || null,
      action: fieldOf(form, 'action') as Release['action'],
      actionUrl: fieldOf(form, 'actionUrl') || null,
    };
  }

  #move(release: Release, by: 1 | -1): void {
    const { text } = this.#room.ports.words;
    const order = moved(this.#releases, release.id, by);
    const title = text(by < 0 ? 'sale.releases.up' : 'sale.releases.down');
    this.#ask({
      title: `${title}: ${release.name}`,
      confirm: title,
      draw: () =>
        html`<p>${text('sale.releases.order')}</p><ol>${order.map(({ name }) => html`<li>${name}</li>`)}</ol>`,
      list: () => order.map(draftOf),
      told: text('sale.releases.saved'),
    });
  }

  #remove(release: Release): void {
    const { text } = this.#room.ports.words;
    this.#ask({
      title: `${text('sale.releases.remove')}: ${release.name}`,
      confirm: text('sale.releases.remove'),
      draw: () => html`<p>${text('sale.releases.remove.told', { count: release.consumed })}</p>`,
      list: () => this.#releases.filter(({ id }) => id !== release.id).map(draftOf),
      told: text('sale.releases.removed', { name: release.name }),
    });
  }

  #close(release: Release): void {
    const { ports } = this.#room;
    const { text } = ports.words;
    ports.ask<Answer>({
      title: `${text('sale.releases.close')}: ${release.name}`,
      confirm: text('sale.releases.close'),
      draw: () => html`<p>${text('sale.releases.close.told')}</p>`,
      send: (_, key) => ports.server.send('POST', `${this.#path}/${release.id}/close`, { body: {}, key }),
      done: (answer) => {
        this.#take(answer);
        ports.tell({ text: text('sale.releases.closed', { name: release.name }) });
      },
    });
  }

  /** Asks for a new list. It is sent if the list on the server is still the one on the page. */
  #ask(wish: {
    title: string;
    confirm: string;
    draw(fault: FaultOf): TemplateResult;
    list(form: FormData): ReleaseDraft[] | Extract<Result<never>, { ok: false }>;
    told: string;
  }): void {
    const { ports } = this.#room;
    const before = this.#releases;
    let isRepeated = false;
    ports.ask<Answer>({
      title: wish.title,
      confirm: wish.confirm,
      draw: wish.draw,
      send: async (form, key) => {
        const list = wish.list(form);
        if ('ok' in list) return list;
        const present = await ports.server.get<Answer>(this.#path);
        if (!present.ok) return present;
        // The list that an unanswered call of this wish has made is no other person's.
        if (!isRepeated && !isSameList(before, present.value.releases)) {
          this.#take(present.value);
          return refusedWith(ports.words.text('sale.releases.changed'));
        }
        const sent = await this.#put(list, key);
        isRepeated = isUnanswered(sent);
        return sent;
      },
      done: (answer) => {
        this.#take(answer);
        ports.tell({ text: wish.told, undo: (key) => this.#restore(before, key) });
      },
    });
  }

  async #restore(before: readonly Release[], key: string): Promise<Result<unknown>> {
    const { ports } = this.#room;
    const present = await ports.server.get<Answer>(this.#path);
    if (!present.ok) return present;
    const undone = await this.#put(restored(before, present.value.releases), key);
    if (undone.ok) this.#take(undone.value);
    return undone;
  }

  #put(releases: readonly ReleaseDraft[], key: string): Promise<Result<Answer>> {
    return this.#room.ports.server.send('PUT', this.#path, { body: { releases }, key });
  }

  #take({ releases }: Answer): void {
    this.#releases = releases;
    this.#room.ports.changed();
  }
}
