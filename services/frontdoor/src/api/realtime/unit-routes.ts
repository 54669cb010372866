/** The list of an event's units by which binary frames number them (wire contract 8), for buyers and for servers. */
import { done, type Outcome } from '@parterre/shared/errors';
import { budgets } from '../../admission/budget.ts';
import type { KnownEvent } from '../../admission/events-cache.ts';
import { jsonType, Prepared } from '../../answers/answer.ts';
import { hasEtag } from '../../answers/etag.ts';
import type { Audience } from '../../pictures/audience.ts';
import { unitsId } from '../../pictures/units.ts';
import { buyerRoute, type Call, eventRoute, type Route } from '../calls/route.ts';

export const unitRoutes: Route[] = [
  buyerRoute('GET /pub/events/{key}/units', { budget: budgets.buyerReads }, (call) => getUnits(call, 'buyer')),
  eventRoute('GET /v1/events/{key}/units', { capability: 'event:view' }, (call) => getUnits(call, 'server')),
];

/** Whoever names the list that it wants, by the id that a snapshot has, may keep it for ever: under that id it is never another. */
async function getUnits(
  { ports, request, event }: Call<'buyer' | 'console', unknown, KnownEvent>,
  words: Audience['words'],
): Promise<Outcome<unknown>> {
  const replica = await ports.feeds.replicaOf(event.event);
  if (!replica.ok) return replica;
  const { picture } = replica.value;
  const id = unitsId(picture, words);
  const etag = `"${id}"`;
  const isNamed = request.query.get('id') === id;
  const caching = [
    ['ETag', etag] as const,
    ['Cache-Control', isNamed ? 'private, max-age=31536000, immutable' : 'private, no-cache'] as const,
  ];
  if (hasEtag(request.ifNoneMatch, etag)) return done(new Prepared(304, caching, ''));
  return done(new Prepared(200, [jsonType, ...caching], await ports.unitLists.listOf(picture, words)));
}
