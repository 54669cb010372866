import type { Description } from '../../openapi/description.ts';
import { standIn } from '../../openapi/stand-ins.ts';

export const buyerDescriptions = {
  'GET /pub/events/{key}/availability': {
    operationId: 'getSaleSummary',
    tag: 'Buyers',
    summary: 'Whether there is something to buy, and from what price',
    description:
      '`state` is `closed` where nothing is sold whatever is free; `sold-out` where nothing is free of what the key or session ' +
      'reaches; `presale` where releases are announced for all that is free and none of it had one yet (seats are sold at their ' +
      'ordinary prices until then); `low` where less than a tenth of what is sellable is free; else `on-sale`. What is not for ' +
      'sale to this buyer counts nowhere. `prices` has each category with seats for this buyer, at the price of public sale of its ' +
      'next seat, in major units: the first active release that fits it and has places left (the `offer…` fields are of that ' +
      'release), else its own, of a category with tiers that of the tier a plain seat is sold at. `fromPrice` and `previousPrice` ' +
      "are the least of what is free, channels' own prices included, in minor units (1250 is 12.50 EUR), and null where nothing can " +
      'be bought. `release` is the first that prices seats just now, `upcoming` the next to start. `channelPricing` tells a ' +
      'session of channels which seats are theirs and what these cost, and is null for all others.',
    headers: ['Cache-Control'],
    examples: [
      { summary: 'A summary' },
      { summary: 'With a release, as it is now', path: { key: standIn.eventWithReleases }, query: { live: '1' } },
      { summary: 'Of an event that is closed', path: { key: standIn.closedEvent } },
    ],
  },
  'GET /pub/events/{key}/chart': {
    operationId: 'getBuyerChart',
    tag: 'Buyers',
    summary: 'The seat map that a buyer sees',
    description: 'A closed event still answers.',
    headers: ['ETag', 'Cache-Control'],
    examples: [
      { summary: 'The map' },
      {
        summary: 'Of a live event, with a key for tests',
        path: { key: standIn.liveEvent },
        answers: 'buyer_access_mode_mismatch',
      },
    ],
  },
  'GET /pub/events/{key}/objects': {
    operationId: 'getBuyerObjects',
    tag: 'Buyers',
    summary: 'The status of every unit as a buyer sees it',
    description:
      'What is blocked, closed or of another channel is `not_for_sale`: one word, so that they cannot be told apart.',
    headers: ['Cache-Control'],
    examples: [{ summary: 'By label' }, { summary: 'As few as can be', query: { compact: '1' } }],
  },
} as const satisfies Record<string, Description>;
