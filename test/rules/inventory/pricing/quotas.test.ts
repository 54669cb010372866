/**
 * Quotas of ticket releases under any run of sales: never oversold, and every buyer who could have the lower price gets
 * it.
 */
import type { Command } from '@parterre/shared/protocol/commands';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Booking, Hold } from '../../../../services/inventory-shard/src/rules/state/holder.ts';
import { heldLines } from '../../../../services/inventory-shard/src/rules/state/holding.ts';
import { house } from '../../../support/inventory/house.ts';

const RUNS = 300;

const holdId = fc.integer({ min: 1, max: 6 }).map((number) => `h${number}`);
const bookingRef = fc.constantFrom('r1', 'r2');
const selections = fc
  .uniqueArray(fc.constantFrom('A-1', 'A-2', 'A-3', 'B-1', 'B-2', 'C-1', 'T1', 'Standing'), {
    minLength: 1,
    maxLength: 3,
  })
  .map((labels) => labels.map((label) => (label === 'Standing' ? { label, quantity: 2 } : { label })));
const ttlMs = fc.integer({ min: 1, max: 3_000 });
const quota = fc.option(fc.integer({ min: 1, max: 4 }), { freq: 3 });

type Sale = Command & { type: 'hold' | 'release' | 'book' | 'book-direct' | 'box-book' | 'unbook' };
const callId = fc.uuid();
const sale: fc.Arbitrary<Sale> = fc.oneof(
  fc.record({ type: fc.constant('hold' as const), holdId, selections, ttlMs }),
  fc.record({ type: fc.constant('hold' as const), holdId, selections, ttlMs, replaceHoldId: holdId }),
  fc.record({ type: fc.constant('release' as const), callId, holdId }),
  fc.record({ type: fc.constant('book' as const), callId, holdId, bookingRef }),
  fc.record({ type: fc.constantFrom('book-direct', 'box-book'), callId, bookingRef, selections }),
  fc.record({ type: fc.constant('unbook' as const), callId, bookingRef }),
);
const steps = fc.array(fc.record({ passMs: fc.integer({ min: 0, max: 800 }), sale }), { maxLength: 30 });

test(
  'units sold under a ticket release never exceed its quota, and the ' +
    'next price applies only when it has none left',
  () => {
    fc.assert(
      fc.property(quota, quota, steps, (first, second, played) => {
        const event = house();
        const plain = { isNew: true, previousPrice: null, startsAt: null, endsAt: null, actionUrl: null };
        event.ok({
          type: 'set-releases',
          callId: 'set',
          releases: [
            { ...plain, id: 'stalls', name: 'Stalls', price: 8, quota: first, categoryKey: 'stalls', action: 'buy' },
            { ...plain, id: 'all', name: 'All', price: 9, quota: second, categoryKey: null, action: 'buy' },
          ],
        });
        const quotas = { stalls: first ?? Number.POSITIVE_INFINITY, all: second ?? Number.POSITIVE_INFINITY };
        const { holds, bookings } = event.state;
        const owners = () => [...holds.values(), ...bookings.values()];
        for (const { passMs, sale: command } of played) {
          event.pass(passMs);
          event.ok({ type: 'count' });
          const givesWay = command.type === 'hold' ? holds.get(command.replaceHoldId ?? '') : undefined;
          const others = soldUnder(
            event,
            owners().filter((owner) => owner !== givesWay),
          );
          const records = event.journal.length;
          if (!event.tries(command)) continue;
          const sold = soldUnder(event, owners());
          for (const id of ['stalls', 'all'] as const) {
            expect(sold[id]).toBe(event.state.releaseUse.get(id)!.consumed);
            expect(sold[id]).toBeLessThanOrEqual(quotas[id]);
          }
          const lines = event.journal.slice(records).flatMap((record) => (record.type === 'held' ? record.lines : []));
          const isDearer = lines.some(({ releaseId, tierId }) => releaseId === undefined && tierId === undefined);
          if (isDearer)
            expect(others.all + lines.filter(({ releaseId }) => releaseId === 'all').length).toBe(quotas.all);
        }
      }),
      { numRuns: RUNS },
    );
  },
);

/** Units by ticket release, counted from the lines of these holders. */
function soldUnder({ state }: ReturnType<typeof house>, owners: (Hold | Booking)[]): { stalls: number; all: number } {
  const lines = owners.flatMap((owner) => heldLines(state, owner));
  const count = (id: string) => lines.filter(({ releaseId }) => releaseId === id).length;
  return { stalls: count('stalls'), all: count('all') };
}
