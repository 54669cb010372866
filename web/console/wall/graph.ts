/**
 * The graph of places a minute: bookings as a filled line, holds as a dashed one. uPlot draws it. A screen reader has
 * the table beside it.
 *
 * States: made → on the page → drawn anew with each new series, and with each new size or colour scheme. Its place may
 * not be on the page yet when the first series comes: the size is known once it is.
 */
import uPlot from 'uplot';
import type { Words } from '../messages/words.ts';
import type { Series } from './figures.ts';

/** In heights of its letters. */
const HEIGHT = 15;
const LETTERS_PIXELS_MIN = 13;

export class Graph {
  readonly host = document.createElement('div');
  readonly #words: Words;
  readonly #sizes: ResizeObserver;
  #timezone: string | null = null;
  #plot: uPlot | null = null;
  #series: Series | null = null;

  constructor(words: Words) {
    this.#words = words;
    this.host.className = 'graph';
    this.host.setAttribute('aria-hidden', 'true');
    this.#sizes = new ResizeObserver(() => this.#resize());
    this.#sizes.observe(this.host);
  }

  show(series: Series, timezone: string | null): void {
    this.#series = series;
    this.#timezone = timezone;
    if (this.#plot) this.#plot.setData(dataOf(series));
    else this.#resize();
  }

  close(): void {
    this.#sizes.disconnect();
    this.#plot?.destroy();
  }

  #resize(): void {
    const width = this.host.clientWidth;
    if (width === 0 || this.#series === null) return;
    // Letters grow with the screen, and a plot keeps its letters.
    this.#plot?.destroy();
    this.#plot = new uPlot(this.#options(width), dataOf(this.#series), this.host);
  }

  #options(width: number): uPlot.Options {
    const looks = getComputedStyle(this.host);
    const letters = Math.max(Number.parseFloat(looks.fontSize), LETTERS_PIXELS_MIN);
    const text = looks.color;
    const accent = looks.getPropertyValue('accent-color');
    const axis = {
      stroke: text,
      grid: { stroke: `color-mix(in srgb, ${text} 15%, transparent)` },
      font: `${letters}px ${looks.fontFamily}`,
    };
    const times = new Intl.DateTimeFormat(this.#words.locale, {
      timeStyle: 'short',
      ...(this.#timezone && { timeZone: this.#timezone }),
    });
    return {
      width,
      height: HEIGHT * letters,
      padding: [null, 3 * letters, null, null],
      legend: { show: false },
      cursor: { show: false },
      scales: { y: { range: (_, __, most) => [0, Math.max(4, most * 1.1)] } },
      axes: [
        {
          ...axis,
          space: 7 * letters,
          size: 3 * letters,
          values: (_, ticks) => ticks.map((at) => times.format(at * 1_000)),
        },
        {
          ...axis,
          space: 3 * letters,
          size: 4 * letters,
          values: (_, ticks) => ticks.map((count) => this.#words.number(count)),
        },
      ],
      series: [
        {},
        { stroke: accent, width: 3, fill: `color-mix(in srgb, ${accent} 25%, transparent)`, points: { show: false } },
        { stroke: text, width: 2, dash: [6, 6], points: { show: false } },
      ],
    };
  }
}

function dataOf({ at, booked, held }: Series): uPlot.AlignedData {
  return [at, booked, held];
}
