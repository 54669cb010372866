/**
 * The keyboard's cursor on the map: arrows move it, and it says what is under it. Tools that draw set points at it. For
 * the tool that selects, it goes from seat to seat, and arrows move it only while it is shown or nothing is selected.
 */
import { hasSeats } from '@parterre/shared/charts/places';
import type { Point } from '@parterre/shared/charts/plan';
import { middleOf } from '../../src/rules/bounds.ts';
import { objectAt, seatAt, seatTowards } from '../canvas/find.ts';
import { idOf, objectsOf } from '../document/objects.ts';
import { placementOf } from '../document/placement.ts';
import { touchedIds } from '../document/selection.ts';
import type { ArrowStep } from '../tools/arrow-keys.ts';
import { frameOf, nameIn, seatLabelIn } from '../tools/selecting.ts';
import type { Workbench } from '../tools/tool.ts';

/** The cursor keeps this far from the edge of the map. */
const EDGE_PIXELS = 40;

export class MapCursor {
  readonly #bench: Workbench;
  #at: Point | null = null;

  constructor(bench: Workbench) {
    this.#bench = bench;
  }

  get at(): Point | null {
    return this.#at;
  }

  hide(): void {
    this.#at = null;
  }

  /** In the middle of the map, on the grid. */
  show(): Point {
    const { board, settings } = this.#bench;
    const { view } = board;
    const { x, y } = view.toChart({ x: view.size.width / 2, y: view.size.height / 2 });
    const { grid } = settings;
    return this.#stand({ x: Math.round(x / grid) * grid, y: Math.round(y / grid) * grid });
  }

  /** On the first seat of the selection, or its middle; in the middle of the map without a selection. */
  showAtSelection(): Point {
    const { document, selection } = this.#bench.editor;
    const [object] = objectsOf(document, touchedIds(selection));
    if (!object) return this.show();
    const { x, y, index } = placementOf(object);
    const chosen = selection.seats.get(idOf(object));
    const first = chosen
      ? Math.max(
          index.findIndex((each) => chosen.has(each)),
          0,
        )
      : 0;
    if (hasSeats(object) && index.length > 0) return this.#stand({ x: x[first]!, y: y[first]! });
    const frame = frameOf(this.#bench);
    return frame ? this.#stand(middleOf(frame)) : this.show();
  }

  /** The first arrow shows it. */
  move({ dx, dy }: ArrowStep): Point {
    return this.#at ? this.#stand({ x: this.#at.x + dx, y: this.#at.y + dy }) : this.show();
  }

  /** From a seat to the next in the direction of the arrow; else, and with Shift or Ctrl, as `move`. */
  hop(step: ArrowStep): Point {
    const { live } = this.#bench.board;
    const seat = this.#at && step.pace === 'plain' ? seatAt(live, this.#at) : null;
    const next = seat && seatTowards(live, seat, Math.sign(step.dx), Math.sign(step.dy));
    return next ? this.#stand(next) : this.move(step);
  }

  #stand(at: Point): Point {
    this.#at = at;
    const { view } = this.#bench.board;
    const on = view.toScreen(at);
    const inside = (value: number, extent: number) =>
      value < EDGE_PIXELS ? EDGE_PIXELS - value : value > extent - EDGE_PIXELS ? extent - EDGE_PIXELS - value : 0;
    const x = inside(on.x, view.size.width);
    const y = inside(on.y, view.size.height);
    if (x !== 0 || y !== 0) view.panBy(x, y);
    this.#tell(at);
    return at;
  }

  /** The seat and the object under it, then its place. */
  #tell(at: Point): void {
    const { board, editor, words, say } = this.#bench;
    const { text, number } = words();
    const found = objectAt(board.live, at, 0, true);
    const object = found && board.live.objects.find((each) => idOf(each) === found.id);
    const label = found && seatLabelIn(this.#bench, found);
    const isChosen = found?.seat != null && editor.selection.seats.get(found.id)?.has(found.seat);
    const parts = [
      ...(label === null ? [] : [text(isChosen ? 'draw.seat.chosen' : 'draw.seat', { label })]),
      ...(object ? [nameIn(words(), object)] : []),
      text('draw.cursor', { x: number(Math.round(at.x)), y: number(Math.round(at.y)) }),
    ];
    say(parts.join(', '));
  }
}
