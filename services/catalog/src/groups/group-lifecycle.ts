/**
 * The lifecycle of a performance group (lifecycles/lifecycle-machine.ts): the facts that its events share, and the
 * revisions of its document. A group is told as a draft while its activation is under way.
 */
import type { GroupStep } from '@parterre/shared/protocol/catalog/groups';
import type { CatalogInput } from '@parterre/shared/protocol/catalog-api';
import { done, type Outcome, refuse } from '@parterre/shared/protocol/errors';
import { groupEventsMax, groupEventsMin } from '@parterre/shared/protocol/group-limits';
import { newId } from '@parterre/shared/protocol/ids';
import { factsOf } from '../lifecycles/event-locks.ts';
import { createLifecycleMachine, type LifecycleMachine, stateAt } from '../lifecycles/lifecycle-machine.ts';
import { lifecycleNamed } from '../lifecycles/rules/lifecycle-state.ts';
import { memberIssues } from '../lifecycles/rules/member-issues.ts';
import { livingEvents } from '../projections/event-records.ts';
import { groups } from '../store/group-collections.ts';
import type { Ports } from '../store/operations.ts';
import type { GroupDocument } from '../store/rules/group-records.ts';
import type { Store, Stored } from '../store/store.ts';
import { changeGroup, detailOf } from './group-access.ts';
import { checkStep, revised } from './rules/group-state.ts';

export type GroupLifecycles = {
  activate(input: CatalogInput<'groups.activate'>): Promise<Outcome<GroupStep>>;
  close(input: CatalogInput<'groups.close'>): Promise<Outcome<GroupStep>>;
  engine: LifecycleMachine<GroupDocument>['engine'];
};

export function createGroupLifecycle(ports: Ports): GroupLifecycles {
  const { store } = ports;
  const machine = createLifecycleMachine<GroupDocument>(ports, {
    kind: 'group',
    collection: groups,
    operationId: () => newId('op'),
    change: ({ scope, key }, _operationId, decide) => changeGroup(ports, { scope, groupKey: key }, decide),
    check: checkStep,
    async factsOf({ eventKeys, chartId, chartVersion }) {
      // A draft follows its events: their chart may have moved on. The actor knows this before the catalog does.
      const facts = await factsOf(ports, eventKeys[0]!);
      if (!facts.ok) return done({});
      const { currency } = facts.value;
      return done({
        chartId: facts.value.chartId ?? chartId,
        chartVersion: facts.value.chartVersion ?? chartVersion,
        currency,
      });
    },
    hasFacts: (group) => hasFacts(store, group),
    turned: (group, turn) => revised(group, { state: stateAt[turn] }),
    written: (groupKey) => ports.announce({ kind: 'group', groupKey }),
  });
  const step = (move: 'activate' | 'close') => async (input: CatalogInput<'groups.activate'>) => {
    const begun = await machine[move]({ ...input, key: input.groupKey });
    return begun.ok ? lifecycleStep(store, begun.value.document, begun.value.operationId) : begun;
  };
  return { activate: step('activate'), close: step('close'), engine: machine.engine };
}

/** The actors compared these before they took their locks. The catalog's records may be behind them. */
const comparedByActors: ReadonlySet<string> = new Set(['chart_version_mismatch', 'currency_mismatch']);

async function hasFacts(store: Store, group: GroupDocument): Promise<boolean> {
  const known = await livingEvents(store, group, group.eventKeys);
  const issues = memberIssues(group.eventKeys, known, group, { min: groupEventsMin, max: groupEventsMax });
  return issues.every(({ code }) => comparedByActors.has(code));
}

export async function lifecycleStep(
  store: Store,
  group: Stored<GroupDocument>,
  operationId: string,
): Promise<Outcome<GroupStep>> {
  const lifecycle = lifecycleNamed(group.value, operationId);
  if (!lifecycle) return refuse('not_found', 'There is no such operation of this group. Check its id.');
  return done({ ...(await detailOf(store, group)), lifecycle });
}
