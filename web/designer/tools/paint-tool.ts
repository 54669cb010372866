/**
 * The brush: gives what the painting panel has chosen to the seats and objects under the pointer. Each step paints all
 * targets of the drag again, so a row whose last seat is reached becomes one whole row.
 */
import { objectAt, type PointedObject } from '../canvas/find.ts';
import type { Overlay } from '../canvas/overlay.ts';
import { paint } from '../painting/painting.ts';
import type { Dragged, Pointed, Tool, Workbench } from './tool.ts';

export class PaintTool implements Tool {
  readonly name = 'paint';
  readonly icon = 'paint';
  readonly key = 'f';
  readonly #bench: Workbench;
  #at: Pointed | null = null;
  #gestures = 0;

  constructor(bench: Workbench) {
    this.#bench = bench;
  }

  press(from: Pointed): Dragged | null {
    const { words, notice, painting } = this.#bench;
    if (!painting()) {
      notice(words().text('draw.noPaint'));
      return null;
    }
    const targets = { objects: new Set<string>(), seats: new Map<string, Set<number>>() };
    const gesture = `brush-${++this.#gestures}`;
    const { editor } = this.#bench;
    const before = editor.document;
    const move = (to: Pointed): void => {
      this.hover(to);
      const what = painting();
      const found = this.#under(to);
      if (!what || !found || !addTo(targets, found)) return;
      this.#bench.apply(paint(targets, what), 'draw.step.paint', gesture);
    };
    move(from);
    return {
      move,
      end() {
        const isTier = painting()?.kind === 'tier' && targets.objects.size + targets.seats.size > 0;
        if (isTier && editor.document === before) notice(words().text('tier.unchanged'));
      },
      cancel: () => editor.giveUp(gesture),
    };
  }

  hover(at: Pointed | null): void {
    this.#at = at;
    this.#bench.remark();
  }

  enter = (at: Pointed): void => {
    this.press(at)?.end(at);
  };

  onKey(): boolean {
    return false;
  }

  leave(): boolean {
    return false;
  }

  draw(overlay: Overlay): void {
    if (this.#at) overlay.handle(this.#at.at, 'round', true);
  }

  #under({ at, reach }: Pointed): PointedObject | null {
    const { live, view } = this.#bench.board;
    return objectAt(live, at, reach / 2, view.isNear);
  }
}

/** False if the target was there. A section is no target: a brush would paint what nobody sees. */
function addTo(
  targets: { objects: Set<string>; seats: Map<string, Set<number>> },
  { id, seat }: PointedObject,
): boolean {
  if (seat === null) {
    if (targets.objects.has(id)) return false;
    targets.objects.add(id);
    return true;
  }
  const its = targets.seats.get(id) ?? new Set();
  if (its.has(seat)) return false;
  targets.seats.set(id, its.add(seat));
  return true;
}
