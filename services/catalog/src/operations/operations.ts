/**
 * Operations over several events as callers read them: from the projection of the journals, so that a read costs no
 * event's actor anything. An actor has the items of a part (`inspect`); the projection has none.
 */
import type { OverEventsOperations } from '@parterre/shared/protocol/catalog/operations';
import { done, refuse } from '@parterre/shared/protocol/errors';
import { internalIdOf } from '@parterre/shared/protocol/operations/operation';
import { awaitCounted, createWaits } from '../history/await-counted.ts';
import { currentViews } from '../projections/generations.ts';
import { ownerIdOf } from '../projections/rules/operation-view.ts';
import { listPage, type OperationTable, type Ports } from '../store/operations.ts';
import { pageLimitMax } from '../store/rules/bounds.ts';
import type { Following } from './follow.ts';
import { keptOperation } from './rules/kept-operation.ts';

type OverEventsOperation = Exclude<keyof OverEventsOperations, 'operations.note' | 'operations.noted'>;

export function createOverEventsOperations(
  ports: Pick<Ports, 'store' | 'clock' | 'hurryProjector'>,
  following: Pick<Following, 'settle'>,
): OperationTable<OverEventsOperation> {
  const { store } = ports;
  const waits = createWaits();
  return {
    async 'operations.get'({ owner, operationId, versions }) {
      await awaitCounted(ports, waits, ...versions);
      const { operations } = await currentViews(store);
      const found = await store.get(operations, internalIdOf(owner, operationId));
      return found ? done({ operation: keptOperation(found.value) }) : unknown;
    },

    async 'operations.by-action'({ owner, actionId, versions }) {
      const isCounted = await awaitCounted(ports, waits, ...versions);
      const { operations } = await currentViews(store);
      const equal = [ownerIdOf(owner), actionId];
      const { documents } = await store.page(operations, {
        index: 'byAction',
        equal,
        descending: true,
        limit: pageLimitMax,
      });
      const found = documents.map(({ value }) => keptOperation(value));
      const standing = found.find(({ actions }) =>
        actions.some((each) => each.actionId === actionId && each.state !== 'refused'),
      );
      const operation = standing ?? found[0];
      if (operation) return done({ operation, isCounted });
      return isCounted ? unknown : notCounted;
    },

    async 'operations.list'({ owner, page, versions }) {
      await awaitCounted(ports, waits, ...versions);
      const { operations } = await currentViews(store);
      const range = { index: 'byOwner', equal: [ownerIdOf(owner)], descending: true };
      const { items, more } = await listPage(store, operations, range, page, ({ value }) => keptOperation(value));
      return done({ operations: items, ...more });
    },

    async 'operations.by-booking-ref'({ owner, bookingRef, versions }) {
      await awaitCounted(ports, waits, ...versions);
      const { operations } = await currentViews(store);
      const query = { index: 'byBookingRef', equal: [ownerIdOf(owner), bookingRef], descending: true };
      const { documents } = await store.page(operations, { ...query, limit: pageLimitMax });
      return done({ operations: documents.map(({ value }) => keptOperation(value)) });
    },

    async 'operations.settle'({ owner, operationId, versions }) {
      await awaitCounted(ports, waits, ...versions);
      await following.settle(internalIdOf(owner, operationId));
      return done({ ok: true });
    },
  };
}

const unknown = refuse('not_found', 'There is no such operation. Check its id.');
const notCounted = refuse('catalog_unavailable', 'The latest sales cannot be read at present. Try again.', {
  retryable: true,
});
