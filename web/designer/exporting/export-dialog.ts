/** The dialog of an export: the formats, each with what it is for, and what the written file leaves out. */
import { html, type TemplateResult } from 'lit-html';
import type { Words } from '../messages/words.ts';
import { modal } from '../saving/modal.ts';
import { type Exporter, type Exporting, formats } from './exporter.ts';

export function exportDialog(words: Words, exporter: Exporter): TemplateResult {
  const { text } = words;
  const { state } = exporter;
  const buttons = formats.map(
    (format) => html`<li>
      <button type="button" aria-describedby="export-${format}" aria-disabled=${state.step === 'writing'} @click=${() => void exporter.write(format)}>${text(`export.${format}`)}</button>
      <small id="export-${format}">${text(`export.${format}.for`)}</small>
    </li>`,
  );
  return modal(
    { className: 'export', title: text('export.title'), closeText: text('save.close'), closed: () => exporter.close() },
    html`<ul>${buttons}</ul>
      <p role="status">${stateText(words, state)}</p>`,
  );
}

function stateText({ text, list }: Words, state: Exporting): string {
  switch (state.step) {
    case 'closed':
    case 'choosing':
      return '';
    case 'writing':
      return text('export.working');
    case 'failed':
      return text('export.failed');
    case 'written': {
      const written = text('export.written', { name: state.fileName });
      return state.leftOut.length === 0
        ? written
        : `${written} ${text('export.leftOut', { things: list(state.leftOut, 10) })}`;
    }
  }
}
