/**
 * The reasons why the chart cannot be published yet, each with the way to its object, and warnings about what
 * publishing lets pass. The list follows the document after a pause (checking/). Clashing labels of the selection are
 * told at once (clashes.ts).
 */
import type { Issue } from '@parterre/shared/protocol/errors';
import { html, nothing, type TemplateResult } from 'lit-html';
import { createChecker } from '../checking/checker.ts';
import type { Warning } from '../checking/warnings.ts';
import { suppose } from '../document/focal-points.ts';
import { objectsOf } from '../document/objects.ts';
import { namedObject } from './clashes.ts';
import { applied, isReadOnly, type Panel, type PanelsHost } from './host.ts';

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
export function warningList(panel: PanelsHost, issues: LiveIssues): TemplateResult | typeof nothing {
  const warnings = issues.warnings();
  if (warnings.length === 0) return nothing;
  const { text } = panel.words();
  const more = warnings.length - SHOWN_MAX;
  return html`<h3>${text('warnings.title')}</h3>
    <ul class="issues">${warnings.slice(0, SHOWN_MAX).map((warning) => warningLine(panel, warning))}</ul>
    ${more > 0 ? html`<p class="note">${text('warnings.more', { count: more })}</p>` : nothing}`;
}

/** A sentence, and the way to mend it or to see it. */
function warningLine(panel: PanelsHost, warning: Warning): TemplateResult {
  const { words, editor, focus } = panel;
  const { text, list } = words();
  switch (warning.kind) {
    case 'tier': {
      const { tier, category, labels, more } = warning;
      const shown = list(more > 0 ? [...labels, text('warnings.labels', { count: more })] : labels);
      return html`<li>${text('warnings.tier', { tier, category, labels: shown, count: labels.length + more })}</li>`;
    }
    case 'focalPoint': {
      const { floor, name } = warning;
      const place = () => applied(panel, suppose(floor), 'did.focalPoint');
      return html`<li><span>${floor === null ? text('warnings.focalPoint') : text('warnings.focalPointOf', { name })}</span>
        ${isReadOnly(panel) ? nothing : html`<button type="button" class="plain" @click=${place}>${text('warnings.focalPoint.place')}</button>`}</li>`;
    }
    case 'overlap': {
      const [name, other] = warning.ids.map((id) => namedObject(words(), objectsOf(editor.document, new Set([id]))[0]));
      const sentence = text('warnings.overlap', { name: name!, other: other! });
      return html`<li><span>${sentence}</span>
        <button type="button" class="plain" @click=${() => focus(warning.ids)}>${text('warnings.show')}</button></li>`;
    }
  }
}
