/**
 * One call changes up to 50 events. Its blocks and unblocks are all or none: the catalog decides them
 * (services/catalog/src/batches/event-batches.ts). Each other change is told by itself, as the call for one event tells
 * it.
 *
 * States of a call: its events are found → its blocks and unblocks are decided → the other changes are made, one after
 * the other → answered. Failure at each await: an event is unknown → its change is refused, and with it all blocks and
 * unblocks if it is one of them; the decision does not come in time → 503 with `reason: batch_pending`, the batch goes
 * on by itself, and a repetition under the same key tells its end; a change of one event gets no answer → the change
 * tells the 503; the process dies → a repetition under the same key finds the decision, and makes the other changes
 * again: an event that is closed already then tells `invalid_event_state`.
 */
import type { BatchChange, EventBatch } from '@parterre/shared/protocol/catalog/events';
import { done, type Outcome, type Refusal, refuse, statusByCode } from '@parterre/shared/protocol/errors';
import { bulkBodyBytesMax, eventsPerBatchMax, labelsPerBulkMax } from '@parterre/shared/protocol/limits';
import { z } from 'zod';
import { budgets, eventInScope, type KnownEvent, knownInTime } from '../admission/admission.ts';
import { standIn } from '../openapi/openapi.ts';
import { callerOf } from './calls/ask.ts';
import { type Answering, type Call, serverRoute } from './calls/route.ts';
import { archive, changeEvent, close, eventChangesBody, reopen } from './events.ts';
import { bulkLabels, labelsOfAnswer } from './inventory.ts';
import { eventMeta as eventMetaAnswer, id, moment, ok, optional, reason, text } from './records.ts';

const eventKey = id;

const change = z.discriminatedUnion('action', [
  z.object({ eventKey, action: z.literal('close') }),
  z.object({ eventKey, action: z.literal('reopen') }),
  z.object({ eventKey, action: z.literal('archive') }),
  z.object({
    eventKey,
    action: z.literal('block'),
    labels: bulkLabels,
    releaseAt: optional(moment.nullable()),
    reason: optional(reason.nullable()),
  }),
  z.object({ eventKey, action: z.literal('unblock'), labels: bulkLabels }),
  eventChangesBody.extend({ eventKey, action: z.literal('patch') }),
]);

const batchBody = z.object({
  changes: z
    .array(change)
    .min(1)
    .max(eventsPerBatchMax)
    .refine((changes) => labelsOf(changes) <= labelsPerBulkMax, `Must name at most ${labelsPerBulkMax} labels in all.`),
});

type Change = z.output<typeof change>;
type Blocking = Extract<Change, { labels: string[] }>;
type Other = Exclude<Change, { labels: string[] }>;

function labelsOf(changes: readonly Change[]): number {
  return changes.reduce((sum, each) => sum + ('labels' in each ? each.labels.length : 0), 0);
}

const result = z.object({
  eventKey: text,
  action: z.enum(['close', 'reopen', 'archive', 'block', 'unblock', 'patch']),
  status: z.int().min(200).max(599).describe('The status that the call for this event alone has.'),
  meta: z.exactOptional(eventMetaAnswer),
  blocked: z.exactOptional(labelsOfAnswer),
  unblocked: z.exactOptional(labelsOfAnswer),
  error: z.exactOptional(
    z
      .looseObject({ code: text, message: text })
      .describe(
        'The body of the refusal. `batch_undone`: another block or unblock was refused, so this one was not made.',
      ),
  ),
});

const batchAnswer = z.object({
  ok,
  results: z.array(result).describe('One a change, in the order of the changes.'),
});

type Result = z.output<typeof result>;

const changeEvents = serverRoute(
  'POST /v1/events/batch',
  {
    budget: budgets.serverCalls,
    answer: batchAnswer,
    body: batchBody,
    bodyBytesMax: bulkBodyBytesMax,
    labelsIn: ({ changes }) => labelsOf(changes),
    idempotent: 'required',
    description: {
      operationId: 'changeEvents',
      tag: 'Events',
      summary: 'Change several events in one call',
      description:
        `Up to ${eventsPerBatchMax} changes, each with the fields of the call for one event: close, reopen, archive, ` +
        'block, unblock, and patch with the fields of `PATCH /v1/events/{key}`. The blocks and unblocks of a call are all ' +
        'or none, over all its events: if one is refused, no event has any of them, and the others tell 409 with ' +
        '`reason: batch_undone`. A block that is refused at once writes nothing. A later refusal takes the blocks back ' +
        'that were made: they may have been seen for a moment, and stand in the log with their end. That is so if ' +
        'another call changes a seat in the same moment, or if a call blocks and unblocks seats of one event. A call ' +
        'that reaches none of its events is refused like a call for the first. Each other change is made, and told, by ' +
        'itself, behind the blocks and unblocks. The rights are those of ' +
        'each event.',
      refusals: ['not_found', 'mode_mismatch', 'shard_unavailable'],
      examples: [
        {
          summary: 'Block a seat, and rename the event',
          headers: { 'Idempotency-Key': 'batch-1' },
          body: {
            changes: [
              { eventKey: standIn.event, action: 'block', labels: ['A-11'], reason: 'Camera' },
              { eventKey: standIn.event, action: 'patch', name: 'Autumn ball' },
            ],
          },
        },
        {
          summary: 'A seat that is held in one event is blocked in none',
          headers: { 'Idempotency-Key': 'batch-2' },
          body: {
            changes: [
              { eventKey: standIn.event, action: 'block', labels: ['A-12'] },
              { eventKey: standIn.heldEvent, action: 'block', labels: ['A-5'] },
            ],
          },
        },
        {
          summary: 'Of an unknown event alone',
          headers: { 'Idempotency-Key': 'batch-4' },
          body: { changes: [{ eventKey: 'ev_0', action: 'close' }] },
          answers: 'not_found',
        },
        {
          summary: 'Without a change',
          headers: { 'Idempotency-Key': 'batch-3' },
          body: { changes: [] },
          answers: 'invalid_request',
        },
        {
          summary: 'Without an Idempotency-Key',
          body: { changes: [{ eventKey: standIn.event, action: 'close' }] },
          answers: 'invalid_idempotency_key',
        },
      ],
    },
  },
  changeAll,
);

type BatchCall = Call<'server', z.output<typeof batchBody>>;
type FoundChange = { change: Change; event: Outcome<KnownEvent> };

async function changeAll(call: BatchCall): Answering<typeof batchAnswer> {
  const found = await Promise.all(call.body.changes.map((each) => findEvent(call, each)));
  const [first] = found;
  // Nobody keeps the answer to a call that reaches no event.
  if (!first!.event.ok && found.every(({ event }) => !event.ok)) return first!.event;
  const blocking = await decideBlocks(call, found.filter(isBlocking));
  if (!blocking.ok) return blocking;
  const blocks = blocking.value.values();
  const results: Result[] = [];
  for (const { change: each, event } of found) {
    results.push('labels' in each ? blocks.next().value! : await changeOne(call, each, event));
  }
  return done({ ok: true, results });
}

async function findEvent({ ports, principal, request }: BatchCall, each: Change): Promise<FoundChange> {
  const event = await knownInTime(ports, each.eventKey, request.deadlineAt);
  return { change: each, event: eventInScope(event, principal) };
}

function isBlocking(found: FoundChange): found is FoundChange & { change: Blocking } {
  return 'labels' in found.change;
}

/** The results of the blocks and unblocks, in their order. */
async function decideBlocks(
  { ports, principal, callId }: BatchCall,
  found: readonly (FoundChange & { change: Blocking })[],
): Promise<Outcome<Result[]>> {
  if (found.length === 0) return done([]);
  if (found.some(({ event }) => !event.ok)) {
    return done(found.map(({ change: each, event }) => refusedResult(each, event.ok ? undone : event.refusal)));
  }
  const changes = found.map(({ change: each }) => batchChange(each));
  const told = await ports.catalog('events.batch', { batchId: callId!, changes, by: callerOf(principal) });
  if (!told.ok) return told;
  const { state, changes: outcomes } = told.value;
  if (state !== 'done' && state !== 'undone') return pending(state);
  return done(found.map(({ change: each }, nth) => blockingResult(each, state, outcomes[nth]!)));
}

function batchChange(each: Blocking): BatchChange {
  const { eventKey: key, action, labels } = each;
  const terms = each.action === 'block' ? { releaseAt: each.releaseAt ?? null, reason: each.reason ?? null } : noTerms;
  return { eventKey: key, action, labels, ...terms };
}

const noTerms = { releaseAt: null, reason: null };

function pending(state: EventBatch['state']): Outcome<never> {
  const end =
    state === 'applying' ? 'The batch is decided, and will be carried out.' : 'The batch may still be taken back.';
  return refuse(
    'shard_unavailable',
    `An event has not answered yet. ${end} Repeat the call with the same Idempotency-Key.`,
    {
      reason: 'batch_pending',
      retryable: true,
    },
  );
}

const { refusal: undone } = refuse(
  'conflict',
  'Another block or unblock of the batch was refused, so this one was not made.',
  { reason: 'batch_undone' },
);

function blockingResult(each: Blocking, state: 'done' | 'undone', { answer, refusal }: EventBatch['changes'][number]) {
  if (state === 'undone') return refusedResult(each, refusal ?? undone);
  const labels = answer?.labels ?? [];
  const told = each.action === 'block' ? { blocked: labels } : { unblocked: labels };
  return { eventKey: each.eventKey, action: each.action, status: 200, ...told };
}

async function changeOne(call: BatchCall, each: Other, event: Outcome<KnownEvent>): Promise<Result> {
  if (!event.ok) return refusedResult(each, event.refusal);
  const outcome = await changed(call, each, event.value);
  if (!outcome.ok) return refusedResult(each, outcome.refusal);
  return { eventKey: each.eventKey, action: each.action, status: 200, meta: outcome.value.meta };
}

function changed(call: BatchCall, each: Other, event: KnownEvent) {
  const one = { ...call, event, path: { key: each.eventKey } };
  switch (each.action) {
    case 'close':
      return close(one);
    case 'reopen':
      return reopen(one);
    case 'archive':
      return archive(one);
    case 'patch': {
      const { action: _, eventKey: __, ...body } = each;
      return changeEvent({ ...one, body });
    }
  }
}

function refusedResult({ eventKey: key, action }: Change, refusal: Refusal): Result {
  const { code, message, reason: why, details, retryable, outcome } = refusal;
  const status = statusByCode[code];
  const cause = why ?? (status === 409 || status === 422 ? code : undefined);
  const error = {
    ...details,
    code,
    message,
    ...(cause !== undefined && { reason: cause }),
    ...(retryable && { retryable }),
    ...(outcome && { outcome }),
  };
  return { eventKey: key, action, status, error };
}

export const eventBatchesRoutes = [changeEvents];
