/** Labels that two objects share: a sentence with the other object's name, and the way to it. */
import type { ChartObject } from '@parterre/shared/charts/document';
import { objectName } from '@parterre/shared/charts/place-names';
import { html, nothing, type TemplateResult } from 'lit-html';
import { objectsOf } from '../document/objects.ts';
import type { Clash } from '../labelling/label-index.ts';
import { previewOf } from '../labelling/preview.ts';
import type { Words } from '../messages/words.ts';
import type { Panel } from './host.ts';

const SHOWN_MAX = 3;

/** `isProposed`: while labels are typed. Screen readers hear the first clash. */
export function clashNotes(panel: Panel, clashes: readonly Clash[], isProposed = false): TemplateResult {
  if (clashes.length === 0) return html``;
  const { words, editor, focus, say } = panel;
  const { text } = words();
  const others = new Map(
    objectsOf(editor.document, new Set(clashes.map(({ otherId }) => otherId))).map((each) => [each.id, each]),
  );
  const sentences = clashes.slice(0, SHOWN_MAX).map((clash) => sentenceOf(words(), clash, others.get(clash.otherId)));
  if (isProposed) say(sentences[0]!);
  const more = clashes.length - SHOWN_MAX;
  return html`<ul class="clashes">
    ${sentences.map((sentence, at) => {
      const { otherId } = clashes[at]!;
      return html`<li><span class="problem">${sentence}</span>
        <button type="button" class="plain" @click=${() => focus([otherId])}>${text('clash.show', { name: namedObject(words(), others.get(otherId)) })}</button></li>`;
    })}
    ${more > 0 ? html`<li>${text('clash.others', { count: more })}</li>` : nothing}
  </ul>`;
}

function sentenceOf(words: Words, { label, objectId, otherId, more }: Clash, other: ChartObject | undefined): string {
  const { text } = words;
  if (objectId === otherId) return text('clash.itself', { label });
  const name = namedObject(words, other);
  return more > 0 ? text('clash.many', { label, name, count: more }) : text('clash.one', { label, name });
}

/** “Row A”. */
export function namedObject({ text }: Words, object: ChartObject | undefined): string {
  if (!object) return '';
  const label = typeof object.label === 'string' ? objectName(object as { label: string }, null) : '';
  return `${text(`type.${object.type}`)} ${label}`.trim();
}

/** Shows proposed objects on the map, and tells their clashes. */
export function proposed(panel: Panel, objects: readonly ChartObject[], form: 'whole' | 'number'): TemplateResult {
  panel.preview(previewOf(objects, form));
  return clashNotes(panel, panel.labels().clashesIf(objects), true);
}
