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

type OpenCategory = (key: string) => void;

export function issuesPanel(panel: Panel, issues: LiveIssues, open: OpenCategory): TemplateResult {
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
        const category = editor.document.categories.find(({ key }) => path?.startsWith(`categories.${key}.`));
        return html`<li><span>${message}</span>${
          object
            ? html`<button type="button" class="plain" @click=${() => focus([objectId!])}>${text('clash.show', { name: namedObject(words(), object) })}</button>`
            : category
              ? html`<code>${path}</code>${isReadOnly(panel) ? nothing : html`<button type="button" class="plain" @click=${() => open(category.key)}>${text('clash.show', { name: category.label })}</button>`}`
              : path === undefined
                ? nothing
                : html`<code>${path}</code>`
        }</li>`;
      })}
    </ul>
    ${more > 0 ? html`<p class="note">${text('issues.more', { count: more })}</p>` : nothing}
    ${warningList(panel, issues, open)}`;
}

/** The chart can be published with these. `open` null: sentences alone, for a dialog. */
export function warningList(
  panel: PanelsHost,
  issues: LiveIssues,
  open: OpenCategory | null,
): TemplateResult | typeof nothing {
  const warnings = issues.warnings();
  if (warnings.length === 0) return nothing;
  const { text } = panel.words();
  const more = warnings.length - SHOWN_MAX;
  return html`<h3>${text('warnings.title')}</h3>
    <ul class="issues">${warnings
      .slice(0, SHOWN_MAX)
      .map(
        (warning) =>
          html`<li><span>${sentenceOf(panel, warning)}</span>${open ? mending(panel, warning, open) : nothing}</li>`,
      )}</ul>
    ${more > 0 ? html`<p class="note">${text('warnings.more', { count: more })}</p>` : nothing}`;
}

function sentenceOf({ words, editor }: PanelsHost, warning: Warning): string {
  const { text, list } = words();
  switch (warning.kind) {
    case 'price':
      return text('warnings.price', { category: warning.category });
    case 'focalPoint':
      return warning.floor === null
        ? text('warnings.focalPoint')
        : text('warnings.focalPointOf', { name: warning.name });
    case 'overlap': {
      const [name, other] = warning.ids.map((id) => namedObject(words(), objectsOf(editor.document, new Set([id]))[0]));
      return text('warnings.overlap', { name: name!, other: other! });
    }
    case 'tier': {
      const { tier, category, labels, more } = warning;
      const shown = list(more > 0 ? [...labels, text('warnings.labels', { count: more })] : labels);
      return text('warnings.tier', { tier, category, labels: shown, count: labels.length + more });
    }
  }
}

/** The way to mend what a warning is about, or to see it. */
function mending(panel: PanelsHost, warning: Warning, open: OpenCategory): TemplateResult | typeof nothing {
  const { text } = panel.words();
  const button = (label: string, press: () => void) =>
    html`<button type="button" class="plain" @click=${press}>${label}</button>`;
  if (warning.kind === 'overlap') return button(text('warnings.show'), () => panel.focus(warning.ids));
  if (isReadOnly(panel)) return nothing;
  if (warning.kind === 'price') return button(text('warnings.price.set'), () => open(warning.key));
  if (warning.kind !== 'focalPoint') return nothing;
  return button(text('warnings.focalPoint.place'), () => applied(panel, suppose(warning.floor), 'did.focalPoint'));
}
