/**
 * Selects seats: by a click, a box, or a line around them, whatever their rows are. With the keyboard, Enter sets the
 * corners. Shift adds seats to the selection, Ctrl takes them away.
 *
 * A box needs two corners. A line needs three, and ends at its first corner, at a double click, or at Enter in the same
 * place twice.
 */
import type { Point } from '@parterre/shared/charts/plan';
import { boundsOf } from '../../src/rules/bounds.ts';
import { objectAt } from '../canvas/find.ts';
import type { Overlay } from '../canvas/overlay.ts';
import { seatsInBox, seatsInOutline } from '../document/selecting.ts';
import { nothingSelected, type Selection, withSeats } from '../document/selection.ts';
import { chooseSeat, sayChoice } from './selecting.ts';
import type { Dragged, Pointed, Tool, Workbench } from './tool.ts';

/** Points of a drawn line stand this far apart, in pixels. */
const TRAIL_PIXELS = 4;

export class SeatsTool implements Tool {
  readonly name: 'seats' | 'lasso';
  readonly icon: 'seats' | 'lasso';
  readonly key: string;
  readonly #bench: Workbench;
  #corners: Point[] = [];
  #next: Point | null = null;

  constructor(name: 'seats' | 'lasso', key: string, bench: Workbench) {
    this.name = name;
    this.icon = name;
    this.key = key;
    this.#bench = bench;
  }

  press(from: Pointed): Dragged {
    const trail = [from.at];
    let hasMoved = false;
    const apart = TRAIL_PIXELS / this.#bench.board.view.camera.scale;
    return {
      move: (to) => {
        const last = trail.at(-1)!;
        hasMoved ||= Math.hypot(to.at.x - from.at.x, to.at.y - from.at.y) > from.reach / 2;
        if (this.name === 'lasso' && Math.hypot(to.at.x - last.x, to.at.y - last.y) >= apart) trail.push(to.at);
        if (hasMoved) this.#corners = trail;
        this.hover(to);
      },
      end: (to) => {
        if (hasMoved) this.#take(this.name === 'lasso' ? trail : [from.at, to.at], to);
        else this.#click(from);
      },
      cancel: () => void this.leave(),
    };
  }

  hover(at: Pointed | null): void {
    this.#next = at?.at ?? null;
    this.#bench.remark();
  }

  enter = (at: Pointed): void => {
    const before = this.#corners.length;
    this.#addCorner(at);
    const { words, say } = this.#bench;
    if (this.#corners.length > before) say(words().text('draw.point', { count: this.#corners.length }));
  };

  onKey(event: KeyboardEvent): boolean {
    if (event.key !== 'Backspace' || this.#corners.length === 0) return false;
    this.#corners = this.#corners.slice(0, -1);
    this.#bench.redraw();
    return true;
  }

  leave(): boolean {
    const had = this.#corners.length > 0;
    this.#corners = [];
    this.#bench.remark();
    return had;
  }

  draw(overlay: Overlay): void {
    const [first] = this.#corners;
    if (!first || !this.#next) return;
    if (this.name === 'seats') overlay.box(boundsOf([first, this.#next]), 'rubber');
    else overlay.line([...this.#corners, this.#next], true, true);
  }

  /** A seat, or a corner of a line. A click beside all seats empties the selection. */
  #click(at: Pointed): void {
    const { live } = this.#bench.board;
    const found = this.#corners.length === 0 ? objectAt(live, at.at, at.reach / 2, true) : null;
    if (found && found.seat !== null) chooseSeat(this.#bench, found, at.isMore || at.isToggle);
    else if (this.name === 'lasso' || this.#corners.length > 0) {
      this.#addCorner(at);
      return;
    } else if (!at.isMore && !at.isToggle) this.#bench.editor.select(nothingSelected);
    sayChoice(this.#bench);
  }

  #addCorner(at: Pointed): void {
    const [first] = this.#corners;
    const last = this.#corners.at(-1);
    const isNear = (other: Point | undefined) =>
      other !== undefined && Math.hypot(other.x - at.at.x, other.y - at.at.y) <= at.reach;
    const isClosed = this.#corners.length > 2 && (isNear(first) || isNear(last));
    if (this.name === 'seats' && first) this.#take([first, at.at], at);
    else if (isClosed) this.#take(this.#corners, at);
    else if (!isNear(last)) this.#corners = [...this.#corners, at.at];
    this.#bench.redraw();
  }

  #take(points: readonly Point[], { isMore, isToggle }: Pointed): void {
    const { editor } = this.#bench;
    const { document, floor } = editor;
    const found =
      this.name === 'lasso' ? seatsInOutline(document, floor, points) : seatsInBox(document, floor, boundsOf(points));
    this.leave();
    editor.select(chosenAfter(editor.selection, found, isToggle ? 'less' : isMore ? 'more' : 'only'));
    sayChoice(this.#bench);
  }
}

function chosenAfter(before: Selection, found: Selection, way: 'only' | 'more' | 'less'): Selection {
  return way === 'only' ? found : withSeats(before, found.seats, way === 'more');
}
