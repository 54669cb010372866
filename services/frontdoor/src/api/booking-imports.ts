/**
 * Imports of bookings that an older system has sold: the file comes here, is read in pieces, and goes on to the
 * catalog, which lets the event judge and book its lines.
 *
 * Failure at each await: the event or the catalog does not answer → the refusal, and nothing is booked, since the
 * import's work begins behind the last piece. A repetition with the same Idempotency-Key goes on with the same import.
 */
import type { BookingImport, ImportIssue } from '@parterre/shared/protocol/catalog/booking-imports';
import type { CatalogOutput } from '@parterre/shared/protocol/catalog-api';
import { done, type Outcome, refuse } from '@parterre/shared/protocol/errors';
import { sha256 } from '@parterre/shared/protocol/ids';
import {
  bookingImportBytesMax,
  bookingImportLinesMax,
  bookingRefLengthMax,
  unitLabelLengthMax,
} from '@parterre/shared/protocol/limits';
import { priceMax } from '@parterre/shared/protocol/page-limits';
import { SECOND_MS } from '@parterre/shared/runtime/units';
import { z } from 'zod';
import { budgets, callIdOf, scopeOf } from '../admission/admission.ts';
import { asBytes, type Header, preparedJson, spell } from '../answers/answers.ts';
import { standIn } from '../openapi/openapi.ts';
import { ask, callerOf, inTime } from './calls/ask.ts';
import { isOne } from './calls/query.ts';
import { type EventCall, eventLinesRoute, eventRoute } from './calls/route.ts';
import { count, epochMs, idOf, optional, text } from './records.ts';
import { csvLines, importColumns, jsonLines, pieces } from './rules/booking-lines.ts';

const importAnswer = z.object({
  import: z.object({
    id: idOf('bim'),
    dryRun: z.boolean(),
    state: z
      .enum(['running', 'dry_run', 'committed', 'rejected'])
      .describe(
        '`dry_run`: a dry run found no problem. `committed`: at least one line stands. `rejected`: a dry run found a ' +
          'problem, or no line stands.',
      ),
    accepted: count.describe('Lines that stand, or, in a dry run, could stand.'),
    rejected: count,
    issues: z.array(z.object({ line: count, code: text, message: text })).describe('By line, the first first.'),
    createdAt: epochMs,
  }),
});

const ref = z.string().trim().min(1).max(200);

export const lineForm = z.object({
  label: z.string('Must be the label of a place.').trim().min(1).max(unitLabelLengthMax),
  bookingRef: z.string('Must be the reference of the booking.').trim().min(1).max(bookingRefLengthMax),
  price: z
    .int('Must be an integer of 0 or more.')
    .min(0, 'Must be an integer of 0 or more.')
    .max(priceMax, `Must be at most ${priceMax}.`),
  channelId: optional(ref.nullable()),
  buyerRef: optional(ref.nullable()),
});

const importQuery = z.object({ dryRun: isOne('1: judge the lines, and book nothing.') });

const deadlineMs = 60 * SECOND_MS;
/** How long the answer waits for the end of the import. */
const waitMs = 3 * SECOND_MS;

const csv = (...lines: string[]) => ({
  mediaType: 'text/csv',
  base64: Buffer.from([importColumns.join(','), ...lines].join('\n')).toString('base64'),
});

const importBookings = eventLinesRoute(
  'POST /v1/events/{key}/imports/bookings',
  {
    budget: budgets.seasons,
    answer: importAnswer,
    query: importQuery,
    status: 202,
    idempotent: true,
    bodyBytesMax: bookingImportBytesMax,
    deadlineMs,
    description: {
      operationId: 'importBookings',
      tag: 'Inventory',
      summary: 'Take bookings over from an older system',
      description:
        'The body is CSV whose first line names the columns `label`, `bookingRef`, `price`, `channelId`, `buyerRef`, or ' +
        'lines of JSON with these fields; the last two may be left out. A file has up to 32 MiB and 100,000 lines. A line ' +
        "is one place: the label of an area stands for one of its places. `price` is the price that was paid, in the event's " +
        'unit of prices. A dry run lists every problem by line and books nothing; with a problem its state is `rejected`. ' +
        'Otherwise a line stands or fails alone. A line whose place its reference has already stands, so a file may be sent ' +
        'again. Codes of issues: `invalid_line`, `label_repeated`, `label_not_found`, `seat_booked`, `seat_held`, ' +
        '`seat_not_for_sale`, `area_full`, `channel_not_found`, `channel_differs`, or the code of a refusal of the event. ' +
        'Works while sales are closed. Companion places and ticket releases are not looked at. Webhooks do not tell these ' +
        'bookings. A place of a live event costs one credit. Poll the address in `Location`.',
      takes: ['text/csv', 'application/x-ndjson'],
      headers: ['Location', 'Retry-After'],
      refusals: ['conflict', 'shard_unavailable', 'catalog_unavailable'],
      examples: [
        { summary: 'A dry run', query: { dryRun: '1' }, bytes: csv('A-1,old-17,40', 'A-2,old-17,40') },
        { summary: 'Two places of one order', bytes: csv('C-1,old-17,40', 'C-2,old-17,40') },
        {
          summary: 'A file without prices',
          bytes: { mediaType: 'text/csv', base64: Buffer.from('label,bookingRef\nA-1,old-17').toString('base64') },
          answers: 'invalid_request',
        },
      ],
    },
  },
  async (call) => {
    const lines = linesOf(call.body, call.request.contentType);
    return lines.ok ? carryOut(call, lines.value, call.query.dryRun) : lines;
  },
);

type ImportCall = EventCall<Buffer, z.output<typeof importQuery>>;
type RawLines = ReturnType<typeof jsonLines>;

function linesOf(
  bytes: Buffer,
  contentType: string,
): Outcome<Iterable<RawLines extends Iterable<infer L> ? L : never>> {
  if (bytes.length === 0) {
    return refuse('invalid_request', 'Send the file as the body.', {
      details: { issues: [{ path: '', message: 'Must not be empty.' }] },
    });
  }
  const [type] = contentType.toLowerCase().split(';');
  if (type?.trim() === 'text/csv') return csvLines(bytes);
  if (type?.trim() === 'application/x-ndjson') return done(jsonLines(bytes));
  return refuse('unsupported_media_type', 'Send the Content-Type text/csv or application/x-ndjson.');
}

async function carryOut(call: ImportCall, lines: Parameters<typeof pieces>[0], dryRun: boolean) {
  const { ports, principal, event, request } = call;
  const { key: eventKey } = event.event;
  const counted = await ask(call, { type: 'count' });
  if (!counted.ok) return counted;
  const plan = await inTime(call, ports.plans(counted.value.planHash).then(done));
  if (!plan.ok) return plan;
  const { areaByLabel, labels } = plan.value;
  const isArea = (label: string): boolean => !labels.has(label) && areaByLabel.has(label);
  const { source, actor } = callerOf(principal);
  const begun = await ports.catalog('booking-imports.begin', {
    scope: scopeOf(principal),
    eventKey,
    dryRun,
    fingerprint: sha256(`${sha256(call.body)} ${dryRun} ${request.contentType}`),
    caller: { source, actor },
    ...callIdOf(call),
  });
  if (!begun.ok) return begun;
  const { id: importId } = begun.value.import;
  if (!begun.value.isComing) return shown(call, begun.value.import, 202, [['Idempotent-Replayed', 'true']]);
  let lineCount = 0;
  for (const piece of pieces(lines, lineForm, isArea)) {
    if (lineCount + piece.length > bookingImportLinesMax) return tooMany;
    const sent = await ports.catalog('booking-imports.lines', { eventKey, importId, at: lineCount, lines: piece });
    if (!sent.ok) return sent;
    lineCount += piece.length;
  }
  const ended = await ports.catalog('booking-imports.end', { eventKey, importId, lineCount, waitMs });
  return ended.ok ? shown(call, ended.value.import, 202) : ended;
}

const tooMany = refuse('payload_too_large', `An import has at most ${bookingImportLinesMax} lines. Split the file.`);

/** The import with its issues. */
async function shown(
  call: EventCall<unknown, unknown>,
  found: BookingImport,
  status: number,
  more: readonly Header[] = [],
) {
  const { key: eventKey } = call.event.event;
  const of = { scope: scopeOf(call.principal), eventKey, importId: found.id };
  const issues: ImportIssue[] = [];
  for (let at: number | null = 0; at !== null; ) {
    const page: Outcome<CatalogOutput<'booking-imports.issues'>> = await call.ports.catalog('booking-imports.issues', {
      ...of,
      at,
    });
    if (!page.ok) return page;
    issues.push(...page.value.issues);
    at = page.value.next;
  }
  const { id, dryRun, state, accepted, rejected, createdAt } = found;
  const headers: Header[] = state === 'running' ? [...more, ['Retry-After', '1']] : [...more];
  if (status === 202)
    headers.unshift(['Location', `/v1/events/${encodeURIComponent(eventKey)}/imports/bookings/${id}`]);
  const body = { import: { id, dryRun, state, accepted, rejected, issues, createdAt } };
  return done(preparedJson(asBytes(spell(body)), headers, status));
}

const getBookingImport = eventRoute(
  'GET /v1/events/{key}/imports/bookings/{importId}',
  {
    budget: budgets.seasons,
    answer: importAnswer,
    deadlineMs,
    description: {
      operationId: 'getBookingImport',
      tag: 'Inventory',
      summary: 'An import of bookings with its issues',
      description: 'Kept for 30 days. While the import is running, the answer has `Retry-After`.',
      headers: ['Retry-After'],
      refusals: ['catalog_unavailable'],
      examples: [
        { summary: 'The import', path: { key: standIn.eventWithImport, importId: standIn.bookingImport } },
        { summary: 'An unknown import', path: { importId: 'bim_0' }, answers: 'not_found' },
      ],
    },
  },
  async (call) => {
    const { key: eventKey } = call.event.event;
    const of = { scope: scopeOf(call.principal), eventKey, importId: call.path.importId };
    const found = await call.ports.catalog('booking-imports.get', of);
    return found.ok ? shown(call, found.value.import, 200) : found;
  },
);

export const bookingImportsRoutes = [importBookings, getBookingImport];
