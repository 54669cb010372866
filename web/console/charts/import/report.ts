/** The report of an import: what the file has, what the chart lacks, and what must be mended. */
import type { ImportReport } from '@parterre/shared/charts/imports/imports';
import { html, nothing, type TemplateResult } from 'lit-html';
import type { Words } from '../../messages/words.ts';

const NOTES_SHOWN_MAX = 100;
const things = [
  'seats',
  'chairs',
  'places',
  'rows',
  'sections',
  'tables',
  'booths',
  'areas',
  'floors',
  'categories',
] as const;
const kinds = ['left_out', 'changed', 'ambiguous'] as const;

export function reportOf(report: ImportReport, words: Words): TemplateResult {
  const { number, text } = words;
  const { format, encoding, understood, notes, notesTotal, publishIssues } = report;
  return html`<section aria-labelledby="import-report"><h2 id="import-report">${text('charts.report')}</h2>
    <p>${text('charts.report.format', { format: text(`charts.format.${format}`) })}
      ${encoding ? text('charts.report.encoding', { encoding }) : nothing}</p>
    <dl class="import-counts">${things
      .filter((thing) => understood[thing] > 0)
      .map(
        (thing) => html`<div><dt>${text(`charts.thing.${thing}`)}</dt><dd>${number(understood[thing])}</dd></div>`,
      )}</dl>
    ${
      publishIssues.length === 0
        ? html`<p>${text('charts.report.ready')}</p>`
        : html`<p><strong>${text('charts.report.issues')}</strong></p>
          <ul>${publishIssues.slice(0, NOTES_SHOWN_MAX).map(({ message }) => html`<li>${message}</li>`)}</ul>`
    }
    ${kinds.map((kind) =>
      notesOf(
        text(`charts.note.${kind}`),
        notes.filter((note) => note.kind === kind),
        words,
      ),
    )}
    ${notesTotal > notes.length ? html`<p>${text('charts.report.more', { count: notesTotal - notes.length })}</p>` : nothing}
    ${notesTotal === 0 ? html`<p>${text('charts.report.whole')}</p>` : nothing}
  </section>`;
}

function notesOf(title: string, notes: ImportReport['notes'], { text }: Words): TemplateResult | typeof nothing {
  if (notes.length === 0) return nothing;
  const more = notes.length - NOTES_SHOWN_MAX;
  return html`<details ?open=${notes.length <= 10}><summary>${title} (${notes.length})</summary>
    <ul>${notes.slice(0, NOTES_SHOWN_MAX).map(({ message, source }) => html`<li>${source ? html`<b>${source}</b>: ` : nothing}${message}</li>`)}
      ${more > 0 ? html`<li>${text('charts.report.more', { count: more })}</li>` : nothing}</ul></details>`;
}
