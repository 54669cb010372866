/** The host of the saving bar, and sentences that its parts share: refusals with their objects, and times. */
import type { ChartDocument } from '@parterre/shared/charts/document';
import { html, nothing, type TemplateResult } from 'lit-html';
import type { Exporter } from '../exporting/exporter.ts';
import type { MessageKey, Words } from '../messages/words.ts';
import type { DesignerSession, Problem } from '../session/calls.ts';
import type { Offers } from './offers.ts';
import type { Publisher } from './publishing.ts';
import type { Saving } from './saving.ts';

export type BarHost = {
  words: Words;
  session: DesignerSession;
  saving: Saving;
  publisher: Publisher;
  offers: Offers;
  exporter: Exporter;
  document(): ChartDocument;
  /** When the page should tell that the session ends soon, and when it ends; null before. */
  endsAt: number | null;
  mayPublish: boolean;
  mayExport: boolean;
  focus(objectIds: readonly string[]): void;
  /** Warnings. They do not stop a publish. */
  warnings(): TemplateResult | typeof nothing;
};

/** The faults that the server lists, each with the way to its object. */
export function issueList(
  { focus }: Pick<BarHost, 'focus'>,
  { issues = [] }: Problem,
): TemplateResult | typeof nothing {
  if (issues.length === 0) return nothing;
  return html`<ul class="saving-issues">
    ${issues.map(({ path, message, objectId }) =>
      objectId === undefined
        ? html`<li>${path}: ${message}</li>`
        : html`<li><button type="button" class="link" @click=${() => focus([objectId])}>${path}: ${message}</button></li>`,
    )}
  </ul>`;
}

export function refusalText(words: Words, problem: Problem, as: MessageKey = 'save.refusedWhy'): string {
  const { text } = words;
  if (problem.reason === 'safe_mode') return text('save.safeMode', { labels: words.list(problem.labels ?? []) });
  if (problem.code === 'payload_too_large') return text('save.tooLarge');
  if (problem.code === 'chart_too_large') return text('save.theirsTooLarge', { why: problem.message ?? problem.code });
  if (problem.reason === 'stale_chart') return text('publish.stale');
  const why = problem.code === 'no_answer' ? text('problem.no_answer') : (problem.message ?? problem.code);
  return (text as (key: MessageKey, values: { why: string }) => string)(as, { why });
}

export function timeOf({ locale }: Words, at: number): string {
  const isToday = new Date(at).toDateString() === new Date().toDateString();
  const form = isToday ? ({ timeStyle: 'short' } as const) : ({ dateStyle: 'medium', timeStyle: 'short' } as const);
  return new Intl.DateTimeFormat(locale, form).format(at);
}
