/** Asks the actor of an event on behalf of a route, and names the call. */

import type { Plan } from '@parterre/shared/charts/plan';
import type { Answers, LineItem } from '@parterre/shared/protocol/answers';
import type { EventRecord } from '@parterre/shared/protocol/catalog/events';
import type { Caller, Command, CommandType, Selection } from '@parterre/shared/protocol/commands';
import { done, type Outcome, refuse } from '@parterre/shared/protocol/errors';
import { type IdPrefix, keyedId, newId, randomText, sha256 } from '@parterre/shared/protocol/ids';
import { chartAdjustTriesMax } from '@parterre/shared/protocol/limits';
import type { Worded, WordedItem } from '@parterre/shared/protocol/line-items';
import {
  type Coming,
  type ConsolePrincipal,
  countedLabels,
  type EditorPrincipal,
  turnOfLabels,
  unknownEvent,
} from '../../admission/admission.ts';
import { internalFault, Prepared, type Spelled, spell } from '../../answers/answers.ts';
import { untilDeadline } from '../../caches/caches.ts';
import { canonicalJson } from '../rules/canonical.ts';
import type { Ports } from './ports.ts';
import type { Call, EventCall } from './route.ts';

const CALL_ID_LENGTH = 16;

/** Asks the event's actor in the name of the calling key or session. */
export function ask<C extends Command>(
  call: EventCall<unknown>,
  command: C,
): Promise<Outcome<Worded<Answers[C['type']]>>> {
  return askAs(call, callerOf(call.principal), command);
}

/** Asks the event's actor in the name of `caller`. */
export function askAs<C extends Command>(
  { ports, event, request }: Pick<EventCall<unknown>, 'ports' | 'event' | 'request'>,
  caller: Caller,
  command: C,
): Promise<Outcome<Worded<Answers[C['type']]>>> {
  const asked = askActor(ports, event.event, caller, command, request.deadlineAt);
  return asked.then((answer) => unknownIfDeleted(answer as Outcome<Worded<Answers[C['type']]>>));
}

/** As `askAs`, for one of several events. The items of its answer have their words, which the type does not tell. */
export async function askActor<C extends Command>(
  { shards, words }: Pick<Ports, 'shards' | 'words'>,
  event: EventRecord,
  caller: Caller,
  command: C,
  deadlineAt: number,
): Promise<Outcome<Answers[C['type']]>> {
  const answer = await shards.submit(event, inLocaleOf(event, caller), command, deadlineAt);
  const items = itemsIn(answer);
  if (items !== null) await new Promise<void>((resolve) => words.add(event, items, resolve));
  return answer;
}

/** Refusals name places in the event's locale. */
function inLocaleOf({ locale }: EventRecord, caller: Caller): Caller {
  return locale ? { ...caller, locale } : caller;
}

const noItems = spell<WordedItem[]>([]);

/** The line items of an answer, or of a refusal that tells the prices of now. */
function itemsIn(answer: Outcome<unknown>): LineItem[] | null {
  const told = answer.ok ? answer.value : answer.refusal.details;
  if (told === null || typeof told !== 'object') return null;
  if ('items' in told) return told.items as LineItem[];
  if ('alternatives' in told) return (told.alternatives as { items: LineItem[] }[]).flatMap(({ items }) => items);
  const part = 'part' in told ? (told.part as { items?: LineItem[] } | null) : null;
  return part?.items ?? null;
}

/**
 * An answer that comes later, to one listener, without a promise. A promise costs an object for each step that passes
 * it on, and a turn of the microtask queue for each. The commands of a sale use this; everything else uses promises.
 *
 * States: open → answered (the value waits for its listener) or heard (the listener waits for the value) → over. The
 * listener is called within `answer` or `hear`, so an exception of the listener reaches the caller of these.
 */
class Later<T> implements Coming<T> {
  #value: T | undefined = undefined;
  #isAnswered = false;
  #listener: ((value: T) => void) | null = null;

  /** Call this once. */
  answer(value: T): void {
    if (this.#listener) this.#listener(value);
    else {
      this.#value = value;
      this.#isAnswered = true;
    }
  }

  /** Call this once. */
  hear(listener: (value: T) => void): void {
    if (this.#isAnswered) listener(this.#value as T);
    else this.#listener = listener;
  }
}

/**
 * As `askAs`, without a promise: a sale has these calls. `tell` makes the body of a success from the answer and from
 * the JSON of its items, which have no words themselves.
 */
export function askLater<C extends Command, Body>(
  { ports, event, request }: Pick<EventCall<unknown>, 'ports' | 'event' | 'request'>,
  caller: Caller,
  command: C,
  tell: (value: Answers[C['type']], items: Spelled<WordedItem[], string>) => Body,
): Coming<Outcome<Body>> {
  const later = new Later<Outcome<Body>>();
  const { event: record } = event;
  ports.shards.send(record, inLocaleOf(record, caller), command, request.deadlineAt, (answer) => {
    const items = itemsIn(answer);
    if (items === null) later.answer(answer.ok ? bodyIfTold(answer.value, noItems) : unknownIfDeleted(answer));
    else if (answer.ok) ports.words.spell(record, items, (json) => later.answer(bodyIfTold(answer.value, json)));
    else ports.words.add(record, items, () => later.answer(answer));
  });
  return later;

  /** The answers of other requests are on their way in the same call, so no exception leaves. */
  function bodyIfTold(value: Answers[C['type']], items: Spelled<WordedItem[], string>): Outcome<Body> {
    try {
      return done(tell(value, items));
    } catch (error) {
      ports.onFault(error, request.requestId);
      return internalFault;
    }
  }
}

/** A deleted event counts as unknown, even before a cache has heard of the deletion. */
function unknownIfDeleted<T extends Outcome<unknown>>(answer: T): T | typeof unknownEvent {
  return !answer.ok && answer.refusal.details?.status === 'deleted' ? unknownEvent : answer;
}

/**
 * Runs `attempt` with the plan's hash of the event's current chart, and with the id of this chart where the event has
 * moved to another chart than that of its creation. If the event moves to another chart meanwhile (refused with reason
 * `chart_changed`), runs `attempt` again, a few times.
 */
export async function askOnChart<T>(
  call: EventCall<unknown>,
  attempt: (planHash: string, chartId: string | undefined) => Promise<Outcome<T>>,
): Promise<Outcome<T>> {
  for (let tries = 1; ; tries++) {
    const counted = await ask(call, { type: 'count' });
    if (!counted.ok) return counted;
    const outcome = await attempt(counted.value.planHash, counted.value.chartId);
    if (outcome.ok || outcome.refusal.reason !== 'chart_changed' || tries === chartAdjustTriesMax) return outcome;
  }
}

/** Waits for work that the call shares with others, until the call's deadline. */
export function inTime<T>(
  { ports, request }: Pick<Call<'none'>, 'ports' | 'request'>,
  work: Outcome<T> | Promise<Outcome<T>>,
): Outcome<T> | Promise<Outcome<T>> {
  return untilDeadline(ports.clock, request.deadlineAt, work);
}

/** The plan that the event's actor named. If the catalog cannot give the plan, the refusal is retryable. */
export async function planOf(call: EventCall<unknown>, hash: string): Promise<Outcome<Plan>> {
  const { ports, request } = call;
  try {
    return await inTime(call, ports.plans(hash).then(done));
  } catch (error) {
    ports.onFault(error, request.requestId);
    return refuse('catalog_unavailable', 'The chart cannot be read at present. Try again.', { retryable: true });
  }
}

export function callerOf(principal: ConsolePrincipal | EditorPrincipal): Caller {
  switch (principal.kind) {
    case 'dashboard':
      return { source: 'operator', actor: principal.userId, accessSource: 'public' };
    case 'manage':
    case 'designer':
      return { source: 'operator', actor: principal.sessionId, accessSource: 'public' };
    case 'secret':
      return { source: 'server', actor: principal.keyId, accessSource: 'public' };
  }
}

/** The part of a sale's body that sets its reach. */
export type Access = {
  channelIds?: string[];
  ignoreChannelRestrictions?: boolean;
  reason?: string | null;
  buyerRef?: string;
};

/**
 * Asks the actor for a sale with the channels that the body names. With `ignoreChannelRestrictions` and a reason the
 * sale goes past all channels.
 */
export function askWithAccess<C extends Command>(
  call: EventCall<Access>,
  command: C,
): Promise<Outcome<Worded<Answers[C['type']]>>> {
  return askAs(call, callerWithAccess(call), command);
}

/** The calling key or session, with the channels that the body names. */
export function callerWithAccess(call: EventCall<Access>): Caller {
  return withAccess(callerOf(call.principal), call.body);
}

export function withAccess(
  asked: Caller,
  { channelIds = [], ignoreChannelRestrictions, reason, buyerRef }: Access,
): Caller {
  const named = buyerRef === undefined ? asked : { ...asked, buyerRef };
  const caller = reason == null ? named : { ...named, reason };
  const reach = channelIds.length === 0 ? {} : { reach: { channelIds, includePublic: true } };
  if (ignoreChannelRestrictions && reason != null) {
    return { ...caller, ...reach, accessSource: 'staff_override', override: { reason } };
  }
  return channelIds.length === 0 ? caller : { ...caller, ...reach, accessSource: 'promoter' };
}

export function selectionsOf(body: { labels?: string[]; selections?: Selection[] }): Selection[] {
  const { selections, labels = [] } = body;
  if (selections) return selections;
  if (labels.length === 1) return [{ label: labels[0]! }];
  const times = new Map<string, number>();
  for (const label of labels) times.set(label, (times.get(label) ?? 0) + 1);
  return Array.from(times, ([label, n]) => (n === 1 ? { label } : { label, times: n }));
}

/** The places that a body names: as many as its labels, or as the quantities of its selections. */
export function labelsIn({
  labels,
  selections,
}: {
  labels?: readonly string[];
  selections?: readonly Selection[];
}): number {
  if (labels !== undefined) return labels.length;
  let places = 0;
  if (selections !== undefined) for (const { quantity = 1 } of selections) places += quantity;
  return places;
}

/** Carries out work on units that the body does not name, as a call that names so many labels. */
export async function asBulkCall<T>(
  { ports, request, principal }: EventCall<unknown>,
  labels: number,
  work: () => Promise<Outcome<T>>,
): Promise<Outcome<T | Prepared<never>>> {
  const counted = countedLabels(labels, principal);
  if (counted === 0) return work();
  const turn = await turnOfLabels(ports, request, principal, counted);
  if ('status' in turn) return done(new Prepared<never>(turn.status, turn.headers, turn.body));
  return turn.ok ? work().finally(turn.value.release) : turn;
}

/**
 * An Idempotency-Key names the hold, so that a repetition finds the first hold and its answer in the actor's own state
 * (I5). A hold id acts like a secret, so only the deployment can make it from the key.
 */
export function holdName(call: EventCall<unknown>): { holdId: string; fingerprint?: string } {
  const named = nameOf(call, 'hld');
  return named ? { holdId: named.id, fingerprint: named.fingerprint } : { holdId: newId('hld') };
}

/** An Idempotency-Key also names a call that the actor remembers by its name. */
export function callName(call: EventCall<unknown>): { callId: string; fingerprint?: string } {
  const named = nameOf(call, 'call');
  return named ? { callId: named.id, fingerprint: named.fingerprint } : { callId: newCallId() };
}

/**
 * The name of a call whose answer the actor keeps for a day, if it comes with an Idempotency-Key. One key may come with
 * calls of several kinds. `holdId`: the hold of a buyer, whose key may be another buyer's too.
 */
export function keyedCall(
  { ports, request, event, body }: Pick<EventCall<unknown>, 'ports' | 'request' | 'event' | 'body'>,
  type: CommandType,
  holdId = '',
): { callId: string; fingerprint?: string } {
  const { idempotencyKey } = request;
  if (idempotencyKey === '') return { callId: newCallId() };
  const { organisationId, mode, key } = event.event;
  const names = [organisationId, mode, key, type, holdId, idempotencyKey] as const;
  return { callId: keyedId('call', ports.holdIdKey, ...names), fingerprint: sha256(canonicalJson(body)) };
}

function nameOf(
  { ports, request, event, body }: EventCall<unknown>,
  prefix: IdPrefix,
): { id: string; fingerprint: string } | null {
  const { idempotencyKey } = request;
  if (idempotencyKey === '') return null;
  const { organisationId, mode, key } = event.event;
  const id = keyedId(prefix, ports.holdIdKey, organisationId, mode, key, idempotencyKey);
  return { id, fingerprint: sha256(canonicalJson(body)) };
}

/** A new name for one call. If the front door repeats the command, the name stays the same. */
export function newCallId(): string {
  return randomText(CALL_ID_LENGTH);
}
