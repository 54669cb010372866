/**
 * Small pictures of charts, drawn from their documents as they come in sight, one after the other.
 *
 * States of a picture: empty → in sight, waiting → its document is being read → drawn; a document that cannot be read
 * leaves the picture empty until it comes in sight again. The canvas of a chart's state is kept, so that a list that is
 * drawn anew reads nothing twice.
 */
import type { ChartDocument } from '@parterre/shared/charts/document';
import { drawSmallPicture } from '../../src/draw/small-picture.ts';
import type { Server } from '../server/calls.ts';
import type { Chart } from './chart.ts';

const PICTURES_MAX = 400;

export class Pictures {
  readonly #server: Server;
  readonly #left = new AbortController();
  readonly #canvases = new Map<string, HTMLCanvasElement>();
  readonly #waiting = new Set<HTMLCanvasElement>();
  readonly #observer = new IntersectionObserver((entries) => this.#seen(entries), { rootMargin: '200px' });
  #isDrawing = false;

  constructor(server: Server) {
    this.#server = server;
  }

  close(): void {
    this.#left.abort();
    this.#observer.disconnect();
  }

  /** For the eye alone: the words beside it say the same. */
  of({ id, updatedAt }: Chart): HTMLCanvasElement {
    const key = `${id} ${updatedAt}`;
    const known = this.#canvases.get(key);
    if (known) return known;
    const canvas = document.createElement('canvas');
    canvas.className = 'chart-picture';
    canvas.setAttribute('aria-hidden', 'true');
    canvas.dataset.chart = id;
    this.#canvases.set(key, canvas);
    if (this.#canvases.size > PICTURES_MAX) this.#forget(this.#canvases.keys().next().value!);
    this.#observer.observe(canvas);
    return canvas;
  }

  #forget(key: string): void {
    this.#observer.unobserve(this.#canvases.get(key)!);
    this.#canvases.delete(key);
  }

  #seen(entries: readonly IntersectionObserverEntry[]): void {
    for (const { isIntersecting, target } of entries) {
      const canvas = target as HTMLCanvasElement;
      if (isIntersecting) this.#waiting.add(canvas);
      else this.#waiting.delete(canvas);
    }
    void this.#draw();
  }

  async #draw(): Promise<void> {
    if (this.#isDrawing) return;
    this.#isDrawing = true;
    for (const canvas of this.#waiting) {
      this.#waiting.delete(canvas);
      const path = `charts/${encodeURIComponent(canvas.dataset.chart!)}`;
      const answer = await this.#server.get<{ doc: ChartDocument }>(path, this.#left.signal);
      if (this.#left.signal.aborted) return;
      if (!answer.ok) continue;
      this.#observer.unobserve(canvas);
      drawSmallPicture(canvas, answer.value.doc);
      canvas.dataset.drawn = 'true';
    }
    this.#isDrawing = false;
  }
}
