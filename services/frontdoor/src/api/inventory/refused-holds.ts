/** Refusals of units that a call names, and examples of refused holds. */
import { type Example, standIn } from '../../openapi/openapi.ts';

/** The chart, or the terms of the sale, lack what the call asks of a unit. */
export const refusedUnits = [
  'unknown_labels',
  'unknown_tier',
  'invalid_quantity',
  'not_for_sale',
  'ticket_option_not_applicable',
  'companion_pair_required',
] as const;

export const refusedHolds = [
  { summary: 'A label that the chart lacks', body: { labels: ['Z-9'] }, answers: 'unknown_labels' },
  {
    summary: 'A tier that the category lacks',
    body: { selections: [{ label: 'B-1', tierId: 'senior' }] },
    answers: 'unknown_tier',
  },
  {
    summary: 'Two of one seat',
    body: { selections: [{ label: 'B-1', quantity: 2 }] },
    answers: 'invalid_quantity',
  },
  {
    summary: 'A tier for other seats',
    body: { selections: [{ label: 'B-1', tierId: 'loop' }] },
    answers: 'ticket_option_not_applicable',
  },
  {
    summary: 'A companion without a wheelchair place',
    body: { selections: [{ label: 'B-1', tierId: 'companion' }] },
    answers: 'companion_pair_required',
  },
  { summary: 'A seat that is not for sale', body: { labels: ['C-1'] }, answers: 'not_for_sale' },
  {
    summary: 'Of a closed event',
    path: { key: standIn.closedEvent },
    body: { labels: ['A-1'] },
    answers: 'event_closed',
  },
] as const satisfies readonly Example[];
