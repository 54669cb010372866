/** The side panel: the prices on sale, the selection and its cost, the hold and its countdown. */
import { html, nothing, type TemplateResult } from 'lit-html';
import { repeat } from 'lit-html/directives/repeat.js';
import { icon, type Legend, legend } from './legend.ts';
import { freeGlyph } from './painter.ts';
import type { Hall } from './rules/hall.ts';
import { extendsLeft, mayExtendSoon } from './rules/hold.ts';
import { type Performance, timeText } from './rules/performances.ts';
import { type Offers, priceOf } from './rules/prices.ts';
import * as choose from './rules/selection.ts';
import { clockText, kindsText, leftOutText, listText, money, placeName, placesText } from './rules/words.ts';
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
  const { notice, bought } = sale.state;
  return html`<header>
      <h2>${event.name}</h2>
      <p>${[dateText(event), event.venue].filter(Boolean).join(' · ')}</p>
      ${performances.length > 0 ? performanceList(view) : nothing}
    </header>
    ${event.salesClosed ? html`<p class="notice problem"><b>Sales are closed.</b> You can look at the map; nothing can be chosen.</p>` : nothing}
    ${notice && !(event.salesClosed && notice.code === 'event_closed') ? html`<p class="notice ${notice.kind}">${notice.text}</p>` : nothing}
    ${bought ? boughtNote(view, bought) : nothing} ${basket(view)} ${areas(view)} ${legendOf(view)}`;
}

function performanceList({ performances, legend: { locale } }: PanelView): TemplateResult {
  return html`<details class="performances" ?open=${performances.length <= PERFORMANCES_SHOWN}>
    <summary>Each place is for ${performances.length} performances</summary>
    <ul>
      ${performances.map((each) => html`<li><b>${each.name}</b> <span>${timeText(each, locale)}</span></li>`)}
    </ul>
  </details>`;
}

function legendOf(view: PanelView): TemplateResult {
  return html`<details open><summary>Prices ${view.performances.length > 0 ? `for ${view.performances.length} performances, ` : ''}and signs</summary>${legend(view.legend)}</details>`;
}

function dateText({ startsAt, timezone, locale }: BuyerEvent): string {
  if (startsAt === null) return '';
  const zone = timezone ? { timeZone: timezone } : {};
  return new Intl.DateTimeFormat(locale ?? undefined, { dateStyle: 'full', timeStyle: 'short', ...zone }).format(
    startsAt,
  );
}

function boughtNote({ event, legend: { locale } }: PanelView, { items, leftOut }: Bought): TemplateResult {
  const price = (amount: number) => money(amount, event.currency, locale);
  return html`<section class="notice bought" aria-label="Bought">
    <p><b>Bought.</b> ${placesText(items.length)} ${items.length === 1 ? 'is' : 'are'} yours.</p>
    <ul>
      ${items.map(({ label, unitPrice, quantity = 1 }) => html`<li><span>${label}${quantity > 1 ? ` × ${quantity}` : ''}</span><b>${price(unitPrice * quantity)}</b></li>`)}
      <li><span>Total</span><b>${price(choose.totalHeld(items))}</b></li>
    </ul>
    ${leftOut.length > 0 ? html`<p>${leftOutText(leftOut)}</p>` : nothing}
  </section>`;
}

function basket(view: PanelView): TemplateResult {
  const { sale } = view;
  const { selection, hold, held } = sale.state;
  const chosen = [...selection.values()];
  const open = new Set(hold ? choose.notHeld(selection, held) : []);
  const isChanged = !choose.sameSelection(selection, held);
  return html`<section class="basket" aria-label="Your places" tabindex="-1">
    ${hold ? countdown(sale.state, hold.expiresAt - view.now) : nothing}
    ${
      chosen.length === 0 && !hold
        ? html`<p class="empty">Choose places on the map.${view.isNear ? '' : ' Zoom in to see single seats.'}</p>`
        : html`${
            hold && isChanged
              ? html`<div class="pending"><h3>Not held yet</h3>${rows(view, [...open])}${givenUp(selection, held)}</div>`
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

function givenUp(selection: choose.Selection, held: choose.Selection): TemplateResult | typeof nothing {
  const dropped = [...held.keys()].filter((label) => !selection.has(label));
  if (dropped.length === 0) return nothing;
  return html`<p>${listText(dropped)} ${dropped.length === 1 ? 'stays' : 'stay'} held until you change the hold.</p>`;
}

/** The cost of the hold, and beside it the cost with the pending selection. */
function totals(view: PanelView, isChanged: boolean): TemplateResult {
  const { hall, offers, performances, sale, event } = view;
  const { locale } = view.legend;
  const forAll = performances.length > 0 ? `, ${performances.length} performances` : '';
  const { selection, hold, held } = sale.state;
  const line = (text: string, of: choose.Selection, amount: number) => {
    const places = `${placesText(choose.guestsIn(of))}${forAll}`;
    return html`<p class="total"><span>${text}${places}</span><b>${money(amount, event.currency, locale)}</b></p>`;
  };
  const wanted = choose.costOf(hall, offers, selection, held, hold?.items ?? []);
  if (!hold) return line('', selection, wanted);
  return html`${line(isChanged ? 'Held: ' : '', held, choose.totalHeld(hold.items))}
  ${isChanged && selection.size > 0 ? line('After the change: ', selection, wanted) : nothing}`;
}

function countdown({ busy }: SaleState, remaining: number): TemplateResult {
  return html`<div class="countdown ${remaining < RUNNING_OUT_MS ? 'short' : ''}" role="timer" tabindex="-1">
    <span>${busy === 'resume' ? 'Looking at your hold …' : 'Held for you'}</span><b>${clockText(remaining)}</b>
  </div>`;
}

function actions(view: PanelView, isChanged: boolean): TemplateResult {
  const { sale, event, now } = view;
  const { busy, hold, selection } = sale.state;
  const waits = busy !== null;
  if (!hold) {
    return html`<div class="actions">
      <button class="primary" data-action="hold" ?disabled=${waits || event.salesClosed} @click=${() => act(view, 'hold')}>
        ${busy === 'hold' ? 'Holding …' : `Hold ${selection.size === 1 ? 'it' : 'them'} for me`}
      </button>
      <button data-action="clear" ?disabled=${waits} @click=${() => sale.choice.clear()}>Clear</button>
    </div>`;
  }
  return html`<div class="actions">
    ${
      isChanged && selection.size > 0
        ? html`<button class="primary" data-action="hold" ?disabled=${waits || event.salesClosed} @click=${() => act(view, 'hold')}>Change my hold</button>`
        : nothing
    }
    ${
      mayExtendSoon(hold.expiresAt - now)
        ? html`<button data-action="extend" ?disabled=${waits || extendsLeft(hold) === 0} @click=${() => act(view, 'extend')}>More time (${extendsLeft(hold) || 'none'} left)</button>`
        : nothing
    }
    ${
      sale.isFixed
        ? html`<button data-action="change" ?disabled=${waits} @click=${() => act(view, 'change')}>Change my places</button>`
        : nothing
    }
    <button data-action="release" ?disabled=${waits} @click=${() => act(view, 'release')}>Release</button>
  </div>`;
}

type Action = 'hold' | 'extend' | 'change' | 'release';

/** The pressed button is gone or disabled afterwards: the focus goes to the next step, never to nothing. */
async function act({ sale, refocus }: PanelView, action: Action): Promise<void> {
  await sale[action]();
  refocus(`[data-action=${action}]:enabled`, '[role=timer]', '.basket');
}

function sayTotal({ sale, event, hall, offers, legend: { locale }, say }: PanelView): void {
  const { selection, held, hold } = sale.state;
  const total = money(choose.costOf(hall, offers, selection, held, hold?.items ?? []), event.currency, locale);
  say(`${placesText(choose.guestsIn(selection))}, ${total} in all.`);
}

function row(view: PanelView, chosen: choose.Chosen): TemplateResult {
  const { hall, offers, sale, event, legend: look } = view;
  const name = chosen.spot === null ? chosen.label : placeName(hall, chosen.spot);
  const tiers = choose.tiersOf(hall, chosen);
  const held = sale.state.hold && choose.heldOf(chosen, sale.state.hold.items);
  const wasChanged = held !== null && !choose.isSame(chosen, sale.state.held.get(chosen.label));
  const price = (amount: number) => money(amount, event.currency, look.locale);
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
          ? stepper(view, chosen.quantity, `${name}: places`, (quantity) => {
              sale.choice.setQuantity(chosen.label, quantity);
              sayTotal(view);
            })
          : chosen.quantity > 1
            ? html`<span>for ${chosen.quantity} guests</span>`
            : nothing
      }
      ${wasChanged ? html`<span class="was">held: ${heldText(view, chosen, held.quantity)}, ${price(held.cost)}</span>` : nothing}
    </div>
    <span class="price">${price(cost)}</span>
    <button class="remove" aria-label="Remove ${name}" ?hidden=${sale.isFixed} @click=${() => sale.choice.remove(chosen.label)}>×</button>
  </li>`;
}

/** The sign and meaning of a place for particular people. */
function kindOf({ hall, legend: look }: PanelView, { spot, category }: choose.Chosen): TemplateResult | typeof nothing {
  const accessibility = spot === null ? 0 : hall.accessibilityOf[spot]!;
  if (accessibility === 0) return nothing;
  return html`<span class="kind">${icon(freeGlyph(accessibility), look.colours[category])}${kindsText(accessibility).join(', ')}</span>`;
}

/** The part of a changed row that the hold still keeps. */
function heldText({ hall, sale }: PanelView, chosen: choose.Chosen, quantity: number): string {
  const before = sale.state.held.get(chosen.label);
  const tier = choose.tiersOf(hall, chosen).find(({ id }) => id === before?.tierId);
  return [before?.tierId !== chosen.tierId && tier?.name, chosen.max > 1 && `${quantity}`].filter(Boolean).join(' · ');
}

function tierChoice(
  view: PanelView,
  { label, tierId, category }: choose.Chosen,
  tiers: ReturnType<typeof choose.tiersOf>,
): TemplateResult {
  const { sale, hall, offers, event, legend: look } = view;
  const price = (tier: (typeof tiers)[number]) =>
    money(priceOf(hall, offers, category, label, tier), event.currency, look.locale);
  const onChange = (changed: Event) => {
    sale.choice.setTier(label, (changed.target as HTMLSelectElement).value);
    sayTotal(view);
  };
  return html`<select aria-label="Ticket for ${label}" ?disabled=${sale.isFixed} @change=${onChange}>
    ${tiers.map((tier) => html`<option value=${tier.id} ?selected=${tier.id === tierId}>${tier.name} · ${price(tier)}</option>`)}
  </select>`;
}

function stepper(
  { sale }: PanelView,
  quantity: number,
  label: string,
  change: (quantity: number) => void,
): TemplateResult {
  return html`<span class="stepper" role="group" aria-label=${label}>
    <button aria-label="One less" ?disabled=${sale.isFixed} @click=${() => change(quantity - 1)}>−</button><output>${quantity}</output
    ><button aria-label="One more" ?disabled=${sale.isFixed} @click=${() => change(quantity + 1)}>+</button>
  </span>`;
}

/** Areas can be chosen here as well as on the map, where a standing place has no dot to hit. */
function areas(view: PanelView): TemplateResult | typeof nothing {
  const { hall, sale, freeInArea } = view;
  if (hall.areas.length === 0) return nothing;
  const wanted = (areaId: string) => choose.ofArea(sale.state.selection, areaId)?.quantity ?? 0;
  return html`<section class="areas" aria-label="Areas without numbered seats">
    ${hall.areas.map(({ id, label }) => {
      const free = freeInArea(id);
      return html`<div>
        <span><b>${label}</b><br />${free > 0 ? `${free} places free` : 'Sold out'}</span>
        ${stepper(view, wanted(id), label, (quantity) => {
          sale.choice.setArea(id, quantity);
          sayTotal(view);
        })}
      </div>`;
    })}
  </section>`;
}
