/** A front door has bounded places for the sockets of one address and of one session. */

import { SECOND_MS } from '@parterre/shared/runtime/units';
import { expect, it } from 'vitest';
import {
  addressFramesPerSecondMax,
  viewerFrameBytesPerSecondMax,
  viewerFramesPerSecondMax,
  viewersPerAddressMax,
  viewersPerSessionMax,
} from '../../../services/frontdoor/src/feed-limits.ts';
import { type ViewerPlace, ViewerPlaces } from '../../../services/frontdoor/src/feeds/viewer-places.ts';

const none = { keyHash: 'key', expiresAt: null };
const session = (keyHash: string) => ({ keyHash, expiresAt: 1 });

const taken = (
  places: ViewerPlaces,
  count: number,
  address: string,
  access: Parameters<ViewerPlaces['take']>[1],
): ViewerPlace[] =>
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

it('A socket may send its frames and bytes of a second, and as many in the next second', () => {
  const places = new ViewerPlaces();
  const [place] = taken(places, 1, '192.0.2.1', none);
  const sent = (count: number, bytes: number, now: number) =>
    Array.from({ length: count }, () => places.mayReceive(place!, bytes, now)).filter(Boolean).length;
  expect(sent(viewerFramesPerSecondMax + 5, 1, 0)).toBe(viewerFramesPerSecondMax);
  expect(sent(5, 1, SECOND_MS - 1)).toBe(0);
  expect(sent(1, 1, SECOND_MS)).toBe(1);
  expect(sent(3, viewerFrameBytesPerSecondMax / 2, 2 * SECOND_MS)).toBe(2);
});

it('The sockets of one address share a bound, and another address has its own', () => {
  const places = new ViewerPlaces();
  const sockets = Math.ceil(addressFramesPerSecondMax / viewerFramesPerSecondMax) + 1;
  const received = (address: string) =>
    taken(places, sockets, address, none)
      .flatMap((place) => Array.from({ length: viewerFramesPerSecondMax }, () => places.mayReceive(place, 1, 0)))
      .filter(Boolean).length;
  expect(received('192.0.2.1')).toBe(addressFramesPerSecondMax);
  expect(received('192.0.2.2')).toBe(addressFramesPerSecondMax);
});
