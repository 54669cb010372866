/** The colour of a category, as a picture: a strict policy refuses styles in the markup. */
import { html, svg, type TemplateResult } from 'lit-html';

export function swatch(colour: string): TemplateResult {
  return html`<svg class="swatch" viewBox="0 0 16 16" aria-hidden="true">${svg`<circle cx="8" cy="8" r="7" fill=${colour} />`}</svg>`;
}
