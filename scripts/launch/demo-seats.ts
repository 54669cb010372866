/** Seats of the demo's event that commands to paste may name. */
import { demoTheatre } from '../generate-charts.mjs';
import { createApi } from './api.ts';
import type { Demo } from './demo.ts';

/**
 * Two free seats side by side in one row. The first pair of the chart where no pair is free: the sale then fails in
 * words.
 */
export async function freeNeighbours({ url, eventKey, keys }: Demo): Promise<[string, string]> {
  const answer = await createApi(url).ask('GET', `/v1/events/${eventKey}/objects`, keys.secretTest);
  const taken = (answer.body as { seats?: Record<string, string> }).seats ?? {};
  const pairs = rowNeighbours();
  return pairs.find((pair) => pair.every((label) => (taken[label] ?? 'free') === 'free')) ?? pairs[0]!;
}

function rowNeighbours(): [string, string][] {
  return demoTheatre().objects.flatMap((object) => {
    if (object.type !== 'row') return [];
    const first = object.seatLabelStart ?? 1;
    const label = (index: number) => `${object.label}-${first + index}`;
    return Array.from({ length: Math.floor(object.seatCount / 2) }, (_, i): [string, string] => [
      label(2 * i),
      label(2 * i + 1),
    ]);
  });
}
