/**
 * The categories with what each sells and costs, and the brush for them. A category opens to its name, key, colour,
 * prices and its end. A session gets the parts that it may change.
 */

import type { Category } from '@parterre/shared/charts/document';
import { type PriceUnit, priceUnits, unitOf } from '@parterre/shared/protocol/money';
import { html, nothing, svg, type TemplateResult } from 'lit-html';
import { hexOf } from '../../../src/rules/names.ts';
import { contrastOf } from '../../../src/rules/palette.ts';
import { rangeOf } from '../../canvas/card-prices.ts';
import { isNothing } from '../../document/selection.ts';
import { tell } from '../../messages/words.ts';
import {
  addCategory,
  changeCategory,
  changeKey,
  isUsed,
  keyProblem,
  moveCategory,
  nameCategory,
  removeCategory,
} from '../../painting/categories.ts';
import { countsOf } from '../../painting/counts.ts';
import { amountsOf, amountText, changeUnit } from '../../painting/money.ts';
import { withField } from '../../painting/overrides.ts';
import { paint } from '../../painting/painting.ts';
import { applied, isReadOnly, type Panel } from '../host.ts';
import { brushButton, brushes } from './brushes.ts';
import { amountField, feeFields, previousPriceField } from './money-fields.ts';
import { tiersOf } from './tiers-panel.ts';

/** Seats are drawn with this contrast at least, so the picker moves the lightness of paler colours. */
const CONTRAST_MIN = 3;

const GROUND = '#f5f6f9';

export type CategoriesState = {
  /** The key of the category that is open. */
  open: string | null;
  /** The key of the category to delete, and the category that gets its seats. */
  removing: { key: string; to: string } | null;
  viewUrl: string;
};

export function categoriesPanel(panel: Panel, state: CategoriesState): TemplateResult {
  const { editor, words, redraw } = panel;
  const { text, number } = words();
  const mayAdd = editor.may.has('categories') && !isReadOnly(panel);
  const counts = countsOf(editor.document);
  const add = () => {
    const before = new Set(editor.document.categories.map(({ key }) => key));
    if (applied(panel, addCategory(text('category.new')), 'did.category') !== null) return;
    state.open = editor.document.categories.find(({ key }) => !before.has(key))?.key ?? null;
    redraw();
  };
  return html`<h3>${text('categories.title')}</h3>
    ${editor.may.has('categories') ? unitField(panel) : nothing}
    <ul class="categories">
      ${editor.document.categories.map(
        (category) => html`<li>
          ${categoryLine(panel, state, category, counts.categories.get(category.key) ?? 0)}
          ${editor.may.has('categories') && state.open === category.key ? categoryForm(panel, state, category) : nothing}
        </li>`,
      )}
    </ul>
    ${unknown(panel, counts.categories)}
    ${mayAdd ? html`<div class="actions"><button type="button" @click=${add}>${text('category.add')}</button></div>` : nothing}
    <p class="note">${text('categories.total', { count: counts.units, places: number(counts.units) })}</p>
    ${brushes(panel, state, counts)}`;
}

function categoryLine(panel: Panel, state: CategoriesState, category: Category, count: number): TemplateResult {
  const { editor, words, redraw } = panel;
  const { text } = words();
  const { key, label, color } = category;
  const content = html`${swatch(color)}<b>${label}</b><span>${text('category.places', { count })}</span>`;
  const open = () => {
    state.open = state.open === key ? null : key;
    state.removing = null;
    redraw();
  };
  return html`<div class="category">
    ${
      editor.may.has('categories')
        ? html`<button type="button" class="name" aria-expanded=${state.open === key} @click=${open}>${content}</button>`
        : html`<span class="name">${content}</span>`
    }
    ${priceOf(panel, category)}
    ${editor.may.has('painting') ? brushButton(panel, { kind: 'category', key }, label) : nothing}
  </div>`;
}

/** The colour of a category, as a picture: a strict policy refuses styles in the markup. */
function swatch(colour: string): TemplateResult {
  return html`<svg class="swatch" viewBox="0 0 16 16" aria-hidden="true">${svg`<circle cx="8" cy="8" r="7" fill=${colour} />`}</svg>`;
}

function priceOf({ words, editor, currency }: Panel, category: Category): TemplateResult | typeof nothing {
  const { text, locale } = words();
  const range = rangeOf([category]);
  if (!range) return nothing;
  const { from, to } = range;
  const amounts = amountsOf(editor.document, currency());
  const told = (amount: number) => amountText(locale, amount, amounts);
  return html`<span class="amount"><span class="unseen">${text('category.price')} </span>${from === to ? told(from) : `${told(from)} – ${told(to)}`}</span>`;
}

/** Keys of objects that the list lacks. */
function unknown({ editor, words }: Panel, counts: ReadonlyMap<string, number>): TemplateResult | typeof nothing {
  const known = new Set(editor.document.categories.map(({ key }) => key));
  const lost = [...counts.keys()].filter((key) => !known.has(key) && counts.get(key)! > 0);
  return lost.length === 0
    ? nothing
    : html`<p class="problem">${words().text('categories.unknown', { names: words().list(lost) })}</p>`;
}

function categoryForm(panel: Panel, state: CategoriesState, category: Category): TemplateResult {
  const { fields, words, editor, redraw } = panel;
  const { text } = words();
  const { key } = category;
  const id = (name: string) => `category-${name}`;
  const set = (name: string, value: unknown) =>
    applied(
      panel,
      changeCategory(key, (before) => withField(before, name, value)),
      'did.category',
    );
  const at = editor.document.categories.indexOf(category);
  const move = (by: -1 | 1) => applied(panel, moveCategory(key, by), 'did.category');
  return html`<div class="form">
    ${fields.text({
      id: id('label'),
      label: text('category.name'),
      value: category.label,
      check: (to) => (to.trim() === '' ? { key: 'field.needsText' } : null),
      change: (to) => rename(panel, state, key, to),
    })}
    ${fields.text({
      id: id('key'),
      label: text('category.key'),
      value: key,
      hint: text('category.key.hint'),
      check: (to) => keyProblem(editor.document, to, key),
      change(to) {
        const refusal = applied(panel, changeKey(key, to), 'did.category');
        if (refusal === null) followKey(panel, state, key, to);
        return refusal;
      },
    })}
    ${fields.colour({
      id: id('colour'),
      label: text('field.colour'),
      value: category.color,
      ...hintOf(panel, category.color),
      change: (to) => set('color', to),
    })}
    ${moneyOf(panel, category)}
    ${tiersOf(panel, category)}
    ${fields.toggle({
      id: id('closed'),
      label: text('category.notForSale'),
      value: category.notForSale === true,
      change: (to) => set('notForSale', to || undefined),
    })}
    <div class="actions">
      ${isNothing(editor.selection) ? nothing : html`<button type="button" @click=${() => applied(panel, paint(editor.selection, { kind: 'category', key }), 'did.category')}>${text('category.giveSelection')}</button>`}
      <button type="button" ?disabled=${at === 0} @click=${() => move(-1)}>${text('list.up')}</button>
      <button type="button" ?disabled=${at === editor.document.categories.length - 1} @click=${() => move(1)}>${text('list.down')}</button>
      <button type="button" @click=${() => {
        const other = editor.document.categories.find((each) => each.key !== key);
        if (isUsed(editor.document, key) && other) state.removing = { key, to: other.key };
        else remove(panel, state, key, null);
        redraw();
      }}>${text('category.delete')}</button>
    </div>
    ${state.removing?.key === key ? removal(panel, state, state.removing) : nothing}
  </div>`;
}

function rename(panel: Panel, state: CategoriesState, key: string, label: string): string | null {
  const { editor, words, publishedKeys } = panel;
  const { text } = words();
  const usual = [text('category.new'), text('category.first')];
  const named = nameCategory(editor.document, key, label, { usual, known: publishedKeys() });
  const refusal = applied(panel, named.edit, 'did.category');
  if (refusal === null) followKey(panel, state, key, named.key);
  return refusal;
}

/** The open form and the brush stay with their category. */
function followKey(panel: Panel, state: CategoriesState, from: string, to: string): void {
  if (from === to) return;
  state.open = to;
  const painting = panel.painting();
  if (painting?.kind === 'category' && painting.key === from) panel.brush({ kind: 'category', key: to });
  if (painting?.kind === 'tier' && painting.category === from) panel.brush({ ...painting, category: to });
}

function hintOf({ words }: Panel, colour: string): { hint?: string } {
  const hex = hexOf(colour);
  if (hex === null) return { hint: words().text('category.noColour') };
  return contrastOf(hex, GROUND) < CONTRAST_MIN ? { hint: words().text('category.pale') } : {};
}

/** The price and the price before, unless tiers have them, and the fees. */
function moneyOf(panel: Panel, category: Category): TemplateResult {
  const { text } = panel.words();
  const change = (to: (before: Category) => Category) =>
    applied(panel, changeCategory(category.key, to), 'did.category');
  const priced = { id: 'category-price', of: category, change };
  const field = { id: 'category-price', value: category.price };
  return html`
    ${
      category.tiers && category.tiers.length > 0
        ? nothing
        : html`${amountField(
            panel,
            { ...field, label: text('category.price'), hint: priceHint(panel), isOptional: true },
            (to) => change((before) => withField(before, 'price', to)),
          )}
          ${previousPriceField(panel, priced)}`
    }
    <fieldset><legend>${text('fees.title')}</legend>
      <p class="note">${text('fees.hint')}</p>
      ${feeFields(panel, priced, false)}
    </fieldset>`;
}

function priceHint({ editor, words, currency }: Panel): string {
  const { text } = words();
  const { unit, digits } = amountsOf(editor.document, currency());
  return unit === 'major' ? text('category.price.hint') : text('category.price.minorHint', { count: digits });
}

/** The unit stays as it was first published. */
function unitField(panel: Panel): TemplateResult {
  const { fields, words, editor, currency, publishedKeys } = panel;
  const { text } = words();
  const isFixed = publishedKeys().size > 0;
  return fields.choice({
    id: 'price-unit',
    label: text('categories.unit'),
    value: unitOf(editor.document),
    hint: text(isFixed ? 'categories.unit.fixed' : 'categories.unit.hint'),
    isDisabled: isFixed,
    options: priceUnits.map((unit) => [unit, text(`priceUnit.${unit}`)] as const),
    change(to) {
      const edit = changeUnit(editor.document, to as PriceUnit, currency());
      return typeof edit === 'function' ? applied(panel, edit, 'did.priceUnit') : tell(words(), edit);
    },
  });
}

/** A category with seats asks first which category gets them. */
function removal(panel: Panel, state: CategoriesState, { key, to }: { key: string; to: string }): TemplateResult {
  const { fields, words, editor, redraw } = panel;
  const { text } = words();
  return html`<div class="confirm">
    ${fields.choice({
      id: 'category-moveTo',
      label: text('category.moveTo'),
      value: to,
      options: editor.document.categories
        .filter((each) => each.key !== key)
        .map((each) => [each.key, each.label] as const),
      change(other) {
        state.removing = { key, to: other };
        return null;
      },
    })}
    <div class="actions">
      <button type="button" class="danger" @click=${() => remove(panel, state, key, to)}>${text('category.deleteNow')}</button>
      <button type="button" @click=${() => {
        state.removing = null;
        redraw();
      }}>${text('dialog.cancel')}</button>
    </div>
  </div>`;
}

function remove(panel: Panel, state: CategoriesState, key: string, to: string | null): void {
  const { words, editor, say, notice } = panel;
  if (to === null && isUsed(editor.document, key)) notice(words().text('category.lastUsed'));
  else if (applied(panel, removeCategory(key, to), 'did.category') === null) {
    Object.assign(state, { open: null, removing: null });
    const painting = panel.painting();
    const isGone =
      painting?.kind === 'category' ? painting.key === key : painting?.kind === 'tier' && painting.category === key;
    if (isGone) panel.brush(null);
    say(words().text('category.deleted'));
  }
}
