/**
 * The floor as a list: sections with their objects, then the objects in no section. A search shows the objects whose
 * names have its text. A long list shows its first entries and says how many there are.
 */

import type { ChartObject } from '@parterre/shared/charts/document';
import { html, nothing, type TemplateResult } from 'lit-html';
import { idOf } from '../document/objects.ts';
import { choose, nameIn, reveal, sayChoice } from '../tools/selecting.ts';
import type { Bench } from './workbench.ts';

const SHOWN_MAX = 200;

type Group = { section: ChartObject | null; objects: ChartObject[] };

export function createOutline(bench: Bench) {
  let search = '';
  let open = new Set<string>();
  let groupsFor: readonly ChartObject[] | null = null;
  let groups: Group[] = [];

  function grouped(): Group[] {
    const { live } = bench.board;
    if (groupsFor === live.objects) return groups;
    groupsFor = live.objects;
    groups = groupsOf(live.objects, (object) => live.sectionOf(object));
    return groups;
  }

  function pick(object: ChartObject, event: MouseEvent): void {
    choose(bench, [idOf(object)], event.shiftKey || event.ctrlKey || event.metaKey ? 'toggle' : 'only');
    reveal(bench, object);
    sayChoice(bench);
  }

  function entry(object: ChartObject): TemplateResult {
    const isChosen = bench.editor.selection.objects.has(idOf(object));
    return html`<li><button type="button" class="entry" aria-pressed=${isChosen} @click=${(event: MouseEvent) => pick(object, event)}>${nameIn(bench.words(), object)}</button></li>`;
  }

  function list(objects: readonly ChartObject[]): TemplateResult {
    const { text } = bench.words();
    const rest = objects.length - SHOWN_MAX;
    return html`<ul>
      ${objects.slice(0, SHOWN_MAX).map(entry)}
      ${rest > 0 ? html`<li class="rest">${text('draw.outline.rest', { count: rest })}</li>` : nothing}
    </ul>`;
  }

  function group({ section, objects }: Group): TemplateResult {
    const { text } = bench.words();
    const id = section ? idOf(section) : '';
    const isOpen = open.has(id);
    const name = section ? nameIn(bench.words(), section) : text('draw.outline.loose');
    const fold = () => {
      if (!open.delete(id)) open = new Set([...open, id]);
      bench.redraw();
    };
    return html`<li class="group">
      <div class="head">
        <button type="button" class="fold" aria-expanded=${isOpen} aria-label=${text('draw.outline.open', { name })} @click=${fold}>${isOpen ? '▾' : '▸'}</button>
        ${
          section
            ? html`<button type="button" class="entry" aria-pressed=${bench.editor.selection.objects.has(id)} @click=${(event: MouseEvent) => pick(section, event)}>${name}</button>`
            : html`<span class="entry">${name}</span>`
        }
        <span class="count">${bench.words().number(objects.length)}</span>
      </div>
      ${isOpen ? list(objects) : nothing}
    </li>`;
  }

  return (): TemplateResult => {
    const { text } = bench.words();
    const wanted = search.trim().toLocaleLowerCase();
    const isFound = (object: ChartObject) => nameIn(bench.words(), object).toLocaleLowerCase().includes(wanted);
    const found = wanted === '' ? null : bench.board.live.objects.filter(isFound);
    const type = ({ target }: Event) => {
      search = (target as HTMLInputElement).value;
      bench.redraw();
    };
    return html`<div class="outline">
      <label class="search"><span>${text('draw.outline.search')}</span><input type="search" .value=${search} @input=${type}></label>
      ${found ? html`<p role="status">${text('draw.outline.found', { count: found.length })}</p>${list(found)}` : html`<ul class="groups">${grouped().map(group)}</ul>`}
      ${bench.board.live.objects.length === 0 ? html`<p>${text('draw.outline.empty')}</p>` : nothing}
    </div>`;
  };
}

function groupsOf(objects: readonly ChartObject[], sectionOf: (object: ChartObject) => ChartObject | null): Group[] {
  const bySection = new Map<ChartObject | null, ChartObject[]>();
  for (const object of objects) if (object.type === 'section') bySection.set(object, []);
  const loose: ChartObject[] = [];
  for (const object of objects) {
    if (object.type === 'section') continue;
    const section = sectionOf(object);
    (section ? bySection.get(section)! : loose).push(object);
  }
  const groups = [...bySection].map(([section, its]) => ({ section, objects: its }));
  return loose.length > 0 ? [...groups, { section: null, objects: loose }] : groups;
}
