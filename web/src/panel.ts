/** The side panel: the prices on sale, the selection and its cost, the hold and its countdown. */
import { html, nothing, type TemplateResult } from 'lit-html';
import { repeat } from 'lit-html/directives/repeat.js';
import { icon, type Legend, legend } from './legend.ts';
import { kindsText, leftOutText, placeName, placesText } from './messages/places.ts';
import { freeGlyph } from './painter.ts';
import type { Hall } from './rules/hall.ts';
import { extendsLeft, mayExtendSoon } from './rules/hold.ts';
import { type Performance, timeText } from './rules/performances.ts';
import { type Offers, priceOf } from './rules/prices.ts';
import * as choose from './rules/selection.ts';
import type { BuyerEvent } from './sale/api.ts';
import type { Sale } from './sale/sale.ts';
import type { Bought, SaleState } from './sale/sale-state.ts';

export type PanelView = {
  event: BuyerEvent;
  hall: Hall;
  offers: readonly Offers[];
  performances: readonly Performance[];
  sale: Sale;
  legend: Legend;
  freeInArea(areaId: string): number;
  now: number;
  /** True when single seats are visible. */
  isNear: boolean;
  say(text: string): void;
  /** When nothing has the focus any more, the first of these that exists gets it. */
  refocus(...selectors: string[]): void;
};

const RUNNING_OUT_MS = 60_000;
/** A longer list of performances is opened by the buyer. */
const PERFORMANCES_SHOWN = 3;

export function panel(view: PanelView): TemplateResult {
  const { sale, event, performances } = view;
  const { text } = view.legend.words;
  const { notice, bought } = sale.state;
  return html`<header>
      <h2>${event.name}</h2>
      <p>${[dateText(view), event.venue].filter(Boolean).join(' · ')}</p>
      ${performances.length > 0 ? performanceList(view) : nothing}
    </header>
    ${event.salesClosed ? html`<p class="notice problem"><b>${text('panel.closed')}</b> ${text('panel.closedHint')}</p>` : nothing}
    ${notice && !(event.salesClosed && notice.code === 'event_closed') ? html`<p class="notice ${notice.kind}">${notice.text}</p>` : nothing}
    ${bought ? boughtNote(view, bought) : nothing} ${basket(view)} ${areas(view)} ${legendOf(view)}`;
}

function performanceList({ performances, legend: { words } }: PanelView): TemplateResult {
  return html`<details class="performances" ?open=${performances.length <= PERFORMANCES_SHOWN}>
    <summary>${words.text('panel.performances', { count: performances.length })}</summary>
    <ul>
      ${performances.map((each) => html`<li><b>${each.name}</b> <span>${timeText(words, each)}</span></li>`)}
    </ul>
  </details>`;
}

function legendOf(view: PanelView): TemplateResult {
  const { text } = view.legend.words;
  const { length: count } = view.performances;
  const title = count === 0 ? text('legend.title') : text('legend.titleForAll', { count });
  return html`<details open><summary>${title}</summary>${legend(view.legend)}</details>`;
}

function dateText({ event: { startsAt, timezone }, legend: { words } }: PanelView): string {
  return startsAt === null ? '' : words.date(startsAt, timezone, 'full');
}

function boughtNote({ event, legend: { words } }: PanelView, { items, leftOut }: Bought): TemplateResult {
  const { text } = words;
  const price = (amount: number) => words.money(amount, event.currency);
  return html`<section class="notice bought" aria-label=${text('bought.label')}>
    <p><b>${text('bought.title')}</b> ${text('bought.yours', { count: items.length })}</p>
    <ul>
      ${items.map(({ label, unitPrice, quantity = 1 }) => html`<li><span>${quantity > 1 ? text('bought.item', { place: label, quantity }) : label}</span><b>${price(unitPrice * quantity)}</b></li>`)}
      <li><span>${text('bought.total')}</span><b>${price(choose.totalHeld(items))}</b></li>
    </ul>
    ${leftOut.length > 0 ? html`<p>${leftOutText(words, leftOut)}</p>` : nothing}
  </section>`;
}

function basket(view: PanelView): TemplateResult {
  const { sale } = view;
  const { text } = view.legend.words;
  const { selection, hold, held } = sale.state;
  const chosen = [...selection.values()];
  const open = new Set(hold ? choose.notHeld(selection, held) : []);
  const isChanged = !choose.sameSelection(selection, held);
  return html`<section class="basket" aria-label=${text('basket.label')} tabindex="-1">
    ${hold ? countdown(view, sale.state, hold.expiresAt - view.now) : nothing}
    ${
      chosen.length === 0 && !hold
        ? html`<p class="empty">${text('basket.empty')} ${view.isNear ? nothing : text('basket.zoomIn')}</p>`
        : html`${
            hold && isChanged
              ? html`<div class="pending"><h3>${text('basket.pending')}</h3>${rows(view, [...open])}${givenUp(view, selection, held)}</div>`
              : nothing
          }
          ${rows(
            view,
            chosen.filter((each) => !open.has(each)),
          )}
          <div class="checkout">${totals(view, isChanged)} ${actions(view, isChanged)}</div>`
    }
  </section>`;
}

function rows(view: PanelView, chosen: readonly choose.Chosen[]): TemplateResult | typeof nothing {
  if (chosen.length === 0) return nothing;
  return html`<ul class="chosen">${repeat(
    chosen,
    ({ label }) => label,
    (each) => row(view, each),
  )}</ul>`;
}

function givenUp(
  { legend: { words } }: PanelView,
  selection: choose.Selection,
  held: choose.Selection,
): TemplateResult | typeof nothing {
  const dropped = [...held.keys()].filter((label) => !selection.has(label));
  if (dropped.length === 0) return nothing;
  return html`<p>${words.text('basket.givenUp', { names: words.list(dropped), count: dropped.length })}</p>`;
}

/** The cost of the hold, and beside it the cost with the pending selection. */
function totals(view: PanelView, isChanged: boolean): TemplateResult {
  const { hall, offers, performances, sale, event } = view;
  const { words } = view.legend;
  const { length: count } = performances;
  const { selection, hold, held } = sale.state;
  const line = (key: 'basket.held' | 'basket.afterChange' | null, of: choose.Selection, amount: number) => {
    const guests = placesText(words, choose.guestsIn(of));
    const places = count === 0 ? guests : words.text('basket.placesForAll', { places: guests, count });
    const told = key === null ? places : words.text(key, { places });
    return html`<p class="total"><span>${told}</span><b>${words.money(amount, event.currency)}</b></p>`;
  };
  const wanted = choose.costOf(hall, offers, selection, held, hold?.items ?? []);
  if (!hold) return line(null, selection, wanted);
  return html`${line(isChanged ? 'basket.held' : null, held, choose.totalHeld(hold.items))}
  ${isChanged && selection.size > 0 ? line('basket.afterChange', selection, wanted) : nothing}`;
}

function countdown({ legend: { words } }: PanelView, { busy }: SaleState, remaining: number): TemplateResult {
  return html`<div class="countdown ${remaining < RUNNING_OUT_MS ? 'short' : ''}" role="timer" tabindex="-1">
    <span>${words.text(busy === 'resume' ? 'hold.looking' : 'hold.yours')}</span><b>${words.clock(remaining)}</b>
  </div>`;
}

function actions(view: PanelView, isChanged: boolean): TemplateResult {
  const { sale, event, now } = view;
  const { text } = view.legend.words;
  const { busy, hold, selection } = sale.state;
  const waits = busy !== null;
  if (!hold) {
    return html`<div class="actions">
      <button class="primary" data-action="hold" ?disabled=${waits || event.salesClosed} @click=${() => act(view, 'hold')}>
        ${busy === 'hold' ? text('hold.holding') : text('hold.do', { count: selection.size })}
      </button>
      <button data-action="clear" ?disabled=${waits} @click=${() => sale.choice.clear()}>${text('hold.clear')}</button>
    </div>`;
  }
  return html`<div class="actions">
    ${
      isChanged && selection.size > 0
        ? html`<button class="primary" data-action="hold" ?disabled=${waits || event.salesClosed} @click=${() => act(view, 'hold')}>${text('hold.change')}</button>`
        : nothing
    }
    ${
      mayExtendSoon(hold.expiresAt - now)
        ? html`<button data-action="extend" ?disabled=${waits || extendsLeft(hold) === 0} @click=${() => act(view, 'extend')}>${extendsLeft(hold) === 0 ? text('hold.extendNone') : text('hold.extend', { left: extendsLeft(hold) })}</button>`
        : nothing
    }
    ${
      sale.isFixed
        ? html`<button data-action="change" ?disabled=${waits} @click=${() => act(view, 'change')}>${text('hold.changePlaces')}</button>`
        : nothing
    }
    <button data-action="release" ?disabled=${waits} @click=${() => act(view, 'release')}>${text('hold.release')}</button>
  </div>`;
}

type Action = 'hold' | 'extend' | 'change' | 'release';

/** The pressed button is gone or disabled afterwards: the focus goes to the next step, never to nothing. */
async function act({ sale, refocus }: PanelView, action: Action): Promise<void> {
  await sale[action]();
  refocus(`[data-action=${action}]:enabled`, '[role=timer]', '.basket');
}

function sayTotal({ sale, event, hall, offers, legend: { words }, say }: PanelView): void {
  const { selection, held, hold } = sale.state;
  const total = words.money(choose.costOf(hall, offers, selection, held, hold?.items ?? []), event.currency);
  say(words.text('basket.total', { places: placesText(words, choose.guestsIn(selection)), total }));
}

function row(view: PanelView, chosen: choose.Chosen): TemplateResult {
  const { hall, offers, sale, event, legend: look } = view;
  const { words } = look;
  const name = chosen.spot === null ? chosen.label : placeName(words, hall, chosen.spot);
  const tiers = choose.tiersOf(hall, chosen);
  const held = sale.state.hold && choose.heldOf(chosen, sale.state.hold.items);
  const wasChanged = held !== null && !choose.isSame(chosen, sale.state.held.get(chosen.label));
  const price = (amount: number) => words.money(amount, event.currency);
  const cost = held && !wasChanged ? held.cost : choose.costsBy(hall, offers, [chosen]).get(chosen.label)!.total;
  return html`<li>
    <i class="stripe" .style=${`background:${look.colours[chosen.category]}`}></i>
    <div class="what">
      <b>${name}</b>
      <span>${hall.categories[chosen.category]!.label}</span>
      ${kindOf(view, chosen)}
      ${tiers.length > 1 ? tierChoice(view, chosen, tiers) : nothing}
      ${
        chosen.max > 1 && chosen.max > chosen.min
          ? stepper(view, chosen.quantity, words.text('basket.quantity', { place: name }), (quantity) => {
              sale.choice.setQuantity(chosen.label, quantity);
              sayTotal(view);
            })
          : chosen.quantity > 1
            ? html`<span>${words.text('place.guests', { count: chosen.quantity })}</span>`
            : nothing
      }
      ${wasChanged ? html`<span class="was">${heldText(view, chosen, held)}</span>` : nothing}
    </div>
    <span class="price">${price(cost)}</span>
    <button class="remove" aria-label=${words.text('basket.remove', { place: name })} ?hidden=${sale.isFixed} @click=${() => sale.choice.remove(chosen.label)}>×</button>
  </li>`;
}

/** The sign and meaning of a place for particular people. */
function kindOf({ hall, legend: look }: PanelView, { spot, category }: choose.Chosen): TemplateResult | typeof nothing {
  const accessibility = spot === null ? 0 : hall.accessibilityOf[spot]!;
  if (accessibility === 0) return nothing;
  return html`<span class="kind">${icon(freeGlyph(accessibility), look.colours[category])}${kindsText(look.words, accessibility).join(', ')}</span>`;
}

/** The part of a changed row that the hold still keeps. */
function heldText(
  { hall, sale, event, legend: { words } }: PanelView,
  chosen: choose.Chosen,
  { quantity, cost }: { quantity: number; cost: number },
): string {
  const before = sale.state.held.get(chosen.label);
  const tier = choose.tiersOf(hall, chosen).find(({ id }) => id === before?.tierId);
  const count = chosen.max > 1 && words.number(quantity);
  const ticket = [before?.tierId !== chosen.tierId && tier?.name, count].filter(Boolean).join(' · ');
  const price = words.money(cost, event.currency);
  return ticket === '' ? words.text('basket.wasPlain', { price }) : words.text('basket.was', { ticket, price });
}

function tierChoice(
  view: PanelView,
  { label, tierId, category }: choose.Chosen,
  tiers: ReturnType<typeof choose.tiersOf>,
): TemplateResult {
  const { sale, hall, offers, event } = view;
  const { words } = view.legend;
  const price = (tier: (typeof tiers)[number]) =>
    words.money(priceOf(hall, offers, category, label, tier), event.currency);
  const onChange = (changed: Event) => {
    sale.choice.setTier(label, (changed.target as HTMLSelectElement).value);
    sayTotal(view);
  };
  return html`<select aria-label=${words.text('basket.ticket', { place: label })} ?disabled=${sale.isFixed} @change=${onChange}>
    ${tiers.map((tier) => html`<option value=${tier.id} ?selected=${tier.id === tierId}>${words.text('basket.ticketPrice', { ticket: tier.name, price: price(tier) })}</option>`)}
  </select>`;
}

function stepper(
  { sale, legend: { words } }: PanelView,
  quantity: number,
  label: string,
  change: (quantity: number) => void,
): TemplateResult {
  return html`<span class="stepper" role="group" aria-label=${label}>
    <button aria-label=${words.text('basket.less')} ?disabled=${sale.isFixed} @click=${() => change(quantity - 1)}>−</button><output>${words.number(quantity)}</output
    ><button aria-label=${words.text('basket.more')} ?disabled=${sale.isFixed} @click=${() => change(quantity + 1)}>+</button>
  </span>`;
}

/** Areas can be chosen here as well as on the map, where a standing place has no dot to hit. */
function areas(view: PanelView): TemplateResult | typeof nothing {
  const { hall, sale, freeInArea } = view;
  const { text } = view.legend.words;
  if (hall.areas.length === 0) return nothing;
  const wanted = (areaId: string) => choose.ofArea(sale.state.selection, areaId)?.quantity ?? 0;
  return html`<section class="areas" aria-label=${text('panel.areas')}>
    ${hall.areas.map(({ id, label }) => {
      const free = freeInArea(id);
      return html`<div>
        <span><b>${label}</b><br />${free > 0 ? text('panel.areaFree', { count: free }) : text('map.soldOut')}</span>
        ${stepper(view, wanted(id), label, (quantity) => {
          sale.choice.setArea(id, quantity);
          sayTotal(view);
        })}
      </div>`;
    })}
  </section>`;
}
