/**
 * Reads an event's chart and its statuses: the public files that an answer lists, or the chart within the answer of a
 * server without them.
 *
 * States of a reading: a list → its file and the statuses, together → read. Failure at each await: a file or statuses
 * that are not found mean an old list, since a part was hidden or an access revoked meanwhile. The page then asks for
 * the list again, LISTS_MAX times, and after that for the chart itself. Any other failure of the file ends the reading.
 * After any other failure of the statuses, the statuses stay unknown, and the feed brings them.
 */
import type { ChartDocument } from '@parterre/shared/charts/document';
import { baseFile } from '../rules/chart-files.ts';
import { type Hall, hallOf } from '../rules/hall.ts';
import type { Api, BuyerEvent, ListedChart, Objects, OpenedSale, WholeChart } from './api.ts';
import type { Result } from './calls.ts';

export type ReadChart = {
  event: BuyerEvent;
  hall: Hall;
  /** Null while unknown, and where nobody asked for them. */
  objects: Objects | null;
  /** Names the hall's content; null from a server without public files. */
  hash: string | null;
  statusesUrl: string | null;
  /** The chart is that of this version or a later one. Infinity where its hidden divisions come with the statuses. */
  version: number;
};

/** Statuses that a cache may have kept for some seconds, statuses of now, or none. */
export type WantedStatuses = 'kept' | 'fresh' | 'none';

type ChartApi = Pick<Api, 'call' | 'load'>;

const LISTS_MAX = 2;
const notFound = { ok: false, status: 404, problem: { code: 'not_found' } } as const;

/** The hall stays the same object while the file is the same as of the `known` chart. */
export async function readChart(
  api: ChartApi,
  first: OpenedSale,
  known: ReadChart | null,
  wanted: WantedStatuses,
): Promise<Result<ReadChart>> {
  let told = first;
  for (let lists = 0; ; lists++) {
    if (!('files' in told)) return readWhole(api, told, wanted);
    const read = await readFiles(api, told, known, wanted);
    if (read.ok || read.status !== 404 || lists > LISTS_MAX) return read;
    const list = await api.call<OpenedSale>('GET', lists < LISTS_MAX ? 'chart?files=1' : 'chart');
    if (!list.ok) return list;
    told = list.value;
  }
}

async function readFiles(
  api: ChartApi,
  { event, files, statusesUrl, snapshotVersion: version }: ListedChart,
  known: ReadChart | null,
  wanted: WantedStatuses,
): Promise<Result<ReadChart>> {
  const file = baseFile(files);
  if (file === null) return notFound;
  const { hash, url } = file;
  const [hall, objects] = await Promise.all([
    hash === known?.hash ? { ok: true as const, value: known.hall } : loadHall(api, url),
    wanted === 'none' ? null : api.load<Objects>(statusesUrl, wanted === 'fresh' ? 'no-cache' : 'default'),
  ]);
  if (!hall.ok) return hall;
  if (objects?.ok === false && objects.status === 404) return objects;
  const statuses = objects?.ok ? objects.value : null;
  return { ok: true, value: { event, hall: hall.value, objects: statuses, hash, statusesUrl, version } };
}

async function loadHall(api: ChartApi, url: string): Promise<Result<Hall>> {
  const document = await api.load<ChartDocument>(url, 'default');
  return document.ok ? { ok: true, value: hallOf(document.value) } : document;
}

async function readWhole(
  api: ChartApi,
  { event, doc, objects }: WholeChart,
  wanted: WantedStatuses,
): Promise<Result<ReadChart>> {
  const asked = objects || wanted === 'none' ? null : await api.call<Objects>('GET', 'objects?compact=1');
  const statuses = asked?.ok ? asked.value : (objects ?? null);
  const of = { hash: null, statusesUrl: null, version: Number.POSITIVE_INFINITY };
  return { ok: true, value: { event, hall: hallOf(doc), objects: statuses, ...of } };
}
