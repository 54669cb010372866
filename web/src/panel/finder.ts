/** “Best seats for two”: the server finds seats beside each other and holds them. */
import { html, nothing, type TemplateResult } from 'lit-html';
import { live } from 'lit-html/directives/live.js';
import { stepper } from '../basket/stepper.ts';
import { priceText } from '../messages/prices.ts';
import type { BestWanted } from '../rules/best.ts';
import { WHEELCHAIR } from '../rules/hall.ts';
import { cheapestOf, defaultPricesOf } from '../rules/prices.ts';
import { guestsIn } from '../rules/selection.ts';
import { isOnSale } from '../rules/waiting.ts';
import { createChoices } from './choices.ts';
import { freeCategories, usedIn } from './filter.ts';
import type { PanelView } from './panel-view.ts';

/** `category` null stands for any. */
export type Finder = { qty: number; category: number | null; forWheelchairs: boolean };

const QTY_USUAL = 2;

export function createFinder() {
  const wish: Finder = { qty: QTY_USUAL, category: null, forWheelchairs: false };
  let partySize = 1;
  const choices = createChoices();

  async function find({ sale, hall, show, refocus, words }: PanelView): Promise<void> {
    const { qty } = wish;
    choices.clear();
    const isHeld = await sale.holdBest(wantedOf(wish, hall));
    const { hold } = sale.state;
    if (isHeld && hold) show([...sale.state.held.keys()]);
    if (isHeld && hold && hold.labels.length < qty)
      sale.notices.inform(words.text('finder.fewer', { count: hold.labels.length }));
    refocus('[role=timer]', '[data-action=find]:enabled');
  }

  return (view: PanelView): TemplateResult | typeof nothing => {
    const { sale, words, hall, waiting, redraw, maxSelection } = view;
    const { text } = words;
    if (!sale.canFind || !isOnSale(waiting)) return nothing;
    const max = maxSelection - guestsIn(sale.state.selection);
    if (max < 1) return nothing;
    const change = (to: Partial<Finder>) => {
      Object.assign(wish, to);
      choices.clear();
      redraw();
    };
    // The buyer has said the size of the party above.
    if (partySize !== sale.choice.party.size()) {
      partySize = sale.choice.party.size();
      if (partySize > 1) wish.qty = partySize;
    }
    wish.qty = Math.min(wish.qty, max);
    const { accessibility } = usedIn(hall);
    const sold = freeCategories(view);
    if (wish.category !== null && !sold.includes(wish.category)) wish.category = null;
    const value = wish.category === null ? '' : String(wish.category);
    return html`<section class="finder" part="finder" aria-label=${text('finder.title')}>
      <h3>${text('finder.title')}</h3>
      <div class="wish">
        ${stepper(words, text('finder.number'), { value: wish.qty, min: 1, max, change: (by) => change({ qty: Math.min(Math.max(wish.qty + by, 1), max) }) })}
        ${
          sold.length > 1
            ? html`<select part="select" aria-label=${text('finder.category')} .value=${live(value)} @change=${({
                target,
              }: Event) => {
                const chosen = (target as HTMLSelectElement).value;
                change({ category: chosen === '' ? null : Number(chosen) });
              }}>
                <option value="">${text('filter.anyPrice')}</option>
                ${sold.map((category) => html`<option value=${category} ?selected=${category === wish.category}>${optionText(view, category)}</option>`)}
              </select>`
            : nothing
        }
        ${
          accessibility & WHEELCHAIR
            ? html`<label class="check" part="check"><input type="checkbox" .checked=${live(wish.forWheelchairs)} @change=${({ target }: Event) => change({ forWheelchairs: (target as HTMLInputElement).checked })} />${text('finder.wheelchairs')}</label>`
            : nothing
        }
        <button class=${sale.state.selection.size === 0 ? 'primary' : ''} part="button" data-action="find" aria-disabled=${sale.state.busy !== null} @click=${() => sale.state.busy ?? find(view)}>
          ${text('finder.find')}
        </button>
        <button part="button" data-action="choices" aria-disabled=${sale.state.busy !== null} @click=${() => sale.state.busy ?? choices.ask(view, wantedOf(wish, hall))}>
          ${text('finder.choices')}
        </button>
      </div>
      ${choices.list(view)}
    </section>`;
  };
}

function wantedOf({ qty, category, forWheelchairs }: Finder, { categories }: PanelView['hall']): BestWanted {
  return {
    qty,
    ...(category === null ? {} : { categoryKey: categories[category]!.key }),
    ...(forWheelchairs ? { accessible: ['wheelchair'] } : {}),
  };
}

/** The category and its price. Best seats are held at the default tier, so its price is told. */
function optionText({ words, hall, offers, event }: PanelView, category: number): string {
  const { text } = words;
  const lowest = cheapestOf(hall, offers, category);
  const { label } = hall.categories[category]!;
  if (lowest === null || !Number.isFinite(lowest.price)) return label;
  const amount = priceText(words, lowest, event);
  const price = defaultPricesOf(hall, offers, category).length > 1 ? text('price.from', { price: amount }) : amount;
  return text('basket.ticketPrice', { ticket: label, price });
}
