/**
 * The map without a pointer and without sight: first the sections and areas as a list, then the seats of one section as
 * a grid. The list and the grid each have one place in the tab order. Arrow keys walk, Enter and Space choose, Escape
 * goes back to the list, plus, minus and 0 zoom. The focused place is ringed on the map and spoken with its price and
 * status.
 */
import { html, nothing, type TemplateResult } from 'lit-html';
import { guard } from 'lit-html/directives/guard.js';
import { repeat } from 'lit-html/directives/repeat.js';
import { blockName } from './messages/places.ts';
import type { Words } from './messages/words.ts';
import { type Direction, neighbourOf } from './rules/find.ts';
import { type Hall, rowsOf } from './rules/hall.ts';

export type MirrorView = {
  words: Words;
  hall: Hall;
  floor: number;
  freeIn(block: number): number;
  freeInArea(areaId: string): number;
  describe(spot: number): string;
  isChosen(spot: number): boolean;
  /** The descriptions stay as they are while these do. */
  describedBy: readonly unknown[];
};

export type MirrorListener = {
  choose(spot: number): void;
  addPlace(areaId: string): void;
  focusSpot(spot: number | null): void;
  focusBlock(block: number | null): void;
  enter(block: number): void;
  zoom(step: 1 | -1 | 0): void;
  changed(): void;
};

export type Mirror = ReturnType<typeof createMirror>;

type Entry = { name: string; block: number | null; areaId: string | null };

const directions: Record<string, Direction> = {
  ArrowLeft: 'left',
  ArrowRight: 'right',
  ArrowUp: 'up',
  ArrowDown: 'down',
  Home: 'first',
  End: 'last',
};
const zooms: Record<string, 1 | -1 | 0> = { '+': 1, '=': 1, '-': -1, '0': 0 };

export function createMirror(root: HTMLElement, view: () => MirrorView, listener: MirrorListener) {
  /** The entered section; null in the list. */
  let block: number | null = null;
  let spot: number | null = null;
  let entry = 0;
  let rows: ReturnType<typeof rowsOf> = [];

  function entries(): Entry[] {
    const { words, hall, floor, freeIn, freeInArea } = view();
    const sections = hall.blocks.flatMap((each, index) => {
      if (each.floor !== floor || each.spots.length === 0) return [];
      const told = { name: blockName(words, hall, each), free: freeIn(index), total: each.spots.length };
      return [{ name: words.text('walk.section', told), block: index, areaId: null }];
    });
    const areas = hall.areas.filter((area) => area.floor === floor);
    return [
      ...sections,
      ...areas.map(({ id, name }) => {
        const told = { name, count: freeInArea(id) };
        return { name: words.text('walk.area', told), block: null, areaId: id };
      }),
    ];
  }

  /** After the page has been drawn anew. */
  function moveFocus(): void {
    listener.changed();
    root.querySelector<HTMLElement>('[tabindex="0"]')?.focus({ preventScroll: true });
  }

  function enter(index: number): void {
    const { hall } = view();
    block = index;
    rows = rowsOf(hall, hall.blocks[index]!);
    spot = rows[0]?.spots[0] ?? null;
    listener.enter(index);
    moveFocus();
  }

  function act(chosen: Entry | undefined): void {
    if (chosen?.areaId) listener.addPlace(chosen.areaId);
    else if (chosen && chosen.block !== null) enter(chosen.block);
  }

  function onKey(event: KeyboardEvent): void {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const direction = directions[event.key];
    const zoom = zooms[event.key];
    const acts = event.key === 'Enter' || event.key === ' ';
    if (zoom !== undefined) listener.zoom(zoom);
    else if (block === null && acts) act(entries()[entry]);
    else if (block === null && direction) walkList(direction);
    else if (acts && spot !== null) listener.choose(spot);
    else if (direction && spot !== null) {
      const from = spot;
      spot = neighbourOf(view().hall, rows, spot, direction);
      step(root, view().hall, from, spot);
    } else if (event.key === 'Escape' && block !== null) leave();
    else return;
    event.preventDefault();
  }

  function walkList(direction: Direction): void {
    const last = entries().length - 1;
    if (direction === 'first' || direction === 'last') entry = direction === 'first' ? 0 : last;
    else entry = Math.min(Math.max(entry + (direction === 'left' || direction === 'up' ? -1 : 1), 0), last);
    moveFocus();
  }

  function leave(): void {
    block = null;
    spot = null;
    listener.focusSpot(null);
    moveFocus();
  }

  function onFocus(): void {
    listener.focusSpot(spot);
    listener.focusBlock(block === null ? (entries()[entry]?.block ?? null) : null);
  }

  function onBlur(): void {
    listener.focusSpot(null);
    listener.focusBlock(null);
  }

  return {
    /** The chart has changed, so the entered section may be gone. */
    reset(): void {
      block = null;
      spot = null;
      entry = 0;
      rows = [];
    },
    template(): TemplateResult {
      return html`<div class="mirror" @keydown=${onKey} @focusin=${onFocus} @focusout=${onBlur}>
        ${block === null ? list(view().words, entries(), entry, act) : grid(view(), rows, block, spot, listener)}
      </div>`;
    },
  };
}

/** A step in the grid draws nothing anew: a section may have hundreds of seats to describe. */
function step(root: HTMLElement, { labels }: Hall, from: number, to: number): void {
  const cellOf = (spot: number) => root.querySelector<HTMLElement>(`[data-spot="${CSS.escape(labels[spot]!)}"]`);
  cellOf(from)?.setAttribute('tabindex', '-1');
  cellOf(to)?.setAttribute('tabindex', '0');
  cellOf(to)?.focus({ preventScroll: true });
}

function list({ text }: Words, entries: Entry[], current: number, act: (entry: Entry) => void): TemplateResult {
  return html`<div role="group" aria-label=${text('walk.sections')}>
    ${entries.map(
      (each, index) =>
        html`<button data-entry=${index} tabindex=${index === current ? 0 : -1} @click=${() => act(each)}>${each.name}</button>`,
    )}
  </div>`;
}

function grid(
  { words, hall, freeIn, describe, isChosen, describedBy }: MirrorView,
  rows: ReturnType<typeof rowsOf>,
  block: number,
  current: number | null,
  { choose }: MirrorListener,
) {
  return guard([rows, ...describedBy], () => {
    const told = { name: blockName(words, hall, hall.blocks[block]!), free: freeIn(block) };
    return html`<div role="grid" aria-multiselectable="true" aria-label=${words.text('walk.seats', told)}>
    ${rows.map(
      ({ label, spots }) => html`<div role="row" aria-label=${label || nothing}>
        ${repeat(
          spots,
          (spot) => spot,
          (spot) => html`<span
            role="gridcell"
            data-spot=${hall.labels[spot]!}
            tabindex=${spot === current ? 0 : -1}
            aria-selected=${isChosen(spot)}
            aria-label=${describe(spot)}
            @click=${() => choose(spot)}
          ></span>`,
        )}
      </div>`,
    )}
  </div>`;
  });
}
