/**
 * The panels at the side of the map: the selection, the categories, the places of the venue (floors and zones), the
 * chart and its issues, one tab each. A tab of which the session forbids every part is not there. A read-only session
 * shows all values and changes none.
 */

import { html, nothing, type TemplateResult } from 'lit-html';
import type { Feature } from '../document/permissions.ts';
import { isNothing } from '../document/selection.ts';
import { LabelIndex } from '../labelling/label-index.ts';
import { type CategoriesState, categoriesPanel } from './categories/categories-panel.ts';
import { markedPlaces } from './categories/marked.ts';
import { Fields } from './fields.ts';
import { isReadOnly, type Panel, type PanelsHost } from './host.ts';
import { inspector } from './inspector.ts';
import { createIssues, issuesPanel, warningList } from './issues-panel.ts';
import { emptyLabelsForm, leave } from './labels-panel.ts';
import { panelLooks } from './looks.ts';
import { chartPanel } from './venue/chart-panel.ts';
import { placesPanel } from './venue/places-panel.ts';

export type { PanelsHost } from './host.ts';

const allTabs = ['selection', 'categories', 'places', 'chart', 'issues'] as const;

/** The tabs that a session has. Pure. */
type Tab = (typeof allTabs)[number];

export function createPanels(host: PanelsHost) {
  const { editor, words, redraw } = host;
  const fields = new Fields(words, redraw, host.say, () => isReadOnly(host));
  const issues = createIssues(host);
  const form = emptyLabelsForm();
  const categories: CategoriesState = { open: null, removing: null, viewUrl: '' };
  let tab: Tab = 'selection';
  let index: { labels: LabelIndex; document: unknown } | null = null;
  const panel: Panel = { ...host, fields, labels };

  function labels(): LabelIndex {
    if (!index) index = { labels: new LabelIndex(editor.document), document: editor.document };
    else if (index.document !== editor.document) {
      index.labels.update(editor.document);
      index.document = editor.document;
    }
    return index.labels;
  }

  const sheet = new CSSStyleSheet();
  sheet.replaceSync(panelLooks);
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];

  const unsubscribe = editor.subscribe(({ isSelection, isFloor }) => {
    // A fresh session may allow less.
    if (!tabsFor(editor.may).includes(tab)) show('selection');
    if (!isSelection && !isFloor) return;
    fields.forget();
    if (form.isTouched) leave(panel, form);
    host.preview(null);
    // Another floor, or nothing selected, leaves the tab as it is.
    if (isSelection && tab !== 'categories' && !isNothing(editor.selection)) tab = 'selection';
    redraw();
  });

  function show(wanted: Tab): void {
    if (wanted === tab) return;
    tab = wanted;
    host.prices(tab === 'categories');
    fields.forget();
    host.preview(null);
    redraw();
  }

  /** Arrow keys walk the tabs, as in every list of tabs. */
  function walk(event: KeyboardEvent): void {
    const tabs = tabsFor(editor.may);
    const at = tabs.indexOf(tab);
    const to = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: tabs.length - 1 }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    const next = tabs[(to + tabs.length) % tabs.length]!;
    show(next);
    // The page draws within `redraw` or in the next frame.
    const list = event.currentTarget as HTMLElement;
    requestAnimationFrame(() => list.querySelector<HTMLElement>(`#panel-tab-${next}`)?.focus());
  }

  function body(): TemplateResult {
    switch (tab) {
      case 'selection':
        return inspector(panel, form);
      case 'categories':
        return categoriesPanel(panel, categories);
      case 'places':
        return placesPanel(panel);
      case 'chart':
        return chartPanel(panel);
      case 'issues':
        return issuesPanel(panel, issues, (key) => {
          categories.open = key;
          show('categories');
        });
    }
  }

  function template(): TemplateResult {
    return html`<div class="panels">
      <div class="switch" role="tablist" aria-label=${words().text('panels.label')} @keydown=${walk}>
        ${tabsFor(editor.may).map((each) => tabButton(panel, each, each === tab, issues.list().length, () => show(each)))}
      </div>
      <div class="panel" id="panel" role="tabpanel" aria-labelledby=${`panel-tab-${tab}`}>
        ${isReadOnly(host) ? html`<p class="note">${words().text('panels.readOnly')}</p>` : nothing}
        ${body()}
      </div>
    </div>`;
  }

  return {
    template,
    showSelection: () => show('selection'),
    /** What the brush marks on the map, and how many places. */
    marked: () => markedPlaces(panel),
    warnings: () => warningList(panel, issues, null),
    end(): void {
      issues.end();
      unsubscribe();
      document.adoptedStyleSheets = document.adoptedStyleSheets.filter((each) => each !== sheet);
    },
  };
}

function tabButton({ words }: Panel, tab: Tab, isShown: boolean, issues: number, show: () => void): TemplateResult {
  const { text, number } = words();
  return html`<button type="button" role="tab" id=${`panel-tab-${tab}`} aria-selected=${isShown} aria-controls="panel"
    tabindex=${isShown ? 0 : -1} @click=${show}>${text(`tab.${tab}`)}${
      tab === 'issues' && issues > 0 ? html`<span class="badge">${number(issues)}</span>` : nothing
    }</button>`;
}

/** A tab has parts for these; the others are there in every session. */
const partsOfTab: Partial<Record<Tab, readonly Feature[]>> = {
  categories: ['categories', 'painting', 'accessibility', 'views'],
  places: ['floors', 'zones'],
  chart: ['venue', 'background'],
};

export function tabsFor(may: { has(feature: Feature): boolean }): Tab[] {
  return allTabs.filter((tab) => partsOfTab[tab]?.some((feature) => may.has(feature)) ?? true);
}
