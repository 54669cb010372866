/**
 * The reasons why the chart cannot be published yet, each with the way to its object. The list follows the document
 * after a pause, since a look at 100,000 seats takes a tenth of a second. Clashing labels of the selection are told at
 * once (clashes.ts).
 */
import type { ChartDocument } from '@parterre/shared/chart/document';
import { draftSeatTotal } from '@parterre/shared/chart/places';
import { publishIssues } from '@parterre/shared/chart/publish-issues';
import type { Issue } from '@parterre/shared/errors';
import { html, nothing, type TemplateResult } from 'lit-html';
import { config } from 'zod';
import { objectsOf } from '../document/objects.ts';
import { namedObject } from './clashes.ts';
import type { Panel, PanelsHost } from './host.ts';

// The page's policy forbids code from texts, which would be faster.
config({ jitless: true });

const PAUSE_MS = 500;
const PAUSE_LARGE_MS = 1_500;
const LARGE_SEATS = 20_000;
const SHOWN_MAX = 100;

export type LiveIssues = ReturnType<typeof createIssues>;

export function createIssues({ editor, mark, redraw }: Pick<PanelsHost, 'editor' | 'mark' | 'redraw'>) {
  let checked: ChartDocument | null = null;
  let list: readonly Issue[] = [];
  let timer: ReturnType<typeof setTimeout> | undefined;

  function check(): void {
    clearTimeout(timer);
    timer = undefined;
    if (checked === editor.document) return;
    checked = editor.document;
    list = publishIssues(checked);
    const first = new Map<string, string>();
    for (const { objectId, message } of list) {
      if (objectId !== undefined && !first.has(objectId)) first.set(objectId, message);
    }
    mark(first);
    redraw();
  }

  function later(): void {
    clearTimeout(timer);
    timer = setTimeout(check, draftSeatTotal(editor.document) > LARGE_SEATS ? PAUSE_LARGE_MS : PAUSE_MS);
  }

  const unsubscribe = editor.subscribe(({ isDocument }) => {
    if (isDocument) later();
  });
  later();

  return {
    /** Of the document of the last pause. */
    list: (): readonly Issue[] => list,
    isFresh: (): boolean => checked === editor.document,
    check,
    end(): void {
      clearTimeout(timer);
      unsubscribe();
    },
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
    ${issues.isFresh() ? nothing : html`<p class="note">${text('issues.looking')}</p>`}
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
    ${more > 0 ? html`<p class="note">${text('issues.more', { count: more })}</p>` : nothing}`;
}
