/** The page while it opens: grey shapes stand in for the map and the panel. */
import { html, type TemplateResult } from 'lit-html';

const ROWS = [7, 9, 11, 12, 13];

export const mapSkeleton = (): TemplateResult => html`<div class="bones" part="skeleton" aria-hidden="true">
  ${ROWS.map((count) => html`<div>${Array.from({ length: count }, () => html`<i></i>`)}</div>`)}
</div>`;

export const panelSkeleton = (): TemplateResult => html`<div class="bones lines" part="skeleton" aria-hidden="true">
  <i class="title"></i><i class="short"></i><i class="block"></i><i></i><i></i><i></i>
</div>`;
