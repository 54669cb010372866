/** An operator's changes of one event's chart, as the description has them. */
import type { Description } from '../../openapi/description.ts';
import { standIn } from '../../openapi/stand-ins.ts';

const ofItsOwn =
  'The event gets a chart of its own for it, of the same version; `update-chart` gives the same changes to the next version and names those that do not fit it ' +
  '(`droppedAdjustments`), and a publish does not move such an event by itself.';

export const adjustmentDescriptions = {
  'POST /v1/events/{key}/category-assignments': {
    operationId: 'assignCategory',
    tag: 'Inventory',
    summary: 'Put seats into another category, for this event alone',
    description:
      'All or nothing. Seats by their labels, an area by its own label or by all of its places: part of one is refused. What is held ' +
      `or booked keeps category and price, and is refused (409, \`reason\` \`seats_in_use\`). ${ofItsOwn}`,
    refusals: ['conflict', 'unknown_labels', 'invalid_event_state', 'invalid_event_inventory'],
    examples: [
      { summary: 'Two seats', body: { labels: ['A-1', 'A-2'], categoryKey: 'balcony' } },
      { summary: 'An area', body: { labels: ['Floor'], categoryKey: 'house' } },
      {
        summary: 'A category that is not there',
        body: { labels: ['A-1'], categoryKey: 'royal' },
        answers: 'invalid_request',
      },
      {
        summary: 'A seat that is not there',
        body: { labels: ['Z-1'], categoryKey: 'balcony' },
        answers: 'unknown_labels',
      },
      {
        summary: 'A seat that is booked',
        path: { key: standIn.soldEvent },
        body: { labels: ['A-7'], categoryKey: 'balcony' },
        answers: 'conflict',
      },
    ],
  },
  'POST /v1/events/{key}/table-booking': {
    operationId: 'setTableBooking',
    tag: 'Inventory',
    summary: 'Sell tables by the chair, as a whole, or for some guests, for this event alone',
    description:
      'All or nothing. The units of a table that is sold otherwise are others, with labels of their own: so a table is refused where ' +
      'anything of it is held, booked or blocked (`table_inventory_in_use` with `tableIds`), or assigned to a channel where its ' +
      `seats would be none of the channel's any more (\`assignments_would_drop\`): take them out of it first. ${ofItsOwn}`,
    refusals: [
      'conflict',
      'table_inventory_in_use',
      'assignments_would_drop',
      'invalid_event_state',
      'invalid_event_inventory',
    ],
    examples: [
      { summary: 'As a whole', body: { tableIds: ['table-1'], mode: 'whole' } },
      {
        summary: 'For two to five guests',
        body: { tableIds: ['table-1'], mode: 'variable', minOccupancy: 2, maxOccupancy: 5 },
      },
      {
        summary: 'For more guests than it has chairs',
        body: { tableIds: ['table-1'], mode: 'variable', maxOccupancy: 60 },
        answers: 'invalid_request',
      },
      { summary: 'What is no table', body: { tableIds: ['row-a'], mode: 'whole' }, answers: 'invalid_request' },
      {
        summary: 'A table with guests',
        path: { key: standIn.eventWithGuests },
        body: { tableIds: ['table-1'], mode: 'whole' },
        answers: 'table_inventory_in_use',
      },
    ],
  },
} as const satisfies Record<string, Description>;
