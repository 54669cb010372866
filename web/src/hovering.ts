/** The card beside the seat or section under the pointer, or beside the seat that has the keyboard's focus. */
import type { Point } from '@parterre/shared/charts/plan';
import type { TemplateResult } from 'lit-html';
import type { Painter } from './draw/scene.ts';
import type { View } from './draw/view.ts';
import { blockCard, spotCard } from './panel/card.ts';
import type { Shown } from './panel/side.ts';
import { hoveredBlock, hoveredSpot, placeBeside } from './pointing.ts';
import type { Hall } from './rules/hall.ts';

type HoverTarget = { spot: number } | { block: number; at: Point };

type Setting = { hall(): Hall; painter(): Painter | null; canvas: HTMLElement; redraw(): void };

export type Hovering = ReturnType<typeof createHovering>;

export function createHovering({ hall, painter, canvas, redraw }: Setting) {
  let told: HoverTarget | null = null;
  /** The spot that was just chosen: its card stays away until the pointer moves to a neighbour. */
  let chosen: number | null = null;
  let focused: number | null = null;

  return {
    /** `at` is null when the pointer has left the map. */
    hover(view: View, at: Point | null): void {
      const spot = hoveredSpot(view, hall(), at);
      const block = hoveredBlock(view, hall(), at);
      canvas.classList.toggle('on-seat', spot !== null || block !== null);
      view.hover(spot);
      if (spot !== chosen) chosen = null;
      const before = told;
      told = at === null ? null : toldOf(spot, block, at);
      if (told !== null || before !== null) redraw();
    },
    chose(spot: number): void {
      [chosen, told] = [spot, null];
    },
    /** By the keyboard. */
    focus(spot: number | null): void {
      focused = spot;
      redraw();
    },
    /** The chart has changed: its places have other numbers. */
    reset(): void {
      [told, chosen, focused] = [null, null, null];
    },
    card(shown: Shown, view: View): TemplateResult | null {
      const now = told ?? (focused === null ? null : { spot: focused });
      if (now === null) return null;
      if ('block' in now) {
        const lines = painter()?.cardOf(now.block).lines ?? [];
        return blockCard(hall().blocks[now.block]!.label, lines, placeBeside(now.at, view.size));
      }
      const { x, y } = hall();
      const at = view.toScreen({ x: x[now.spot]!, y: y[now.spot]! });
      return spotCard(shown, now.spot, placeBeside(at, view.size));
    },
  };

  function toldOf(spot: number | null, block: number | null, at: Point): HoverTarget | null {
    if (spot !== null) return spot === chosen ? null : { spot };
    return block === null ? null : { block, at };
  }
}
