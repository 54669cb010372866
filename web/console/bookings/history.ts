/** The history of a booking: who did what, when, and by what. */
import { html, nothing, type TemplateResult } from 'lit-html';
import type { People } from '../event/people.ts';
import { moneyOf } from '../event/priced-list.ts';
import type { EventRoom } from '../event/tab.ts';
import type { Activity, Exchange } from './booking.ts';

export function drawHistory(
  room: EventRoom,
  people: People,
  activity: readonly Activity[],
  isCut: boolean,
): TemplateResult {
  const { text, list, date } = room.ports.words;
  const { timezone } = room.meta();
  return html`<section aria-labelledby="history"><h3 id="history">${text('bookings.history')}</h3>
    <ol class="history">${activity.map(
      (entry) => html`<li><strong>${text(`bookings.did.${entry.action}`)}</strong> ${list(entry.labels, 12)}
        ${entry.exchange ? exchangeTold(room, entry.exchange) : nothing}
        ${entry.resales?.map(({ fromBookingRef, toBookingRef }) => html`<br>${text('bookings.resold', { from: fromBookingRef, to: toBookingRef })}`)}
        ${entry.reason === undefined ? nothing : html`<br>${text('bookings.note', { note: entry.reason })}`}
        <br><small class="muted">${date(entry.at, timezone, 'medium', true)} · ${people.wordsFor(entry.source, entry.actor)}</small></li>`,
    )}</ol>
    ${isCut ? html`<p class="muted">${text('bookings.history.cut')}</p>` : nothing}</section>`;
}

function exchangeTold(room: EventRoom, exchange: Exchange): TemplateResult {
  const { words } = room.ports;
  const { text, list } = words;
  const unit = room.meta() as { currency: string; priceUnit: 'major' | 'minor' };
  const { from, to, fromEventKey, toEventKey, swappedWith, priceDifference, fee, waivedDifference } = exchange;
  return html`<br>${text('bookings.moved', { from: list(from, 12), to: list(to, 12) })}
    ${fromEventKey === undefined ? nothing : text('bookings.moved.from', { event: fromEventKey })}
    ${toEventKey === undefined ? nothing : text('bookings.moved.to', { event: toEventKey })}
    ${swappedWith === undefined ? nothing : text('bookings.moved.with', { reference: swappedWith })}
    ${priceDifference == null ? nothing : html`<br>${text('bookings.difference', { amount: moneyOf(words, unit, priceDifference) })}`}
    ${fee == null ? nothing : html`<br>${text('bookings.fee.told', { amount: moneyOf(words, unit, fee) })}`}
    ${waivedDifference ? html`<br>${text('bookings.waived', { reason: waivedDifference.reason })}` : nothing}`;
}
