/**
 * The access log. Every refusal (a status from 400 on) is remembered for `npx parterre why` (recent-refusals.ts), and
 * logged. One success of so many is logged. Neither has a secret, a body, an address or data of a person.
 *
 * A storm of refusals must not fill the disk. Of one code at most `refusalLinesMax` lines a second are logged, and
 * failed logins have lines of their own. The other refusals are counted, and one line a second tells their numbers by
 * code. All of them are remembered.
 *
 * The window of a code's lines begins with its first refusal after the last window: states of a window are open →
 * (a second later) told. `note` runs within the answer of a request, so it never throws and never waits.
 */
import { hostname } from 'node:os';
import type { Refusal } from '@parterre/shared/protocol/errors';
import type { RefusalsFound, RefusedRequest } from '@parterre/shared/protocol/refused-requests';
import type { Clock } from '@parterre/shared/runtime/clock';
import type { Logger } from '@parterre/shared/runtime/log';
import { SECOND_MS } from '@parterre/shared/runtime/units';
import type { Asker, Request, Row } from '../admission/admission.ts';
import type { RefusalTallies } from '../control-room/control-room.ts';
import { RecentRefusals } from './recent-refusals.ts';

/** A request as the access log sees it. */
export type AccessedRequest = {
  readonly requestId: string;
  readonly method: string;
  /** Null for a request that ended before it had a route. */
  readonly route: Pick<Row, 'path' | 'credential'> | null;
  readonly request: Pick<Request, 'params' | 'asker'> | null;
  /** In `Clock.elapsed`; 0 without a route. */
  readonly startedAt: number;
};

type AnswerGiven = { readonly status: number; readonly refusal?: Refusal };

export type AccessLogSettings = {
  /** One success of so many is logged; 0 logs none. */
  sampleEvery: number;
  /** The lines a second for the refusals of one code. */
  refusalLinesMax: number;
};

const labelsMax = 10;
const messageLengthMax = 300;
/** A caller may send any text in the place of a key. */
const eventKeyLengthMax = 80;
/** Messages of these refusals may quote the request. */
const quoting = new Set([400, 404, 413, 415, 422]);

export class AccessLog {
  readonly process = `${hostname()}/${process.pid}`;
  readonly #log: Logger;
  readonly #clock: Clock;
  readonly #settings: AccessLogSettings;
  readonly #recent: RecentRefusals;
  readonly #tallies: Pick<RefusalTallies, 'note'> | null;
  /** The lines of this window by code, and the refusals without a line. */
  readonly #lines = new Map<string, number>();
  readonly #dropped = new Map<string, number>();
  #windowUntil = 0;
  #untilSample: number;

  /** `tallies` counts the refusals of each event for its control room. */
  constructor(
    log: Logger,
    clock: Clock,
    settings: AccessLogSettings,
    tallies: Pick<RefusalTallies, 'note'> | null = null,
  ) {
    this.#log = log;
    this.#clock = clock;
    this.#settings = settings;
    this.#tallies = tallies;
    this.#recent = new RecentRefusals(clock.now());
    this.#untilSample = settings.sampleEvery;
  }

  /** Notes the answer of a request. A success costs a counter and a compare. */
  note(request: AccessedRequest, answer: AnswerGiven, callerLeft = false): void {
    if (answer.status >= 400) this.#refused(request, answer, callerLeft);
    else if (--this.#untilSample === 0) this.#sampled(request, answer.status);
  }

  #sampled(request: AccessedRequest, status: number): void {
    const { sampleEvery } = this.#settings;
    this.#untilSample = sampleEvery;
    const { requestId, method, route } = request;
    const facts = { requestId, method, route: route?.path, status, ...this.#whoAndWhen(request) };
    this.#log.info({ ...facts, sampledOf: sampleEvery, process: this.process }, 'request answered');
  }

  #whoAndWhen(request: AccessedRequest) {
    const asker = request.request?.asker ?? null;
    return {
      organisation: organisationOf(asker),
      caller: callerOf(asker),
      event: eventOf(request),
      ms: this.#msOf(request),
    };
  }

  #refused(request: AccessedRequest, { status, refusal }: AnswerGiven, callerLeft: boolean): void {
    const refused = this.#refusedRequest(request, status, refusal, callerLeft);
    this.#recent.add(refused);
    this.#tallies?.note(refused);
    // Somebody who guesses passwords must not hide behind the refusals of others.
    const kind = request.route?.credential === 'none' ? `${refused.code} without a credential` : refused.code;
    if (!this.#takesLine(kind)) return;
    const { message, at: _at, ...facts } = refused;
    const line = { ...facts, ...(!quoting.has(status) && { message }), process: this.process };
    if (status >= 500) this.#log.warn(line, 'request refused');
    else this.#log.info(line, 'request refused');
  }

  /** One literal, since V8 takes almost a microsecond for each field after a spread. */
  #refusedRequest(
    request: AccessedRequest,
    status: number,
    refusal: Refusal | undefined,
    callerLeft: boolean,
  ): RefusedRequest {
    const details = refusal?.details;
    const asker = request.request?.asker ?? null;
    return {
      at: this.#clock.now(),
      requestId: request.requestId,
      method: request.method,
      route: request.route?.path ?? null,
      status,
      code: refusal?.code ?? `status ${status}`,
      reason: refusal?.reason,
      message: refusal?.message.slice(0, messageLengthMax) ?? '',
      organisation: organisationOf(asker),
      caller: callerOf(asker),
      event: eventOf(request),
      labels: details && labelsIn(details),
      budget: typeof details?.budget === 'string' ? details.budget : undefined,
      ms: this.#msOf(request),
      callerLeft: callerLeft || undefined,
    };
  }

  #msOf({ startedAt }: AccessedRequest): number | undefined {
    return startedAt > 0 ? Math.round(this.#clock.elapsed() - startedAt) : undefined;
  }

  /** Whether a refusal of this kind gets a line of its own in this second. */
  #takesLine(kind: string): boolean {
    const now = this.#clock.elapsed();
    if (now >= this.#windowUntil) {
      this.#windowUntil = now + SECOND_MS;
      this.#lines.clear();
    }
    const lines = this.#lines.get(kind) ?? 0;
    if (lines < this.#settings.refusalLinesMax) {
      this.#lines.set(kind, lines + 1);
      return true;
    }
    if (this.#dropped.size === 0) this.#clock.after(SECOND_MS, () => this.#tellDropped());
    this.#dropped.set(kind, (this.#dropped.get(kind) ?? 0) + 1);
    return false;
  }

  #tellDropped(): void {
    const dropped = Object.fromEntries(this.#dropped);
    this.#dropped.clear();
    this.#log.info({ dropped, process: this.process }, 'more requests were refused than the log has lines for');
  }

  /** The answer to `npx parterre why`. */
  find(requestId: string): RefusalsFound {
    return { process: this.process, since: this.#recent.since, refusals: this.#recent.find(requestId) };
  }
}

function organisationOf(asker: Asker): string | undefined {
  return asker === null || asker === true ? undefined : asker.organisationId;
}

function callerOf(asker: Asker): string | undefined {
  if (asker === null) return undefined;
  if (asker === true) return 'operator';
  return 'keyId' in asker ? asker.keyId : asker.kind;
}

function eventOf({ route, request }: AccessedRequest): string | undefined {
  const path = route?.path ?? '';
  const namesEvent = path.startsWith('/v1/events/{') || path.startsWith('/pub/events/{');
  return namesEvent ? request?.params[0]?.slice(0, eventKeyLengthMax) : undefined;
}

function labelsIn({ labels, conflicts }: Record<string, unknown>): string[] | undefined {
  const named = Array.isArray(labels) ? labels : Array.isArray(conflicts) ? conflicts : [];
  return named.length > 0 ? named.slice(0, labelsMax).map(labelOf) : undefined;
}

function labelOf(named: string | { label?: string }): string {
  return typeof named === 'string' ? named : String(named.label);
}
