/**
 * Deletes the drawings of the demo's visitors when they are old: a drawing a while after its designer session has
 * ended, its events after a day. A failed round is repeated by the next one, so no failure counts.
 */
import { MINUTE_MS } from '../../shared/src/runtime/units.ts';
import { type Api, createApi } from './api.ts';
import { demoKeysFile, readJson } from './data-folder.ts';

const roundMs = 10 * MINUTE_MS;
/** Longer than a designer session lives (`demoDraftSeconds`). */
const drawingMsMax = 3 * 60 * MINUTE_MS;
const eventMsMax = 24 * 60 * MINUTE_MS;
const pageMax = 200;

type Listed = { charts: { id: string; updatedAt: number }[]; events: { key: string; createdAt: number }[] };

/** Until the process ends. */
export function forgetOldDrawings(url: string, dataFolder: string, say: (line: string) => void): void {
  const api = createApi(url);
  const round = () =>
    forgetOnce(api, dataFolder, Date.now()).catch((error: Error) => {
      say(`Old drawings of visitors stay a while longer: ${error.message}`);
    });
  setInterval(round, roundMs).unref();
}

/** One round. The key reaches nothing but drawings. */
export async function forgetOnce(api: Api, dataFolder: string, now: number): Promise<void> {
  const keys = readJson<{ secret: string }>(demoKeysFile(dataFolder));
  if (!keys) return;
  const list = async (path: string) => (await api.ask('GET', path, keys.secret)).body as Listed;
  const { events } = await list(`/v1/events?counts=0&limit=${pageMax}`);
  for (const { key, createdAt } of events) {
    if (createdAt < now - eventMsMax) await api.ask('DELETE', `/v1/events/${key}`, keys.secret);
  }
  const { charts } = await list(`/v1/charts?limit=${pageMax}`);
  for (const { id, updatedAt } of charts) {
    // Refused while an event uses the chart.
    if (updatedAt < now - drawingMsMax) await api.ask('DELETE', `/v1/charts/${id}`, keys.secret);
  }
}
