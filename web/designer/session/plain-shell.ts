/** Stands in for the shell until there is one: the bar above, and the name of the chart. */
import { html, render, type TemplateResult } from 'lit-html';
import type { Editor } from '../document/editor.ts';
import type { Words } from '../messages/words.ts';

export function openShell(root: HTMLElement, { editor, bar }: { editor: Editor; words: Words; bar(): TemplateResult }) {
  let planned = 0;
  const draw = () => {
    planned = 0;
    render(html`<header>${bar()}</header><main><h1>${editor.document.name}</h1></main>`, root);
  };
  draw();
  return {
    focus: (_objectIds: readonly string[]) => {},
    redraw() {
      if (planned === 0) planned = requestAnimationFrame(draw);
    },
  };
}
