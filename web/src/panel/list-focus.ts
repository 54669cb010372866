/**
 * The focus in the list of places. A seat that others take leaves the list. If it has the focus, its loss is said, and
 * the next seat gets the focus.
 */
import { nothing, type Selection } from '../rules/selection.ts';
import type { PanelView } from './panel-view.ts';

export function createListFocus() {
  /** The seat with the focus, by its label. */
  let focused: string | null = null;
  /** The seats on the page, and the choice at that time. */
  let listed: readonly number[] = [];
  let chosen: Selection = nothing;

  return {
    reset(): void {
      focused = null;
    },
    /** Hears `focusin` and `focusout` of the list. */
    heard({ type, target }: Event): void {
      const seat = (target as Element).closest<HTMLElement>('[data-seat]');
      focused = (type === 'focusin' && seat?.dataset.seat) || null;
    },
    put(view: PanelView, spots: readonly number[]): void {
      [listed, chosen] = [spots, view.sale.state.selection];
    },
    /** Called before a drawing. `stays` is true for the seats that the drawing lists. */
    passOn({ hall, words, say, describe, refocus }: PanelView, stays: (spot: number) => boolean): void {
      const lost = focused === null ? undefined : hall.spotOf.get(focused);
      if (lost === undefined || stays(lost)) return;
      // The sale tells the loss of a chosen seat.
      const isSaid = chosen.has(focused!);
      focused = null;
      const at = listed.indexOf(lost);
      const next = listed.slice(at + 1).find(stays) ?? listed.slice(0, Math.max(at, 0)).findLast(stays);
      queueMicrotask(() => {
        if (!isSaid) say(words.join(describe(lost)));
        refocus(next === undefined ? '.search' : `[data-seat="${CSS.escape(hall.labels[next]!)}"] button`);
      });
    },
  };
}
