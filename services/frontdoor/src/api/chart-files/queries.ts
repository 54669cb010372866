/** The queries of imports and exports of charts. */
import { importFormats } from '@parterre/shared/imports/imports';
import { z } from 'zod';
import { choice, cursor, limit, text } from '../calls/calls.ts';

const noFormat = 'There is no such format. Name one of those that the description lists, or none.';

export const importQuery = z.object({
  format: choice('The format of the file; `auto` or nothing: the file shows it.', ['auto', ...importFormats], noFormat),
  name: text("The chart's name, instead of the name in the file."),
  workspaceId: text('The workspace of the chart; the default workspace where absent.'),
});

export const importsQuery = z.object({ limit: limit({ usual: 100, most: 200 }), cursor });

export const exportQuery = z.object({
  format: choice(
    '`document`: the chart document, which is also taken where the format is absent. `csv`: one line for each seat. ' +
      '`pretix`: a seating plan of pretix.',
    ['document', 'csv', 'pretix'],
    noFormat,
  ),
});
