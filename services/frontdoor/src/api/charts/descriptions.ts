/** The description of charts. */
import { type Description, standIn } from '../../openapi/openapi.ts';
import { exampleHall } from './example-hall.ts';

const unknownChart = {
  summary: 'An unknown chart',
  path: { id: 'cht_0' },
  answers: 'chart_not_found',
} as const;

export const chartDescriptions = {
  'GET /v1/charts': {
    operationId: 'listCharts',
    tag: 'Charts',
    summary: 'The charts in scope',
    description: 'A limit out of range is clamped. An unreadable cursor starts from the beginning.',
    examples: [
      { summary: 'The first page' },
      { summary: 'Two of a workspace', query: { workspaceId: standIn.workspace, limit: '2' } },
      { summary: 'The archive', query: { archived: '1' } },
    ],
  },
  'POST /v1/charts': {
    operationId: 'createChart',
    tag: 'Charts',
    summary: 'Create a chart, as a draft',
    description:
      'Saving a draft checks its structure; publishing checks its meaning. Without `doc` the draft is empty.',
    refusals: ['workspace_not_found_or_disabled'],
    examples: [
      { summary: 'A small hall', body: { name: 'Small hall', doc: exampleHall } },
      { summary: 'An empty chart', body: { name: 'Studio', externalRef: 'venue-12' } },
      { summary: 'Without a name', body: {}, answers: 'invalid_request' },
      {
        summary: 'In an unknown workspace',
        body: { name: 'Studio', workspaceId: 'ws_0' },
        answers: 'workspace_not_found_or_disabled',
      },
    ],
  },
  'GET /v1/charts/{id}': {
    operationId: 'getChart',
    tag: 'Charts',
    summary: 'A chart with its document',
    description:
      '`categorySeats` counts the places that each category sells: seats, booths, whole tables by capacity, and ' +
      'places of areas.',
    headers: ['ETag'],
    refusals: ['chart_not_found'],
    examples: [{ summary: 'The chart' }, unknownChart],
  },
  'PUT /v1/charts/{id}': {
    operationId: 'updateChart',
    tag: 'Charts',
    summary: "Replace a chart's document, or change its name or externalRef",
    description:
      'A document needs the `updatedAt` of the version that it was made from; if the draft has changed since, the ' +
      'answer is 409, and `savedSince` tells who saved. In a designer session in safe mode, a document that changes the identity of units of the ' +
      'published version is refused (409 with reason `safe_mode` and `labels`). A label must stay on its seat. A ' +
      'seat may be removed only with allowDeletingObjects. The capacity of an area, or the number of guests of a ' +
      'table that is sold as a whole, may change only with allowEditingAreaCapacity; such a table may lose chairs ' +
      'only with both options. A chart that was never published may change freely. A designer session cannot change ' +
      'externalRef (403).',
    refusals: ['chart_not_found', 'conflict'],
    examples: [
      {
        summary: 'A new document',
        path: { id: standIn.draftChart },
        body: { doc: exampleHall, expectedUpdatedAt: standIn.chartVersion },
      },
      { summary: 'Another name', body: { name: 'Large hall' } },
      {
        summary: 'From an outdated document',
        body: { doc: exampleHall, expectedUpdatedAt: 1 },
        answers: 'conflict',
      },
      { ...unknownChart, body: { name: 'Large hall' } },
      { summary: 'A document without expectedUpdatedAt', body: { doc: exampleHall }, answers: 'invalid_request' },
    ],
  },
  'DELETE /v1/charts/{id}': {
    operationId: 'deleteChart',
    tag: 'Charts',
    summary: 'Delete a chart that no event uses',
    refusals: ['chart_not_found', 'chart_in_use', 'conflict'],
    examples: [
      { summary: 'An unused chart', path: { id: standIn.unusedChart } },
      { summary: 'A chart with an event', answers: 'chart_in_use' },
      unknownChart,
    ],
  },
  'POST /v1/charts/{id}/duplicate': {
    operationId: 'duplicateChart',
    tag: 'Charts',
    summary: 'Copy a chart as a new draft',
    description: 'An absent externalRef is inherited, null clears it, a value replaces it.',
    refusals: ['chart_not_found', 'workspace_not_found_or_disabled'],
    examples: [
      { summary: 'Unchanged' },
      { summary: 'Under another name', body: { name: 'Small hall, without the balcony', externalRef: null } },
      unknownChart,
    ],
  },
  'POST /v1/charts/{id}/publish': {
    operationId: 'publishChart',
    tag: 'Charts',
    summary: 'Publish the draft',
    description:
      'A published version never changes and is named by its SHA-256. `refreshed` lists the events that moved to it. ' +
      '`needsUpdate` lists the events that wait for update-chart: some of their units are held, booked, blocked or ' +
      'assigned to a channel, or they hide, close or have a rule for a section or zone that this version lacks. ' +
      "Both lists have events of the key's mode, in a designer session of the mode of the key that minted it; a " +
      'dashboard session gets both modes. Events of the other mode ' +
      'stay behind until update-chart, or until the chart is published with a key of their mode. Publishing an ' +
      'unchanged draft again makes no version, and refreshes the events that are behind. A designer session in ' +
      'safe mode publishes only changes that it may save. With `expectedUpdatedAt`, a draft that was changed since is ' +
      'not published (409 with reason `stale_chart`).',
    refusals: ['chart_not_found', 'invalid_chart', 'conflict'],
    examples: [
      { summary: 'Publish it', path: { id: standIn.unusedChart } },
      {
        summary: 'Another state than the one that was looked at',
        path: { id: standIn.unusedChart },
        body: { expectedUpdatedAt: 1 },
        answers: 'conflict',
      },
      { summary: 'A draft that sells nothing', path: { id: standIn.draftChart }, answers: 'invalid_chart' },
      unknownChart,
    ],
  },
  'GET /v1/charts/{id}/publish-preview': {
    operationId: 'previewPublish',
    tag: 'Charts',
    summary: 'What a publish would do',
    description:
      "The faults of the draft, and the chart's events that are not archived, with what the publish would do to each. It " +
      "changes nothing. The list has events of the key's mode, as the answer of a publish has.",
    refusals: ['chart_not_found'],
    examples: [{ summary: 'Of a chart with an event' }, unknownChart],
  },
  'POST /v1/charts/{id}/archive': {
    operationId: 'archiveChart',
    tag: 'Charts',
    summary: 'Archive a chart',
    refusals: ['chart_not_found', 'conflict'],
    examples: [{ summary: 'Archive it', path: { id: standIn.unusedChart } }, unknownChart],
  },
  'POST /v1/charts/{id}/unarchive': {
    operationId: 'unarchiveChart',
    tag: 'Charts',
    summary: 'Take a chart out of the archive',
    refusals: ['chart_not_found', 'conflict'],
    examples: [{ summary: 'Unarchive it', path: { id: standIn.archivedChart } }, unknownChart],
  },
  'POST /v1/charts/{id}/panorama-manifests': {
    operationId: 'addPanoramas',
    tag: 'Charts',
    summary: 'Set the addresses of the views from seats',
    description:
      "Each call makes the next version of the chart's manifest. A panorama belongs to a row, a section or seats " +
      '(`{objectId}:{index}`) of the draft, or to no place in particular.',
    refusals: ['chart_not_found', 'conflict'],
    examples: [
      {
        summary: 'Of a row and of two seats',
        path: { id: standIn.unusedChart },
        body: {
          panoramas: [
            { id: 'row-a', url: 'https://panoramas.example/row-a.jpg', rowId: 'row-a' },
            { id: 'aisle', url: 'https://panoramas.example/aisle.jpg', seatIds: ['row-b:0', 'row-b:1'] },
          ],
        },
      },
      {
        summary: 'Of a row that the chart lacks',
        path: { id: standIn.unusedChart },
        body: { panoramas: [{ id: 'row-z', url: 'https://panoramas.example/row-z.jpg', rowId: 'row-z' }] },
        answers: 'invalid_request',
      },
      {
        ...unknownChart,
        body: { panoramas: [{ id: 'row-a', url: 'https://panoramas.example/row-a.jpg' }] },
      },
    ],
  },
} as const satisfies Record<string, Description>;
