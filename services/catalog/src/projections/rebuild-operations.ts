/** Operations on the projections of the journal: their positions, and a rebuild (projector.ts). */
import type { ProjectionProgress, ProjectionState } from '@parterre/shared/protocol/catalog/projections';
import { done } from '@parterre/shared/protocol/errors';
import { partitionsMax } from '@parterre/shared/protocol/limits';
import { names } from '@parterre/shared/protocol/subjects';
import { viewsOf } from '../store/collections.ts';
import type { OperationTable, Ports } from '../store/operations.ts';
import type { Generations } from '../store/rules/records.ts';
import type { Store } from '../store/store.ts';
import { beginRebuild, positionsOf, readGenerations } from './generations.ts';

type ProjectionOperation = 'projections.rebuild' | 'projections.state';

export function createProjectionOperations({ store }: Ports): OperationTable<ProjectionOperation> {
  return {
    'projections.rebuild': async () => done(await rebuildStateOf(store, await beginRebuild(store))),
    'projections.state': async () => done(await rebuildStateOf(store, await readGenerations(store))),
  };
}

async function rebuildStateOf(store: Store, { current, building }: Generations): Promise<ProjectionState> {
  const streams = Array.from({ length: partitionsMax }, (_, partition) => names.journalStream(partition));
  const counted = await positionsOf(store, viewsOf(current), streams);
  const rebuilt = building === null ? null : await positionsOf(store, viewsOf(building), streams);
  const partitions = streams.flatMap((stream): ProjectionProgress[] => {
    const seq = counted.get(stream);
    return seq === undefined ? [] : [{ stream, counted: seq, rebuilt: rebuilt && (rebuilt.get(stream) ?? 0) }];
  });
  return { generation: current, building, partitions };
}
