/**
 * A tool that draws by points: clicks, a drag from the first point to the second, or Enter at the keyboard's cursor.
 * Its ghost is the very object that the next point would make.
 *
 * States: idle → drawing, with one point or more → idle, by the last point (the object is made) or by Escape. A drag is
 * two points. A shape of many points ends at its first point, at a double click, or at Enter in the same place twice.
 */
import type { ChartObject } from '@parterre/shared/charts/document';
import type { Point } from '@parterre/shared/charts/plan';
import { ghost } from '../canvas/ghost.ts';
import type { Overlay } from '../canvas/overlay.ts';
import { type Sentence, tell } from '../messages/words.ts';
import type { IconName } from './icons.ts';
import { type Dragged, type Pointed, type Tool, type ToolName, type Workbench, wholeStepDegrees } from './tool.ts';

export type Drawing = {
  readonly name: ToolName;
  readonly icon: IconName;
  readonly key: string;
  /** The points that it needs, and the most that it takes. Lines join the first `lines` of them, none by default. */
  readonly points: { readonly min: number; readonly max: number; readonly lines?: number };
  /**
   * The objects that these points make; none for points too near to each other, and a sentence for others that make
   * none.
   */
  make(points: readonly Point[], bench: Workbench): readonly ChartObject[] | Sentence;
  /** Adds them in its own way; false if it refused, and said why. */
  finish(objects: readonly ChartObject[], points: readonly Point[], bench: Workbench): boolean;
  /** The size of the ghost in words. */
  note(objects: readonly ChartObject[], bench: Workbench): string;
};

export class PointsTool implements Tool {
  readonly name: ToolName;
  readonly icon: IconName;
  readonly key: string;
  readonly #drawing: Drawing;
  readonly #bench: Workbench;
  #points: Point[] = [];
  #next: Point | null = null;

  constructor(drawing: Drawing, bench: Workbench) {
    this.name = drawing.name;
    this.icon = drawing.icon;
    this.key = drawing.key;
    this.#drawing = drawing;
    this.#bench = bench;
  }

  press(from: Pointed): Dragged {
    const first = this.#snapped(from);
    const isFirst = this.#points.length === 0;
    let hasMoved = false;
    return {
      move: (to) => {
        hasMoved ||= Math.hypot(to.at.x - from.at.x, to.at.y - from.at.y) > from.reach;
        if (hasMoved && isFirst && this.#points.length === 0 && this.#drawing.points.max > 1) this.#points.push(first);
        this.hover(to);
      },
      end: (to) => {
        if (hasMoved || !isFirst) this.#add(this.#snapped(to), to);
        else this.#add(first, from);
      },
      cancel: () => void this.leave(),
    };
  }

  hover(at: Pointed | null): void {
    this.#next = at && this.#snapped(at);
    this.#bench.remark();
  }

  enter = (at: Pointed): void => {
    const point = this.#snapped(at);
    const last = this.#points.at(-1);
    const isAgain = last?.x === point.x && last.y === point.y;
    const before = this.#points.length;
    this.#add(point, isAgain ? { ...at, clicks: 2 } : at);
    const { words, say } = this.#bench;
    // A refusal keeps the points, and has been said.
    if (this.#points.length > before) say(words().text('draw.point', { count: this.#points.length }));
  };

  onKey(event: KeyboardEvent): boolean {
    if (event.key !== 'Backspace' || this.#points.length === 0) return false;
    this.#points.pop();
    this.#bench.redraw();
    return true;
  }

  leave(): boolean {
    const had = this.#points.length > 0;
    this.#points = [];
    this.#bench.dropGuides();
    this.#bench.redraw();
    return had;
  }

  draw(overlay: Overlay): void {
    const points = this.#next ? [...this.#points, this.#next] : this.#points;
    const { min, max } = this.#drawing.points;
    const isSized = this.#points.length > 0 || min === 1;
    const made = isSized ? this.#drawing.make(points, this.#bench) : [];
    const objects = 'key' in made ? [] : made;
    for (const object of objects) ghost(overlay, object);
    if (this.#points.length > 0 && max > 2) overlay.line(points, false, true);
    for (const point of this.#points) overlay.handle(point, 'small');
    if (!this.#next || this.#points.length === 0) return;
    if ('key' in made) overlay.note(this.#next, tell(this.#bench.words(), made));
    else if (objects.length > 0) overlay.note(this.#next, this.#drawing.note(objects, this.#bench));
  }

  #snapped(to: Pointed): Point {
    const point = this.#bench.snap(to);
    const { min, lines = 0 } = this.#drawing.points;
    const count = this.#points.length;
    const first = this.#points[0];
    const last = this.#points.at(-1);
    if (!to.isMore || !first || !last || count >= lines) return point;
    // A click near the first point closes the shape. The closing line may have any angle.
    const closes = count >= min && Math.hypot(point.x - first.x, point.y - first.y) <= to.reach;
    return closes ? point : onWholeStep(last, point);
  }

  #add(point: Point, { reach, clicks }: Pointed): void {
    const { min, max } = this.#drawing.points;
    const first = this.#points[0];
    const last = this.#points.at(-1);
    const near = (other: Point | undefined) => other && Math.hypot(point.x - other.x, point.y - other.y) <= reach;
    const count = this.#points.length;
    const isClosing = max > 4 && count >= min && (near(first) || (clicks > 1 && near(last)));
    if (!isClosing && clicks > 1 && near(last)) return;
    if (!isClosing) this.#points.push(point);
    if (isClosing || this.#points.length === max || (min === 1 && count === 0)) this.#finish();
    else this.#bench.redraw();
  }

  #finish(): void {
    const points = this.#points;
    const made = this.#drawing.make(points, this.#bench);
    const { words, notice } = this.#bench;
    if ('key' in made) notice(tell(words(), made));
    else if (made.length === 0) notice(words().text('draw.tooSmall'));
    else if (!this.#drawing.finish(made, points, this.#bench)) return;
    this.leave();
  }
}

/** The place beside `to` at which the line from `from` has a whole step of angle. A level line stays exactly level. */
function onWholeStep(from: Point, to: Point): Point {
  const dx = to.x - from.x;
  const dy = to.y - from.y;
  const step = (wholeStepDegrees * Math.PI) / 180;
  const angle = Math.round(Math.atan2(dy, dx) / step) * step;
  const cos = Math.cos(angle);
  const sin = Math.sin(angle);
  const length = dx * cos + dy * sin;
  return { x: exact(from.x + length * cos), y: exact(from.y + length * sin) };
}

/** Without the noise of a cosine that is not quite 0. */
const exact = (value: number): number => Math.round(value * 1e9) / 1e9;
