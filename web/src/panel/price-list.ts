/** The prices, by category: a press shows the places of one price and dims the others. */
import { html, nothing, type TemplateResult } from 'lit-html';
import type { GlyphName } from '../draw/glyphs.ts';
import { feesText } from '../messages/prices.ts';
import { pricesOf } from '../rules/prices.ts';
import type { Standing } from '../rules/supply.ts';
import { isShut } from '../rules/waiting.ts';
import { freeGlyph, standingKeys } from '../telling.ts';
import { categoriesFor, isFiltering, kindsIn, noFilter, priceSteps, toggled, usedIn } from './filter.ts';
import { icon } from './icon.ts';
import type { PanelView } from './panel-view.ts';
import { priceBefore } from './price-before.ts';

export function priceList(view: PanelView): TemplateResult {
  const { words, filter, performances, setFilter } = view;
  const { text } = words;
  const { length: count } = performances;
  const title = count === 0 ? text('prices.title') : text('prices.titleForAll', { count });
  const clear = () => {
    setFilter(noFilter);
    view.say(text('filter.none'));
    view.refocus('.prices button');
  };
  return html`<section class="prices" part="prices" aria-label=${title}>
    <h3>${title}</h3>
    <div class="categories" role="group" aria-label=${text('filter.categories')}>
      ${categoriesFor(view).map(({ category, standing }) => priceButton(view, category, standing))}
    </div>
    ${finer(view)}
    ${isFiltering(filter) ? html`<button class="plain" part="button plain" @click=${clear}>${text('filter.clear')}</button>` : nothing}
  </section>`;
}

function priceButton(view: PanelView, category: number, standing: Standing): TemplateResult {
  const { words, hall, colours, filter, setFilter } = view;
  const { text } = words;
  const { label, notForSale } = hall.categories[category]!;
  const price = priceText(view, category, standing);
  const press = () => {
    const next = toggled(filter, category);
    setFilter(next);
    view.say(
      next.categories.size === 0 ? text('filter.none') : text('filter.only', { names: namesOf(view, next.categories) }),
    );
  };
  return html`<button class="category" part="category" aria-pressed=${filter.categories.has(category)} @click=${press}>
    ${icon(notForSale ? 'closed' : 'free', colours[category]!)}
    <span class="label">${label}${price.note ? html`<small>${price.note}</small>` : nothing}</span>
    <span class="amount">
      ${priceBefore(view, price.before)}
      <b>${price.told}</b>
      ${price.fees === null ? nothing : html`<small class="fees">${price.fees}</small>`}
    </span>
  </button>`;
}

type PriceText = { told: string; before: number | null; fees: string | null; note: string | null };

/** The lowest price and the name of its ticket or offer; no price for what this buyer cannot have. */
function priceText(view: PanelView, category: number, standing: Standing): PriceText {
  const { words, hall, offers, event, waiting } = view;
  const { text, money } = words;
  const range = pricesOf(hall, offers, category);
  const { from, to, previous, offer, ticket } = range;
  const none = (told: string) => ({ told, before: null, fees: null, note: null });
  if (standing === 'not_for_sale' || !Number.isFinite(from)) return none(text('price.none'));
  // A closed sale has the prices that it had: its free places are not told.
  if (standing === 'sold_out' && !isShut(waiting)) return none(text(standingKeys[standing]));
  const amount = money(from, event);
  const before = previous !== null && previous > from ? previous : null;
  const fees = feesText(words, range.fees, event);
  if (from === to) return { told: amount, before, fees, note: offer };
  const told =
    ticket === null ? text('price.from', { price: amount }) : text('price.fromTicket', { price: amount, ticket });
  return { told, before, fees, note: offer };
}

function namesOf({ words, hall }: PanelView, categories: ReadonlySet<number>): string {
  return words.list([...categories].map((category) => hall.categories[category]!.label));
}

/** A highest price, where there are prices to choose from, the kinds of places, and ways without steps. */
function finer(view: PanelView): TemplateResult | typeof nothing {
  const { words, hall, event, filter, setFilter } = view;
  const { text, money } = words;
  const steps = priceSteps(view);
  const kinds = kindsIn(hall);
  const { hasWays } = usedIn(hall);
  if (steps.length < 2 && kinds.length === 0 && !hasWays) return nothing;
  const onPrice = ({ target }: Event) => {
    const { value } = target as HTMLSelectElement;
    setFilter({ ...filter, priceMax: value === '' ? null : Number(value) });
  };
  return html`<div class="finer">
    ${
      steps.length < 2
        ? nothing
        : html`<select part="select" aria-label=${text('filter.priceMax')} @change=${onPrice}>
            <option value="" ?selected=${filter.priceMax === null}>${text('filter.anyPrice')}</option>
            ${steps.map((step) => html`<option value=${step} ?selected=${filter.priceMax === step}>${text('filter.upTo', { price: money(step, event) })}</option>`)}
          </select>`
    }
    ${kinds.map(({ kind, bit }) => {
      const isAsked = (filter.kinds & bit) !== 0;
      const label = kind === 'wheelchair' ? text('filter.wheelchairs') : text(`kind.${kind}`);
      return chip(freeGlyph(bit), label, isAsked, () => setFilter({ ...filter, kinds: filter.kinds ^ bit }));
    })}
    ${hasWays ? chip(null, text('filter.stepFree'), filter.stepFree, () => setFilter({ ...filter, stepFree: !filter.stepFree })) : nothing}
  </div>`;
}

function chip(glyph: GlyphName | null, label: string, isPressed: boolean, press: () => void): TemplateResult {
  return html`<button class="chip" part="chip" aria-pressed=${isPressed} @click=${press}>
    ${glyph === null ? nothing : icon(glyph, '#4a5160')}${label}
  </button>`;
}
