/** Posters of events, and pictures, which anyone with a picture's id may see. */
import type { CatalogInput } from '@parterre/shared/catalog-api';
import { done, refuse } from '@parterre/shared/errors';
import { eventMeta } from '@parterre/shared/event-meta';
import { posterBytesMax } from '@parterre/shared/limits';
import { budgets, knownInTime, scopeOf } from '../../admission/admission.ts';
import { type Header, hasEtag, Prepared, unchanged } from '../../answers/answers.ts';
import {
  type EventCall,
  eventRoute,
  eventUploadRoute,
  inTime,
  openRoute,
  type Ports,
  type Request,
} from '../calls/calls.ts';
import { changed } from './answers.ts';
import { imageTypeOf } from './image-type.ts';

const counted = { budget: budgets.serverCalls };
const file = { budget: budgets.publicFiles };

export const posterRoutes = [
  eventUploadRoute(
    'PUT /v1/events/{key}/poster',
    { ...counted, answer: changed, bodyBytesMax: posterBytesMax },
    putPoster,
  ),
  eventRoute('DELETE /v1/events/{key}/poster', { ...counted, answer: changed }, (call) => setPoster(call, null)),
  openRoute('GET /pub/assets/{assetId}', { ...file, answer: null }, ({ ports, request }) =>
    assetAnswer(ports, request, request.params[0]!),
  ),
  // No credential: a page shows the picture as an image, and browsers send no credential for images.
  openRoute('GET /pub/events/{key}/assets/{assetId}', { ...file, answer: null }, async ({ ports, request }) => {
    const [key, assetId] = request.params;
    const event = await knownInTime(ports, key!, request.deadlineAt);
    if (!event.ok) return event.refusal.code === 'not_found' ? noPicture : event;
    return event.value.event.status === 'deleted' ? noPicture : assetAnswer(ports, request, assetId!);
  }),
];

/**
 * The refusal reads the same whether or not the event exists. So a caller without a picture's id cannot learn of an
 * event.
 */
const noPicture = refuse('not_found', 'There is no such asset. Read the event again for the address of its poster.');

/** A picture's id names its bytes for ever. `readers` are the caches that may keep it: of one caller who shows a credential. */
export async function assetAnswer(
  ports: Ports,
  request: Request,
  assetId: string,
  readers: 'public' | 'private' = 'public',
) {
  const found = await inTime({ ports, request }, ports.assets.get(assetId));
  if (!found.ok) return found.refusal.code === 'not_found' ? noPicture : found;
  const { bytes, contentType } = found.value;
  const etag = `"${assetId}"`;
  const caching: Header[] = [
    ['ETag', etag],
    ['Cache-Control', `${readers}, max-age=31536000, immutable`],
  ];
  if (hasEtag(request.ifNoneMatch, etag)) return done(unchanged(caching));
  return done(new Prepared(200, [['Content-Type', contentType], ...caching], bytes));
}

function putPoster(call: EventCall<Buffer>) {
  const bytes = call.body;
  if (bytes.length === 0) {
    return refuse('invalid_request', 'Send the picture as the body.', {
      details: { issues: [{ path: '', message: 'Must not be empty.' }] },
    });
  }
  const contentType = imageTypeOf(bytes);
  if (contentType === null) return refuse('unsupported_media_type', 'Send the poster as a PNG, JPEG or WebP.');
  return setPoster(call, { bytes, contentType });
}

async function setPoster(
  { ports, principal, event }: EventCall<unknown>,
  image: CatalogInput<'events.set-poster'>['image'],
) {
  const eventKey = event.event.key;
  const set = await ports.catalog('events.set-poster', { scope: scopeOf(principal), eventKey, image });
  ports.events.drop(eventKey);
  return set.ok ? done({ meta: eventMeta(set.value.event) }) : set;
}
