/** The description of an event's report. */
import { type Description, standIn } from '../../openapi/openapi.ts';
import { reportFileColumns } from './report-file.ts';

const columns = reportFileColumns.map((name) => `\`${name}\``).join(', ');

export const reportDescriptions = {
  'GET /v1/events/{key}/report': {
    operationId: 'getReport',
    tag: 'Reports',
    summary: 'The sales of an event by status, category, section, ticket release and accessibility',
    examples: [{ summary: 'The report', path: { key: standIn.soldEvent } }],
  },
  'GET /v1/events/{key}/report.csv': {
    operationId: 'getReportFile',
    tag: 'Reports',
    summary: 'The report with one line for each unit, as a file',
    description:
      `CSV in UTF-8 (RFC 4180). The first line names the columns: ${columns}. Each column means the same as the JSON ` +
      'field of its name. The status is free, held, booked, blocked, or not_for_sale for a free unit of a category ' +
      'that is not for sale; the report also counts blocked units as not for sale. `tierId`, `unitPrice`, ' +
      '`quantity` (guests at a table that is sold as a whole), `configuredValue` (price times quantity), ' +
      '`currency`, `channelId` and `releaseId` belong to a hold or booking, and are empty for other units. A ' +
      'manage session reads the short name of a hold (see the log) in place of its id. Accessibility kinds are ' +
      'separated by a space. A text that a spreadsheet would run as a formula (it begins ' +
      'with = + - @, a tab or a line break) has an apostrophe in front. A file shows one moment of the event. A very ' +
      'large event is read in parts, and while it sells fast the answer may be 503.',
    mediaTypes: ['text/csv'],
    headers: ['Content-Disposition'],
    examples: [{ summary: 'The file', path: { key: standIn.soldEvent } }],
  },
} as const satisfies Record<string, Description>;
