/**
 * The card of a place: beside the seat or section under the pointer, beside the seat that has the keyboard's focus, and
 * at the edge of the map for the place that a finger has tapped last. A finger's card stays until the buyer taps or
 * moves the map elsewhere, or holds.
 */
import type { Point } from '@parterre/shared/charts/plan';
import type { Painter } from './draw/scene.ts';
import type { View } from './draw/view.ts';
import { blockCard, type CardPlace, type MapCard, spotCard } from './panel/card.ts';
import type { Shown } from './panel/side.ts';
import { hoveredBlock, hoveredSpot, placeBeside, type Tapped } from './pointing.ts';
import type { Hall } from './rules/hall.ts';
import type { SaleState } from './sale/sale-state.ts';

type HoverTarget = { spot: number } | { block: number; at: Point };

/** `hold` is the hold at the time of the tap. */
type TapTarget = NonNullable<Tapped> & { hold: SaleState['hold'] };

type Setting = {
  hall(): Hall;
  painter(): Painter | null;
  sale: Pick<SaleState, 'hold'>;
  canvas: HTMLElement;
  redraw(): void;
};

export type Hovering = ReturnType<typeof createHovering>;

/** A place below this share of the map's height has its card at the top. The lower edge has the small map. */
const LOW_SHARE = 0.4;

export function createHovering({ hall, painter, sale, canvas, redraw }: Setting) {
  let told: HoverTarget | null = null;
  /** The spot that was just chosen: its card stays away until the pointer moves to a neighbour. */
  let chosen: number | null = null;
  let focused: number | null = null;
  let tapped: TapTarget | null = null;

  function forgetTap(): void {
    if (tapped === null) return;
    tapped = null;
    redraw();
  }

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
    /** By a finger; null beside all places. */
    tapped(target: Tapped): void {
      forgetTap();
      if (target === null) return;
      tapped = { ...target, hold: sale.hold };
      redraw();
    },
    forgetTap,
    /** By the keyboard. */
    focus(spot: number | null): void {
      focused = spot;
      redraw();
    },
    /** The chart has changed: its places have other numbers. */
    reset(): void {
      [told, chosen, focused, tapped] = [null, null, null, null];
    },
    card(shown: Shown, view: View): MapCard | null {
      if (tapped !== null && tapped.hold !== sale.hold) tapped = null;
      if (tapped !== null) return tapCard(shown, view, tapped);
      const now = told ?? (focused === null ? null : { spot: focused });
      if (now === null) return null;
      if ('block' in now) {
        const lines = painter()?.cardOf(now.block).lines ?? [];
        return blockCard(hall().blocks[now.block]!.label, lines, { transform: placeBeside(now.at, view.size) });
      }
      const { x, y } = hall();
      const at = view.toScreen({ x: x[now.spot]!, y: y[now.spot]! });
      return spotCard(shown, now.spot, { transform: placeBeside(at, view.size) });
    },
  };

  function toldOf(spot: number | null, block: number | null, at: Point): HoverTarget | null {
    if (spot !== null) return spot === chosen ? null : { spot };
    return block === null ? null : { block, at };
  }

  function tapCard(shown: Shown, view: View, target: TapTarget): MapCard {
    const edge = target.y > view.size.height * LOW_SHARE ? 'top' : 'bottom';
    const place: CardPlace = { edge, close: forgetTap };
    if ('spot' in target) return spotCard(shown, target.spot, place);
    return blockCard(hall().areas[target.area]!.name, painter()?.areaCardOf(target.area).lines ?? [], place);
  }
}
