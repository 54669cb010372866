/** Folds a partition's messages with the shard's own rules, each event up to a version of its own. */
import type { EventState } from '../../services/inventory-shard/src/rules/state/event-state.ts';
import { newState } from '../../services/inventory-shard/src/rules/state/state.ts';
import { apply, closeGroup } from '../../services/inventory-shard/src/rules/turn/turn.ts';
import type { PlanSource } from '../../shared/src/charts/plans/plans.ts';
import { groupsOf, readGroup } from '../../shared/src/protocol/journal/messages.ts';
import type { StoredMessage } from './messages.ts';

/** The states of the events in `versions`, at these versions. Events without a message are absent. */
export async function foldTo(
  messages: AsyncIterable<StoredMessage>,
  versions: ReadonlyMap<string, number>,
  plans: PlanSource,
): Promise<Map<string, EventState>> {
  const states = new Map<string, EventState>();
  for await (const { sequence, subject, data } of messages) {
    for (const packed of groupsOf(subject, data)) {
      const { eventKey } = packed;
      if (sequence > (versions.get(eventKey) ?? 0)) continue;
      const group = readGroup(packed.data);
      // Parts behind a loss that the operator has accepted: the event goes on without them.
      if (group.from !== (states.get(eventKey)?.version ?? 0)) continue;
      const plan = await plans(group.plan);
      for (const record of group.records) {
        if (record.type === 'created') states.set(eventKey, newState(record.config, plan));
        apply(states.get(eventKey)!, record, group.at, plan);
      }
      closeGroup(states.get(eventKey)!, sequence);
    }
  }
  return states;
}
