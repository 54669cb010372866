/** Posters and pictures, as the description has them. */
import type { Description } from '../../openapi/description.ts';
import { standIn } from '../../openapi/stand-ins.ts';

const archived = { key: standIn.archivedEvent };
/** A PNG of one pixel. */
const pixel = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
const png = (base64: string) => ({ mediaType: 'image/png', base64 });
const pictures = ['image/png', 'image/jpeg', 'image/webp'];

/** What is the same of a picture wherever it is found. */
const picture = {
  mediaTypes: pictures,
  headers: ['ETag', 'Cache-Control'],
  refusals: ['not_found', 'catalog_unavailable'],
  examples: [
    { summary: 'The picture' },
    { summary: 'One that is not there', path: { assetId: 'ast_0' }, answers: 'not_found' },
  ],
} as const satisfies Partial<Description>;

export const posterDescriptions = {
  'PUT /v1/events/{key}/poster': {
    operationId: 'putPoster',
    tag: 'Events',
    summary: 'Give an event a poster',
    description:
      'A PNG, JPEG or WebP of at most 5 MiB, as the body. The same picture always has the same id, which posterAssetId of a new event ' +
      'may name while an event shows it. A picture that no event shows any more is deleted.',
    takes: pictures,
    refusals: ['invalid_event_state'],
    examples: [
      { summary: 'A PNG', bytes: png(pixel) },
      {
        summary: 'Something else',
        bytes: { mediaType: 'image/gif', base64: 'R0lGODdhAQABAA==' },
        answers: 'unsupported_media_type',
      },
      { summary: 'Nothing', bytes: png(''), answers: 'invalid_request' },
      { summary: 'Of an event in the archive', path: archived, bytes: png(pixel), answers: 'invalid_event_state' },
    ],
  },
  'DELETE /v1/events/{key}/poster': {
    operationId: 'deletePoster',
    tag: 'Events',
    summary: 'Take the poster away',
    refusals: ['invalid_event_state'],
    examples: [
      { summary: 'Take it away' },
      { summary: 'Of an event in the archive', path: archived, answers: 'invalid_event_state' },
    ],
  },
  'GET /pub/assets/{assetId}': {
    operationId: 'getAsset',
    tag: 'Buyers',
    summary: 'A picture',
    description:
      'Its bytes never change, so that it may be kept for a year. The Content-Type says which of the three it is.',
    ...picture,
  },
  'GET /pub/events/{key}/assets/{assetId}': {
    operationId: 'getBuyerAsset',
    tag: 'Buyers',
    summary: 'A picture, by way of an event',
    description:
      'As `GET /pub/assets/{assetId}`, where the event is there. No credential is needed, so that a page can show it as an image.',
    ...picture,
  },
} as const satisfies Record<string, Description>;
