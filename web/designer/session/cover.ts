/** The page without a chart: it opens, or says why there is none. */
import { html, nothing, type TemplateResult } from 'lit-html';
import type { Words } from '../messages/words.ts';

export type Cover =
  | { kind: 'opening' }
  | { kind: 'none' }
  | { kind: 'ended' }
  | { kind: 'foreign'; origin: string }
  | { kind: 'failed'; message: string | null };

export function cover({ text }: Words, shown: Cover, again: () => void): TemplateResult {
  if (shown.kind === 'opening') return html`<main class="cover" role="status"><p>${text('session.opening')}</p></main>`;
  const [title, why] = sentences(text, shown);
  return html`<main class="cover">
    <div role="alert">
      <h1>${title}</h1>
      ${why ? html`<p>${why}</p>` : nothing}
    </div>
    ${shown.kind === 'failed' ? html`<p><button type="button" class="primary" @click=${again}>${text('session.again')}</button></p>` : nothing}
  </main>`;
}

function sentences(text: Words['text'], shown: Exclude<Cover, { kind: 'opening' }>): [string, string | null] {
  switch (shown.kind) {
    case 'none':
      return [text('session.none'), text('session.noneWhy')];
    case 'ended':
      return [text('session.ended'), text('session.endedWhy')];
    case 'foreign':
      return [text('session.foreign'), text('session.foreignWhy', { origin: shown.origin })];
    case 'failed':
      return [text('session.failed'), shown.message];
  }
}
