/** The conflicts of a merge: each with both sides to choose from, and a way to its object on the map. */
import { html, type TemplateResult } from 'lit-html';
import type { Words } from '../messages/words.ts';
import type { Choice, OpenConflict } from './conflicts.ts';
import type { Saving } from './saving.ts';
import type { BarHost } from './telling.ts';

export function conflictPanel({ words, saving, focus }: BarHost): TemplateResult {
  const { text } = words;
  const chooseAll = (choice: Choice) => {
    for (const index of saving.conflicts.keys()) saving.choose(index, choice);
  };
  return html`<section class="saving-panel conflicts" role="region" aria-labelledby="saving-conflicts">
    <b id="saving-conflicts">${text('conflict.title')}</b>
    <p>${text('conflict.why')}</p>
    <ul>${saving.conflicts.map((open, index) => conflictRow(words, saving, focus, open, index))}</ul>
    <p class="saving-choices">
      <button type="button" @click=${() => chooseAll('mine')}>${text('conflict.allMine')}</button>
      <button type="button" @click=${() => chooseAll('theirs')}>${text('conflict.allTheirs')}</button>
      <button type="button" class="primary" ?disabled=${saving.conflicts.some(({ choice }) => choice === null)} @click=${() => saving.settleConflicts()}>${text('conflict.done')}</button>
    </p>
  </section>`;
}

function conflictRow(
  words: Words,
  saving: Saving,
  focus: BarHost['focus'],
  { conflict, choice }: OpenConflict,
  index: number,
): TemplateResult {
  const { text } = words;
  const name = nameOf(words, conflict);
  const option = (side: Choice) =>
    html`<button type="button" aria-pressed=${choice === side} aria-label="${name}: ${text(`conflict.${side}`)}" @click=${() => saving.choose(index, side)}>${text(`conflict.${side}`)}</button>`;
  const isOnMap = conflict.kind === 'object' && conflict.id !== null;
  return html`<li>
    <span>${isOnMap ? html`<button type="button" class="link" @click=${() => focus([conflict.id!])}>${name}</button>` : name}</span>
    <small>${whyOf(words, conflict)}</small>
    <span class="saving-sides" role="group" aria-label=${name}>${option('mine')}${option('theirs')}</span>
  </li>`;
}

function nameOf({ text }: Words, { mine, theirs, id, kind }: OpenConflict['conflict']): string {
  if (kind === 'document') return text('conflict.document');
  const { label, name } = (mine ?? theirs ?? {}) as { label?: unknown; name?: unknown };
  return String(label || name || id);
}

function whyOf(words: Words, { mine, theirs, fields }: OpenConflict['conflict']): string {
  const { text } = words;
  if (theirs === null) return text('conflict.theyDeleted');
  if (mine === null) return text('conflict.youDeleted');
  return text('conflict.fields', { fields: words.list(fields) });
}
