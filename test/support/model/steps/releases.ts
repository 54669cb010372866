/** Steps of ticket releases: the list, and closing one. */
import type { ReleaseDraft } from '@parterre/shared/protocol/commands';
import fc from 'fast-check';
import { MINUTE, type World } from '../reference/world.ts';
import { anyNumber, fresh, type Kind, kind, oneOf, weighted } from './steps.ts';

const draftPick = fc.record({
  n: anyNumber,
  isKept: fc.boolean(),
  price: fc.integer({ min: 1, max: 9 }),
  quota: weighted([null, 2], [1, 2], [2, 3], [4, 3], [9, 1]),
  startsIn: weighted([null, 6], [-5_000, 2], [4_000, 2], [20 * MINUTE, 1]),
  endsIn: weighted([null, 6], [5_000, 2], [30 * MINUTE, 2], [1, 1], [-1_000, 1]),
  category: weighted([null, 24], ['stalls', 15], ['floor', 12], ['house', 2], ['circle', 1], ['nowhere', 1]),
  action: weighted(['buy', 9], ['apply', 1], ['invoice', 1]),
});
type DraftPick = typeof draftPick extends fc.Arbitrary<infer T> ? T : never;

function draftOf(world: World, picked: DraftPick): ReleaseDraft {
  const { n, isKept, price, quota, startsIn, endsIn, action } = picked;
  const found = isKept ? oneOf(world.releases, n) : undefined;
  if (found && n % 3 === 0) {
    const { soldOutAt: _, closedAt: __, ...same } = found;
    return { ...same, isNew: false };
  }
  const at = (inMs: number | null): number | null => (inMs === null ? null : world.now + inMs);
  return {
    id: found?.id ?? fresh(world, 'rel'),
    isNew: !found && n % 40 !== 0,
    name: `Release ${n % 7}`,
    price,
    quota,
    previousPrice: null,
    startsAt: at(startsIn),
    endsAt: at(endsIn),
    categoryKey: picked.category,
    action,
    actionUrl: action === 'buy' ? null : 'https://tickets.example/apply',
  };
}

export const releaseKinds: readonly Kind[] = [
  kind('set releases', 9, fc.array(draftPick, { maxLength: 4, size: 'max' }), (world, picks) => {
    const drafts = picks.map((picked) => draftOf(world, picked));
    const releases = drafts.filter(({ id }, i) => drafts.findIndex((each) => each.id === id) === i);
    return { type: 'set-releases', callId: fresh(world, 'call'), releases };
  }),
  kind('close a release', 4, anyNumber, (world, n) => {
    const releaseId = n % 15 === 0 ? 'rel_nobody' : oneOf(world.releases, n)?.id;
    return releaseId === undefined ? null : { type: 'close-release', callId: fresh(world, 'call'), releaseId };
  }),
  kind('read the releases', 1, fc.constant(0), () => ({ type: 'releases' })),
];
