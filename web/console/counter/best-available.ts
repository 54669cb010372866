/**
 * The event chooses the places: how many, in which category and section, up to which price, wheelchair places. The
 * choice is held at once. Who wants to sit together only is told before where no such places are left, and nothing is
 * held then.
 */

import { digitsOf } from '@parterre/shared/protocol/currencies';
import { html, nothing, type TemplateResult } from 'lit-html';
import type { Result } from '../../src/sale/calls.ts';
import { saleTold } from '../event/sale-refusals.ts';
import { Act } from '../frame/act.ts';
import { fieldOf } from '../frame/field.ts';
import type { Desk } from './desk.ts';

type Query = { qty: number } & Record<string, unknown>;
type Section = { sectionId: string; sectionLabel: string };
type Choice = { labels: string[]; together: boolean; parts: string[][] };

const PLACES_MAX = 50;

export class BestAvailable {
  readonly #desk: Desk;
  readonly #act: Act;
  #isApart = false;
  /** Null until the person opens the form. */
  #sections: readonly Section[] | null = null;

  constructor(desk: Desk) {
    this.#desk = desk;
    this.#act = new Act(desk.room.ports.changed);
  }

  draw(): TemplateResult | typeof nothing {
    const { meta, ports, map } = this.#desk.room;
    const { words } = ports;
    const { text } = words;
    const { hall } = map().live;
    const { status, salesPaused } = meta();
    if (!hall || status !== 'active' || salesPaused) return nothing;
    const isSending = this.#act.state.kind === 'sending';
    return html`<details @toggle=${() => void this.#readSections()}><summary>${text('counter.best')}</summary>
      <form class="fields" @submit=${this.#submit} @input=${() => this.#retyped()}>
        <label>${text('counter.best.places')} <input name="qty" type="number" min="1" max=${PLACES_MAX} value="2" required></label>
        <label>${text('counter.best.category')} <select name="categoryKey"><option value="">${text('counter.best.any')}</option>
          ${hall.categories.map(({ key, label }) => html`<option value=${key}>${label}</option>`)}</select></label>
        ${
          this.#sections?.length
            ? html`<label>${text('counter.best.section')} <select name="section"><option value="">${text('counter.best.any')}</option>
              ${this.#sections.map(
                ({ sectionId, sectionLabel }) => html`<option value=${sectionId}>${sectionLabel}</option>`,
              )}</select></label>`
            : nothing
        }
        <label>${text('counter.best.price', { currency: meta().currency })}
          <input name="price" inputmode="decimal" pattern="[0-9]+([.,][0-9]+)?" autocomplete="off"></label>
        <label>${text('counter.best.wheelchair')} <input name="wheelchair" type="number" min="0" max=${PLACES_MAX} value="0"></label>
        <label class="inline"><input name="together" type="checkbox" checked> ${text('counter.best.together')}</label>
        <p role="alert">${saleTold(this.#act.state, words)}${this.#isApart ? text('counter.best.apart') : nothing}</p>
        <p class="buttons"><button ?disabled=${isSending}
          >${text(this.#act.state.kind === 'unknown' ? 'console.again' : 'counter.best.hold')}</button></p>
      </form></details>`;
  }

  /** Without an answer the form has no field for the section. */
  async #readSections(): Promise<void> {
    if (this.#sections !== null) return;
    this.#sections = [];
    const { server, changed } = this.#desk.room.ports;
    const answer = await server.get<{ report: { bySection: Section[] } }>(`${this.#desk.path}/report`);
    if (!answer.ok) this.#sections = null;
    else this.#sections = answer.value.report.bySection.filter(({ sectionId }) => !sectionId.startsWith('__'));
    changed();
  }

  #retyped(): void {
    this.#isApart = false;
    this.#act.renew();
  }

  #submit = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault();
    const form = new FormData(event.currentTarget as HTMLFormElement);
    const body = this.#query(form);
    const isTogether = form.get('together') === 'on';
    const held = await this.#act.send((key) => this.#hold(body, isTogether, key));
    if (!held) return;
    this.#isApart = held.value.holdId === null;
    if (held.value.holdId !== null) this.#desk.openHold(held.value.holdId);
    else this.#desk.room.ports.changed();
  };

  /** Without a hold where the places are apart and the buyers want to sit together. */
  async #hold(body: Query, isTogether: boolean, key: string): Promise<Result<{ holdId: string | null }>> {
    if (!isTogether) return this.#desk.post('best-available', body, key);
    const dry = { ...body, alternatives: 1 };
    const looked = await this.#desk.post<{ alternatives: Choice[] }>('best-available', dry, `${key}-look`);
    if (!looked.ok) return looked;
    const [choice] = looked.value.alternatives;
    if (!choice?.together) return { ok: true, value: { holdId: null } };
    return this.#desk.post('best-available', body, key);
  }

  #query(form: FormData): Query {
    const { currency, priceUnit } = this.#desk.room.meta();
    const asked = (name: string): string => fieldOf(form, name);
    const wheelchairs = Number(asked('wheelchair'));
    const units = priceUnit === 'minor' ? 10 ** digitsOf(currency) : 1;
    const price = Math.floor(Number(asked('price').replace(',', '.')) * units + ROUNDING);
    return {
      qty: Number(asked('qty')),
      ...(asked('categoryKey') !== '' && { categoryKey: asked('categoryKey') }),
      ...(asked('section') !== '' && { sectionId: asked('section') }),
      ...(asked('price') !== '' && { maxUnitPrice: price }),
      ...(wheelchairs > 0 && { accessible: true, accessibleSeats: wheelchairs }),
    };
  }
}

/** 19.99 × 100 is a little less than 1999. */
const ROUNDING = 1e-6;
