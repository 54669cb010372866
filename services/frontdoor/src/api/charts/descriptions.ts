import type { Description } from '../../openapi/description.ts';
import { standIn } from '../../openapi/stand-ins.ts';
import { exampleHall } from './example-hall.ts';

const unknownChart = {
  summary: 'A chart that is not there',
  path: { id: 'cht_0' },
  answers: 'chart_not_found',
} as const;

export const chartDescriptions = {
  'GET /v1/charts': {
    operationId: 'listCharts',
    tag: 'Charts',
    summary: 'The charts in scope',
    description: 'A limit out of range is clamped; a cursor that cannot be read starts from the beginning.',
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
      'A draft is checked for its structure when it is saved, and for its meaning when it is published. Without `doc` it is empty.',
    refusals: ['workspace_not_found_or_disabled'],
    examples: [
      { summary: 'A small hall', body: { name: 'Small hall', doc: exampleHall } },
      { summary: 'An empty one', body: { name: 'Studio', externalRef: 'venue-12' } },
      { summary: 'Without a name', body: {}, answers: 'invalid_request' },
      {
        summary: 'In a workspace that is not there',
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
      '`categorySeats` counts what each category sells: seats, booths, whole tables by capacity and GA places.',
    headers: ['ETag', 'Cache-Control'],
    refusals: ['chart_not_found'],
    examples: [{ summary: 'The chart' }, unknownChart],
  },
  'PUT /v1/charts/{id}': {
    operationId: 'updateChart',
    tag: 'Charts',
    summary: "Replace a chart's document, or change its name or externalRef",
    description:
      'A document needs the `updatedAt` that it was made from; another one has been there meanwhile otherwise. In a designer ' +
      'session in safe mode a document is refused (409 with reason `safe_mode` and `labels`) that changes the identity of what ' +
      'the published version sells: a label must stay on its seat, a seat may go only with allowDeletingObjects, and the capacity of ' +
      'an area, or the guests that a table takes which is sold as a whole, may change only with allowEditingAreaCapacity; such a ' +
      'table loses chairs with both alone. A chart that was never published has nothing to keep.',
    refusals: ['chart_not_found', 'conflict'],
    examples: [
      {
        summary: 'A new document',
        path: { id: standIn.draftChart },
        body: { doc: exampleHall, expectedUpdatedAt: standIn.chartVersion },
      },
      { summary: 'Another name', body: { name: 'Large hall' } },
      {
        summary: 'From a document that is not the last one',
        body: { doc: exampleHall, expectedUpdatedAt: 1 },
        answers: 'conflict',
      },
      { ...unknownChart, body: { name: 'Large hall' } },
      { summary: 'A document without its marker', body: { doc: exampleHall }, answers: 'invalid_request' },
    ],
  },
  'DELETE /v1/charts/{id}': {
    operationId: 'deleteChart',
    tag: 'Charts',
    summary: 'Delete a chart that no event uses',
    refusals: ['chart_not_found', 'chart_in_use', 'conflict'],
    examples: [
      { summary: 'One that no event uses', path: { id: standIn.unusedChart } },
      { summary: 'One that an event was made from', answers: 'chart_in_use' },
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
      { summary: 'As it is' },
      { summary: 'Under another name', body: { name: 'Small hall, without the balcony', externalRef: null } },
      unknownChart,
    ],
  },
  'POST /v1/charts/{id}/publish': {
    operationId: 'publishChart',
    tag: 'Charts',
    summary: 'Publish the draft',
    description:
      'A published version never changes and is named by its SHA-256. `refreshed` are the events that took it by themselves, ' +
      '`needsUpdate` those that wait for update-chart: something in them is held, booked or blocked, or they rule on, hide or close ' +
      "a section or zone that this version has not. Both are of the key's mode, in a dashboard session of both modes: events of the " +
      'other mode stay behind until update-chart, or until the chart is published with a key of theirs. Publishing again what is ' +
      'published makes no version, and refreshes events that are behind. A designer session in safe mode publishes only what it might ' +
      'have saved.',
    refusals: ['chart_not_found', 'invalid_chart', 'conflict'],
    examples: [
      { summary: 'Publish it', path: { id: standIn.unusedChart } },
      { summary: 'A draft that sells nothing', path: { id: standIn.draftChart }, answers: 'invalid_chart' },
      unknownChart,
    ],
  },
  'POST /v1/charts/{id}/archive': {
    operationId: 'archiveChart',
    tag: 'Charts',
    summary: 'Move a chart to the archive',
    refusals: ['chart_not_found', 'conflict'],
    examples: [{ summary: 'Archive it', path: { id: standIn.unusedChart } }, unknownChart],
  },
  'POST /v1/charts/{id}/unarchive': {
    operationId: 'unarchiveChart',
    tag: 'Charts',
    summary: 'Take a chart out of the archive',
    refusals: ['chart_not_found', 'conflict'],
    examples: [{ summary: 'Restore it', path: { id: standIn.archivedChart } }, unknownChart],
  },
  'POST /v1/charts/{id}/panorama-manifests': {
    operationId: 'addPanoramas',
    tag: 'Charts',
    summary: 'Say where views from seats are to be found',
    description:
      "Each call makes the next version of the chart's manifest. A panorama is taken from a row, a section or seats " +
      '(`{objectId}:{index}`) of the draft, or from nowhere in particular.',
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
