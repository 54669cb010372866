/**
 * The generations of the projections: which one is read, and how the next replaces it. One document decides for all
 * catalogs. projector.ts has the states and the failures.
 */
import { Fault } from '@parterre/shared/protocol/errors';
import { generations, type Views, viewsOf } from '../store/collections.ts';
import { changeAttemptsMax, generationKeepMs } from '../store/rules/bounds.ts';
import type { Generations } from '../store/rules/records.ts';
import type { Store, Stored } from '../store/store.ts';
import type { HaltsOfGeneration } from './halts.ts';

const documentId = 'journal';
const atFirst: Generations = { current: 1, building: null, retired: [] };

export async function readGenerations(store: Store): Promise<Generations> {
  return (await store.get(generations, documentId))?.value ?? atFirst;
}

/** The projections that are read now. */
export async function currentViews(store: Store): Promise<Views> {
  return viewsOf((await readGenerations(store)).current);
}

/** Makes the collections of a generation, so that their indexes exist before the first document. */
export async function prepareViews(store: Store, views: Views): Promise<void> {
  for (const collection of Object.values(views)) await store.prepare(collection);
}

/**
 * Begins to build the next generation beside the current one. During a rebuild it returns the generations as they are.
 */
export async function beginRebuild(store: Store): Promise<Generations> {
  for (let attempt = 0; attempt < changeAttemptsMax; attempt++) {
    const found = await store.get(generations, documentId);
    const before = found?.value ?? atFirst;
    if (before.building !== null) return before;
    const after: Generations = { ...before, building: before.current + 1 };
    if (await writeGenerations(store, found, after)) return after;
  }
  throw new Fault('begin to rebuild the projections: their generations keep changing');
}

/**
 * Turns to the new generation once it has counted as far as the current one in every partition. The current one's
 * positions are read first. The new one therefore lags by at most what the current one counts during the reads.
 *
 * A halted stream has lost records that the current generation has counted. There the new generation counts as far as
 * the end of the stream, which `endOf` reads.
 */
export async function turnOver(
  store: Store,
  streams: readonly string[],
  now: number,
  { halts, endOf }: { halts: HaltsOfGeneration; endOf: (stream: string) => Promise<number> },
): Promise<void> {
  const found = await store.get(generations, documentId);
  if (!found || found.value.building === null) return;
  const { current, building, retired } = found.value;
  const standing = await positionsOf(store, viewsOf(current), streams);
  const built = await positionsOf(store, viewsOf(building), streams);
  const lagging = streams.filter((stream) => (built.get(stream) ?? 0) < (standing.get(stream) ?? 0));
  if (lagging.some((stream) => !halts.has(stream))) return;
  const ends = await Promise.all(lagging.map(endOf));
  if (lagging.some((stream, index) => (built.get(stream) ?? 0) < ends[index]!)) return;
  await writeGenerations(store, found, {
    current: building,
    building: null,
    retired: [...retired, { generation: current, at: now }],
  });
}

/** Deletes generations that no catalog reads any more. */
export async function dropRetired(store: Store, now: number): Promise<void> {
  const found = await store.get(generations, documentId);
  const due = found?.value.retired.filter(({ at }) => at + generationKeepMs <= now) ?? [];
  if (!found || due.length === 0) return;
  for (const { generation } of due) {
    for (const collection of Object.values(viewsOf(generation))) await store.drop(collection);
  }
  await writeGenerations(store, found, {
    ...found.value,
    retired: found.value.retired.filter((each) => !due.includes(each)),
  });
}

export async function positionsOf(
  store: Store,
  { positions }: Views,
  streams: readonly string[],
): Promise<Map<string, number>> {
  return new Map((await store.getMany(positions, streams)).map(({ id, value }) => [id, value.seq]));
}

/** False when another catalog came between. */
async function writeGenerations(
  store: Store,
  before: Stored<Generations> | null,
  after: Generations,
): Promise<boolean> {
  const written = before
    ? await store.replace(generations, documentId, before.version, after)
    : await store.insert(generations, documentId, after);
  return written === 'replaced' || written === 'inserted';
}
