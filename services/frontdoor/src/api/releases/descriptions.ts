/** The description of ticket releases. */
import { type Description, standIn } from '../../openapi/openapi.ts';

export const releaseDescriptions = {
  'GET /v1/events/{key}/releases': {
    operationId: 'getReleases',
    tag: 'Inventory',
    summary: 'The ticket releases of an event',
    examples: [{ summary: 'All of them', path: { key: standIn.eventWithReleases } }],
  },
  'PUT /v1/events/{key}/releases': {
    operationId: 'setReleases',
    tag: 'Inventory',
    summary: 'Set all ticket releases of an event',
    description:
      "Replaces the whole list; the last writer wins. An item with an `id` is the event's ticket release of this id; " +
      'an item without `id` is new. A unit gets its price when it is held, or booked without a hold: from the ' +
      'first active `buy` ticket release of its category whose quota has a unit left, else from its tier or ' +
      'category. Held and booked units keep their price and ticket release, whatever happens to the list. A closed ' +
      'ticket release stays closed until it is sent with another `endsAt`.',
    refusals: ['invalid_event_state'],
    examples: [
      {
        summary: 'An early price for ten of the stalls, another for all, and a form for groups',
        body: {
          releases: [
            { name: 'Early bird', price: 12, previousPrice: 20, quota: 10, categoryKey: 'stalls' },
            { name: 'Advance', price: 16, startsAt: 1_785_542_400_000, endsAt: 1_788_220_800_000 },
            { name: 'Groups', price: 10, action: 'apply', actionUrl: 'https://theatre.example/groups' },
          ],
        },
      },
      {
        summary: 'An existing ticket release, renamed',
        path: { key: standIn.eventWithReleases },
        body: { releases: [{ id: standIn.release, name: 'Very early bird', price: 12 }] },
      },
      { summary: 'None', body: { releases: [] } },
      {
        summary: 'Of a category with tiers',
        body: { releases: [{ name: 'Balcony', price: 12, categoryKey: 'balcony' }] },
        answers: 'invalid_request',
      },
      {
        summary: 'An unknown id',
        body: { releases: [{ id: 'rel_0', name: 'Gone', price: 12 }] },
        answers: 'invalid_request',
      },
      {
        summary: 'Of an event in the archive',
        path: { key: standIn.archivedEvent },
        body: { releases: [] },
        answers: 'invalid_event_state',
      },
    ],
  },
  'POST /v1/events/{key}/releases/{id}/close': {
    operationId: 'closeRelease',
    tag: 'Inventory',
    summary: 'End a ticket release now',
    description: 'The ticket release stays in the list. Closing a closed ticket release changes nothing.',
    refusals: ['invalid_event_state'],
    examples: [
      { summary: 'The release', path: { key: standIn.eventWithReleases } },
      { summary: 'An unknown ticket release', path: { id: 'rel_0' }, answers: 'not_found' },
    ],
  },
} as const satisfies Record<string, Description>;
