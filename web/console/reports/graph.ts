/**
 * A graph of numbers over time: bars of what was sold, and a line of the sum. A table beside it has the same numbers.
 */
import { html, type TemplateResult } from 'lit-html';
import { ref } from 'lit-html/directives/ref.js';
import uPlot from 'uplot';

export type GraphPoint = { at: number; booked: number };
export type GraphWords = { label: string; booked: string; sum: string; number(value: number): string };

const HEIGHT = 240;

export class Graph {
  readonly #words: GraphWords;
  readonly #timezone: string | null;
  #plot: uPlot | null = null;
  #stepMs = 0;
  #shown: readonly GraphPoint[] | null = null;
  #points: readonly GraphPoint[] = [];
  #host: HTMLElement | null = null;
  readonly #watcher = new ResizeObserver(() => this.#sized());

  constructor(words: GraphWords, timezone: string | null) {
    this.#words = words;
    this.#timezone = timezone;
  }

  /** `stepMs`: the time of one bar. There is at least one point. */
  draw(points: readonly GraphPoint[], stepMs: number): TemplateResult {
    this.#stepMs = stepMs;
    this.#points = points;
    if (this.#plot) this.#show();
    return html`<div class="graph" role="img" aria-label=${this.#words.label} ${ref(this.#mounted)}></div>`;
  }

  close(): void {
    this.#watcher.disconnect();
    this.#plot?.destroy();
    this.#plot = null;
  }

  #mounted = (element: Element | undefined): void => {
    if (element === undefined) {
      this.close();
      this.#host = null;
      this.#shown = null;
      return;
    }
    if (element === this.#host) return;
    this.#host = element as HTMLElement;
    this.#watcher.observe(element);
  };

  /** The first time comes once the page has the element: before, it has neither a size nor colours. */
  #sized(): void {
    if (this.#plot) this.#plot.setSize(this.#size());
    else this.#show();
  }

  #show(): void {
    if (this.#shown === this.#points) return;
    this.#shown = this.#points;
    const data = dataOf(this.#points, this.#stepMs);
    if (this.#plot) this.#plot.setData(data);
    else this.#plot = new uPlot(this.#options(), data, this.#host!);
  }

  #size(): { width: number; height: number } {
    return { width: this.#host!.clientWidth, height: HEIGHT };
  }

  #options(): uPlot.Options {
    const timezone = this.#timezone;
    const colour = (name: string): string => usedColour(this.#host!, `var(${name})`);
    const axis = { stroke: colour('--text'), grid: { stroke: colour('--line'), width: 1 } };
    const values = (_: uPlot, ticks: number[]): string[] => ticks.map((tick) => this.#words.number(tick));
    return {
      ...this.#size(),
      ...(timezone !== null && { tzDate: (seconds: number) => uPlot.tzDate(new Date(seconds * 1e3), timezone) }),
      cursor: { show: false },
      legend: { show: false },
      axes: [axis, { ...axis, values }, { ...axis, values, side: 1, scale: 'sum', grid: { show: false } }],
      series: [
        {},
        {
          label: this.#words.booked,
          fill: colour('--accent'),
          width: 0,
          paths: uPlot.paths.bars!({ size: [0.6, 32] }),
          points: { show: false },
        },
        { label: this.#words.sum, scale: 'sum', stroke: colour('--warning-edge'), width: 2, points: { show: false } },
      ],
      scales: {
        y: { range: (_, __, most) => [0, Math.max(most * 1.1, 1)] },
        sum: { range: (_, __, most) => [0, Math.max(most * 1.1, 1)] },
      },
    };
  }
}

/** With a step of nothing at each side, so that a single bar has room and a scale. */
function dataOf(points: readonly GraphPoint[], stepMs: number): uPlot.AlignedData {
  const padded = [{ at: points[0]!.at - stepMs, booked: 0 }, ...points, { at: points.at(-1)!.at + stepMs, booked: 0 }];
  let sum = 0;
  const sums = padded.map(({ booked }) => {
    sum += booked;
    return sum;
  });
  return [padded.map(({ at }) => at / 1e3), padded.map(({ booked }) => booked), sums];
}

/** A canvas takes no `light-dark()`: the browser computes the colour of an element. */
function usedColour(host: HTMLElement, colour: string): string {
  const probe = document.createElement('span');
  probe.style.color = colour;
  host.append(probe);
  const used = getComputedStyle(probe).color;
  probe.remove();
  return used;
}
