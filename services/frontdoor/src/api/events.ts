/**
 * Events: create, list, read and change them, their posters, their moves from status to status, and changes of one
 * event's own chart (categories of seats, and how tables are sold). chart-updates.ts moves events to other charts.
 *
 * States of a move: decided and journaled by the event's actor → settled in the catalog → answered. If the catalog does
 * not answer, the event has moved nevertheless, and lists show the move when the journal is projected. If the actor
 * does not answer, the event may have moved. The same move of a moved event is refused, or finds no event if the move
 * was the deletion. So this 503 has `outcome: "unknown"`.
 *
 * States of a change of the event's own chart: asking for the event's chart → the changed document is made and kept by
 * the catalog → the event's actor moves to it → settled in the catalog → answered. Failure at each await: if the actor
 * refuses or does not answer, the refusal is the answer (the unused document stays, and harms nothing); if the catalog
 * does not answer, the answer is `catalog_unavailable`; if the event moved to another chart in between, the call starts
 * over, a few times. If the last step fails, the change stands, and the catalog's projection of the journal shows it.
 */

import { objectOf, type Plan } from '@parterre/shared/charts/plan';
import type { SelectionRules } from '@parterre/shared/charts/selection-rules';
import type { Answers } from '@parterre/shared/protocol/answers';
import type { AdjustmentDraft, DroppedAdjustment } from '@parterre/shared/protocol/catalog/charts';
import type {
  EventDraft,
  EventInspection,
  EventRecord,
  ImageType,
  Settled,
} from '@parterre/shared/protocol/catalog/events';
import type { Scope } from '@parterre/shared/protocol/catalog/scope';
import type { CatalogInput } from '@parterre/shared/protocol/catalog-api';
import type { Caller } from '@parterre/shared/protocol/commands';
import { done, nothingToUpdate, type Outcome, type Refusal, refuse } from '@parterre/shared/protocol/errors';
import { eventMeta } from '@parterre/shared/protocol/event-meta';
import { derivedId, sha256 } from '@parterre/shared/protocol/ids';
import {
  bulkBodyBytesMax,
  labelsPerBulkMax,
  labelsPerSaleMax,
  listCountsDeadlineMs,
  missingLabelsMax,
  posterBytesMax,
  sectionIdsPerPatchMax,
  selectionLimitsMax,
  tablesPerCallMax,
} from '@parterre/shared/protocol/limits';
import { unitOf } from '@parterre/shared/protocol/money';
import { unpackStatuses } from '@parterre/shared/protocol/packed-statuses';
import { type EventMove, type SaleSettings, unitStatus } from '@parterre/shared/protocol/records';
import { regions } from '@parterre/shared/protocol/vocabulary';
import { z } from 'zod';
import {
  budgets,
  callIdOf,
  type KnownEvent,
  knownInTime,
  type Request,
  type ServerPrincipal,
  scopeOf,
  unknownEvent,
} from '../admission/admission.ts';
import { type Header, hasEtag, Prepared, preparedJson, spell, spliceJson, unchanged } from '../answers/answers.ts';
import { type Description, parameter, standIn } from '../openapi/openapi.ts';
import { serverAudience, staleMark, trueObjects } from '../pictures/pictures.ts';
import { ask, askOnChart, callerOf, inTime, labelsIn, newCallId, planOf } from './calls/ask.ts';
import type { Ports } from './calls/ports.ts';
import { cursor, limit, namedIn, pageOf, text as textOfQuery } from './calls/query.ts';
import { type Call, type EventCall, eventRoute, eventUploadRoute, openRoute, serverRoute } from './calls/route.ts';
import { behindChange, settle } from './calls/settle.ts';
import { chartDocument } from './charts.ts';
import { labels } from './inventory.ts';
import {
  counts,
  currencyCode,
  epochMs,
  eventListItem,
  eventMeta as eventMetaAnswer,
  externalRef,
  holdTtlMs,
  id,
  idOf,
  mode,
  moment,
  name,
  nextCursor,
  ok,
  operatorObjects,
  optional,
  priceUnit,
  publicSale,
  publicSaleBody,
  recordById,
  saleSettings,
  saleSettingsBody,
  selectionRules,
  stale,
  text,
} from './records.ts';
import { eventDetail, needsLatestPlan } from './rules/event-detail.ts';
import { reopenGate } from './rules/reopen-gate.ts';
import { visibleText } from './rules/visible-text.ts';

const createEventAnswer = z.object({ meta: eventMetaAnswer });

/** The details of an event, for its creation and later changes. Null means none, or clears the field. */
const details = {
  startsAt: optional(moment.nullable()),
  endsAt: optional(moment.nullable()),
  venue: optional(visibleText.max(500).nullable()),
  externalRef: optional(externalRef.nullable()),
  currency: optional(currencyCode.nullable()),
  description: optional(z.string().max(20_000).nullable()),
  timezone: optional(
    z.string().max(64).refine(isTimezone, 'Must be an IANA time zone, such as Europe/Zurich.').nullable(),
  ),
  locale: optional(z.string().max(64).refine(isLocale, 'Must be a BCP-47 language tag, such as de-CH.').nullable()),
};

/**
 * Whether the text names an IANA time zone. An offset like +02:00 does not, although the runtime's library takes it.
 */
function isTimezone(text: string): boolean {
  try {
    return /^[A-Za-z]/.test(text) && new Intl.DateTimeFormat('en', { timeZone: text }) !== null;
  } catch {
    return false;
  }
}

function isLocale(text: string): boolean {
  try {
    return Intl.getCanonicalLocales(text).length === 1;
  } catch {
    return false;
  }
}

const sectionStatesOfBody = recordById(z.enum(['open', 'closed', 'hidden'])).refine(
  (states) => Object.keys(states).length <= sectionIdsPerPatchMax,
  `Must name at most ${sectionIdsPerPatchMax} sections in one call.`,
);

const limits = (of: string) =>
  recordById(z.int().min(1).max(labelsPerSaleMax), `The chart has no such ${of}.`).refine(
    (named) => Object.keys(named).length <= selectionLimitsMax,
    `Must name at most ${selectionLimitsMax}.`,
  );

const placesOfHold = z.int().min(1).max(labelsPerSaleMax);

/** Rules that are off leave nothing; without any rule the value is null. */
const selectionRulesOfBody = z
  .object({
    preventOrphans: optional(z.boolean()),
    categoryLimits: optional(
      limits('category').describe('The most places of a category in one hold, by category key.'),
    ),
    tierLimits: optional(limits('tier').describe('The most tickets of a tier in one hold, by tier id.')),
    min: optional(placesOfHold.describe('The least places of a hold.')),
    exact: optional(placesOfHold.describe('The number of places that every hold has.')),
    consecutive: optional(z.boolean().describe('The seats of a hold stand side by side in one row or at one table.')),
    highlightOnly: optional(z.boolean().describe('Broken rules are told, and refuse nothing.')),
  })
  .refine(({ min, exact }) => min === undefined || exact === undefined, {
    message: 'Send min or exact, not both.',
    path: ['exact'],
  })
  .nullable()
  .transform((rules): SelectionRules | null => {
    const { preventOrphans, categoryLimits = {}, tierLimits = {}, min, exact, consecutive } = rules ?? {};
    const named = {
      ...(min !== undefined && { min }),
      ...(exact !== undefined && { exact }),
      ...(consecutive && { consecutive }),
      ...(preventOrphans && { preventOrphans }),
      ...(Object.keys(categoryLimits).length > 0 && { categoryLimits }),
      ...(Object.keys(tierLimits).length > 0 && { tierLimits }),
    };
    if (Object.keys(named).length === 0) return null;
    return rules?.highlightOnly ? { ...named, highlightOnly: true } : named;
  });

export const eventBody = z
  .object({
    chartId: id,
    name: optional(name),
    slug: optional(z.string().regex(/^[a-z0-9_-]{3,64}$/, 'Must be 3 to 64 lowercase letters, digits, _ or -.')),
    ...details,
    priceUnit: optional(
      priceUnit.describe(
        'Of all money of the event, for good. Absent: as the chart says, else `major`. Another unit than that of the chart is refused.',
      ),
    ),
    region: optional(z.enum(regions)),
    posterAssetId: optional(id.nullable()),
    sectionStates: optional(sectionStatesOfBody),
    selectionRules: optional(selectionRulesOfBody),
    // A dashboard session chooses mode and ownership. A secret key implies both.
    mode: optional(mode),
    ownership: optional(z.enum(['platform', 'managed'])),
  })
  .refine(({ startsAt, endsAt }) => startsAt == null || endsAt == null || endsAt >= startsAt, {
    message: 'Must not be before startsAt.',
    path: ['endsAt'],
  });

const createEventRoute = serverRoute(
  'POST /v1/events',
  {
    budget: budgets.serverCalls,
    answer: createEventAnswer,
    body: eventBody,
    status: 201,
    idempotent: true,
    description: {
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
  },
  async (call) => {
    const created = await createEvent(call, call.principal, call.body, call.callId);
    return created.ok ? done({ meta: eventMeta(created.value) }) : created;
  },
);

/** A new event: its record in the catalog, then its inventory. */
export async function createEvent(
  { ports, request }: { ports: Ports; request: Request },
  owner: ServerPrincipal,
  draft: EventDraft,
  callId: string | null,
): Promise<Outcome<EventRecord>> {
  const created = await ports.catalog('events.create', { scope: scopeOf(owner), draft, ...callIdOf({ callId }) });
  if (!created.ok) return created;
  const { event, config } = created.value;
  // The catalog's record is durable. If the actor does not answer now, the first command creates the inventory.
  const create = { type: 'create', config } as const;
  const inventory = await ports.shards.submit(event, callerOf(owner), create, request.deadlineAt);
  return inventory.ok || inventory.refusal.retryable ? done(event) : inventory;
}

const listEventsAnswer = z.object({ events: z.array(eventListItem), nextCursor });

export const eventsQuery = z.object({
  limit: limit({ usual: 100, most: 200 }),
  cursor,
  externalRef: textOfQuery('Only events with this externalRef.'),
  workspaceId: textOfQuery('Only events of this workspace.'),
  counts: parameter('0 leaves out the live counts.', z.enum(['0', '1']), (sent) => sent !== '0'),
});

const listEvents = serverRoute(
  'GET /v1/events',
  {
    budget: budgets.serverCalls,
    answer: listEventsAnswer,
    query: eventsQuery,
    description: {
      operationId: 'listEvents',
      tag: 'Events',
      summary: 'The events in scope',
      description:
        'A secret key lists events of its own mode, a dashboard session of both or of the mode that `Parterre-Mode` ' +
        'names. A limit out of range is clamped. An unreadable cursor starts from the beginning. The ETag is of the ' +
        'whole answer, its counts included.',
      headers: ['ETag'],
      examples: [
        { summary: 'The first page' },
        { summary: 'Two without counts', query: { limit: '2', counts: '0', workspaceId: standIn.workspace } },
      ],
    },
  },
  async ({ ports, principal, query, request }) => {
    const listed = await ports.catalog('events.list', {
      scope: scopeOf(principal),
      page: pageOf(query),
      ...namedIn(query),
    });
    if (!listed.ok) return listed;
    const { events, nextCursor } = listed.value;
    const items = query.counts
      ? await withCounts(ports, callerOf(principal), events, request.deadlineAt)
      : events.map((event) => eventMeta(event));
    const body = spell({ events: items, ...(nextCursor === undefined ? {} : { nextCursor }) });
    const etag = `"${sha256(body)}"`;
    return done(
      hasEtag(request.ifNoneMatch, etag) ? unchanged([['ETag', etag]]) : preparedJson(body, [['ETag', etag]]),
    );
  },
);

async function withCounts(
  { shards, clock }: Ports,
  caller: Caller,
  events: readonly EventRecord[],
  deadlineAt: number,
) {
  const countsBy = Math.min(deadlineAt, clock.elapsed() + listCountsDeadlineMs);
  const listed = await Promise.all(
    events.map(async (event) => {
      const counted = await shards.submit(event, caller, { type: 'count' }, countsBy);
      if (!counted.ok) return eventMeta(event);
      return { ...eventMeta(event, counted.value), counts: counted.value.counts };
    }),
  );
  return listed.filter(({ status }) => status !== 'deleted');
}

export const sectionStates = z.record(z.string(), z.enum(['open', 'closed', 'hidden']));

const eventDetailAnswer = z.object({
  meta: eventMetaAnswer,
  counts,
  holdTtlMs,
  chartUpdate: z
    .object({ behind: z.boolean(), canAutoUpdate: z.boolean() })
    .describe(
      "`behind`: a later version of the event's chart is published. `canAutoUpdate`: the next publish moves this " +
        'event along, because nothing is held, booked, blocked or assigned to a channel, and the latest version has ' +
        'every section and zone that has a rule or is hidden or closed here.',
    ),
  sectionStates,
  selectionRules,
  publicSale,
  ...saleSettings,
});

const getEvent = eventRoute(
  'GET /v1/events/{key}',
  {
    budget: budgets.serverCalls,
    answer: eventDetailAnswer,
    capability: 'event:view',
    description: {
      operationId: 'getEvent',
      tag: 'Events',
      summary: 'An event with its live counts',
      description:
        "The event's facts and settings, the numbers of its free, held, booked and blocked places, and whether " +
        'its chart has a newer version.',
      examples: [{ summary: 'The event' }],
    },
  },
  async (call) => {
    const { ports, principal, event } = call;
    const [inspected, counted] = await Promise.all([
      inspect(ports, scopeOf(principal), event.event.key),
      ask(call, { type: 'count' }),
    ]);
    return detailOf(inspected, counted, (hash) => planOf(call, hash));
  },
);

/**
 * Reads events past the caches: the current record, and live counts of one event or of a page of events.
 *
 * A detail awaits the plan of the latest chart if the event hides or closes something. If that await fails, the detail
 * says that a publish will not move the event; a publish checks again itself. The commands for the counts of a page
 * leave in one event-loop turn, as one message for each partition. An owner that does not answer within
 * `listCountsDeadlineMs` leaves its events without counts, and delays nothing else.
 */
export function inspect(ports: Ports, scope: Scope, eventKey: string): Promise<Outcome<EventInspection>> {
  return ports.catalog('events.inspect', { scope, eventKey });
}

/** The whole detail. An event that its actor knows as deleted is `not_found`, even if a cache still has it. */
async function detailOf(
  inspected: Outcome<EventInspection>,
  counted: Outcome<Answers['count']>,
  planNamed: (hash: string) => Promise<Outcome<Plan>>,
): Promise<Outcome<ReturnType<typeof eventDetail>>> {
  if (!inspected.ok) return inspected;
  if (!counted.ok) return counted;
  if (counted.value.status === 'deleted') return unknownEvent;
  const detail = eventDetail(inspected.value, counted.value);
  const { latest } = inspected.value;
  if (!latest || !detail.chartUpdate.canAutoUpdate || !needsLatestPlan(counted.value)) return done(detail);
  const plan = await planNamed(latest.planHash);
  if (plan.ok) return done(eventDetail(inspected.value, counted.value, plan.value));
  return done({ ...detail, chartUpdate: { ...detail.chartUpdate, canAutoUpdate: false } });
}

/** The catalog compares `endsAt` with the resulting startsAt. */
export const eventChangesBody = z.object({
  name: optional(name),
  ...details,
  sectionStates: optional(sectionStatesOfBody),
  selectionRules: optional(selectionRulesOfBody),
  publicSale: optional(publicSaleBody),
  ...saleSettingsBody,
  priceUnit: optional(priceUnit.describe('Never changes: another unit is refused.')),
});

/** An active group or season keeps the life and the chart of its events. */
export const locked = ['performance_group_locked', 'season_event_locked'] as const;

type Body = z.output<typeof eventChangesBody>;

type ChangeCall = Call<'console', Body, KnownEvent>;

const sectionsOnly = refuse('forbidden', 'A manage session may change only the sectionStates of its event.');

const updateEvent = eventRoute(
  'PATCH /v1/events/{key}',
  {
    budget: budgets.serverCalls,
    answer: eventDetailAnswer,
    capability: 'event:block',
    body: eventChangesBody,
    bodyOptional: true,
    description: {
      operationId: 'updateEvent',
      tag: 'Events',
      summary: 'Change facts of an event',
      description:
        'Only the named fields change. Null clears startsAt, venue, externalRef, currency, description, endsAt, ' +
        "timezone and locale; a cleared currency is the organisation's. `sectionStates` replaces the whole map. Its " +
        "keys are ids of the chart's sections, logical sections and zones. `selectionRules` replaces all rules for " +
        'the seats that buyers choose, and null removes them; holds that exist stay. `publicSale` replaces the ' +
        "event's bounds of public sale, and null leaves them to the organisation. `salesStartAt` and `salesEndAt` are " +
        'the times between which buyers hold places; keys and counters are not bound. The currency cannot ' +
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
        {
          summary: 'Rules that are told alone',
          body: { selectionRules: { exact: 2, consecutive: true, highlightOnly: true } },
        },
        { summary: 'Buyers may choose as they like', body: { selectionRules: null } },
        { summary: 'Six places a buyer', body: { publicSale: { maxPerHold: 6, maxHeldPerSession: 6 } } },
        { summary: "The organisation's bounds of public sale", body: { publicSale: null } },
        { summary: 'The public sale begins', body: { salesStartAt: 1_798_761_600_000, salesEndAt: 1_800_000_000_000 } },
        { summary: 'Four places a buyer', body: { buyerLimit: { perBuyer: 4 } } },
        {
          summary: 'A sale that ends before it begins',
          body: { salesStartAt: 1_798_761_600_000, salesEndAt: 1_798_761_600_000 },
          answers: 'invalid_request',
        },
        { summary: 'Without a field', body: {}, answers: 'nothing_to_update' },
        { summary: 'Another unit of prices', body: { priceUnit: 'minor' }, answers: 'invalid_request' },
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
  },
  changeEvent,
);

/**
 * PATCH of an event. The catalog keeps most fields; the event's actor keeps the fields that decide a sale (currency,
 * section states, selection rules, bounds of public sale, settings of the sale).
 *
 * States of a change: checked by the catalog → set by the event's actor, whole or not at all → written by the catalog →
 * answered. A change without fields of the actor is checked and written by the catalog in one step. Refusals come
 * first: the catalog's at the check, then the actor's.
 *
 * Failure after the actor's step (its owner, or the catalog, does not answer): the actor's step stands, the caller gets
 * 503 with `outcome: "unknown"`. A repetition does the rest, unless another change came in between. Each step may be
 * repeated. Another change may come between the check and the last step; if both change the same field, the later one
 * stands.
 */
export async function changeEvent(call: ChangeCall) {
  const { ports, principal, body, event } = call;
  if (principal.kind === 'manage' && Object.keys(body).some((field) => field !== 'sectionStates')) return sectionsOnly;
  if (Object.keys(body).length === 0) return nothingToUpdate(Object.keys(eventChangesBody.shape));
  const { currency, sectionStates, selectionRules, publicSale, priceUnit: unit, ...others } = body;
  const { salesStartAt, salesEndAt, companionsUntil, buyerLimit, ...changes } = others;
  const saleSettings = saleSettingsOf(body);
  const kept = unitOf(event.event);
  if (unit !== undefined && unit !== kept) {
    const message = `The unit of the prices (priceUnit) is fixed when the event is made: "${kept}".`;
    return refuse('invalid_request', message, { details: { issues: [{ path: 'priceUnit', message }] } });
  }
  const target = { scope: scopeOf(principal), eventKey: event.event.key, changes };
  let settled: Settled | null = null;
  if ([currency, sectionStates, selectionRules, publicSale, saleSettings].some((field) => field !== undefined)) {
    const looked = await ports.catalog('events.update', {
      ...target,
      ...(currency !== undefined && { changesCurrency: true }),
      dryRun: true,
    });
    if (!looked.ok) return looked;
    const set = await setInActor(call, looked.value.organisation.currency);
    if (!set.ok) return set;
    settled = set.value;
  }
  const written = await ports.catalog('events.update', { ...target, ...(settled && { settled }) });
  ports.events.drop(target.eventKey);
  if (!written.ok) return settled ? behindChange<never>(written) : written;
  const counted = await ask(call, { type: 'count' });
  return behindChange(await detailOf(written, counted, (hash) => planOf(call, hash)));
}

/**
 * Sets the actor's fields. Null if the catalog's record has none of the fields that were set. A cleared currency
 * becomes the organisation's.
 */
async function setInActor(call: ChangeCall, organisationCurrency: string): Promise<Outcome<Settled | null>> {
  const { currency: asked, sectionStates, selectionRules, publicSale } = call.body;
  const currency = asked === null ? organisationCurrency : asked;
  const facts = {
    ...(currency !== undefined && { currency }),
    ...(selectionRules !== undefined && { selectionRules }),
    ...(publicSale !== undefined && { publicSale }),
  };
  const saleSettings = saleSettingsOf(call.body);
  const named = { ...facts, ...(sectionStates && { sectionStates }), ...(saleSettings && { saleSettings }) };
  const set = await ask(call, { type: 'configure', callId: newCallId(), ...named });
  if (!set.ok) return set;
  return done(Object.keys(facts).length === 0 ? null : { at: set.value.at, facts });
}

/** The settings of the sale that the caller names; undefined if none is. */
function saleSettingsOf({ salesStartAt, salesEndAt, companionsUntil, buyerLimit }: Body) {
  const settings: Partial<SaleSettings> = {
    ...(salesStartAt !== undefined && { salesStartAt }),
    ...(salesEndAt !== undefined && { salesEndAt }),
    ...(companionsUntil !== undefined && { companionsUntil }),
    ...(buyerLimit !== undefined && { buyerLimit }),
  };
  return Object.keys(settings).length > 0 ? settings : undefined;
}

const getEventChartAnswer = z.object({ event: eventMetaAnswer, stale, doc: chartDocument });

const getEventChart = eventRoute(
  'GET /v1/events/{key}/chart',
  {
    budget: budgets.serverCalls,
    answer: getEventChartAnswer,
    capability: 'event:view',
    description: {
      operationId: 'getEventChart',
      tag: 'Events',
      summary: 'The whole chart of an event, as a console draws it',
      description:
        'The published version of the chart that the event sells, with hidden divisions too. The chart keeps ' +
        'its ETag until the event moves to another version.',
      examples: [{ summary: 'The chart' }],
    },
  },
  async (call) => {
    const { event } = call.event;
    // The catalog's record may still name the previous chart. The record counts only if the actor does not answer.
    const counted = await ask(call, { type: 'count' });
    const live = counted.ok ? counted.value : null;
    const document = await inTime(call, call.ports.documents.published(live?.planHash ?? event.planHash));
    if (!document.ok) return document;
    const isHalted = !counted.ok && counted.refusal.code === 'journal_lost_records';
    const fields = { event: eventMeta(event, live ?? {}), ...(isHalted && staleMark) };
    return done(preparedJson(spliceJson(fields, { doc: document.value })));
  },
);

const getEventObjects = eventRoute(
  'GET /v1/events/{key}/objects',
  {
    budget: budgets.serverCalls,
    answer: operatorObjects,
    capability: 'event:view',
    description: {
      operationId: 'getEventObjects',
      tag: 'Events',
      summary: 'All units that are not free, with their true status',
      description:
        'Consoles see blocked units as blocked, where buyers see `not_for_sale`; `reservations` names the reservation that has ' +
        'a blocked unit. A free unit is absent. ' +
        '`snapshotVersion` is the version of the map: the live feed continues from it.',
      examples: [{ summary: 'The map', path: { key: standIn.event } }],
    },
  },
  async (call) => {
    const view = await ask(call, { type: 'view' });
    const isHalted = view.ok ? view.value.stale : view.refusal.code === 'journal_lost_records';
    if (isHalted) return lastKnownObjects(call);
    if (!view.ok) return view;
    const plan = await planOf(call, view.value.planHash);
    if (!plan.ok) return plan;
    const statuses = unpackStatuses(view.value.statuses, view.value.unitCount);
    const places = statuses.includes(unitStatus.blocked) ? await ask(call, { type: 'reserved-places' }) : null;
    const reservations = places?.ok ? reservationsIn(plan.value, statuses, places.value.places) : null;
    const objects = { ...view.value, statuses };
    return done(preparedJson(trueObjects(plan.value, objects, reservations)));
  },
);

/** By label. A unit that is not blocked on this map got its reservation later. Null without any. */
function reservationsIn(
  { labels }: Plan,
  statuses: Uint8Array,
  places: Answers['reserved-places']['places'],
): Record<string, { id: string; name: string }> | null {
  const isBlocked = (label: string): boolean => statuses[labels.unitOf(label) ?? -1] === unitStatus.blocked;
  const named = places.flatMap(({ id, name, labels: reserved }) =>
    reserved.filter(isBlocked).map((label) => [label, { id, name }] as const),
  );
  return named.length === 0 ? null : Object.fromEntries(named);
}

/** Of a halted event. The replica may be newer than the owner's snapshot, and is no older. */
async function lastKnownObjects(call: EventCall) {
  const replica = await inTime(call, call.ports.feeds.replicaOf(call.event.event));
  if (!replica.ok) return replica;
  const { plan, scopes, version, updatedAt } = replica.value;
  const statuses = replica.value.seenBy(serverAudience);
  return done(preparedJson(trueObjects(plan, { version, updatedAt, scopes, statuses, stale: true })));
}

export const moveAnswer = z.object({ ok, meta: eventMetaAnswer });

const closeEvent = eventRoute(
  'POST /v1/events/{key}/close',
  {
    budget: budgets.serverCalls,
    answer: moveAnswer,
    description: {
      operationId: 'closeEvent',
      tag: 'Events',
      summary: 'Stop sales',
      description: "Reads and operators' work go on. Active holds can still be booked.",
      refusals: ['invalid_event_state', ...locked],
      examples: [
        { summary: 'Close it' },
        { summary: 'A closed event', path: { key: standIn.closedEvent }, answers: 'invalid_event_state' },
      ],
    },
  },
  (call) => close(call),
);

export type MoveCall<Body = unknown> = Call<'console', Body, KnownEvent>;

export function close(call: MoveCall) {
  return moveAndTell(call, 'close');
}

async function moveAndTell(call: MoveCall, step: EventMove) {
  const moved = await move(call, step);
  if (!moved.ok) return moved;
  const { event, answer } = moved.value;
  return done({ ok: true as const, meta: eventMeta(event, answer) });
}

async function move(
  call: MoveCall,
  step: EventMove,
): Promise<Outcome<{ event: EventRecord; answer: Answers['move'] }>> {
  const moved = await ask(call, { type: 'move', callId: newCallId(), move: step });
  if (!moved.ok) return moved;
  const { status, salesPaused, at } = moved.value;
  const event = await settle(call, { at, facts: { status, salesPaused } });
  return done({ event, answer: moved.value });
}

const reopenEvent = eventRoute(
  'POST /v1/events/{key}/reopen',
  {
    budget: budgets.serverCalls,
    answer: moveAnswer,
    description: {
      operationId: 'reopenEvent',
      tag: 'Events',
      summary: 'Put an event back on sale',
      description:
        'Needs a chart that sells something, an end in the future (or none) and, for a live event, credits. An ' +
        'unarchived event is reopened the same way.',
      refusals: ['event_not_ready', 'invalid_event_state'],
      examples: [
        { summary: 'Open it again', path: { key: standIn.closedEvent } },
        { summary: 'An event whose end has passed', path: { key: standIn.endedEvent }, answers: 'event_not_ready' },
      ],
    },
  },
  reopen,
);

export async function reopen(call: MoveCall) {
  const gate = await mayReopen(call);
  return gate.ok ? moveAndTell(call, 'reopen') : gate;
}

/** The gate applies only to moves that the event's status allows. The actor refuses the others. */
async function mayReopen(call: MoveCall): Promise<Outcome<true>> {
  const { ports, principal, event } = call;
  const [inspected, counted] = await Promise.all([
    inspect(ports, scopeOf(principal), event.event.key),
    ask(call, { type: 'count' }),
  ]);
  if (!inspected.ok) return inspected;
  if (!counted.ok) return counted;
  const { status, salesPaused, planHash } = counted.value;
  if (status !== 'closed' && !(status === 'active' && salesPaused)) return done(true);
  const plan = await planOf(call, planHash);
  return plan.ok ? reopenGate(inspected.value, plan.value, ports.clock.now()) : plan;
}

const archiveEventAnswer = moveAnswer.extend({ snapshot: z.object({ id: idOf('snp'), at: epochMs, counts }) });

export const archived = { key: standIn.archivedEvent };

const archiveEvent = eventRoute(
  'POST /v1/events/{key}/archive',
  {
    budget: budgets.serverCalls,
    answer: archiveEventAnswer,
    description: {
      operationId: 'archiveEvent',
      tag: 'Events',
      summary: 'Archive an event',
      description:
        'The event can no longer change or sell, and stays readable. The snapshot names the state of the inventory at ' +
        "that time, which the event's journal keeps for good.",
      refusals: ['invalid_event_state', ...locked],
      examples: [
        { summary: 'Archive it' },
        { summary: 'An archived event', path: archived, answers: 'invalid_event_state' },
      ],
    },
  },
  archive,
);

export async function archive(call: MoveCall) {
  const moved = await move(call, 'archive');
  if (!moved.ok) return moved;
  const { event, answer } = moved.value;
  // The snapshot was stored before the actor answered. Its name follows from the event, this version and its time: a
  // journal that lost records may come to the version twice.
  const snapshotId = derivedId('snp', event.id, String(answer.version), String(answer.at));
  const { at, counts: present } = answer;
  return done({ ok: true as const, meta: eventMeta(event, answer), snapshot: { id: snapshotId, at, counts: present } });
}

const unarchiveEvent = eventRoute(
  'POST /v1/events/{key}/unarchive',
  {
    budget: budgets.serverCalls,
    answer: moveAnswer,
    description: {
      operationId: 'unarchiveEvent',
      tag: 'Events',
      summary: 'Take an event out of the archive',
      description: 'The event is active, with its sales paused until it is reopened.',
      refusals: ['invalid_event_state'],
      examples: [
        { summary: 'Unarchive it', path: archived },
        { summary: 'An event that is not archived', answers: 'invalid_event_state' },
      ],
    },
  },
  (call) => moveAndTell(call, 'unarchive'),
);

const deleteEventAnswer = z.object({ ok });

const deleteEvent = eventRoute(
  'DELETE /v1/events/{key}',
  {
    budget: budgets.serverCalls,
    answer: deleteEventAnswer,
    description: {
      operationId: 'deleteEvent',
      tag: 'Events',
      summary: 'Delete an event',
      description:
        'The event is not found any more, nor are its holds, bookings, report and log: the journal keeps them, and no ' +
        'call reads them. To end an event and keep it readable, archive it. Its slug may be used again. Its key is ' +
        'never used again: another event with the slug gets a number.',
      refusals: ['invalid_event_state', ...locked],
      examples: [{ summary: 'Delete it' }],
    },
  },
  async (call) => {
    const moved = await move(call, 'delete');
    return moved.ok ? done({ ok: true }) : moved;
  },
);

const changed = z.object({ meta: eventMetaAnswer });

const pictures = ['image/png', 'image/jpeg', 'image/webp'];

const png = (base64: string) => ({ mediaType: 'image/png', base64 });

/** A PNG of one pixel. */
const pixel = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

const PNG = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

const JPEG = Buffer.from([0xff, 0xd8, 0xff]);

const WEBP_AT = 8;

const putPosterRoute = eventUploadRoute(
  'PUT /v1/events/{key}/poster',
  {
    budget: budgets.serverCalls,
    answer: changed,
    bodyBytesMax: posterBytesMax,
    description: {
      operationId: 'putPoster',
      tag: 'Events',
      summary: 'Give an event a poster',
      description:
        'The body is a PNG, JPEG or WebP of at most 5 MiB. Equal pictures have equal ids. A new event may name the id ' +
        'as posterAssetId while an event shows the picture. A picture that no event shows is deleted.',
      takes: pictures,
      refusals: ['invalid_event_state'],
      examples: [
        { summary: 'A PNG', bytes: png(pixel) },
        {
          summary: 'Another media type',
          bytes: { mediaType: 'image/gif', base64: 'R0lGODdhAQABAA==' },
          answers: 'unsupported_media_type',
        },
        { summary: 'An empty body', bytes: png(''), answers: 'invalid_request' },
        { summary: 'Of an event in the archive', path: archived, bytes: png(pixel), answers: 'invalid_event_state' },
      ],
    },
  },
  putPoster,
);

function putPoster(call: EventCall<Buffer>) {
  const bytes = call.body;
  if (bytes.length === 0) {
    return refuse('invalid_request', 'Send the picture as the body.', {
      details: { issues: [{ path: '', message: 'Must not be empty.' }] },
    });
  }
  const contentType = imageTypeOf(bytes);
  if (contentType === null) return refuse('unsupported_media_type', 'Send the poster as a PNG, JPEG or WebP.');
  return setPoster(call, { bytes, contentType });
}

/**
 * The type of a picture by its first bytes, not by its Content-Type. Pure.
 *
 * Null for anything but PNG, JPEG and WebP.
 */
function imageTypeOf(bytes: Buffer): ImageType | null {
  if (startsWith(bytes, PNG)) return 'image/png';
  if (startsWith(bytes, JPEG)) return 'image/jpeg';
  const isWebp = bytes.toString('latin1', 0, 4) === 'RIFF' && bytes.toString('latin1', WEBP_AT, WEBP_AT + 4) === 'WEBP';
  return isWebp ? 'image/webp' : null;
}

function startsWith(bytes: Buffer, magic: Buffer): boolean {
  return bytes.length >= magic.length && bytes.compare(magic, 0, magic.length, 0, magic.length) === 0;
}

async function setPoster(
  { ports, principal, event }: EventCall<unknown>,
  image: CatalogInput<'events.set-poster'>['image'],
) {
  const eventKey = event.event.key;
  const set = await ports.catalog('events.set-poster', { scope: scopeOf(principal), eventKey, image });
  ports.events.drop(eventKey);
  return set.ok ? done({ meta: eventMeta(set.value.event) }) : set;
}

const deletePoster = eventRoute(
  'DELETE /v1/events/{key}/poster',
  {
    budget: budgets.serverCalls,
    answer: changed,
    description: {
      operationId: 'deletePoster',
      tag: 'Events',
      summary: 'Remove the poster of an event',
      description: 'The address of the picture is gone from the event. An event without a poster answers the same.',
      refusals: ['invalid_event_state'],
      examples: [
        { summary: 'Remove it' },
        { summary: 'Of an event in the archive', path: archived, answers: 'invalid_event_state' },
      ],
    },
  },
  (call) => setPoster(call, null),
);

/** The shared part of both addresses of a picture. */
const picture = {
  mediaTypes: pictures,
  headers: ['ETag'],
  refusals: ['not_found', 'catalog_unavailable'],
  examples: [
    { summary: 'The picture' },
    { summary: 'An unknown picture', path: { assetId: 'ast_0' }, answers: 'not_found' },
  ],
} as const satisfies Partial<Description>;

const getAsset = openRoute(
  'GET /pub/assets/{assetId}',
  {
    budget: budgets.publicFiles,
    answer: null,
    description: {
      operationId: 'getAsset',
      tag: 'Buyers',
      summary: 'A picture',
      description:
        "The bytes of an id never change, so the answer may be kept for a year. The Content-Type names the picture's " +
        'format.',
      ...picture,
    },
  },
  ({ ports, path, request }) => assetAnswer(ports, request, path.assetId),
);

/**
 * The refusal reads the same whether or not the event exists. So a caller without a picture's id cannot learn of an
 * event.
 */
const noPicture = refuse('not_found', 'There is no such asset. Read the event again for the address of its poster.');

/**
 * A picture's id names its bytes for ever. `readers` are the caches that may keep it: of one caller who shows a
 * credential.
 */
export async function assetAnswer(
  ports: Ports,
  request: Request,
  assetId: string,
  readers: 'public' | 'private' = 'public',
) {
  const found = await inTime({ ports, request }, ports.assets.get(assetId));
  if (!found.ok) return found.refusal.code === 'not_found' ? noPicture : found;
  const { bytes, contentType } = found.value;
  const etag = `"${assetId}"`;
  const caching: Header[] = [
    ['ETag', etag],
    ['Cache-Control', `${readers}, max-age=31536000, immutable`],
  ];
  if (hasEtag(request.ifNoneMatch, etag)) return done(unchanged(caching));
  return done(new Prepared(200, [['Content-Type', contentType], ...caching], bytes));
}

// No credential: a page shows the picture as an image, and browsers send no credential for images.
const getBuyerAsset = openRoute(
  'GET /pub/events/{key}/assets/{assetId}',
  {
    budget: budgets.publicFiles,
    answer: null,
    description: {
      operationId: 'getBuyerAsset',
      tag: 'Buyers',
      summary: 'A picture, addressed through an event',
      description:
        'Like `GET /pub/assets/{assetId}`, if the event exists. No credential is needed, so that a page can show the ' +
        'picture as an image.',
      ...picture,
    },
  },
  async ({ ports, request, path: { key, assetId } }) => {
    const event = await knownInTime(ports, key, request.deadlineAt);
    if (!event.ok) return event.refusal.code === 'not_found' ? noPicture : event;
    return event.value.event.status === 'deleted' ? noPicture : assetAnswer(ports, request, assetId);
  },
);

const assignCategoryAnswer = z.object({ ok, labels: z.array(text) });

const categoryAssignmentsBody = z.object({ labels: labels(labelsPerBulkMax), categoryKey: id });

const ofItsOwn =
  'The event gets its own chart of the same version. `update-chart` applies the same changes to the next version, ' +
  'and names the changes that do not fit it (`droppedAdjustments`). A publish does not move an event with its own ' +
  'chart.';

const assignCategory = eventRoute(
  'POST /v1/events/{key}/category-assignments',
  {
    budget: budgets.serverCalls,
    labelsIn,
    answer: assignCategoryAnswer,
    capability: 'event:categories:manage',
    body: categoryAssignmentsBody,
    bodyBytesMax: bulkBodyBytesMax,
    description: {
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
  },
  async (call) => {
    const { labels, categoryKey } = call.body;
    const adjusted = await adjust(call, { labels, categoryKey });
    return adjusted.ok ? done({ ok: true, labels }) : adjusted;
  },
);

function adjust(call: EventCall, change: AdjustmentDraft): Promise<Outcome<true>> {
  return askOnChart(call, async (from) => {
    const made = await call.ports.catalog('plans.adjust', { hash: from, change });
    if (!made.ok) return made;
    const { hash: planHash, dropped } = made.value;
    if (planHash === null) return unfit(dropped);
    const answer = await ask(call, { type: 'adjust-chart', callId: newCallId(), planHash, from });
    if (!answer.ok) {
      const isOfTables = answer.refusal.reason === 'seats_in_use' && 'tableIds' in change;
      return isOfTables ? tablesInUse(call, from, answer.refusal) : answer;
    }
    const { updated, chartVersion, seatTotal, at } = answer.value;
    if (updated) await settle(call, { at, facts: { planHash, chartVersion, seatTotal } });
    return done(true);
  });
}

const told: Record<DroppedAdjustment['reason'], { path: string; message: string }> = {
  unknown_label: {
    path: 'labels',
    message: 'The chart of the event has no such labels. GET the chart to read its labels.',
  },
  unknown_category: {
    path: 'categoryKey',
    message: 'The chart of the event has no such category. Name a category of the chart.',
  },
  part_of_area: { path: 'labels', message: 'An area has one category. Name it by its own label.' },
  unknown_table: { path: 'tableIds', message: 'The chart of the event has no such tables. Name tables by their ids.' },
  occupancy: {
    path: 'maxOccupancy',
    message: 'These tables have fewer chairs than maxOccupancy. Send a smaller maxOccupancy.',
  },
  not_sellable: {
    path: '',
    message: 'Nothing in the changed chart could be sold. Leave some of its seats as they are.',
  },
};

function unfit(dropped: readonly DroppedAdjustment[]): Outcome<never> {
  const { reason, names } = dropped[0]!;
  const { path, message } = told[reason];
  const named = names.slice(0, missingLabelsMax);
  if (reason === 'unknown_label') return refuse('unknown_labels', message, { details: { labels: named } });
  const which = path === 'labels' ? { labels: named } : path === 'categoryKey' ? {} : { tableIds: named };
  return refuse('invalid_request', message, { reason, details: { issues: [{ path, message }], ...which } });
}

/** Refuses with the tables of the conflicting seats. */
async function tablesInUse(call: EventCall, planHash: string, { details }: Refusal): Promise<Outcome<never>> {
  const plan = await planOf(call, planHash);
  if (!plan.ok) return plan;
  const conflicts = details?.conflicts as { label: string }[];
  const units = conflicts.map(({ label }) => plan.value.labels.unitOf(label)!);
  const tableIds = [...new Set(units.map((unit) => objectOf(plan.value, unit).id))];
  return refuse(
    'table_inventory_in_use',
    'Seats of these tables are held, booked or blocked. Nothing was changed. Release them first, or leave out these tables.',
    {
      details: { tableIds, conflicts },
    },
  );
}

const setTableBookingAnswer = z.object({ ok, tableIds: z.array(text) });

const guests = z.int().min(1);

const tableBookingBody = z
  .object({
    tableIds: z
      .array(id)
      .min(1)
      .max(tablesPerCallMax)
      .transform((named) => [...new Set(named)]),
    mode: z.enum(['individual', 'whole', 'variable']),
    minOccupancy: optional(guests.describe('For mode variable; 1 if absent.')),
    maxOccupancy: optional(guests.describe("For mode variable; the table's chairs if absent.")),
  })
  .refine(({ minOccupancy = 1, maxOccupancy = minOccupancy }) => minOccupancy <= maxOccupancy, {
    message: 'Must be at most maxOccupancy.',
    path: ['minOccupancy'],
  });

const setTableBooking = eventRoute(
  'POST /v1/events/{key}/table-booking',
  {
    budget: budgets.serverCalls,
    answer: setTableBookingAnswer,
    capability: 'event:tables:manage',
    body: tableBookingBody,
    description: {
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
  },
  async (call) => {
    const { tableIds, ...booking } = call.body;
    const adjusted = await adjust(call, { tableIds, booking });
    return adjusted.ok ? done({ ok: true, tableIds }) : adjusted;
  },
);

export const eventsRoutes = [
  createEventRoute,
  listEvents,
  getEvent,
  updateEvent,
  getEventChart,
  getEventObjects,
  closeEvent,
  reopenEvent,
  archiveEvent,
  unarchiveEvent,
  deleteEvent,
];

export const postersRoutes = [putPosterRoute, deletePoster, getAsset, getBuyerAsset];

export const adjustmentsRoutes = [assignCategory, setTableBooking];
