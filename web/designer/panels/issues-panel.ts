/**
 * The reasons why the chart cannot be published yet, each with the way to its object, and warnings about what
 * publishing lets pass. The list follows the document after a pause (checking/). Clashing labels of the selection are
 * told at once (clashes.ts).
 */
import type { Issue } from '@parterre/shared/protocol/errors';
import { html, nothing, type TemplateResult } from 'lit-html';
import { createChecker } from '../checking/checker.ts';
import type { Warning } from '../checking/messages.ts';
import { objectsOf } from '../document/objects.ts';
import type { Words } from '../messages/words.ts';
import { namedObject } from './clashes.ts';
import type { Panel, PanelsHost } from './host.ts';

const SHOWN_MAX = 100;

export type LiveIssues = ReturnType<typeof createIssues>;

export function createIssues({ editor, mark, redraw }: Pick<PanelsHost, 'editor' | 'mark' | 'redraw'>) {
  let issues: readonly Issue[] = [];
  let warnings: readonly Warning[] = [];
  const checker = createChecker(editor, (checked) => {
    if (checked) {
      ({ issues, warnings } = checked);
      const first = new Map<string, string>();
      for (const { objectId, message } of issues) {
        if (objectId !== undefined && !first.has(objectId)) first.set(objectId, message);
      }
      mark(first);
    }
    redraw();
  });
  return {
    /** Of the document of the last check. */
    list: (): readonly Issue[] => issues,
    warnings: (): readonly Warning[] => warnings,
    isFresh: checker.isFresh,
    hasFailed: checker.hasFailed,
    end: checker.end,
  };
}

export function issuesPanel(panel: Panel, issues: LiveIssues): TemplateResult {
  const { words, editor, focus } = panel;
  const { text } = words();
  const list = issues.list().slice(0, SHOWN_MAX);
  const ids = new Set(list.flatMap(({ objectId }) => (objectId === undefined ? [] : [objectId])));
  const objects = new Map(objectsOf(editor.document, ids).map((each) => [each.id, each]));
  const more = issues.list().length - list.length;
  return html`<h3>${text('issues.title')}</h3>
    ${issues.isFresh() ? nothing : html`<p class="note">${text(issues.hasFailed() ? 'issues.failed' : 'issues.looking')}</p>`}
    ${list.length === 0 && issues.isFresh() ? html`<p class="good">${text('issues.none')}</p>` : nothing}
    <ul class="issues">
      ${list.map(({ message, objectId, path }) => {
        const object = objects.get(objectId);
        return html`<li><span>${message}</span>${
          object
            ? html`<button type="button" class="plain" @click=${() => focus([objectId!])}>${text('clash.show', { name: namedObject(words(), object) })}</button>`
            : path === undefined
              ? nothing
              : html`<code>${path}</code>`
        }</li>`;
      })}
    </ul>
    ${more > 0 ? html`<p class="note">${text('issues.more', { count: more })}</p>` : nothing}
    ${warningList(panel, issues)}`;
}

/** The chart can be published with these. */
export function warningList({ words }: Pick<PanelsHost, 'words'>, issues: LiveIssues): TemplateResult | typeof nothing {
  const warnings = issues.warnings();
  if (warnings.length === 0) return nothing;
  const { text } = words();
  const more = warnings.length - SHOWN_MAX;
  return html`<h3>${text('warnings.title')}</h3>
    <ul class="issues">${warnings.slice(0, SHOWN_MAX).map((warning) => html`<li>${sentenceOf(words(), warning)}</li>`)}</ul>
    ${more > 0 ? html`<p class="note">${text('warnings.more', { count: more })}</p>` : nothing}`;
}

function sentenceOf({ text, list }: Words, { category, tier, labels, more }: Warning): string {
  const shown = list(more > 0 ? [...labels, text('warnings.labels', { count: more })] : labels);
  return text('warnings.tier', { tier, category, labels: shown, count: labels.length + more });
}
