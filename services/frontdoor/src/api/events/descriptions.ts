/** The description of events. */
import { type Description, standIn } from '../../openapi/openapi.ts';
import { locked } from './move-descriptions.ts';

export const eventDescriptions = {
  'POST /v1/events': {
    operationId: 'createEvent',
    tag: 'Events',
    summary: 'Create an event from a published chart',
    description:
      "An event of a secret key has the key's mode, is owned by the platform and on sale at once. `slug` becomes " +
      'the key. If another workspace or organisation has that key, a number is appended: read meta.key. The region ' +
      'cannot change later. `selectionRules` bind buyers who choose their seats, and are off by default.',
    refusals: [
      'chart_not_found',
      'chart_not_published',
      'event_exists',
      'insufficient_credits',
      'workspace_not_found_or_disabled',
    ],
    examples: [
      { summary: 'From the chart alone', body: { chartId: standIn.chart } },
      {
        summary: 'A section that the chart lacks',
        body: { chartId: standIn.chart, sectionStates: { attic: 'closed' } },
        answers: 'invalid_request',
      },
      {
        summary: 'With all its facts',
        body: {
          chartId: standIn.chart,
          name: 'Autumn gala',
          slug: 'autumn-gala',
          startsAt: 1_790_000_000_000,
          endsAt: 1_790_010_800_000,
          venue: 'Small hall',
          externalRef: 'show-117',
          currency: 'EUR',
          description: 'An evening of songs.',
          timezone: 'Europe/Vienna',
          locale: 'de-AT',
          region: 'western-europe',
          sectionStates: { __ungrouped__: 'closed' },
          selectionRules: { preventOrphans: true, categoryLimits: { balcony: 8 } },
        },
      },
      {
        summary: 'Limits of a category and a tier that the chart lacks',
        body: {
          chartId: standIn.chart,
          selectionRules: { categoryLimits: { attic: 4 }, tierLimits: { senior: 2 } },
        },
        answers: 'invalid_request',
      },
      {
        summary: 'An invalid slug',
        body: { chartId: standIn.chart, slug: 'A gala' },
        answers: 'invalid_request',
      },
      { summary: 'An unknown chart', body: { chartId: 'cht_0' }, answers: 'chart_not_found' },
      { summary: 'A draft chart', body: { chartId: standIn.draftChart }, answers: 'chart_not_published' },
      {
        summary: 'In a disabled workspace',
        body: { chartId: standIn.chartOfDisabledWorkspace },
        answers: 'workspace_not_found_or_disabled',
      },
      {
        summary: 'A slug that the workspace already has',
        body: { chartId: standIn.chart, slug: standIn.event },
        answers: 'event_exists',
      },
    ],
  },
  'GET /v1/events': {
    operationId: 'listEvents',
    tag: 'Events',
    summary: 'The events in scope',
    description:
      'A secret key lists events of its own mode, a dashboard session of both. A limit out of range is clamped. An ' +
      'unreadable cursor starts from the beginning.',
    examples: [
      { summary: 'The first page' },
      { summary: 'Two without counts', query: { limit: '2', counts: '0', workspaceId: standIn.workspace } },
    ],
  },
  'GET /v1/events/{key}': {
    operationId: 'getEvent',
    tag: 'Events',
    summary: 'An event with its live counts',
    examples: [{ summary: 'The event' }],
  },
  'PATCH /v1/events/{key}': {
    operationId: 'updateEvent',
    tag: 'Events',
    summary: 'Change facts of an event',
    description:
      'Only the named fields change. Null clears startsAt, venue, externalRef, currency, description, endsAt, ' +
      "timezone and locale; a cleared currency is the organisation's. `sectionStates` replaces the whole map. Its " +
      "keys are ids of the chart's sections, logical sections and zones. `selectionRules` replaces all rules for " +
      'the seats that buyers choose, and null removes them; holds that exist stay. `publicSale` replaces the ' +
      "event's bounds of public sale, and null leaves them to the organisation. The currency cannot " +
      'change while units are held, nor after any unit was booked. A change that was answered with 5xx may have been made in part: ' +
      'send it again. A manage session with event:block may name only sectionStates.',
    refusals: ['nothing_to_update', 'invalid_event_state', 'conflict', ...locked],
    examples: [
      { summary: 'Another name, without a venue', body: { name: 'Autumn ball', venue: null } },
      { summary: 'No section closed or hidden', body: { sectionStates: {} } },
      {
        summary: 'No single seat left beside a choice, two children at most',
        body: { selectionRules: { preventOrphans: true, tierLimits: { child: 2 } } },
      },
      { summary: 'Buyers may choose as they like', body: { selectionRules: null } },
      { summary: 'Six places a buyer', body: { publicSale: { maxPerHold: 6, maxHeldPerSession: 6 } } },
      { summary: "The organisation's bounds of public sale", body: { publicSale: null } },
      { summary: 'Without a field', body: {}, answers: 'nothing_to_update' },
      { summary: 'Fields that cannot change', body: { region: 'africa' }, answers: 'nothing_to_update' },
      {
        summary: 'An unknown section',
        body: { sectionStates: { attic: 'closed' } },
        answers: 'invalid_request',
      },
      {
        summary: 'An event in the archive',
        path: { key: standIn.archivedEvent },
        body: { name: 'Autumn ball' },
        answers: 'invalid_event_state',
      },
      {
        summary: 'Another currency after a sale',
        path: { key: standIn.soldEvent },
        body: { currency: 'CHF' },
        answers: 'conflict',
      },
    ],
  },
  'GET /v1/events/{key}/chart': {
    operationId: 'getEventChart',
    tag: 'Events',
    summary: 'The whole chart of an event, as a console draws it',
    examples: [{ summary: 'The chart' }],
  },
  'GET /v1/events/{key}/objects': {
    operationId: 'getEventObjects',
    tag: 'Events',
    summary: 'All units that are not free, with their true status',
    examples: [{ summary: 'The map', path: { key: standIn.event } }],
  },
} as const satisfies Record<string, Description>;
