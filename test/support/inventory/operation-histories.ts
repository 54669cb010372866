/** Random histories of one event that operations and offers sell: one home, one member, two offers, few units. */
import type { Command } from '@parterre/shared/protocol/commands';
import type { OperationOwner } from '@parterre/shared/protocol/operations/operation';
import fc from 'fast-check';
import { START } from './house.ts';

/** The caller has seen which seats a new chart moves. */
export const accepted = { acknowledgeMoved: fc.constant(true), reason: fc.constant('A new chart') };

const owner: OperationOwner = { kind: 'season', key: 'sea_1' };
const lockId = fc.constantFrom('activation', 'second activation', 'third activation');
/** The end of most commands' time, in the middle of a long history. */
const actsUntil = START + 30_000;
const operation = fc.constantFrom('home', 'member');
const headOf = (id: string) => {
  const eventKeys = id === 'home' ? ['test-night', 'encore'] : ['encore', 'test-night'];
  return { id, owner, operationId: `sop_${id}`, eventKeys };
};
const offerId = fc.constantFrom('sro_1', 'sro_2');
const actionId = fc.constantFrom('a1', 'a2');
const bookingRef = fc.constantFrom('r1', 'r2');
const callId = fc.integer({ min: 1, max: 40 }).map((number) => `call-${number}`);
const selections = fc
  .uniqueArray(fc.constantFrom('A-1', 'A-2', 'C-1', 'T1', 'Standing'), { minLength: 1, maxLength: 2 })
  .map((labels) => labels.map((label) => (label === 'Standing' ? { label, quantity: 2 } : { label })));
const labels = fc.constantFrom<string[][]>(['A-1'], ['A-2', 'C-1'], ['Standing']);
const action = fc.record({ id: actionId, kind: fc.constantFrom('book' as const, 'extend' as const), bookingRef });
const call = <T extends Command['type']>(type: T) => ({ type: fc.constant(type), callId });
const of = <T extends Command['type']>(type: T) => ({ type: fc.constant(type), id: operation });
const rel = { id: 'rel1', isNew: true, name: 'Early', price: 5, previousPrice: null, quota: 3, categoryKey: null };
const releases = [{ ...rel, startsAt: null, endsAt: null, action: 'buy' as const, actionUrl: null }];

const ofParts = fc.oneof(
  fc.tuple(operation, selections, fc.nat(60_000)).map(
    ([id, each, ms]): Command => ({
      type: 'hold-part',
      head: headOf(id),
      selections: each,
      actsUntil,
      expiresAt: START + ms,
      fingerprint: JSON.stringify(each),
    }),
  ),
  fc.record({ ...of('pin-part'), action, actsUntil: fc.constant(actsUntil) }),
  fc.record({ ...of('unpin-part'), actionId }),
  fc.record({ ...of('book-part'), actionId, bookingRef }),
  fc.record({ ...of('extend-part'), actionId, expiresAt: fc.nat(90_000).map((ms) => START + ms) }),
  fc.record(of('release-part')),
  fc.record({ ...of('refuse-action'), actionId }),
  operation.map((id): Command => ({ type: 'abort-operation', head: headOf(id), createdAt: START })),
  fc.tuple(operation, callId, bookingRef, labels).map(
    ([id, each, ref, named]): Command => ({
      type: 'unbook-part',
      operation: { id, owner, operationId: id },
      callId: each,
      bookingRef: ref,
      labels: named,
    }),
  ),
);

const lock = fc.record({
  type: fc.constant('lock' as const),
  owner: fc.constant(owner),
  lockId,
  actsUntil: fc.constant(actsUntil),
});
const reserve = fc.record({
  ...call('reserve'),
  offerId,
  owner: fc.constant(owner),
  selections,
  actsUntil: fc.constant(actsUntil),
});

const ofOffers = fc.oneof(
  reserve,
  reserve,
  fc.record({ ...call('unreserve'), offerId }),
  fc.record({ ...call('book-reserved'), offerId, bookingRef }),
);

const ofOthers = fc.oneof(
  lock,
  fc.record({ type: fc.constant('unlock' as const), owner: fc.constant(owner), lockId }),
  fc.record({ type: fc.constant('hold' as const), holdId: fc.constantFrom('h1', 'h2'), selections }),
  fc.record({ ...call('book-direct'), bookingRef, selections }),
  fc.record({ ...call('unbook'), bookingRef }),
  fc.record({ ...call('block'), labels, releaseAt: fc.constantFrom(null, START + 9_000), reason: fc.constant(null) }),
  fc.record({ ...call('unblock'), labels: fc.option(labels) }),
  fc.record({
    ...call('update-chart'),
    ...accepted,
    planHash: fc.constantFrom('moved-plan', 'shrunk-plan'),
    chartVersion: fc.nat(9),
  }),
  fc.record({ ...call('set-releases'), releases: fc.constantFrom(releases, []) }),
  fc.record({ ...call('configure'), currency: fc.constantFrom('EUR', 'USD') }),
  fc.record({ ...call('move'), move: fc.constantFrom('close', 'archive', 'unarchive', 'reopen') }),
);

/** Each history begins locked. */
export const operationCommands: fc.Arbitrary<Command[]> = fc
  .array(fc.oneof({ weight: 3, arbitrary: ofOffers }, { weight: 3, arbitrary: ofParts }, ofOthers), { maxLength: 50 })
  .chain((commands) => lock.map((first) => [first, ...commands]));
