/** The parts of the venue: its floors and its zones. */
import { html, type TemplateResult } from 'lit-html';
import type { Panel } from './host.ts';

export function placesPanel(_panel: Panel): TemplateResult {
  return html``;
}
