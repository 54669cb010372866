/** The question before an operator ends the holds of places that somebody has abandoned. */

import { html } from 'lit-html';
import { fieldOf } from '../frame/field.ts';
import type { Desk } from './desk.ts';

export function endHoldsQuestion(desk: Desk, labels: readonly string[]): void {
  const { ports } = desk.room;
  const { text, list } = ports.words;
  ports.ask<{ released: string[] }>({
    title: text('counter.end.title', { count: labels.length }),
    draw: () => html`<p>${text('counter.end.what', { places: list(labels) })}</p>
      <label>${text('counter.end.reason')} <input name="reason" required maxlength="500"></label>`,
    confirm: text('counter.end.confirm'),
    isDanger: true,
    send: (form, key) => desk.post('holds/end', { labels, reason: fieldOf(form, 'reason') }, key),
    done: ({ released }) => ports.tell({ text: text('counter.end.done', { count: released.length }) }),
  });
}
