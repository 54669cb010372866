/**
 * The calls that make an event: its chart, where the person draws or prices one, then the event, then the settings
 * that only an event takes.
 *
 * States: nothing → chart saved → chart published → event made → whole. Failure at each await: the chart or its
 * publish is refused or silent → nothing of the event exists, and the same wish goes on where it stopped: each call
 * has a key of the wish, and a chart that this page has published is not made twice. The event is refused → its chart
 * stays, and the next wish uses it. A setting is refused or silent → the event stands, and `unfinished` says so.
 */
import type { ChartDocument } from '@parterre/shared/charts/document';
import type { Result } from '../../../src/sale/calls.ts';
import type { Server } from '../../server/calls.ts';

/** `document` is null for a published chart as it is; without `id` the chart is new. */
export type ChartWish = {
  id: string | null;
  document: ChartDocument | null;
  updatedAt: number | null;
  workspaceId: string | null;
};

export type EventWish = {
  chart: ChartWish;
  body(chartId: string): object;
  /** Of a copy: the settings of its source. */
  later: object | null;
  holdTtlMs: number | null;
  isClosed: boolean;
};

type Meta = { key: string; name: string };
export type MadeEvent = { meta: Meta; unfinished: boolean };

type Saved = { meta: { id: string; updatedAt: number } };

export class Making {
  readonly #server: Server;
  /** The chart that this page has published, and its wish. */
  #published: { id: string; updatedAt: number; of: string } | null = null;

  constructor(server: Server) {
    this.#server = server;
  }

  async send(wish: EventWish, key: string): Promise<Result<MadeEvent>> {
    const chart = await this.#chartOf(wish.chart, key);
    if (!chart.ok) return chart;
    const made = await this.#server.send<{ meta: Meta }>('POST', 'events', {
      body: wish.body(chart.value),
      key: `${key}-event`,
    });
    if (!made.ok) return made;
    const { meta } = made.value;
    return { ok: true, value: { meta, unfinished: !(await this.#finish(meta.key, wish, key)) } };
  }

  async #chartOf(wish: ChartWish, key: string): Promise<Result<string>> {
    if (wish.document === null) return { ok: true, value: wish.id! };
    const of = JSON.stringify(wish);
    if (this.#published?.of === of) return { ok: true, value: this.#published.id };
    const saved = await this.#save(wish, wish.document, key);
    if (!saved.ok) return saved;
    const { id, updatedAt } = saved.value.meta;
    const publish = { body: { expectedUpdatedAt: updatedAt }, key: `${key}-publish` };
    const published = await this.#server.send<Saved>('POST', `charts/${id}/publish`, publish);
    this.#published = { id, updatedAt, of: published.ok ? of : '' };
    return published.ok ? { ok: true, value: id } : published;
  }

  #save(wish: ChartWish, doc: ChartDocument, key: string): Promise<Result<Saved>> {
    const known = this.#published ?? (wish.id === null ? null : { id: wish.id, updatedAt: wish.updatedAt! });
    const sent = { key: `${key}-chart` };
    if (known === null) {
      const { workspaceId } = wish;
      const body = { name: doc.name, doc, ...(workspaceId !== null && { workspaceId }) };
      return this.#server.send<Saved>('POST', 'charts', { ...sent, body });
    }
    return this.#server.send<Saved>('PUT', `charts/${known.id}`, {
      ...sent,
      body: { doc, expectedUpdatedAt: known.updatedAt },
    });
  }

  /** False if a setting was refused or is unknown. */
  async #finish(eventKey: string, { later, holdTtlMs, isClosed }: EventWish, key: string): Promise<boolean> {
    const path = `events/${encodeURIComponent(eventKey)}`;
    const answers = [
      later && (await this.#server.send('PATCH', path, { body: later })),
      holdTtlMs !== null && (await this.#server.send('POST', `${path}/hold-ttl`, { body: { holdTtlMs } })),
      isClosed && (await this.#server.send('POST', `${path}/close`, { key: `${key}-close` })),
    ];
    return answers.every((answer) => !answer || answer.ok);
  }
}
