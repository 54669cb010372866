/**
 * The news of other people's changes: each change with the way to it, and the labels that stand twice since. The bar
 * has it in a live region.
 */
import { html, nothing, type TemplateResult } from 'lit-html';
import type { Collision } from '../document/collisions.ts';
import type { TheirChange } from '../document/merge.ts';
import type { Words } from '../messages/words.ts';
import type { NewsEntry } from './news.ts';
import { type BarHost, timeOf } from './telling.ts';
import { fieldNames, namesOf } from './values.ts';

/** Changes of one entry, and labels, that the panel lists. */
const LISTED_MAX = 5;

export function newsPanel(host: BarHost): TemplateResult | typeof nothing {
  const { words, saving, focus } = host;
  const { entries, collisions } = saving.news;
  if (entries.length + collisions.length === 0) return nothing;
  const { text } = words;
  const ids = entries.flatMap(({ changes }) => changes.filter(isOnMap).map(({ id }) => id!));
  return html`<section class="saving-panel news" role="region" aria-label=${text('news.label')}>
    ${[...entries].reverse().map((entry) => entryOf(host, entry))}
    ${collisions.length > 0 ? collisionsOf(host, collisions) : nothing}
    <p class="saving-choices">
      ${ids.length > 0 ? html`<button type="button" @click=${() => focus([...new Set(ids)])}>${text('save.show')}</button>` : nothing}
      <button type="button" @click=${() => saving.dismissNews()}>${text('save.close')}</button>
    </p>
  </section>`;
}

function entryOf(host: BarHost, { people, at, changes }: NewsEntry): TemplateResult {
  const { words } = host;
  const { text } = words;
  const more = changes.length - LISTED_MAX;
  return html`<b>${text('news.one', { who: namesOf(words, people), count: changes.length })}</b>
    <small>${text('news.at', { time: timeOf(words, at) })}</small>
    <ul>
      ${changes.slice(0, LISTED_MAX).map((change) => html`<li>${changeOf(host, change)}</li>`)}
      ${more > 0 ? html`<li>${text('news.more', { count: more })}</li>` : nothing}
    </ul>`;
}

function changeOf({ words, focus }: BarHost, change: TheirChange): TemplateResult {
  const name = changedName(words, change);
  return html`${isOnMap(change) ? html`<button type="button" class="link" @click=${() => focus([change.id!])}>${name}</button>` : name}
    <small>${change.how === 'changed' ? fieldNames(words, change.fields, null) : words.text(`news.${change.how}`)}</small>`;
}

function changedName({ text }: Words, { kind, type, label }: TheirChange): string {
  if (kind === 'document') return text('conflict.document');
  return `${kind === 'object' ? text(`type.${type!}`) : text(`kindOf.${kind}`)} ${label}`;
}

function isOnMap({ kind, how }: TheirChange): boolean {
  return kind === 'object' && how !== 'deleted';
}

function collisionsOf({ words, focus }: BarHost, collisions: readonly Collision[]): TemplateResult {
  const { text, list } = words;
  const labels = collisions.map(({ label }) => label);
  const ids = [...new Set(collisions.flatMap(({ objectIds }) => objectIds))];
  return html`<p class="problem">
    ${text('news.collisions', { count: labels.length, labels: list(labels, LISTED_MAX) })}
    <button type="button" class="link" @click=${() => focus(ids)}>${text('news.showCollisions')}</button>
  </p>`;
}
