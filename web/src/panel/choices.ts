/** Three choices of best seats. Nothing is held before the buyer takes one of them and holds it. */
import { html, nothing, type TemplateResult } from 'lit-html';
import { sayTotal } from '../basket/totals.ts';
import { heldNames } from '../messages/places.ts';
import type { BestWanted } from '../rules/best.ts';
import { costOf, nothing as none, type Selection } from '../rules/selection.ts';
import type { PanelView } from './panel-view.ts';

const CHOICES = 3;

export function createChoices() {
  let choices: readonly Selection[] = [];

  function take(view: PanelView, choice: Selection): void {
    const { sale, show, redraw, refocus } = view;
    if (!sale.choice.add(choice)) return;
    choices = [];
    show([...choice.keys()]);
    sayTotal(view);
    redraw();
    refocus('.chosen .remove', '.basket');
  }

  function button(view: PanelView, choice: Selection): TemplateResult {
    const { words, hall, offers, event } = view;
    const places = words.list(heldNames(words, hall, choice));
    const price = words.money(costOf(hall, offers, choice, none, []), event);
    return html`<li><button part="button" @click=${() => take(view, choice)}>${words.text('finder.choice', { places, price })}</button></li>`;
  }

  return {
    clear(): void {
      choices = [];
    },
    async ask({ sale, redraw, refocus, say, words }: PanelView, wanted: BestWanted): Promise<void> {
      choices = await sale.alternatives(wanted, CHOICES);
      redraw();
      if (choices.length === 0) return;
      say(words.text('finder.choicesFound', { count: choices.length }));
      refocus('.choices button');
    },
    list(view: PanelView): TemplateResult | typeof nothing {
      if (choices.length === 0) return nothing;
      return html`<ul class="choices" part="choices" aria-label=${view.words.text('finder.choices')}>
        ${choices.map((choice) => button(view, choice))}
      </ul>`;
    },
  };
}
