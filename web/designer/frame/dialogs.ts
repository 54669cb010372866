/** Two dialogs over the page: all commands, found by their names, and the table of keys. */
import { html, render, type TemplateResult } from 'lit-html';
import type { Words } from '../messages/words.ts';
import type { Tool } from '../tools/tool.ts';
import type { Command } from './commands.ts';
import { shownKeys } from './shortcuts.ts';

export type Dialogs = { palette(): void; help(): void; end(): void };

/** Keys that are no commands, in the order of the table. */
const mapKeys = [
  'Arrows',
  'Shift+Arrows',
  'Mod+Arrows',
  'Enter',
  'Shift+Enter',
  'Tab',
  'Backspace',
  'Escape',
  'Space',
] as const;

export function makeDialogs(
  root: HTMLElement,
  words: () => Words,
  commands: () => readonly Command[],
  tools: () => readonly Tool[],
): Dialogs {
  const dialog = document.createElement('dialog');
  dialog.className = 'over';
  // A click on the ground beside the dialog closes it.
  dialog.addEventListener('click', (event) => event.target === dialog && dialog.close());
  root.append(dialog);
  let search = '';
  let at = 0;

  const found = (): Command[] => {
    const wanted = search.trim().toLocaleLowerCase();
    return commands().filter((each) => each.name !== 'palette' && each.label().toLocaleLowerCase().includes(wanted));
  };

  function run(command: Command | undefined): void {
    if (!command?.canRun()) return;
    dialog.close();
    command.run();
  }

  function onKey(event: KeyboardEvent): void {
    const list = found();
    if (event.key === 'ArrowDown') at = Math.min(at + 1, list.length - 1);
    else if (event.key === 'ArrowUp') at = Math.max(at - 1, 0);
    else if (event.key === 'Enter') run(list[at]);
    else return;
    event.preventDefault();
    drawPalette();
    dialog.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: 'nearest' });
  }

  function drawPalette(): void {
    const { text } = words();
    const list = found();
    const type = ({ target }: Event) => {
      search = (target as HTMLInputElement).value;
      at = 0;
      drawPalette();
    };
    const option = (command: Command, index: number): TemplateResult =>
      html`<li role="option" id="command-${command.name}" aria-selected=${index === at} aria-disabled=${!command.canRun()} @click=${() => run(command)}>
        <span>${command.label()}</span>${keys(command.keys)}
      </li>`;
    render(
      html`<div class="palette">
        <input type="text" role="combobox" aria-expanded="true" aria-controls="commands" autocomplete="off"
          aria-activedescendant=${list[at] ? `command-${list[at]!.name}` : ''} aria-label=${text('draw.palette')}
          placeholder=${text('draw.palette')} .value=${search} @input=${type} @keydown=${onKey}>
        <ul id="commands" role="listbox" aria-label=${text('draw.palette')}>${list.map(option)}</ul>
      </div>`,
      dialog,
    );
  }

  function drawHelp(): void {
    const { text } = words();
    const row = (name: string, shown: string) => html`<tr><th scope="row">${name}</th><td>${keys(shown)}</td></tr>`;
    const table = (title: string, rows: TemplateResult[]) =>
      html`<table><caption>${title}</caption><tbody>${rows}</tbody></table>`;
    render(
      html`<div class="help">
        <header><h2 id="help-title">${text('draw.command.help')}</h2><button type="button" autofocus @click=${() => dialog.close()}>${text('draw.close')}</button></header>
        <p>${text('draw.keys.note')}</p>
        <div class="tables" tabindex="0" role="group" aria-label=${text('draw.command.help')}>
          ${table(
            text('draw.tools'),
            tools().map(({ name, key }) => row(text(`draw.tool.${name}`), key.toUpperCase())),
          )}
          ${table(
            text('draw.keys.map'),
            mapKeys.map((each) => row(text(`draw.keys.${each}`), each)),
          )}
          ${table(
            text('draw.commands'),
            commands().map((command) => row(command.label(), command.keys)),
          )}
        </div>
      </div>`,
      dialog,
    );
  }

  function open(name: 'draw.palette' | 'draw.command.help', draw: () => void): void {
    dialog.setAttribute('aria-label', words().text(name));
    draw();
    if (!dialog.open) dialog.showModal();
  }

  return {
    palette() {
      search = '';
      at = 0;
      open('draw.palette', drawPalette);
    },
    help: () => open('draw.command.help', drawHelp),
    end: () => dialog.remove(),
  };
}

export function keys(shown: string): TemplateResult {
  return html`<span class="keys">${shownKeys(shown).map((each) => html`<kbd>${each}</kbd>`)}</span>`;
}
