/** Operations on the projections of the journal: their positions, and a rebuild (projector.ts). */
import type { ProjectionProgress, ProjectionState } from '@parterre/shared/protocol/catalog/projections';
import { done } from '@parterre/shared/protocol/errors';
import { partitionsMax } from '@parterre/shared/protocol/limits';
import { names } from '@parterre/shared/protocol/subjects';
import type { Behind } from '@parterre/shared/runtime/lag-watch';
import { viewsOf } from '../store/collections.ts';
import type { OperationTable, Ports } from '../store/operations.ts';
import { pageLimitMax } from '../store/rules/bounds.ts';
import type { Generations } from '../store/rules/records.ts';
import { beginRebuild, currentViews, positionsOf, readGenerations } from './generations.ts';
import type { Halts } from './halts.ts';

type ProjectionOperation = 'projections.rebuild' | 'projections.state' | 'projections.position' | 'projections.events';

export type ProjectionPorts = Pick<Ports, 'store'> & {
  halts: Halts;
  /** What is not counted yet, by stream. Rejects where NATS does not answer. */
  uncounted(): Promise<ReadonlyMap<string, Behind>>;
};

export function createProjectionOperations(ports: ProjectionPorts): OperationTable<ProjectionOperation> {
  const { store } = ports;
  return {
    'projections.rebuild': async () => done(await stateOf(ports, await beginRebuild(store))),
    'projections.state': async () => done(await stateOf(ports, await readGenerations(store))),
    'projections.position': async ({ stream }) => {
      const { positions } = await currentViews(store);
      return done((await store.get(positions, stream))?.value ?? null);
    },
    'projections.events': async ({ stream, after }) => {
      const { events } = await currentViews(store);
      const position = after === null ? undefined : { order: stream, id: after };
      const query = { index: 'byStream', equal: [stream], limit: pageLimitMax, after: position };
      const { documents, next } = await store.page(events, query);
      return done({ eventKeys: documents.map(({ id }) => id), isCut: next !== null });
    },
  };
}

async function stateOf(
  { store, halts, uncounted }: ProjectionPorts,
  { current, building }: Generations,
): Promise<ProjectionState> {
  const streams = Array.from({ length: partitionsMax }, (_, partition) => names.journalStream(partition));
  const counted = await positionsOf(store, viewsOf(current), streams);
  const rebuilt = building === null ? null : await positionsOf(store, viewsOf(building), streams);
  const halted = halts.of(current);
  // The positions are worth telling without NATS.
  const behind = await uncounted().catch(() => new Map<string, Behind>());
  const partitions = streams.flatMap((stream): ProjectionProgress[] => {
    const seq = counted.get(stream);
    if (seq === undefined && !halted.has(stream)) return [];
    const progress = { stream, counted: seq ?? 0, rebuilt: rebuilt && (rebuilt.get(stream) ?? 0) };
    const { messages = null, oldestAt = null } = behind.get(stream) ?? {};
    return [{ ...progress, halted: halted.has(stream), behind: messages, oldestAt }];
  });
  return { generation: current, building, partitions };
}
