/**
 * Cancellations of group bookings, whole or in part. As for a season (cancellations.ts), the document is the decision,
 * and the events follow. A booking may have several cancellations. Each frees its own units, as far as the booking
 * still has them, so two of them need no order.
 *
 * States and failures are those of cancellations.ts. An event whose units a buyer has in checkout stays pending until
 * the checkout is over.
 */
import type { GroupCancellation } from '@parterre/shared/protocol/catalog/season-sales';
import type { CatalogInput } from '@parterre/shared/protocol/catalog-api';
import { done, type Outcome, refuse } from '@parterre/shared/protocol/errors';
import { createCoordinator } from '@parterre/shared/protocol/operations/coordinator';
import { internalIdOf } from '@parterre/shared/protocol/operations/operation';
import { createLifecycles, type Lifecycles } from '../lifecycles/lifecycles.ts';
import { groupCancellations } from '../store/group-collections.ts';
import type { Ports } from '../store/operations.ts';
import { cancellationsShownMax, eventLockAskMs, lifecycleCallMs } from '../store/rules/bounds.ts';
import type { GroupCancellationRecord } from '../store/rules/season-records.ts';
import type { Stored } from '../store/store.ts';
import { afterTry, pendingLabels } from './rules/cancellation-state.ts';

export type GroupCancellations = {
  cancel(input: CatalogInput<'groups.cancel-booking'>): Promise<Outcome<{ cancellation: GroupCancellation }>>;
  read(input: CatalogInput<'groups.cancellations'>): Promise<Outcome<{ cancellations: GroupCancellation[] }>>;
  engine: Lifecycles<GroupCancellationRecord>;
};

export function createGroupCancellations(ports: Ports): GroupCancellations {
  const { store, clock, log } = ports;
  const engine = createLifecycles<GroupCancellationRecord>({
    store,
    clock,
    log,
    collection: groupCancellations,
    advance: (document) => advance(ports, document),
    written: () => {},
  });

  return {
    async cancel(input) {
      const operation = operationOf(input);
      const id = `${operation}.${input.cancelActionId}`;
      await store.insert(groupCancellations, id, begun(input, operation, clock.now()));
      const standing = await engine.carryOn(id, lifecycleCallMs);
      if (!standing) return gone;
      const isSame = standing.value.askedHash === input.askedHash && standing.value.actionId === input.actionId;
      return isSame ? done({ cancellation: shown(standing.value) }) : reused;
    },

    async read(input) {
      const query = { index: 'byOperation', equal: [operationOf(input)], descending: true };
      const { documents } = await store.page(groupCancellations, { ...query, limit: cancellationsShownMax });
      return done({ cancellations: documents.map(({ value }) => shown(value)) });
    },

    engine,
  };
}

/** No cancellation is ever deleted. */
const gone = refuse('not_found', 'There is no such cancellation.');
const reused = refuse(
  'conflict',
  'This cancelActionId was used for other seats. Repeat an action unchanged, or choose a new name for it.',
  { reason: 'action_reused' },
);

function operationOf({ groupKey, operationId }: { groupKey: string; operationId: string }): string {
  return internalIdOf({ kind: 'group', key: groupKey }, operationId);
}

function begun(
  { eventKeys, ...asked }: CatalogInput<'groups.cancel-booking'>,
  operation: string,
  now: number,
): GroupCancellationRecord {
  return {
    ...asked,
    operation,
    state: 'cancel_pending',
    open: true,
    outcomes: eventKeys.map((eventKey) => ({ eventKey, state: 'pending', code: null })),
    createdAt: now,
    updatedAt: now,
    endedAt: null,
  };
}

async function advance(
  { clock, ask }: Ports,
  { value }: Stored<GroupCancellationRecord>,
): Promise<GroupCancellationRecord | null> {
  const { groupKey, operationId, cancelActionId, bookingRef, outcomes, by } = value;
  const eventKeys = outcomes.map(({ eventKey }) => eventKey);
  const told = await createCoordinator({ ask, now: clock.now }).cancelBooking(
    { owner: { kind: 'group', key: groupKey }, operationId, eventKeys },
    { cancelActionId, bookingRef, labels: pendingLabels(value), waitsForCheckout: true },
    by,
    clock.elapsed() + eventLockAskMs,
  );
  return afterTry(value, told, clock.now());
}

function shown({
  labels: _,
  by: __,
  open: ___,
  updatedAt: ____,
  operation: _____,
  ...told
}: GroupCancellationRecord): GroupCancellation {
  return told;
}
