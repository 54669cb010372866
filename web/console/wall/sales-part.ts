/** The sales of the last hour: the graph with its table, and the way from holds to bookings. */
import { html, nothing, type TemplateResult } from 'lit-html';
import type { PlainKey, Words } from '../messages/words.ts';
import { funnelOf, type Live, seriesOf } from './figures.ts';

export function drawSalesPart(live: Live, graph: HTMLElement, words: Words): TemplateResult {
  const { text } = words;
  return html`<section class="wall-part" aria-labelledby="wall-pace"><h2 id="wall-pace">${text('wall.pace')}</h2>
      <p class="wall-keys"><span>${text('wall.pace.booked')}</span><span class="held">${text('wall.pace.held')}</span></p>
      ${live.sales === null ? html`<p role="status">${text('wall.noLog')}</p>` : nothing}
      ${graph} ${table(live, words)}</section>
    ${funnel(live, words)}`;
}

function table(live: Live, words: Words): TemplateResult | typeof nothing {
  const { text, number, locale } = words;
  if (live.sales === null) return nothing;
  const zone = live.event.timezone ? { timeZone: live.event.timezone } : {};
  const times = new Intl.DateTimeFormat(locale, { timeStyle: 'short', ...zone });
  const { at, held, booked } = seriesOf(live);
  const rows = at
    .map((seconds, row) => ({ at: seconds * 1_000, held: held[row], booked: booked[row] }))
    .filter((row) => row.held || row.booked)
    .reverse();
  return html`<details><summary>${text('wall.table')}</summary><table>
    <thead><tr><th scope="col">${text('wall.minute')}</th><th scope="col" class="number">${text('wall.pace.booked')}</th>
      <th scope="col" class="number">${text('wall.pace.held')}</th></tr></thead>
    <tbody>${rows.map(
      (row) => html`<tr><th scope="row">${times.format(row.at)}</th><td class="number">${number(row.booked ?? 0)}</td>
        <td class="number">${number(row.held ?? 0)}</td></tr>`,
    )}</tbody></table></details>`;
}

const steps = ['held', 'booked', 'ended', 'expired', 'open'] as const;
const names: Record<(typeof steps)[number], PlainKey> = {
  held: 'wall.funnel.held',
  booked: 'wall.funnel.booked',
  ended: 'wall.funnel.ended',
  expired: 'wall.funnel.expired',
  open: 'wall.funnel.open',
};

function funnel(live: Live, words: Words): TemplateResult | typeof nothing {
  const { text, number, locale } = words;
  const counts = funnelOf(live);
  if (counts === null) return nothing;
  const percent = new Intl.NumberFormat(locale, { style: 'percent' });
  const most = Math.max(counts.held, 1);
  return html`<section class="wall-part" aria-labelledby="wall-funnel"><h2 id="wall-funnel">${text('wall.funnel')}</h2>
    <table><tbody>${steps.map(
      (step) => html`<tr><th scope="row">${text(names[step])}</th><td class="number">${number(counts[step])}</td>
        <td class="number">${step === 'held' || step === 'open' ? nothing : percent.format(counts[step] / most)}</td>
        <td class="bar-cell"><meter min="0" max=${most} value=${Math.min(counts[step], most)} aria-label=${text(names[step])}></meter></td></tr>`,
    )}</tbody></table>
    <p class="muted">${since(live, words)}</p></section>`;
}

function since({ sales, event, at }: Live, words: Words): string {
  const from = Math.max(sales!.since, at - 3_600_000);
  return words.text('wall.since', { time: words.date(from, event.timezone, 'medium') });
}
