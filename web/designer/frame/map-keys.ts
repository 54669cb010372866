/**
 * The keys of the map: letters choose tools, arrows move the selection or the keyboard's cursor, Enter sets a point,
 * Escape goes back by a step. They mean this only while the map has the focus.
 */

import { move } from '../edits/transform.ts';
import { carried } from '../tools/transforms.ts';
import type { Command } from './commands.ts';
import { isTyping, keysOf } from './shortcuts.ts';
import type { Bench } from './workbench.ts';

const arrows: Record<string, readonly [number, number]> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};
/** Shift makes steps longer, Ctrl and Alt make them one unit. */
const LONG_STEPS = 5;
/** Keys that mean nothing in a field of text. */
const everywhere: ReadonlySet<string> = new Set(['Mod+K', 'Mod+Shift+F']);
const PAN_PIXELS = 60;
/** Moves by arrows that follow each other within this time are one step of undo. */
const GESTURE_MS = 1_000;

export function listenToKeys(page: HTMLElement, map: HTMLElement, bench: Bench, commands: () => Iterable<Command>) {
  const ending = new AbortController();
  let movedAt = 0;
  let gesture = 0;

  function onMap(event: KeyboardEvent): boolean {
    const { tool } = bench;
    if (tool.onKey(event)) return true;
    const arrow = arrows[event.key];
    if (arrow) return onArrow(event, arrow);
    if (event.key === 'Escape') bench.leave();
    else if (event.key === 'Enter') {
      if (!tool.enter) return false;
      bench.enter();
    } else if (event.key === ' ') bench.holdsSpace = true;
    else if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return false;
    else {
      const chosen = [...bench.tools.values()].find(({ key }) => key === event.key.toLowerCase());
      if (!chosen) return false;
      bench.use(chosen.name);
    }
    return true;
  }

  function onArrow(event: KeyboardEvent, [across, down]: readonly [number, number]): boolean {
    const { grid } = bench.settings;
    const isFine = event.ctrlKey || event.metaKey || event.altKey;
    const step = isFine ? 1 : event.shiftKey ? LONG_STEPS * grid : grid;
    const { objects, seats } = bench.editor.selection;
    if (bench.tool.enter) bench.moveCursor(across, down, step);
    else if (objects.size + seats.size === 0) bench.board.view.panBy(-across * PAN_PIXELS, -down * PAN_PIXELS);
    else {
      if (event.timeStamp - movedAt > GESTURE_MS) gesture++;
      movedAt = event.timeStamp;
      const isDone = bench.apply(move(carried(bench), across * step, down * step), 'draw.step.move', `keys-${gesture}`);
      const { text, number } = bench.words();
      if (isDone) bench.say(text('draw.movedBy', { x: number(across * step), y: number(down * step) }));
    }
    return true;
  }

  function onKey(event: KeyboardEvent): void {
    const keys = keysOf(event);
    if (event.defaultPrevented || (isTyping(event) && !everywhere.has(keys))) return;
    const isOnMap = event.composedPath()[0] === map;
    const same: Record<string, string> = { 'Mod+Y': 'Mod+Shift+Z', Backspace: 'Delete', '=': '+' };
    const isPoint = isOnMap && event.key === 'Backspace' && bench.tool.onKey(event);
    if (isPoint) {
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
