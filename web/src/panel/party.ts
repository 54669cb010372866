/** “How many are you?”: from two on, one press on a seat of the map or the list takes so many together. */
import { html, nothing, type TemplateResult } from 'lit-html';
import { stepper } from '../basket/stepper.ts';
import { sayTotal } from '../basket/totals.ts';
import type { Hall } from '../rules/hall.ts';
import { hasNeighbours, withParty } from '../rules/party.ts';
import { isOnSale } from '../rules/waiting.ts';
import type { PanelView } from './panel-view.ts';

export function party(view: PanelView): TemplateResult | typeof nothing {
  const { sale, words, hall, waiting, maxSelection, redraw } = view;
  const { text } = words;
  if (!isOnSale(waiting) || sale.isFixed || maxSelection < 2 || !hasRows(hall)) return nothing;
  const { choice } = sale;
  const count = choice.party.size();
  const change = (by: number) => {
    choice.party.setSize(Math.min(Math.max(count + by, 1), maxSelection), { hasNeighbours, withParty });
    redraw();
  };
  return html`<section class="finder" part="party" aria-label=${text('party.title')}>
    <h3>${text('party.title')}</h3>
    <div class="wish">
      ${stepper(words, text('party.number'), { value: count, min: 1, max: maxSelection, change })}
      ${count > 1 ? html`<p>${text('party.hint', { count })}</p>` : nothing}
      ${choice.party.isTaken() ? html`<button part="button" @click=${() => undo(view)}>${text('party.undo')}</button>` : nothing}
    </div>
  </section>`;
}

function undo(view: PanelView): void {
  view.sale.choice.party.undo();
  sayTotal(view);
  view.refocus('.finder button');
}

const halls = new WeakMap<Hall, boolean>();

function hasRows(hall: Hall): boolean {
  let has = halls.get(hall);
  if (has === undefined) {
    has = hall.labels.some((_, spot) => hasNeighbours(hall, spot));
    halls.set(hall, has);
  }
  return has;
}
