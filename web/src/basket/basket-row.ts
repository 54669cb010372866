/** One place of the selection: its name, ticket, guests and cost, and the button that removes it. */
import type { Tier } from '@parterre/shared/charts/document';
import { feesOnTop } from '@parterre/shared/protocol/money';
import { html, nothing, type TemplateResult } from 'lit-html';
import { entranceText, kindsText, labelName, placeName, whereIs } from '../messages/places.ts';
import { namedFeesText, priceText } from '../messages/prices.ts';
import type { MoneyUnit, Words } from '../messages/words.ts';
import { icon } from '../panel/icon.ts';
import type { PanelView } from '../panel/panel-view.ts';
import { viewButton } from '../panel/seat-view.ts';
import { type Cost, type Price, pricedAt } from '../rules/prices.ts';
import * as choose from '../rules/selection.ts';
import { freeGlyph } from '../telling.ts';
import { stepper } from './stepper.ts';
import { sayTotal } from './totals.ts';

type HeldCost = NonNullable<ReturnType<typeof choose.heldOf>>;

export type Costs = (chosen: choose.ChosenPlace) => Cost;

export function row(view: PanelView, chosen: choose.ChosenPlace, costs: Costs): TemplateResult {
  const { hall, sale, event, words, colours } = view;
  const name = labelName(words, hall, chosen.label);
  const tiers = choose.tiersOf(hall, chosen);
  const held = sale.state.hold && choose.heldOf(chosen, sale.state.hold.items);
  const wasChanged = held !== null && !choose.isSame(chosen, sale.state.held.get(chosen.label));
  const cost = costs(chosen);
  return html`<li part="row">
    <i class="stripe" .style=${`background:${colours[chosen.category]}`}></i>
    <div class="what">
      <b>${shortName(view, chosen)}</b>
      <span class="kindred">${kindredOf(view, chosen)}</span>
      ${viewButton(view, chosen.spot)} ${kindOf(view, chosen)} ${tiers.length > 1 ? tierChoice(view, chosen, tiers) : oneTier(tiers)} ${guests(view, chosen, name)}
      ${parts(view, cost)} ${wasChanged ? html`<span class="was">${heldText(view, chosen, held)}</span>` : nothing}
    </div>
    <span class="price" part="price">${words.money(cost.total, event)}</span>
    <button class="remove" part="button remove" aria-label=${words.text('basket.remove', { place: name })} ?hidden=${sale.isFixed} @click=${() => remove(view, chosen, name)}>×</button>
  </li>`;
}

/** The row is gone afterwards: the focus goes to the button that brings it back. */
function remove({ sale, words, say, refocus }: PanelView, { label }: choose.ChosenPlace, name: string): void {
  sale.choice.remove(label);
  const undo = words.text('basket.undo');
  say(words.text('say.removed', { place: name, count: sale.state.selection.size, undo }));
  refocus('[data-action=undo]', '.basket');
}

/** The row of the chart, or the area, that has the place; undefined for a place that the chart no longer has. */
const ownerOf = ({ hall }: PanelView, { spot, areaId }: choose.ChosenPlace) =>
  spot === null ? hall.areas.find(({ id }) => id === areaId) : hall.objects[hall.objectOf[spot]!];

/** Without the section and floor, which stand below. */
function shortName(view: PanelView, chosen: choose.ChosenPlace): string {
  const { words, hall } = view;
  return chosen.spot === null ? (ownerOf(view, chosen)?.name ?? chosen.label) : placeName(words, hall, chosen.spot);
}

/** Section, floor, category and entrance, no word twice. */
function kindredOf(view: PanelView, chosen: choose.ChosenPlace): string {
  const { words, hall } = view;
  const owner = ownerOf(view, chosen);
  const entrance = owner ? entranceText(words, owner) : null;
  const told = [...(owner ? whereIs(hall, owner) : []), hall.categories[chosen.category]!.label];
  return [...new Set([...told, ...(entrance === null ? [] : [entrance])])].join(' · ');
}

const oneTier = ([tier]: readonly Tier[]): TemplateResult | typeof nothing =>
  tier ? html`<span>${tier.name}</span>` : nothing;

/** The sign and meaning of a place for particular people, or with a restricted view. */
function kindOf(
  { hall, words, colours }: PanelView,
  { spot, category }: choose.ChosenPlace,
): TemplateResult | typeof nothing {
  const kinds = spot === null ? [] : kindsText(words, hall, spot);
  if (spot === null || kinds.length === 0) return nothing;
  return html`<span class="kind">${icon(freeGlyph(hall.accessibilityOf[spot]!), colours[category])}${words.join(kinds)}</span>`;
}

function guests(view: PanelView, chosen: choose.ChosenPlace, name: string): TemplateResult | typeof nothing {
  const { sale, words } = view;
  const { quantity: value, min, label } = chosen;
  const max = sale.choice.mostOf(chosen);
  if (max <= 1 || max === min)
    return value > 1 ? html`<span>${words.text('place.guests', { count: value })}</span>` : nothing;
  const change = (by: 1 | -1) => {
    sale.choice.setQuantity(label, (sale.state.selection.get(label)?.quantity ?? 0) + by);
    sayTotal(view);
    view.refocus('[data-action=undo]', '.basket');
  };
  return stepper(words, words.text('basket.quantity', { place: name }), {
    value,
    max,
    isDisabled: sale.isFixed,
    change,
  });
}

/** Guests at different prices: a ticket release has too few units left. The fees by name. */
function parts({ words, event }: PanelView, { total, parts: all, fees }: Cost): TemplateResult | typeof nothing {
  if (all.length < 2) return feesOf(words, event, { price: total - feesOnTop(fees), fees });
  const told = all.map(({ price, quantity }) =>
    words.text('basket.part', { quantity, price: words.money(price, event) }),
  );
  return html`<span class="parts">${[words.list(told), namedFeesText(words, fees, event)].join(' ')}</span>`;
}

function feesOf(words: Words, unit: MoneyUnit, cost: Pick<Price, 'price' | 'fees'>): TemplateResult | typeof nothing {
  const { fees } = cost;
  if (fees.fees.length === 0) return nothing;
  const told = fees.allIn ? namedFeesText(words, fees, unit) : priceText(words, cost, unit, namedFeesText);
  return html`<span class="fees">${told}</span>`;
}

/** The part of a changed row that the hold still keeps. */
function heldText(
  { hall, sale, event, words }: PanelView,
  chosen: choose.ChosenPlace,
  { quantity, cost }: HeldCost,
): string {
  const before = sale.state.held.get(chosen.label);
  const tier = choose.tiersOf(hall, chosen).find(({ id }) => id === before?.tierId);
  const count = chosen.max > 1 && words.number(quantity);
  const ticket = [before?.tierId !== chosen.tierId && tier?.name, count].filter(Boolean).join(' · ');
  const price = words.money(cost, event);
  return ticket === '' ? words.text('basket.wasPlain', { price }) : words.text('basket.was', { ticket, price });
}

/** For one guest of the held. */
function pricedFor({ cost, fees, quantity }: HeldCost): Pick<Price, 'price' | 'fees'> {
  const each = fees.fees.map(({ name, amount }) => ({ name, amount: amount / quantity }));
  return { price: (cost - feesOnTop(fees)) / quantity, fees: { ...fees, fees: each } };
}

function tierChoice(view: PanelView, chosen: choose.ChosenPlace, tiers: readonly Tier[]): TemplateResult {
  const { sale, hall, offers, event, words } = view;
  const { label, tierId, category } = chosen;
  const onChange = ({ target }: Event) => {
    sale.choice.setTier(label, (target as HTMLSelectElement).value);
    sayTotal(view);
  };
  // A held ticket costs the price of the hold, even when other tickets have another price now.
  const before = sale.state.held.get(label);
  const held = sale.state.hold && choose.heldOf(chosen, sale.state.hold.items);
  const price = (tier: Tier) => {
    const isHeld = held !== null && before?.tierId === tier.id;
    const priced = isHeld ? pricedFor(held) : pricedAt(hall, offers, category, label, tier);
    return words.text('basket.ticketPrice', {
      ticket: tier.name,
      price: priceText(words, priced, event, namedFeesText),
    });
  };
  return html`<select part="ticket" aria-label=${words.text('basket.ticket', { place: labelName(words, hall, label) })} ?disabled=${sale.isFixed} @change=${onChange}>
    ${tiers.map((tier) => html`<option value=${tier.id} ?selected=${tier.id === tierId}>${price(tier)}</option>`)}
  </select>`;
}
