/** “Best seats for two”: the server finds seats beside each other and holds them. */
import { html, nothing, type TemplateResult } from 'lit-html';
import { live } from 'lit-html/directives/live.js';
import { stepper } from '../basket/stepper.ts';
import { sayTotal } from '../basket/totals.ts';
import { heldNames } from '../messages/places.ts';
import { priceText } from '../messages/prices.ts';
import type { BestWanted } from '../rules/best.ts';
import { WHEELCHAIR } from '../rules/hall.ts';
import { cheapestOf, defaultPricesOf } from '../rules/prices.ts';
import { costOf, guestsIn, nothing as none, type Selection } from '../rules/selection.ts';
import { isOnSale } from '../rules/waiting.ts';
import { freeCategories, usedIn } from './filter.ts';
import type { PanelView } from './panel-view.ts';

/** `category` null stands for any. */
export type Finder = { qty: number; category: number | null; forWheelchairs: boolean };

const QTY_USUAL = 2;
const CHOICES = 3;

export function createFinder() {
  const wish: Finder = { qty: QTY_USUAL, category: null, forWheelchairs: false };
  let partySize = 1;
  /** The choices that the server told; they hold nothing. */
  let choices: readonly Selection[] = [];

  async function find({ sale, hall, show, refocus, words }: PanelView): Promise<void> {
    const { qty } = wish;
    choices = [];
    const isHeld = await sale.holdBest(wantedIn(hall));
    const { hold } = sale.state;
    if (isHeld && hold) show([...sale.state.held.keys()]);
    if (isHeld && hold && hold.labels.length < qty)
      sale.notices.inform(words.text('finder.fewer', { count: hold.labels.length }));
    refocus('[role=timer]', '[data-action=find]:enabled');
  }

  function wantedIn(hall: PanelView['hall']): BestWanted {
    const { qty, category, forWheelchairs } = wish;
    return {
      qty,
      ...(category === null ? {} : { categoryKey: hall.categories[category]!.key }),
      ...(forWheelchairs ? { accessible: ['wheelchair'] } : {}),
    };
  }

  async function showChoices({ sale, hall, redraw, refocus, say, words }: PanelView): Promise<void> {
    choices = await sale.alternatives(wantedIn(hall), CHOICES);
    redraw();
    if (choices.length === 0) return;
    say(words.text('finder.choicesFound', { count: choices.length }));
    refocus('.choices button');
  }

  function choicesList(view: PanelView): TemplateResult | typeof nothing {
    const { sale, words, redraw, show, event, hall, offers } = view;
    if (choices.length === 0) return nothing;
    const take = (choice: Selection) => {
      if (!sale.choice.add(choice)) return;
      choices = [];
      show([...choice.keys()]);
      sayTotal(view);
      redraw();
    };
    const told = (choice: Selection) => ({
      places: words.list(heldNames(words, hall, choice)),
      price: words.money(costOf(hall, offers, choice, none, []), event),
    });
    return html`<ul class="choices" part="choices" aria-label=${words.text('finder.choices')}>
      ${choices.map((choice) => html`<li><button part="button" @click=${() => take(choice)}>${words.text('finder.choice', told(choice))}</button></li>`)}
    </ul>`;
  }

  return (view: PanelView): TemplateResult | typeof nothing => {
    const { sale, words, hall, waiting, redraw, maxSelection } = view;
    const { text } = words;
    if (!sale.canFind || !isOnSale(waiting)) return nothing;
    const max = maxSelection - guestsIn(sale.state.selection);
    if (max < 1) return nothing;
    const change = (to: Partial<Finder>) => {
      Object.assign(wish, to);
      choices = [];
      redraw();
    };
    // The buyer has said the size of the party above.
    if (partySize !== sale.choice.partySize()) {
      partySize = sale.choice.partySize();
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
        <button part="button" data-action="choices" aria-disabled=${sale.state.busy !== null} @click=${() => sale.state.busy ?? showChoices(view)}>
          ${text('finder.choices')}
        </button>
      </div>
      ${choicesList(view)}
    </section>`;
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
