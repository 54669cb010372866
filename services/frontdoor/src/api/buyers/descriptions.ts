/** The description of buyers' reads. */
import { type Description, standIn } from '../../openapi/openapi.ts';

export const buyerDescriptions = {
  'GET /pub/events/{key}/availability': {
    operationId: 'getSaleSummary',
    tag: 'Buyers',
    summary: 'Whether there is something to buy, and the lowest price',
    description:
      '`state` is `closed` if the event, or every channel in reach, is closed for sale; `sold-out` if no unit within ' +
      'the reach of the key or session is free; `presale` if every category with free units has ticket releases ' +
      'and all of them are upcoming (until the first starts, seats are sold at ordinary prices); `low` if less ' +
      'than a tenth of the sellable units is free; else `on-sale`. Units that are not for sale to this buyer do ' +
      'not count. `prices` has each category with seats for this buyer, with the price of its next seat on public ' +
      'sale, in major units: the price of the first active ticket release that fits the category and has units ' +
      'left (the `offer…` fields belong to this ticket release), else the price of the category, or of the tier at ' +
      'which a plain seat is sold. `heldByOthers` counts the units that the map shows as held now, without the holds ' +
      'of the calling session and without the hold that `holdId` names. `fromPrice` and `previousPrice` are the lowest prices of all free units, ' +
      'of the calling session and without the hold that `holdId` names. ' +
      '`fromPrice` and `previousPrice` are the lowest prices of all free units, ' +
      "channels' own prices included, in minor units (1250 is 12.50 EUR), and null if nothing can be bought. Places " +
      'with an accessibility kind count only while no other place is free. `lowestPrice` and `highestPrice` are those ' +
      'of a category over all its tiers but companion tiers, in major units. `offers` are the ticket releases that ' +
      'sell now, in the order in which they price. A hold prices its places one after the other: by the price of the ' +
      "place's channel, else (in a category without tiers) by the first offer that fits the category and has units " +
      'left, else by the tier or category. `waiting` is the one reason why there is nothing to buy now, or why prices ' +
      'are not yet those of the sale (`presale`, which opens at `opensAt`). ' +
      '`release` is the first ticket release that sets prices now, `upcoming` the next to start. `channelPricing` ' +
      'gives a session of channels the seats and prices of its channels; it is null for all other callers.',
    examples: [
      { summary: 'A summary' },
      { summary: 'Live, with a ticket release', path: { key: standIn.eventWithReleases }, query: { live: '1' } },
      {
        summary: "Without the caller's hold",
        path: { key: standIn.heldEvent },
        query: { live: '1', holdId: standIn.hold },
      },
      { summary: 'Of a closed event', path: { key: standIn.closedEvent } },
    ],
  },
  'GET /pub/events/{key}/chart': {
    operationId: 'getBuyerChart',
    tag: 'Buyers',
    summary: 'The chart that a buyer sees',
    description: 'A closed event still answers.',
    headers: ['ETag'],
    examples: [
      { summary: 'The map' },
      {
        summary: 'Of a live event, with a test key',
        path: { key: standIn.liveEvent },
        answers: 'buyer_access_mode_mismatch',
      },
    ],
  },
  'GET /pub/events/{key}/objects': {
    operationId: 'getBuyerObjects',
    tag: 'Buyers',
    summary: 'The status of every unit that a buyer sees',
    description:
      'Units that are blocked, closed or of another channel are all `not_for_sale`, so that they cannot be told apart.',
    examples: [
      { summary: 'By label' },
      { summary: 'With the most common status as the default', query: { compact: '1' } },
    ],
  },
} as const satisfies Record<string, Description>;
