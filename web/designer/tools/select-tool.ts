/**
 * Selects, moves, turns, resizes and bends, by the pointer and by keys (handle-keys.ts).
 *
 * A press is one of four drags: of a handle; of a selected object, which moves the selection; of another object, which
 * is selected first; of the empty map, which draws a box. A press that does not move is a click. Each drag is one step
 * of undo, and Escape or a second finger gives it up.
 */
import type { ChartObject } from '@parterre/shared/charts/document';
import type { Point } from '@parterre/shared/charts/plan';
import { type Bounds, boundsOf, middleOf } from '../../src/rules/bounds.ts';
import { objectAt, type PointedObject } from '../canvas/find.ts';
import type { Overlay } from '../canvas/overlay.ts';
import type { Edit } from '../document/editor.ts';
import { idOf } from '../document/objects.ts';
import { seatsInBox } from '../document/selecting.ts';
import { touchedIds, withSeats } from '../document/selection.ts';
import { tidy } from '../edits/motion.ts';
import { move, rotate, scale } from '../edits/transform.ts';
import type { MessageKey } from '../messages/words.ts';
import { HandleKeys } from './handle-keys.ts';
import { bent, drawHandles, type Handle, handlesOf, stretchOf, withoutVertex } from './handles.ts';
import { choose, chooseSeat, drawSelection, frameOf, idsIn, onlyChosen, sayChoice } from './selecting.ts';
import { type Dragged, type Pointed, type Tool, type Workbench, wholeStepDegrees } from './tool.ts';
import { bendObject, carried } from './transforms.ts';

export class SelectTool implements Tool {
  readonly name = 'select';
  readonly icon = 'select';
  readonly key = 'v';
  readonly #bench: Workbench;
  readonly #keys: HandleKeys;
  #rubber: Bounds | null = null;
  #gestures = 0;

  constructor(bench: Workbench) {
    this.#bench = bench;
    this.#keys = new HandleKeys(bench, () => this.#handles());
  }

  press(from: Pointed): Dragged {
    const handle = this.#handleAt(from);
    if (handle) return this.#dragHandle(handle, from);
    const { live, view } = this.#bench.board;
    const found = objectAt(live, from.at, from.reach / 2, view.isNear);
    return found ? this.#dragObject(found, from) : this.#dragBox(from);
  }

  hover(): void {}

  /** Takes the seat or the object at the cursor. */
  enter = ({ at, reach, isMore }: Pointed): void => {
    const found = objectAt(this.#bench.board.live, at, reach, true);
    if (found && found.seat !== null) chooseSeat(this.#bench, found, isMore);
    else choose(this.#bench, found ? [found.id] : [], isMore ? 'toggle' : 'only');
    sayChoice(this.#bench);
  };

  onKey(event: KeyboardEvent): boolean {
    return this.#keys.onKey(event);
  }

  leave(): boolean {
    const had = this.#keys.leave() || this.#rubber !== null;
    this.#rubber = null;
    this.#bench.dropGuides();
    return had;
  }

  draw(overlay: Overlay): void {
    drawSelection(overlay, this.#bench);
    drawHandles(overlay, this.#handles(), this.#keys.handle);
    if (this.#rubber) overlay.box(this.#rubber, 'rubber');
  }

  #handles(): Handle[] {
    const { editor, board } = this.#bench;
    if (editor.may.authority === 'read-only' || editor.selection.objects.size === 0) return [];
    return handlesOf(frameOf(this.#bench), onlyChosen(this.#bench), board.view.camera.scale);
  }

  /** Corners before the points between them. */
  #handleAt({ at, reach }: Pointed): Handle | null {
    const near = this.#handles().filter((each) => Math.hypot(each.at.x - at.x, each.at.y - at.y) <= reach);
    return near.find(({ kind }) => kind !== 'between') ?? near[0] ?? null;
  }

  #dragHandle(handle: Handle, from: Pointed): Dragged {
    const only = onlyChosen(this.#bench);
    if (handle.kind === 'vertex' && from.clicks > 1 && only) {
      this.#bench.apply(bendObject(only, withoutVertex(only, handle)), 'draw.step.bend');
      return still;
    }
    if (handle.kind === 'turn') return this.#dragTurn(from);
    if (handle.kind === 'corner') return this.#dragCorner(handle, from);
    return only ? this.#dragOwn(only, handle) : still;
  }

  #dragOwn(only: ChartObject, handle: Handle): Dragged {
    const without = new Set([idOf(only)]);
    const to = (point: Point): Edit => bendObject(only, bent(only, handle, point));
    return this.#gesture('draw.step.bend', (at) => to(this.#bench.snap(at, without)));
  }

  #dragTurn(from: Pointed): Dragged {
    const middle = middleOf(frameOf(this.#bench)!);
    const angle = ({ x, y }: Point) => (Math.atan2(y - middle.y, x - middle.x) * 180) / Math.PI;
    const all = carried(this.#bench);
    let done = 0;
    return this.#gesture('draw.step.turn', ({ at, isMore }) => {
      const wanted = angle(at) - angle(from.at);
      const degrees = isMore ? Math.round(wanted / wholeStepDegrees) * wholeStepDegrees : wanted;
      const step = degrees - done;
      done = degrees;
      return rotate(all, step, middle);
    });
  }

  #dragCorner(handle: Handle & { kind: 'corner' }, from: Pointed): Dragged {
    const { across, down, at } = handle;
    const frame = frameOf(this.#bench)!;
    const all = carried(this.#bench);
    const without = touchedIds(all);
    const done = { x: 1, y: 1 };
    return this.#gesture('draw.step.resize', (to) => {
      const target = { x: to.at.x - from.at.x + at.x, y: to.at.y - from.at.y + at.y };
      const point = this.#bench.snap({ ...to, at: target }, without);
      const { anchor, x, y } = stretchOf(frame, handle, point);
      const isSquare = to.isMore && across !== 0 && down !== 0;
      const whole = isSquare ? { x: Math.max(x, y), y: Math.max(x, y) } : { x, y };
      const step = { x: whole.x / done.x, y: whole.y / done.y };
      Object.assign(done, whole);
      return scale(all, step.x, step.y, anchor);
    });
  }

  #dragObject(found: PointedObject, from: Pointed): Dragged {
    const { editor } = this.#bench;
    const wasChosen = editor.selection.objects.has(found.id);
    const wasSeat = found.seat !== null && (editor.selection.seats.get(found.id)?.has(found.seat) ?? false);
    const before = editor.selection;
    if (from.isMore) this.#toggle(found);
    else if (!wasChosen && !wasSeat && editor.selection.seats.get(found.id)) chooseSeat(this.#bench, found, false);
    else if (!wasChosen && !wasSeat) choose(this.#bench, [found.id], 'only');
    const start = frameOf(this.#bench);
    const all = carried(this.#bench);
    const without = touchedIds(all);
    const done = { x: 0, y: 0 };
    const drag = this.#gesture('draw.step.move', (to) => {
      const wanted = { x: to.at.x - from.at.x, y: to.at.y - from.at.y };
      const { left, top, right, bottom } = start ?? boundsOf([from.at]);
      const box = { left: left + wanted.x, top: top + wanted.y, right: right + wanted.x, bottom: bottom + wanted.y };
      const snapped = this.#bench.snapBox(box, to, without);
      // Whole steps of a coordinate: the roundings of many moves would add up.
      const whole = { x: tidy(wanted.x + snapped.dx), y: tidy(wanted.y + snapped.dy) };
      const step = { x: whole.x - done.x, y: whole.y - done.y };
      Object.assign(done, whole);
      return step.x === 0 && step.y === 0 ? null : move(all, step.x, step.y);
    });
    let hasMoved = false;
    return {
      move: (to) => {
        hasMoved ||= Math.hypot(to.at.x - from.at.x, to.at.y - from.at.y) > from.reach / 2;
        if (hasMoved && !from.isMore) drag.move(to);
      },
      end: (to) => {
        if (hasMoved && !from.isMore) drag.end(to);
        else if (from.isToggle && !from.isMore) {
          // The press has chosen the object, for a drag without snapping.
          editor.select(before);
          this.#toggle(found);
        } else if (!from.isMore && wasChosen) this.#clickAgain(found, from);
        sayChoice(this.#bench);
      },
      cancel: drag.cancel,
    };
  }

  /** While single seats alone are chosen, a seat; else the whole object. */
  #toggle(found: PointedObject): void {
    if (found.seat !== null && this.#hasSeatsAlone()) chooseSeat(this.#bench, found, true);
    else choose(this.#bench, [found.id], 'toggle');
  }

  #hasSeatsAlone(): boolean {
    const { objects, seats } = this.#bench.editor.selection;
    return objects.size === 0 && seats.size > 0;
  }

  #isAlone(id: string): boolean {
    const only = onlyChosen(this.#bench);
    return only !== null && idOf(only) === id;
  }

  /** A click on what is selected goes deeper: to the object alone, then to its seat. */
  #clickAgain(found: PointedObject, { clicks }: Pointed): void {
    if (!this.#isAlone(found.id)) choose(this.#bench, [found.id], 'only');
    else if (found.seat !== null && clicks < 3) chooseSeat(this.#bench, found, false);
  }

  #dragBox(from: Pointed): Dragged {
    return {
      move: ({ at }) => {
        this.#rubber = boundsOf([from.at, at]);
        this.#bench.remark();
      },
      end: ({ isMore }) => {
        const box = this.#rubber;
        this.#rubber = null;
        const isLarge = box && Math.max(box.right - box.left, box.bottom - box.top) > from.reach;
        if (isLarge && isMore && this.#hasSeatsAlone()) this.#addSeats(box);
        else choose(this.#bench, isLarge ? idsIn(this.#bench, box) : [], isMore ? 'add' : 'only');
        sayChoice(this.#bench);
      },
      cancel: () => void this.leave(),
    };
  }

  #addSeats(box: Bounds): void {
    const { editor } = this.#bench;
    const found = seatsInBox(editor.document, editor.floor, box);
    editor.select(withSeats(editor.selection, found.seats, true));
  }

  /** One step of undo, made of an edit for each place of the pointer; null changes nothing. */
  #gesture(name: MessageKey, editAt: (at: Pointed) => Edit | null): Dragged {
    const gesture = `pointer-${++this.#gestures}`;
    let isRefused = false;
    const move = (at: Pointed): void => {
      const edit = isRefused ? null : editAt(at);
      if (edit) isRefused = !this.#bench.apply(edit, name, gesture);
    };
    return {
      move,
      end: () => this.#bench.dropGuides(),
      cancel: () => {
        this.#bench.dropGuides();
        this.#bench.editor.giveUp(gesture);
      },
    };
  }
}

const still: Dragged = { move() {}, end() {}, cancel() {} };
