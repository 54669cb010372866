/** The prices, by category: a press shows the places of one price and dims the others. */
import { html, nothing, type TemplateResult } from 'lit-html';
import { WHEELCHAIR } from '../rules/hall.ts';
import { pricesOf } from '../rules/prices.ts';
import { isFiltering, noFilter, priceSteps, toggled, usedIn } from './filter.ts';
import type { PanelView } from './panel-view.ts';
import { icon } from './signs.ts';

export function priceList(view: PanelView): TemplateResult {
  const { words, hall, filter, performances, setFilter } = view;
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
      ${usedIn(hall).categories.map((category) => priceButton(view, category))}
    </div>
    ${finer(view)}
    ${isFiltering(filter) ? html`<button class="plain" part="button plain" @click=${clear}>${text('filter.clear')}</button>` : nothing}
  </section>`;
}

function priceButton(view: PanelView, category: number): TemplateResult {
  const { words, hall, offers, event, colours, filter, setFilter } = view;
  const { text, money } = words;
  const { label, notForSale } = hall.categories[category]!;
  const { from, to, previous, offer } = pricesOf(hall, offers, category);
  const amount = money(from, event.currency);
  const price =
    notForSale || !Number.isFinite(from)
      ? text('price.none')
      : from < to
        ? text('price.from', { price: amount })
        : amount;
  const press = () => {
    const next = toggled(filter, category);
    setFilter(next);
    view.say(
      next.categories.size === 0 ? text('filter.none') : text('filter.only', { names: namesOf(view, next.categories) }),
    );
  };
  return html`<button class="category" part="category" aria-pressed=${filter.categories.has(category)} @click=${press}>
    ${icon(notForSale ? 'closed' : 'free', colours[category]!)}
    <span class="label">${label}${offer ? html`<small>${offer}</small>` : nothing}</span>
    <span class="amount">
      ${previous !== null && previous > from ? html`<s><span class="unseen">${text('price.before')} </span>${money(previous, event.currency)}</s>` : nothing}
      <b>${price}</b>
    </span>
  </button>`;
}

function namesOf({ words, hall }: PanelView, categories: ReadonlySet<number>): string {
  return words.list([...categories].map((category) => hall.categories[category]!.label));
}

/** A highest price, where there are prices to choose from, and places for wheelchairs. */
function finer(view: PanelView): TemplateResult | typeof nothing {
  const { words, hall, offers, event, filter, setFilter } = view;
  const { text, money } = words;
  const steps = priceSteps(hall, offers);
  const hasWheelchairs = (usedIn(hall).accessibility & WHEELCHAIR) !== 0;
  if (steps.length < 2 && !hasWheelchairs) return nothing;
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
            ${steps.map((step) => html`<option value=${step} ?selected=${filter.priceMax === step}>${text('filter.upTo', { price: money(step, event.currency) })}</option>`)}
          </select>`
    }
    ${
      hasWheelchairs
        ? html`<button class="chip" part="chip" aria-pressed=${filter.forWheelchairs} @click=${() => setFilter({ ...filter, forWheelchairs: !filter.forWheelchairs })}>
            ${icon('wheelchair', '#4a5160')}${text('filter.wheelchairs')}
          </button>`
        : nothing
    }
  </div>`;
}
