/**
 * The keys of the map: letters choose tools, arrows move the selection or the keyboard's cursor, Enter sets a point or
 * takes a seat, Escape goes back by a step. They mean this only while the map has the focus.
 */
import { isNothing } from '../document/selection.ts';
import { move } from '../edits/transform.ts';
import { ArrowKeys, type ArrowStep } from '../tools/arrow-keys.ts';
import { carried } from '../tools/transforms.ts';
import type { Command } from './commands.ts';
import { isTyping, keysOf } from './shortcuts.ts';
import type { Bench } from './workbench.ts';

/** Keys that mean nothing in a field of text. */
const everywhere: ReadonlySet<string> = new Set(['Mod+K', 'Mod+Shift+F']);
const PAN_PIXELS = 60;

export function listenToKeys(page: HTMLElement, map: HTMLElement, bench: Bench, commands: () => Iterable<Command>) {
  const ending = new AbortController();
  const arrows = new ArrowKeys('keys');

  function onMap(event: KeyboardEvent): boolean {
    const step = arrows.stepOf(event, bench.settings.grid);
    if (step) onArrow(step);
    else if (event.key === 'Escape') bench.leave();
    else if (event.key === 'Enter') bench.enter(event.shiftKey);
    else if (event.key === ' ') bench.holdsSpace = true;
    else if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return false;
    else {
      const chosen = bench.toolGroups.flat().find(({ key }) => key === event.key.toLowerCase());
      if (!chosen) return false;
      bench.use(chosen.name);
    }
    return true;
  }

  /** Moves the cursor of a drawing tool. In the tool that selects: a cursor that is shown, else the selection. */
  function onArrow(step: ArrowStep): void {
    const { dx, dy, gesture } = step;
    const { tool } = bench;
    if (tool.name === 'pan') bench.board.view.panBy(-Math.sign(dx) * PAN_PIXELS, -Math.sign(dy) * PAN_PIXELS);
    else if (bench.isDrawing || bench.cursor || isNothing(bench.editor.selection)) bench.moveCursor(step);
    else if (bench.apply(move(carried(bench), dx, dy), 'draw.step.move', gesture)) {
      const { text, number } = bench.words();
      bench.say(text('draw.movedBy', { x: number(dx), y: number(dy) }));
    }
  }

  function onKey(event: KeyboardEvent): void {
    const keys = keysOf(event);
    if (event.defaultPrevented || (isTyping(event) && !everywhere.has(keys))) return;
    const isOnMap = event.composedPath()[0] === map;
    const same: Record<string, string> = { 'Mod+Y': 'Mod+Shift+Z', Backspace: 'Delete', '=': '+' };
    // A tool that has a point or a handle in use takes keys that are commands elsewhere.
    if (isOnMap && bench.tool.onKey(event)) {
      event.preventDefault();
      return;
    }
    for (const command of commands()) {
      if (command.keys !== (same[keys] ?? keys) || (command.isOfMap && !isOnMap)) continue;
      // The browser keeps copying of what is marked on the page outside of the map.
      if (!isOnMap && /^Mod\+[ACXV]$/.test(keys)) return;
      event.preventDefault();
      if (command.canRun()) command.run();
      return;
    }
    if (isOnMap && onMap(event)) event.preventDefault();
  }

  page.addEventListener('keydown', onKey, { signal: ending.signal });
  const release = (): void => {
    bench.holdsSpace = false;
  };
  page.addEventListener('keyup', ({ key }) => key === ' ' && release(), { signal: ending.signal });
  map.addEventListener('blur', release, { signal: ending.signal });
  return () => ending.abort();
}
