/**
 * The availability of an event to buyers, by section and zone, and its ticket releases: read the list, replace it,
 * close one of them.
 */

import type { AvailabilityView, ReleaseView } from '@parterre/shared/protocol/answers';
import type { ReleaseDraft } from '@parterre/shared/protocol/commands';
import { done, type Outcome } from '@parterre/shared/protocol/errors';
import { newId } from '@parterre/shared/protocol/ids';
import {
  bulkBodyBytesMax,
  labelsPerBulkMax,
  releaseActionUrlLengthMax,
  releasesPerEventMax,
  sectionIdsPerPatchMax,
} from '@parterre/shared/protocol/limits';
import { z } from 'zod';
import { budgets } from '../admission/admission.ts';
import { standIn } from '../openapi/openapi.ts';
import { ask, newCallId } from './calls/ask.ts';
import { type EventCall, eventRoute } from './calls/route.ts';
import {
  amount,
  count,
  epochMs,
  id,
  idOf,
  inMoney,
  moment,
  moneyOf,
  name,
  optional,
  price,
  recordById,
  text,
  textOrNull,
  unitLabel,
} from './records.ts';

export const availabilityRule = z.object({
  mode: z.enum(['hidden', 'closed', 'timed', 'threshold']),
  labels: optional(
    z
      .array(text)
      .describe(
        "The caller's own list of the division's units. The list is stored and returned, never used: the chart " +
          'decides which units the rule covers.',
      ),
  ),
  revealAt: optional(epochMs.describe('For mode timed.')),
  thresholdPct: optional(z.number().min(1).max(100).describe('For mode threshold.')),
  revealedAt: optional(epochMs.describe('The time at which a timed or threshold division opened.')),
});

const availabilityView = z.object({
  rules: z
    .record(text, availabilityRule)
    .describe(
      'By the id of a section, a logical section or a zone, or `__ungrouped__`. A division without a rule is open.',
    ),
  hidden: z.array(text).describe('The divisions that are hidden now, by a rule or a section state.'),
  closed: z.array(text),
  version: count.describe('Grows when the rules are set, and when a new chart lacks divisions that rules name.'),
}) satisfies z.ZodType<AvailabilityView>;

const getAvailability = eventRoute(
  'GET /v1/events/{key}/availability',
  {
    budget: budgets.serverCalls,
    answer: availabilityView,
    capability: ['event:view', 'event:block'],
    description: {
      operationId: 'getAvailability',
      tag: 'Inventory',
      summary: 'The divisions of an event that are hidden from buyers or closed to them',
      description:
        'The rules by section or zone, as they were set, and the divisions that they hide or close at this ' +
        'moment.',
      examples: [{ summary: 'The rules' }],
    },
  },
  (call) => ask(call, { type: 'availability' }),
);

const labels = optional(
  z
    .array(unitLabel)
    .max(labelsPerBulkMax)
    .describe(
      "The caller's own list of the division's units. The list is stored and returned, never used: the chart decides " +
        'which units the rule covers.',
    ),
);

const rule = z.discriminatedUnion('mode', [
  z.object({ mode: z.literal('hidden'), labels }),
  z.object({ mode: z.literal('closed'), labels }),
  z.object({ mode: z.literal('timed'), labels, revealAt: moment }),
  z.object({ mode: z.literal('threshold'), labels, thresholdPct: z.number().min(1).max(100) }),
]);

/** Request body of availability rules. Fields that a mode does not use are dropped. */
const availabilityBody = z.object({
  rules: recordById(rule)
    .refine(
      (rules) => Object.keys(rules).length <= sectionIdsPerPatchMax,
      `Must have at most ${sectionIdsPerPatchMax} rules in one call.`,
    )
    .refine(
      (rules) => Object.values(rules).reduce((sum, each) => sum + (each.labels?.length ?? 0), 0) <= labelsPerBulkMax,
      `Must have at most ${labelsPerBulkMax} labels in one call.`,
    ),
  version: optional(z.int().min(0)),
});

const setAvailability = eventRoute(
  'POST /v1/events/{key}/availability',
  {
    budget: budgets.serverCalls,
    answer: availabilityView,
    capability: 'event:block',
    body: availabilityBody,
    labelsIn: labelsOfRules,
    bodyBytesMax: bulkBodyBytesMax,
    description: {
      operationId: 'setAvailability',
      tag: 'Inventory',
      summary: 'Replace all availability rules',
      description:
        'A unit is subject to its section (by its own id and its logical id) and its zone, each by rule and by section ' +
        'state. The strictest counts: hidden over closed over open. A timed division is hidden until `revealAt`. A ' +
        'threshold division is hidden until `thresholdPct` percent of all units under no hidden or threshold rule ' +
        'are booked, and then stays open. Without any such units it stays hidden. If an opened division is set again ' +
        'with the same mode and number, it stays open. Units that a buyer holds stay held. For buyers, hidden units ' +
        "are `not_for_sale`, like blocked units. The rules do not bind a server's call that names labels; the log " +
        'names the divisions. With `version` (from an earlier answer) the call is refused if the rules have changed ' +
        'since that answer. Rules of divisions that a new chart lacks are dropped. At most 50,000 labels in all.',
      refusals: ['conflict', 'invalid_event_state'],
      examples: [
        { summary: 'Close the units of no section', body: { rules: { __ungrouped__: { mode: 'closed' } } } },
        {
          summary: 'Hide them until a time',
          body: { rules: { __ungrouped__: { mode: 'timed', revealAt: 1_600_000_000_000 } } },
        },
        { summary: 'Open everything', body: { rules: {} } },
        {
          summary: 'An unknown division',
          body: { rules: { attic: { mode: 'hidden' } } },
          answers: 'invalid_request',
        },
        { summary: 'An outdated version', body: { rules: {}, version: 9_999 }, answers: 'conflict' },
        {
          summary: 'Of an archived event',
          path: { key: standIn.archivedEvent },
          body: { rules: {} },
          answers: 'invalid_event_state',
        },
      ],
    },
  },
  (call) => {
    const { rules, version } = call.body;
    const named = version === undefined ? {} : { version };
    return ask(call, { type: 'set-availability', callId: newCallId(), rules, ...named });
  },
);

function labelsOfRules({ rules }: z.output<typeof availabilityBody>): number {
  return Object.values(rules).reduce((sum, { labels = [] }) => sum + labels.length, 0);
}

export const release = z.object({
  id: idOf('rel'),
  name: text,
  price,
  previousPrice: price.nullable(),
  quota: count
    .nullable()
    .describe('The most units that may be held and booked under the ticket release at one time. Null means no bound.'),
  startsAt: epochMs.nullable(),
  endsAt: epochMs.nullable(),
  categoryKey: textOrNull.describe('Null means every category without tiers.'),
  action: z.enum(['buy', 'apply', 'invoice']),
  actionUrl: textOrNull,
  position: count,
  consumed: count.describe('Units held and booked under the ticket release now.'),
  remaining: count.nullable().describe('Null without a quota.'),
  soldOutAt: epochMs.nullable().describe('When the quota was used up; null while it has room.'),
  status: z
    .enum(['upcoming', 'active', 'ended', 'closed'])
    .describe(
      'A ticket release has also ended if the chart no longer has its category, or if the category now has tiers.',
    ),
  state: z
    .enum(['upcoming', 'active', 'ended', 'closed', 'sold_out'])
    .describe('The status; `sold_out` while the quota is used up.'),
}) satisfies z.ZodType<ReleaseView>;

const releaseList = z.object({ releases: z.array(release).describe('In order of precedence.'), ...inMoney });

function listed(
  { event }: EventCall<unknown>,
  list: Outcome<{ releases: ReleaseView[] }>,
): Outcome<z.output<typeof releaseList>> {
  if (!list.ok) return list;
  return done({
    ...moneyOf(event.event),
    releases: list.value.releases.map((each) => ({ ...each, state: each.remaining === 0 ? 'sold_out' : each.status })),
  });
}

const getReleases = eventRoute(
  'GET /v1/events/{key}/releases',
  {
    budget: budgets.serverCalls,
    answer: releaseList,
    capability: 'event:view',
    description: {
      operationId: 'getReleases',
      tag: 'Inventory',
      summary: 'The ticket releases of an event',
      description:
        'The releases in their order, with the numbers of sold and remaining tickets for those with a quota.',
      examples: [{ summary: 'All of them', path: { key: standIn.eventWithReleases } }],
    },
  },
  async (call) => listed(call, await ask(call, { type: 'releases' })),
);

/**
 * Null means the same as an absent field. A caller may send back a list that it has read: further fields are ignored.
 */
const releaseDraft = z
  .object({
    id: optional(id.nullable()),
    name,
    price: amount,
    previousPrice: optional(amount.nullable()),
    quota: optional(z.int().min(1).nullable()),
    startsAt: optional(moment.nullable()),
    endsAt: optional(moment.nullable()),
    categoryKey: optional(id.nullable()),
    action: z.enum(['buy', 'apply', 'invoice']).default('buy'),
    actionUrl: optional(
      z
        .url({ protocol: /^https$/, error: 'Must be an https address.' })
        .max(releaseActionUrlLengthMax)
        .nullable(),
    ),
  })
  .refine(({ action, actionUrl }) => action === 'buy' || actionUrl != null, {
    message: 'A ticket release with another action than buy needs an https actionUrl.',
    path: ['actionUrl'],
  });

/** Request body of ticket releases. The event's actor checks everything that depends on the chart. */
const releasesBody = z.object({
  releases: z
    .array(releaseDraft)
    .max(releasesPerEventMax)
    .superRefine((releases, context) => {
      const named = releases.map((each) => each.id ?? null);
      for (const [index, each] of named.entries()) {
        if (each === null || named.indexOf(each) === index) continue;
        context.addIssue({
          code: 'custom',
          path: [index, 'id'],
          message: 'This id is named twice. Name each ticket release once.',
        });
      }
    }),
});

const setReleases = eventRoute(
  'PUT /v1/events/{key}/releases',
  {
    budget: budgets.serverCalls,
    answer: releaseList,
    body: releasesBody,
    description: {
      operationId: 'setReleases',
      tag: 'Inventory',
      summary: 'Set all ticket releases of an event',
      description:
        "Replaces the whole list; the last writer wins. An item with an `id` is the event's ticket release of this id; " +
        'an item without `id` is new. A unit gets its price when it is held, or booked without a hold: from the ' +
        'first active `buy` ticket release of its category whose quota has a unit left, else from its tier or ' +
        'category. Held and booked units keep their price and ticket release, whatever happens to the list. A closed ' +
        'ticket release stays closed until it is sent with another `endsAt`.',
      refusals: ['invalid_event_state'],
      examples: [
        {
          summary: 'An early price for ten of the stalls, another for all, and a form for groups',
          body: {
            releases: [
              { name: 'Early bird', price: 12, previousPrice: 20, quota: 10, categoryKey: 'stalls' },
              { name: 'Advance', price: 16, startsAt: 1_785_542_400_000, endsAt: 1_788_220_800_000 },
              { name: 'Groups', price: 10, action: 'apply', actionUrl: 'https://theatre.example/groups' },
            ],
          },
        },
        {
          summary: 'An existing ticket release, renamed',
          path: { key: standIn.eventWithReleases },
          body: { releases: [{ id: standIn.release, name: 'Very early bird', price: 12 }] },
        },
        { summary: 'None', body: { releases: [] } },
        {
          summary: 'Of a category with tiers',
          body: { releases: [{ name: 'Balcony', price: 12, categoryKey: 'balcony' }] },
          answers: 'invalid_request',
        },
        {
          summary: 'An unknown id',
          body: { releases: [{ id: 'rel_0', name: 'Gone', price: 12 }] },
          answers: 'invalid_request',
        },
        {
          summary: 'Of an event in the archive',
          path: { key: standIn.archivedEvent },
          body: { releases: [] },
          answers: 'invalid_event_state',
        },
      ],
    },
  },
  async (call) => {
    const releases = call.body.releases.map(draftOf);
    return listed(call, await ask(call, { type: 'set-releases', callId: newCallId(), releases }));
  },
);

function draftOf(release: z.output<typeof releasesBody>['releases'][number]): ReleaseDraft {
  const { id, name, price, action } = release;
  const { previousPrice = null, quota = null, startsAt = null, endsAt = null } = release;
  const { categoryKey = null, actionUrl = null } = release;
  const named = id == null ? { id: newId('rel'), isNew: true } : { id, isNew: false };
  return { ...named, name, price, previousPrice, quota, startsAt, endsAt, categoryKey, action, actionUrl };
}

const closeRelease = eventRoute(
  'POST /v1/events/{key}/releases/{id}/close',
  {
    budget: budgets.serverCalls,
    answer: releaseList,
    description: {
      operationId: 'closeRelease',
      tag: 'Inventory',
      summary: 'End a ticket release now',
      description: 'The ticket release stays in the list. Closing a closed ticket release changes nothing.',
      refusals: ['invalid_event_state'],
      examples: [
        { summary: 'The release', path: { key: standIn.eventWithReleases } },
        { summary: 'An unknown ticket release', path: { id: 'rel_0' }, answers: 'not_found' },
      ],
    },
  },
  async (call) =>
    listed(call, await ask(call, { type: 'close-release', callId: newCallId(), releaseId: call.path.id })),
);

export const availabilityRoutes = [getAvailability, setAvailability];

export const releasesRoutes = [getReleases, setReleases, closeRelease];

export const releasesSchemas = { Release: release };
