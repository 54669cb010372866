/** What a publish will do, in words: the faults that forbid it, and each event that follows or waits. */
import { html, nothing, type TemplateResult } from 'lit-html';
import type { Words } from '../messages/words.ts';
import type { Chart } from './chart.ts';

export type Preview = {
  meta: Chart;
  isNew: boolean;
  issues: readonly { message: string }[];
  warnings: readonly { message: string }[];
  events: readonly { key: string; name: string; outcome: 'refresh' | 'needsUpdate' | 'current' | 'unknown' }[];
  truncated: boolean;
};

const FAULTS_SHOWN_MAX = 10;

export function previewOf(preview: Preview | 'reading' | 'unknown', words: Words): TemplateResult {
  const { text } = words;
  if (preview === 'reading') return html`<p role="status">${text('console.loading')}</p>`;
  if (preview === 'unknown') return html`<p role="status">${text('charts.preview.unknown')}</p>`;
  const { isNew, issues, warnings, events, truncated } = preview;
  const named = (outcome: 'refresh' | 'needsUpdate') =>
    events.filter((event) => event.outcome === outcome).map(({ name }) => name);
  const line = (key: 'charts.preview.refresh' | 'charts.preview.needs_update', names: readonly string[]) =>
    names.length > 0 ? html`<p>${text(key, { events: words.list(names) })}</p>` : nothing;
  return html`${isNew ? nothing : html`<p>${text('charts.preview.same')}</p>`}
    ${faults(text('charts.preview.issues'), issues)} ${faults(text('charts.preview.warnings'), warnings)}
    ${line('charts.preview.refresh', named('refresh'))} ${line('charts.preview.needs_update', named('needsUpdate'))}
    ${truncated ? html`<p>${text('charts.preview.more')}</p>` : nothing}`;
}

function faults(title: string, found: readonly { message: string }[]): TemplateResult | typeof nothing {
  if (found.length === 0) return nothing;
  return html`<p><strong>${title}</strong></p>
    <ul>${found.slice(0, FAULTS_SHOWN_MAX).map(({ message }) => html`<li>${message}</li>`)}
      ${found.length > FAULTS_SHOWN_MAX ? html`<li>+${found.length - FAULTS_SHOWN_MAX}</li>` : nothing}</ul>`;
}
