/** The choice of a ticket type for a place of the chart. */
import type { Tier } from '@parterre/shared/charts/document';
import { html, nothing, type TemplateResult } from 'lit-html';
import type { Hall } from '../../src/rules/hall.ts';
import { tiersFor } from '../../src/rules/prices.ts';
import type { Words } from '../messages/words.ts';

/** The ticket types of a place or an area, the default first. Empty for a place with one price. */
export function tiersAt(hall: Hall, label: string): readonly Tier[] {
  const spot = hall.spotOf.get(label);
  if (spot !== undefined) return tiersFor(hall, hall.categoryOf[spot]!, label, hall.accessibilityOf[spot]!);
  const area = hall.areas.find((each) => each.label === label);
  return area ? tiersFor(hall, area.category, label, 0) : [];
}

type TicketChoice = { words: Words; name: string; tiers: readonly Tier[]; chosen: string | undefined };

export function ticketChoice(
  { words, name, tiers, chosen = tiers[0]?.id }: TicketChoice,
  choose: (tierId: string) => void,
): TemplateResult | typeof nothing {
  if (tiers.length < 2) return nothing;
  return html`<select aria-label=${words.text('counter.ticket', { place: name })}
    @change=${(event: Event) => choose((event.target as HTMLSelectElement).value)}>
    ${tiers.map(({ id, name: its }) => html`<option value=${id} ?selected=${id === chosen}>${its}</option>`)}</select>`;
}
