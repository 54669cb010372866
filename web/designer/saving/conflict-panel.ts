/**
 * The conflicts of a merge: each with both values of each field and their people, and a way to its object on the map.
 */
import type { ChartObject } from '@parterre/shared/charts/document';
import { html, nothing, type TemplateResult } from 'lit-html';
import { objectsOf } from '../document/objects.ts';
import type { Words } from '../messages/words.ts';
import { namedObject } from '../panels/clashes.ts';
import type { Choice, OpenConflict } from './conflicts.ts';
import type { BarHost } from './telling.ts';
import { fieldName, namesOf, valueText } from './values.ts';

/** Fields of one conflict that the panel lists. The choice counts for all. */
const LISTED_MAX = 8;

export function conflictPanel(host: BarHost): TemplateResult {
  const { words, saving } = host;
  const { text } = words;
  const isDraft = saving.conflicts.some((each) => each.isDraft);
  const chooseAll = (choice: Choice) => {
    for (const index of saving.conflicts.keys()) saving.choose(index, choice);
  };
  return html`<section class="saving-panel conflicts" role="region" aria-labelledby="saving-conflicts">
    <b id="saving-conflicts">${text(isDraft ? 'draft.conflict' : 'conflict.title')}</b>
    <p>${text(isDraft ? 'draft.conflictWhy' : 'conflict.why')}</p>
    <ul>${saving.conflicts.map((open, index) => conflictRow(host, open, index))}</ul>
    <p class="saving-choices">
      <button type="button" @click=${() => chooseAll('mine')}>${text(isDraft ? 'draft.allMine' : 'conflict.allMine')}</button>
      <button type="button" @click=${() => chooseAll('theirs')}>${text(isDraft ? 'draft.allTheirs' : 'conflict.allTheirs')}</button>
      <button type="button" class="primary" ?disabled=${saving.conflicts.some(({ choice }) => choice === null)} @click=${() => saving.settleConflicts()}>${text('conflict.done')}</button>
    </p>
  </section>`;
}

function conflictRow(host: BarHost, open: OpenConflict, index: number): TemplateResult {
  const { words, saving, focus } = host;
  const { text } = words;
  const { conflict, isDraft, choice } = open;
  const name = nameOf(host, conflict);
  const option = (side: Choice) => {
    const label = text(`${isDraft ? 'draft' : 'conflict'}.${side}`);
    return html`<button type="button" aria-pressed=${choice === side} aria-label="${name}: ${label}" @click=${() => saving.choose(index, side)}>${label}</button>`;
  };
  const isOnMap = conflict.kind === 'object' && conflict.id !== null;
  return html`<li>
    <div>
      ${isOnMap ? html`<button type="button" class="link" @click=${() => focus([conflict.id!])}>${name}</button>` : html`<b>${name}</b>`}
      <small>${whyOf(words, open)}</small>
    </div>
    <table aria-label=${name}>
      <thead><tr><td></td><th scope="col">${option('mine')}</th><th scope="col">${option('theirs')}</th></tr></thead>
      <tbody>${valueRows(host, conflict)}</tbody>
    </table>
  </li>`;
}

function nameOf({ words, document }: BarHost, { mine, theirs, id, kind }: OpenConflict['conflict']): string {
  const { text } = words;
  if (kind === 'document') return text('conflict.document');
  const element = mine ?? theirs;
  if (kind !== 'object') return `${text(`kindOf.${kind}`)} ${element?.label ?? element?.name ?? id}`;
  // A conflict about the floor has the floors alone.
  const object = element?.type ? (element as ChartObject) : objectsOf(document(), new Set([id!]))[0];
  return object ? namedObject(words, object) : String(id);
}

function whyOf(words: Words, { conflict: { mine, theirs }, people, isDraft }: OpenConflict): string {
  const { text } = words;
  const who = namesOf(words, people);
  if (isDraft) {
    const why = text(theirs === null ? 'draft.theyDeleted' : mine === null ? 'draft.youDeleted' : 'draft.both');
    // Where nobody is known, the page's own edit may be the other side.
    return people.some((person) => person !== null) ? `${why} ${text('draft.savedBy', { who })}` : why;
  }
  if (theirs === null) return text('conflict.theyDeleted', { who });
  if (mine === null) return text('conflict.youDeleted', { who });
  return text('conflict.both', { who });
}

function valueRows({ words, document }: BarHost, { fields, mine, theirs }: OpenConflict['conflict']) {
  if (!mine || !theirs) return nothing;
  const { text } = words;
  const more = fields.length - LISTED_MAX;
  const textOf = (side: NonNullable<typeof mine>, field: string) => valueText(words, document(), side, field);
  return html`${fields.slice(0, LISTED_MAX).map(
    (field) => html`<tr>
      <th scope="row">${fieldName(words, field, mine)}</th>
      <td>${textOf(mine, field)}</td>
      <td>${textOf(theirs, field)}</td>
    </tr>`,
  )}
  ${more > 0 ? html`<tr><th scope="row" colspan="3">${text('conflict.moreFields', { count: more })}</th></tr>` : nothing}`;
}
