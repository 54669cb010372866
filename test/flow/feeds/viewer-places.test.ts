/** A front door has bounded places for the sockets of one address and of one session. */
import { viewersPerAddressMax, viewersPerSessionMax } from '@parterre/shared/feed-limits';
import { expect, it } from 'vitest';
import { type Place, ViewerPlaces } from '../../../services/frontdoor/src/feeds/viewer-places.ts';

const none = { keyHash: 'key', expiresAt: null };
const session = (keyHash: string) => ({ keyHash, expiresAt: 1 });

const taken = (
  places: ViewerPlaces,
  count: number,
  address: string,
  access: Parameters<ViewerPlaces['take']>[1],
): Place[] =>
  Array.from({ length: count }, () => {
    const place = places.take(address, access);
    if (!place.ok) throw new Error(place.refusal.message);
    return place.value;
  });

it('A session has its number of places, and gets a place back once', () => {
  const places = new ViewerPlaces();
  const [first] = taken(places, viewersPerSessionMax, '192.0.2.1', session('a'));
  expect(places.take('192.0.2.2', session('a'))).toMatchObject({ refusal: { code: 'rate_limited' } });
  taken(places, 1, '192.0.2.1', session('b'));
  taken(places, viewersPerSessionMax + 1, '192.0.2.1', none);
  places.free(first!);
  places.free(first!);
  taken(places, 1, '192.0.2.2', session('a'));
  expect(places.take('192.0.2.1', session('a')).ok).toBe(false);
});

it('An address has its number of places, for all sessions and keys together', () => {
  const places = new ViewerPlaces();
  const all = taken(places, viewersPerAddressMax, '192.0.2.1', none);
  expect(places.take('192.0.2.1', session('a'))).toMatchObject({ refusal: { code: 'rate_limited' } });
  all.push(...taken(places, 1, '192.0.2.2', session('a')));
  expect(places.size).toBe(3);
  for (const place of all) places.free(place);
  expect(places.size).toBe(0);
});
