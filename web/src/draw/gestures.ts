/**
 * Fingers, mouse and wheel on the map: drag to pan, pinch or wheel to zoom, tap to choose.
 *
 * States of the pointers that are down: none → one (a tap until it moves far enough, then a drag) → two (a pinch) →
 * one, which drags and no longer taps → none. A pointer that the browser cancels ends like a lifted pointer, without a
 * tap: so ends a finger that scrolls the page (`touch-action`).
 *
 * A board's tool may take the first pointer. It keeps the pointer until it is lifted or a second pointer comes.
 *
 * A page that scrolls keeps its wheel. The map takes the wheel with Ctrl or ⌘, and once the buyer has pressed on the
 * map or walks in it by keys, until the mouse leaves.
 */
import type { Point } from '@parterre/shared/charts/plan';

export type Tap = { at: Point; isTouch: boolean };

/** A board's tool at work with one pointer. */
export type Drag = {
  /** `at` is equal to the first point after a click. */
  move(at: Point, event: PointerEvent): void;
  end(at: Point, event: PointerEvent): void;
  /** A second finger came, or the browser took the pointer. */
  cancel(): void;
};

export type GestureListener = {
  pan(x: number, y: number): void;
  zoom(factor: number, at: Point): void;
  tap(tap: Tap): void;
  /** Null when the mouse has left. */
  hover(at: Point | null, event: PointerEvent | null): void;
  /** The page keeps this wheel, because it can scroll. */
  ignoredWheel(): void;
  /** Of a board: the tool that takes this pointer in place of panning. */
  press?(at: Point, event: PointerEvent): Drag | null;
};

/** A tap moves no further. A finger rolls more than a mouse. */
const tapPixels = ({ pointerType }: PointerEvent): number => (pointerType === 'touch' ? 10 : 6);
const WHEEL_PIXELS_MAX = 120;

export function listenToGestures(host: HTMLElement, listener: GestureListener): () => void {
  const down = new Map<number, Point>();
  let start: Point | null = null;
  let isActive = false;
  let drag: Drag | null = null;

  const pointOf = ({ clientX, clientY }: MouseEvent): Point => {
    const { left, top } = host.getBoundingClientRect();
    return { x: clientX - left, y: clientY - top };
  };

  function onDown(event: PointerEvent): void {
    const isWheel = event.button === 1 && listener.press !== undefined;
    if (event.pointerType === 'mouse' && event.button !== 0 && !isWheel) return;
    host.setPointerCapture(event.pointerId);
    isActive = true;
    down.set(event.pointerId, pointOf(event));
    start = down.size === 1 ? pointOf(event) : null;
    drag?.cancel();
    drag = start && !isWheel ? (listener.press?.(start, event) ?? null) : null;
  }

  function onMove(event: PointerEvent): void {
    const at = pointOf(event);
    const before = down.get(event.pointerId);
    if (!before) {
      if (event.pointerType === 'mouse') listener.hover(at, event);
      return;
    }
    if (drag) {
      down.set(event.pointerId, at);
      drag.move(at, event);
      return;
    }
    if (start && Math.hypot(at.x - start.x, at.y - start.y) <= tapPixels(event)) return;
    start = null;
    const other = [...down].find(([id]) => id !== event.pointerId)?.[1];
    down.set(event.pointerId, at);
    if (!other) {
      listener.pan(at.x - before.x, at.y - before.y);
      return;
    }
    const apart = (point: Point) => Math.max(Math.hypot(point.x - other.x, point.y - other.y), 1);
    // Panning before zooming keeps the chart point between the fingers in its place between them.
    listener.pan((at.x - before.x) / 2, (at.y - before.y) / 2);
    listener.zoom(apart(at) / apart(before), { x: (at.x + other.x) / 2, y: (at.y + other.y) / 2 });
  }

  function onUp(event: PointerEvent): void {
    const wasDown = down.delete(event.pointerId);
    const wasTap = wasDown && start !== null && event.type === 'pointerup';
    const used = wasDown ? drag : null;
    if (wasDown) drag = null;
    if (used && event.type === 'pointerup') used.end(pointOf(event), event);
    else if (used) used.cancel();
    else if (wasTap) listener.tap({ at: start!, isTouch: event.pointerType === 'touch' });
    start = null;
  }

  function onWheel(event: WheelEvent): void {
    const isAsked = event.ctrlKey || event.metaKey || isActive || hasFocus(host);
    if (!isAsked && pageScrolls()) {
      listener.ignoredWheel();
      return;
    }
    event.preventDefault();
    const pixels = event.deltaMode === 1 ? event.deltaY * 16 : event.deltaY;
    const bounded = Math.max(Math.min(pixels, WHEEL_PIXELS_MAX), -WHEEL_PIXELS_MAX);
    // A pinch on a trackpad comes as a wheel with Ctrl, in smaller steps.
    listener.zoom(Math.exp(-bounded * (event.ctrlKey ? 0.01 : 0.0022)), pointOf(event));
  }

  const leave = () => {
    isActive = false;
    listener.hover(null, null);
  };
  const ending = new AbortController();
  const options = { signal: ending.signal };
  host.addEventListener('pointerdown', onDown, options);
  host.addEventListener('pointermove', onMove, options);
  host.addEventListener('pointerup', onUp, options);
  host.addEventListener('pointercancel', onUp, options);
  host.addEventListener('pointerleave', leave, options);
  host.addEventListener('wheel', onWheel, { ...options, passive: false });
  return () => ending.abort();
}

/** True while the keyboard is in the same map, of which the host is a part. */
function hasFocus(host: HTMLElement): boolean {
  const root = host.getRootNode();
  const active = root instanceof ShadowRoot ? root.activeElement : null;
  return active !== null && (host.parentElement?.contains(active) ?? false);
}

function pageScrolls(): boolean {
  const { scrollHeight, clientHeight } = document.scrollingElement ?? document.documentElement;
  return scrollHeight > clientHeight + 1;
}
