/** The sales of each channel: what it has, what is left, what was sold in its name, and the value. */
import { html, nothing, type TemplateResult } from 'lit-html';
import type { EventRoom } from '../event/tab.ts';
import type { ChannelReport, ReportRow } from './channel-book.ts';

type Figures = ChannelReport['totals'];

export function reportTable(room: EventRoom, { rows, totals }: ChannelReport): TemplateResult {
  const { text } = room.ports.words;
  const nameOf = ({ channelId, name }: ReportRow): string => (channelId === null ? text('channels.public') : name);
  return html`<section aria-labelledby="report-title"><h2 id="report-title">${text('channels.report')}</h2>
    <div class="wide" tabindex="0" role="region" aria-labelledby="report-title"><table>
      <thead><tr><th scope="col">${text('channels.paint.channel')}</th><th scope="col">${text('channels.report.state')}</th>
        ${(['units', 'left', 'held', 'blocked', 'sold', 'value', 'share'] as const).map(
          (name) => html`<th scope="col" class="number">${text(`channels.report.${name}`)}</th>`,
        )}</tr></thead>
      <tbody>${rows.map(
        (row) => html`<tr><th scope="row">${nameOf(row)}</th><td>${text(`channels.state.${row.state}`)}</td>
          ${figures(room, row)}</tr>`,
      )}
        <tr class="total"><th scope="row">${text('channels.report.total')}</th><td></td>${figures(room, totals)}</tr></tbody>
    </table></div><p class="muted">${text('channels.report.told')}</p></section>`;
}

function figures(room: EventRoom, { allocation, attribution, sellThrough }: Figures): TemplateResult {
  const { locale, money, number } = room.ports.words;
  const share = new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 1 });
  const { bookedValue } = attribution;
  const cells = [
    number(allocation.allocated),
    number(allocation.free),
    number(allocation.held),
    number(allocation.blocked),
    number(attribution.sold),
    bookedValue === null ? nothing : money(bookedValue, room.meta()),
    sellThrough === null ? nothing : share.format(sellThrough),
  ];
  return html`${cells.map((cell) => html`<td class="number">${cell}</td>`)}`;
}
