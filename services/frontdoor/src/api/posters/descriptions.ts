/** The description of posters and pictures. */
import { type Description, standIn } from '../../openapi/openapi.ts';

const archived = { key: standIn.archivedEvent };
/** A PNG of one pixel. */
const pixel = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
const png = (base64: string) => ({ mediaType: 'image/png', base64 });
const pictures = ['image/png', 'image/jpeg', 'image/webp'];

/** The shared part of both addresses of a picture. */
const picture = {
  mediaTypes: pictures,
  headers: ['ETag'],
  refusals: ['not_found', 'catalog_unavailable'],
  examples: [
    { summary: 'The picture' },
    { summary: 'An unknown picture', path: { assetId: 'ast_0' }, answers: 'not_found' },
  ],
} as const satisfies Partial<Description>;

export const posterDescriptions = {
  'PUT /v1/events/{key}/poster': {
    operationId: 'putPoster',
    tag: 'Events',
    summary: 'Give an event a poster',
    description:
      'The body is a PNG, JPEG or WebP of at most 5 MiB. Equal pictures have equal ids. A new event may name the id ' +
      'as posterAssetId while an event shows the picture. A picture that no event shows is deleted.',
    takes: pictures,
    refusals: ['invalid_event_state'],
    examples: [
      { summary: 'A PNG', bytes: png(pixel) },
      {
        summary: 'Another media type',
        bytes: { mediaType: 'image/gif', base64: 'R0lGODdhAQABAA==' },
        answers: 'unsupported_media_type',
      },
      { summary: 'An empty body', bytes: png(''), answers: 'invalid_request' },
      { summary: 'Of an event in the archive', path: archived, bytes: png(pixel), answers: 'invalid_event_state' },
    ],
  },
  'DELETE /v1/events/{key}/poster': {
    operationId: 'deletePoster',
    tag: 'Events',
    summary: 'Remove the poster of an event',
    refusals: ['invalid_event_state'],
    examples: [
      { summary: 'Remove it' },
      { summary: 'Of an event in the archive', path: archived, answers: 'invalid_event_state' },
    ],
  },
  'GET /pub/assets/{assetId}': {
    operationId: 'getAsset',
    tag: 'Buyers',
    summary: 'A picture',
    description:
      "The bytes of an id never change, so the answer may be kept for a year. The Content-Type names the picture's " +
      'format.',
    ...picture,
  },
  'GET /pub/events/{key}/assets/{assetId}': {
    operationId: 'getBuyerAsset',
    tag: 'Buyers',
    summary: 'A picture, addressed through an event',
    description:
      'Like `GET /pub/assets/{assetId}`, if the event exists. No credential is needed, so that a page can show the ' +
      'picture as an image.',
    ...picture,
  },
} as const satisfies Record<string, Description>;
