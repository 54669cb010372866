/** The description of an operator's changes of one event's chart. */
import { type Description, standIn } from '../../openapi/openapi.ts';

const ofItsOwn =
  'The event gets its own chart of the same version. `update-chart` applies the same changes to the next version, ' +
  'and names the changes that do not fit it (`droppedAdjustments`). A publish does not move an event with its own ' +
  'chart.';

export const adjustmentDescriptions = {
  'POST /v1/events/{key}/category-assignments': {
    operationId: 'assignCategory',
    tag: 'Inventory',
    summary: 'Put seats into another category, for this event only',
    description:
      'All or nothing. Name seats by their labels, and an area by its own label or by all of its places; a part of ' +
      'an area is refused. Held and booked units keep category and price, and are refused (409, `reason` ' +
      `\`seats_in_use\`). ${ofItsOwn}`,
    refusals: ['conflict', 'unknown_labels', 'invalid_event_state', 'invalid_event_inventory'],
    examples: [
      { summary: 'Two seats', body: { labels: ['A-1', 'A-2'], categoryKey: 'balcony' } },
      { summary: 'An area', body: { labels: ['Floor'], categoryKey: 'house' } },
      {
        summary: 'An unknown category',
        body: { labels: ['A-1'], categoryKey: 'royal' },
        answers: 'invalid_request',
      },
      {
        summary: 'An unknown seat',
        body: { labels: ['Z-1'], categoryKey: 'balcony' },
        answers: 'unknown_labels',
      },
      {
        summary: 'A booked seat',
        path: { key: standIn.soldEvent },
        body: { labels: ['A-7'], categoryKey: 'balcony' },
        answers: 'conflict',
      },
    ],
  },
  'POST /v1/events/{key}/table-booking': {
    operationId: 'setTableBooking',
    tag: 'Inventory',
    summary: 'Sell tables by the chair, as a whole, or for a range of guests, for this event only',
    description:
      'All or nothing. Another way of selling gives a table other units, with labels of their own. So a table is ' +
      'refused if any of its units is held, booked or blocked (`table_inventory_in_use` with `tableIds`), or if it ' +
      'is assigned to a channel that would lose its seats (`assignments_would_drop`): take the seats out of the ' +
      `channel first. ${ofItsOwn}`,
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
      { summary: 'A row', body: { tableIds: ['row-a'], mode: 'whole' }, answers: 'invalid_request' },
      {
        summary: 'A table with guests',
        path: { key: standIn.eventWithGuests },
        body: { tableIds: ['table-1'], mode: 'whole' },
        answers: 'table_inventory_in_use',
      },
    ],
  },
} as const satisfies Record<string, Description>;
