/** The side panel: what is on sale, what is chosen and what it costs, the hold and its countdown. */
import { html, nothing, type TemplateResult } from 'lit-html';
import { repeat } from 'lit-html/directives/repeat.js';
import type { BuyerEvent } from './api.ts';
import { type Legend, legend } from './legend.ts';
import type { Hall } from './rules/hall.ts';
import type { Offers } from './rules/prices.ts';
import * as choose from './rules/selection.ts';
import { clockText, money, placeName } from './rules/words.ts';
import type { Sale, SaleState } from './sale.ts';

export type PanelView = {
  event: BuyerEvent;
  hall: Hall;
  offers: Offers;
  sale: Sale;
  legend: Legend;
  freeInArea(areaId: string): number;
  now: number;
};

const RUNNING_OUT_MS = 60_000;

export function panel(view: PanelView): TemplateResult {
  const { sale, event } = view;
  const { notice, bought } = sale.state;
  return html`<header>
      <h2>${event.name}</h2>
      <p>${[dateText(event), event.venue].filter(Boolean).join(' · ')}</p>
    </header>
    ${event.salesClosed ? html`<p class="notice">Sales for this event are closed.</p>` : nothing}
    ${notice ? html`<p class="notice ${notice.kind}">${notice.text}</p>` : nothing}
    ${bought ? boughtNote(bought) : nothing} ${basket(view)} ${areas(view)} ${legendOf(view)}`;
}

function legendOf(view: PanelView): TemplateResult {
  return html`<details open><summary>Prices and signs</summary>${legend(view.legend)}</details>`;
}

function dateText({ startsAt, timezone, locale }: BuyerEvent): string {
  if (startsAt === null) return '';
  const zone = timezone ? { timeZone: timezone } : {};
  return new Intl.DateTimeFormat(locale ?? undefined, { dateStyle: 'full', timeStyle: 'short', ...zone }).format(
    startsAt,
  );
}

function boughtNote(labels: string[]): TemplateResult {
  return html`<p class="notice bought"><b>Bought.</b> ${labels.length} ${labels.length === 1 ? 'place is' : 'places are'} yours.</p>`;
}

function basket(view: PanelView): TemplateResult {
  const { hall, offers, sale, event, legend: look } = view;
  const { state } = sale;
  const chosen = [...state.selection.values()];
  const isChanged = !choose.sameSelection(state.selection, state.held);
  const total =
    state.hold && !isChanged ? choose.totalHeld(state.hold.items) : choose.totalOf(hall, offers, state.selection);
  const guests = choose.guestsIn(state.selection);
  return html`<section class="basket" aria-label="Your places">
    ${state.hold ? countdown(state, state.hold.expiresAt - view.now) : nothing}
    ${
      chosen.length === 0 && !state.hold
        ? html`<p class="empty">Choose places on the map. Zoom in to see single seats.</p>`
        : html`<ul class="chosen">
            ${repeat(
              chosen,
              ({ label }) => label,
              (each) => row(view, each),
            )}
          </ul>
          <div class="checkout"><p class="total"><span>${guests} ${guests === 1 ? 'place' : 'places'}</span><b>${money(total, event.currency, look.locale)}</b></p>
          ${actions(view, isChanged)}</div>`
    }
  </section>`;
}

function countdown({ busy }: SaleState, remaining: number): TemplateResult {
  return html`<div class="countdown ${remaining < RUNNING_OUT_MS ? 'short' : ''}" role="timer">
    <span>${busy === 'resume' ? 'Looking at your hold …' : 'Held for you'}</span><b>${clockText(remaining)}</b>
  </div>`;
}

function actions({ sale, event }: PanelView, isChanged: boolean): TemplateResult {
  const { busy, hold, selection } = sale.state;
  const waits = busy !== null;
  if (!hold) {
    return html`<div class="actions">
      <button class="primary" data-action="hold" ?disabled=${waits || event.salesClosed} @click=${() => sale.hold()}>
        ${busy === 'hold' ? 'Holding …' : `Hold ${selection.size === 1 ? 'it' : 'them'} for me`}
      </button>
      <button data-action="clear" ?disabled=${waits} @click=${() => sale.clear()}>Clear</button>
    </div>`;
  }
  return html`<div class="actions">
    ${
      isChanged && selection.size > 0
        ? html`<button class="primary" data-action="hold" ?disabled=${waits} @click=${() => sale.hold()}>Change my hold</button>`
        : nothing
    }
    <button data-action="extend" ?disabled=${waits} @click=${() => sale.extend()}>More time</button>
    <button data-action="release" ?disabled=${waits} @click=${() => sale.release()}>Release</button>
  </div>`;
}

function row(view: PanelView, chosen: choose.Chosen): TemplateResult {
  const { hall, offers, sale, event, legend: look } = view;
  const name = chosen.spot === null ? chosen.label : placeName(hall, chosen.spot);
  const tiers = choose.tiersOf(hall, chosen);
  const held = sale.state.hold?.items.find(({ label, tierId }) => label === chosen.label && tierId === chosen.tierId);
  const each = held?.unitPrice ?? choose.priceOfChosen(hall, offers, chosen);
  return html`<li>
    <i class="stripe" .style=${`background:${look.colours[chosen.category]}`}></i>
    <div class="what">
      <b>${name}</b>
      <span>${hall.categories[chosen.category]!.label}</span>
      ${tiers.length > 1 ? tierChoice(sale, chosen, tiers, event, look) : nothing}
      ${
        chosen.max > 1 && chosen.max > chosen.min
          ? stepper(chosen.quantity, `${name}: places`, (quantity) => sale.setQuantity(chosen.label, quantity))
          : chosen.quantity > 1
            ? html`<span>for ${chosen.quantity} guests</span>`
            : nothing
      }
    </div>
    <span class="price">${money(each * chosen.quantity, event.currency, look.locale)}</span>
    <button class="remove" aria-label="Remove ${name}" @click=${() => sale.remove(chosen.label)}>×</button>
  </li>`;
}

function tierChoice(
  sale: Sale,
  { label, tierId }: choose.Chosen,
  tiers: ReturnType<typeof choose.tiersOf>,
  { currency }: BuyerEvent,
  { locale }: Legend,
): TemplateResult {
  const onChange = (event: Event) => sale.setTier(label, (event.target as HTMLSelectElement).value);
  return html`<select aria-label="Ticket for ${label}" @change=${onChange}>
    ${tiers.map(
      ({ id, name, price }) =>
        html`<option value=${id} ?selected=${id === tierId}>${name} · ${money(price, currency, locale)}</option>`,
    )}
  </select>`;
}

function stepper(quantity: number, label: string, change: (quantity: number) => void): TemplateResult {
  return html`<span class="stepper" role="group" aria-label=${label}>
    <button aria-label="One less" @click=${() => change(quantity - 1)}>−</button><output>${quantity}</output
    ><button aria-label="One more" @click=${() => change(quantity + 1)}>+</button>
  </span>`;
}

/** Areas are chosen here as well as on the map: a standing place is no dot that one could hit. */
function areas(view: PanelView): TemplateResult | typeof nothing {
  const { hall, sale, freeInArea } = view;
  if (hall.areas.length === 0) return nothing;
  const wanted = (areaId: string) =>
    [...sale.state.selection.values()].find((each) => each.areaId === areaId)?.quantity ?? 0;
  return html`<section class="areas" aria-label="Areas without numbered seats">
    ${hall.areas.map(({ id, label }) => {
      const free = freeInArea(id);
      return html`<div>
        <span><b>${label}</b><br />${free > 0 ? `${free} places free` : 'Sold out'}</span>
        ${stepper(wanted(id), label, (quantity) => sale.setArea(id, quantity))}
      </div>`;
    })}
  </section>`;
}
