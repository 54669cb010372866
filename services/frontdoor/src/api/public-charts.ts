/**
 * The public files of a chart, the statuses of an audience, and the part of a buyer's answer that names both
 * (`files=1`). Neither needs a credential, so proxies, CDNs and pages may keep them. They have only what their readers
 * may see anyway: a file what every buyer of the event sees, statuses what one scope sees. Rights are checked where
 * they matter: at the session, and at the hold.
 *
 * Every front door answers for every address that another has told. The address names the event (and the scope), with a
 * mark that only front doors can make (rules/public-addresses.ts). The rest follows from the event's replica: a file is
 * served if it is what buyers see now, or if it shows less of the same plan and is still kept here: strangers make the
 * server work for files of today alone. An address that no front door has told is refused before its event is looked
 * up. So hiding a section ends the files that show it, here; caches may keep what was public once.
 *
 * The awaits of a file: the event, its replica, the file, and the actor's version where the file is none of this
 * replica's, since another front door may have heard of a reveal first. The awaits of statuses: the event, its replica,
 * and likewise the version, for a channel that this replica lacks. A failure at any await is the answer, which no cache
 * keeps. Statuses are made once for each version and scope, and compressed once (calls/objects-form.ts).
 */
import type { KeyObject } from 'node:crypto';
import { done, type Outcome, refuse } from '@parterre/shared/protocol/errors';
import { sha256 } from '@parterre/shared/protocol/ids';
import { z } from 'zod';
import { budgets, type KnownEvent, knownInTime } from '../admission/admission.ts';
import { forEveryOrigin, formsOf, preparedJson, preparedWhole, type Spelled, unchanged } from '../answers/answers.ts';
import type { PublicChart, PublicChartFacts } from '../caches/caches.ts';
import { audiencesPerEventMax } from '../feed-limits.ts';
import type { Replica } from '../feeds/feeds.ts';
import { standIn } from '../openapi/openapi.ts';
import { type Audience, buyerAudience, type ChannelMap, publicAudience } from '../pictures/pictures.ts';
import type { ToldSale } from '../summaries/sale-summaries.ts';
import { inTime } from './calls/ask.ts';
import { isLarge, objectsForm } from './calls/objects-form.ts';
import { isOne, text as textOfQuery } from './calls/query.ts';
import { type Call, openRoute } from './calls/route.ts';
import { chartDocument } from './charts.ts';
import { buyerEventOf, buyerObjects, count, text } from './records.ts';
import {
  chartFileUrl,
  isAudienceId,
  isFileSeal,
  isToldAddress,
  publicScope,
  reachOf,
  scopeOf,
  statusesUrl,
} from './rules/public-addresses.ts';

export const filesQuery = z.object({
  files: isOne('1 names the public files of the chart and the address of the statuses, in place of both.'),
});

export const aboutFiles =
  'With `files=1`, `files` names the public files of the chart and `statusesUrl` the statuses, in place of `doc` and ' +
  '`objects`. Both are read at their address as it is, without a credential. The feed goes on from the ' +
  '`snapshotVersion` of the statuses (`sv.<snapshotVersion>`).';

const chartFile = z.object({
  hash: text.describe('The SHA-256 of the file without compression, in base64url.'),
  bytes: count.describe('Without compression.'),
  url: text,
  parts: z.array(text).describe('`base`, and the ids of sections.'),
});

/** The fields of an answer with `files=1`. */
export const publicFiles = {
  files: z.array(chartFile),
  statusesUrl: text,
  snapshotVersion: count.describe('Of the event at these files. Statuses may be a moment older.'),
};

type PublicCall = Pick<Call<'none'>, 'ports' | 'request'>;

/** The file of all that buyers of an event see at a version. Later versions may show more. */
type VersionedChart = { chart: PublicChartFacts; version: number };

export async function publicChartOf(
  call: PublicCall,
  eventKey: string,
  { plan, scopes: { hidden }, version }: Replica,
): Promise<Outcome<VersionedChart>> {
  const { publicCharts } = call.ports;
  let chart = publicCharts.factsOf(plan, hidden);
  if (!chart) {
    const made = await inTime(call, publicCharts.of(plan, hidden));
    if (!made.ok) return made;
    chart = made.value.facts;
  }
  publicCharts.note(chart, eventKey);
  return done({ chart, version });
}

/** What an audience sees of an event. `sale` is null if the inventory did not tell the sale in time. */
export type SeenEvent = { known: KnownEvent; replica: Replica; audience: Audience; sale: ToldSale | null };

/**
 * The fields `event`, `files`, `statusesUrl` and `snapshotVersion` as JSON, without braces. The pages of an on-sale are
 * told the same, so all but the version is made once for the facts that it tells.
 */
export function namedFiles(
  { addressKey }: PublicCall['ports'],
  seen: SeenEvent,
  { chart, version }: VersionedChart,
): string {
  const { replica, audience } = seen;
  const ofAudiences = namings.get(replica) ?? new Map<string, Naming>();
  namings.set(replica, ofAudiences);
  let naming = ofAudiences.get(audience.id);
  if (!naming || !isOf(naming, seen, chart)) {
    naming = namingOf(addressKey, seen, chart);
    if (ofAudiences.size >= audiencesPerEventMax) ofAudiences.clear();
    ofAudiences.set(audience.id, naming);
  }
  return `${naming.json},"snapshotVersion":${version}`;
}

/** Without the body, which may be large. */
type SaleFacts = Omit<ToldSale, 'body'>;

/** The JSON, and all that it was made of. */
type Naming = Pick<SeenEvent, 'known'> &
  Pick<Replica, 'status' | 'salesPaused'> & {
    sale: SaleFacts | null;
    chart: PublicChartFacts;
    channels: ChannelMap;
    json: string;
  };

/** By audience. */
const namings = new WeakMap<Replica, Map<string, Naming>>();

function isOf(naming: Naming, { known, replica, sale }: SeenEvent, chart: PublicChartFacts): boolean {
  return (
    naming.known === known &&
    isSameSale(naming.sale, sale) &&
    naming.chart === chart &&
    naming.status === replica.status &&
    naming.salesPaused === replica.salesPaused &&
    naming.channels === replica.picture.channels
  );
}

function isSameSale(one: SaleFacts | null, other: SaleFacts | null): boolean {
  return (
    one?.state === other?.state &&
    one?.opensAt === other?.opensAt &&
    one?.salesStartAt === other?.salesStartAt &&
    one?.salesEndAt === other?.salesEndAt &&
    one?.companionsUntil === other?.companionsUntil
  );
}

function factsOf({ state, opensAt, salesStartAt, salesEndAt, companionsUntil }: ToldSale): SaleFacts {
  return { state, opensAt, salesStartAt, salesEndAt, companionsUntil };
}

function namingOf(key: KeyObject, { known, replica, audience, sale }: SeenEvent, chart: PublicChartFacts): Naming {
  const { status, salesPaused, picture } = replica;
  const { event } = known;
  const { hash, bytes, parts } = chart;
  const { channels } = picture;
  const fields = {
    event: buyerEventOf(event, replica, sale),
    files: [{ hash, bytes, url: chartFileUrl(key, event.key, hash), parts }],
    statusesUrl: statusesUrl(
      key,
      event,
      audience.reach === null ? publicScope : scopeOf(audience.reach, channels.numbers),
    ),
  };
  return {
    known,
    sale: sale && factsOf(sale),
    chart,
    status,
    salesPaused,
    channels,
    json: JSON.stringify(fields).slice(1, -1),
  };
}

const ofEvents = [
  'not_found',
  'catalog_unavailable',
  'journal_lost_records',
  'overloaded',
  'shard_unavailable',
] as const;

const partOfAddress = textOfQuery('A part of the address as the server told it.');
const eventOfAddress = textOfQuery('A part of the address as the server told it: the key of the event.');

const getChartFile = openRoute(
  'GET /pub/charts/{hash}',
  {
    budget: budgets.publicFiles,
    answer: chartDocument,
    query: z.object({ event: eventOfAddress, seal: partOfAddress }),
    description: {
      operationId: 'getChartFile',
      tag: 'Buyers',
      summary: 'A public file of a chart',
      description:
        'The chart document as every buyer of the event may see it, at the `url` of a file of `files=1`. The bytes of a ' +
        'hash never change, so any cache may keep them for a year, and any page may read them. Categories, tiers, zones, ' +
        'floors, texts and pictures that only hidden parts use are left out. A reveal names another file. Once a part is ' +
        'hidden again, the files that show it are 404 here; caches may keep what was public once. After a 404 read the ' +
        'chart again, with `files=1`. Without the query, an address is answered by a front door that has just told it.',
      headers: ['ETag'],
      refusals: ofEvents,
      examples: [
        { summary: 'All that buyers see', path: { hash: standIn.chartFile } },
        { summary: 'An unknown file', path: { hash: '0'.repeat(43) }, answers: 'not_found' },
      ],
    },
  },
  sendFile,
);

const noFile = refuse('not_found', 'There is no such file of a chart (any more). Read the chart again, with files=1.');

type FileCall = Call<'none', unknown, null, { event: string | undefined; seal: string | undefined }, { hash: string }>;

async function sendFile(call: FileCall) {
  const { ports, request } = call;
  const { hash } = call.path;
  const eventKey = eventOfFile(call);
  if (eventKey === undefined) return noFile;
  const event = await eventNamed(call, eventKey, noFile);
  if (!event.ok) return event;
  const replica = await inTime(call, ports.feeds.replicaOf(event.value.event));
  if (!replica.ok) return replica;
  const chart = await inTime(call, fileOf(call, replica.value, hash));
  if (!chart.ok) return chart;
  if (chart.value === null) return noFile;
  const { forms } = chart.value;
  const { encoding, headersOf, isKnown } = formsOf(request, `"${hash}"`, 'public, max-age=31536000, immutable');
  const headers = [forEveryOrigin, ...headersOf(encoding)];
  if (isKnown) return done(unchanged(headers));
  if (encoding !== null) headers.push(['Content-Encoding', encoding]);
  return done(preparedJson(forms[encoding ?? 'identity'] as Spelled<z.output<typeof chartDocument>, Buffer>, headers));
}

/** The event for which a front door has named the file; undefined where none is known to have done so. */
function eventOfFile({ ports, path: { hash }, query: { event, seal = '' } }: FileCall): string | undefined {
  const named = ports.publicCharts.namedAs(hash)?.eventKey;
  if (event === undefined || event === named) return named;
  return isFileSeal(ports.addressKey, event, hash, seal) ? event : undefined;
}

async function eventNamed(call: PublicCall, eventKey: string, none: Outcome<never>): Promise<Outcome<KnownEvent>> {
  const known = await knownInTime(call.ports, eventKey, call.request.deadlineAt);
  if (!known.ok) return known.refusal.code === 'not_found' ? none : known;
  return known.value.event.status === 'deleted' ? none : known;
}

/** Null where the file shows something that buyers do not see. */
async function fileOf(call: FileCall, replica: Replica, hash: string): Promise<Outcome<PublicChart | null>> {
  const found = await fileIn(call, replica, hash);
  if (!found.ok || found.value !== null) return found;
  const { version } = replica;
  await replica.catchUpNow();
  return replica.version === version ? found : fileIn(call, replica, hash);
}

async function fileIn(
  { ports: { publicCharts } }: FileCall,
  { plan, scopes: { hidden } }: Replica,
  hash: string,
): Promise<Outcome<PublicChart | null>> {
  const known = publicCharts.factsOf(plan, hidden);
  if (!known || known.hash === hash) {
    const current = await publicCharts.of(plan, hidden);
    if (!current.ok || current.value.facts.hash === hash) return current;
  }
  const named = publicCharts.namedAs(hash);
  const showsNoMore = named?.planHash === plan.hash && hidden.every((scope) => named.hidden.includes(scope));
  return done((showsNoMore && publicCharts.peek(plan, named.hidden)) || null);
}

const getStatuses = openRoute(
  'GET /pub/statuses/{audienceId}',
  {
    budget: budgets.publicFiles,
    answer: buyerObjects,
    query: z.object({ event: eventOfAddress, scope: partOfAddress, seal: partOfAddress }),
    description: {
      operationId: 'getStatuses',
      tag: 'Buyers',
      summary: 'The statuses that an audience sees',
      description:
        'The body of `GET /pub/events/{key}/objects?compact=1` for the caller that was told this address as ' +
        '`statusesUrl`. Caches may keep it for a second, and any page may read it. The address cannot be guessed. It ' +
        "changes when access to a channel of the event is revoked, unless it is public sale's: after a 404 read the chart " +
        'again, with `files=1`.',
      headers: ['ETag'],
      refusals: ofEvents,
      examples: [
        { summary: 'Of public sale', path: { audienceId: standIn.audience }, query: { event: standIn.event } },
        {
          summary: 'At an unknown address',
          path: { audienceId: '0'.repeat(22) },
          query: { event: standIn.event },
          answers: 'not_found',
        },
      ],
    },
  },
  sendStatuses,
);

const noStatuses = refuse(
  'not_found',
  'There are no statuses at this address (any more). Read the chart again, with files=1.',
);

type StatusesCall = Call<
  'none',
  unknown,
  null,
  Record<'event' | 'scope' | 'seal', string | undefined>,
  { audienceId: string }
>;

async function sendStatuses(call: StatusesCall) {
  const { ports, path, query, request } = call;
  const { event: eventKey, scope = publicScope, seal = '' } = query;
  const id = path.audienceId;
  if (eventKey === undefined || !isToldAddress(ports.addressKey, { eventKey, scope, id, seal })) return noStatuses;
  const known = await eventNamed(call, eventKey, noStatuses);
  if (!known.ok) return known;
  const { event } = known.value;
  if (scope !== publicScope && !isAudienceId(ports.addressKey, event, scope, id)) return noStatuses;
  const replica = await inTime(call, ports.feeds.replicaOf(event));
  if (!replica.ok) return replica;
  const audience = audienceIn(replica.value, scope) ?? (await audienceLater(replica.value, scope));
  if (audience === null) return noStatuses;
  const objects = replica.value.objects(audience, true);
  const { headersOf, isKnown, encoding } = formsOf(
    request,
    etagOf(objects),
    'public, max-age=1, stale-while-revalidate=5',
    (form) => form === 'gzip' && isLarge(objects),
  );
  if (isKnown) return done(unchanged([forEveryOrigin, ...headersOf(encoding)]));
  const form = encoding === null ? null : await objectsForm(objects);
  const headers = [forEveryOrigin, ...headersOf(form && encoding)];
  return done(form ? preparedWhole(form, headers) : preparedJson(objects.body, headers));
}

/** Null where the replica does not know a channel of the scope. */
function audienceIn({ picture }: Replica, scope: string): Audience | null {
  if (scope === publicScope) return publicAudience;
  const reach = reachOf(scope, picture.channels.numbers);
  return reach && buyerAudience(reach);
}

async function audienceLater(replica: Replica, scope: string): Promise<Audience | null> {
  await replica.catchUpNow();
  return audienceIn(replica, scope);
}

/** As long as a replica keeps the statuses, they are one object. */
const etags = new WeakMap<object, string>();

function etagOf(objects: { readonly body: string }): string {
  const known = etags.get(objects);
  if (known !== undefined) return known;
  const etag = `"${sha256(objects.body)}"`;
  etags.set(objects, etag);
  return etag;
}

export const publicChartsRoutes = [getChartFile, getStatuses];
