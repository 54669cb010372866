/** The report of an event, as the description shows it. */
import type { Description } from '../../openapi/description.ts';
import { standIn } from '../../openapi/stand-ins.ts';
import { reportFileColumns } from './report-file.ts';

export const reportDescriptions = {
  'GET /v1/events/{key}/report': {
    operationId: 'getReport',
    tag: 'Reports',
    summary: 'What an event has sold, by status, category, section, ticket release and accessibility',
    examples: [{ summary: 'The report', path: { key: standIn.soldEvent } }],
  },
  'GET /v1/events/{key}/report.csv': {
    operationId: 'getReportFile',
    tag: 'Reports',
    summary: 'The report with a line a unit, as a file',
    description:
      `CSV in UTF-8 (RFC 4180) with a line of names first: ${reportFileColumns.map((name) => `\`${name}\``).join(', ')}. They mean what fields of ` +
      'these names do elsewhere. The status is free, held, booked, blocked, or not_for_sale where a free unit is in a category that is not for sale: the report ' +
      'counts blocked units as not for sale too. `tierId`, `unitPrice`, `quantity` (guests at a table sold as a whole), `configuredValue` (price times quantity), `currency` and the ' +
      'last two are those of a hold or booking, and empty without one. Accessibility kinds have a space between them. A text that a spreadsheet would run as a ' +
      "formula (it begins with = + - @, a tab or a line's end) has an apostrophe in front. The units of a very large event are read one part after the " +
      'other, and where it sells fast these may be some moments apart.',
    mediaTypes: ['text/csv'],
    headers: ['Content-Disposition'],
    examples: [{ summary: 'The file', path: { key: standIn.soldEvent } }],
  },
} as const satisfies Record<string, Description>;
