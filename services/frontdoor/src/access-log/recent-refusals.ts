/**
 * The latest refusals of this front door, in memory. A full ring overwrites its oldest entry. A search reads the whole
 * ring: `npx parterre why` asks seldom.
 *
 * The ring has a column for each field. A hundred thousand kept objects would cost a storm of refusals more in the
 * garbage collector than all the rest of the log.
 */
import { type RefusedRequest, refusalsKeptMax } from '@parterre/shared/protocol/refused-requests';

/** A caller that sends one id with every request gets the latest refusals only. */
const foundMax = 20;
const columnNames = [
  'requestId',
  'method',
  'route',
  'code',
  'reason',
  'message',
  'organisation',
  'caller',
  'event',
  'budget',
] as const;
/** No label has a line end. */
const betweenLabels = '\n';

type Column<Name extends keyof RefusedRequest> = RefusedRequest[Name][];

export class RecentRefusals {
  readonly #texts: { [Name in (typeof columnNames)[number]]: Column<Name> };
  readonly #labels: (string | undefined)[] = [];
  readonly #at: Float64Array;
  /** NaN where the time is unknown. */
  readonly #ms: Float32Array;
  /** Negative where the caller left before the answer. */
  readonly #status: Int16Array;
  readonly #max: number;
  readonly #startedAt: number;
  #size = 0;
  #next = 0;

  /** `startedAt` in epoch milliseconds: the ring has all refusals since, until it is full. */
  constructor(startedAt: number, max = refusalsKeptMax) {
    this.#startedAt = startedAt;
    this.#max = max;
    this.#texts = {
      requestId: [],
      method: [],
      route: [],
      code: [],
      reason: [],
      message: [],
      organisation: [],
      caller: [],
      event: [],
      budget: [],
    };
    this.#at = new Float64Array(max);
    this.#ms = new Float32Array(max);
    this.#status = new Int16Array(max);
  }

  add(refusal: RefusedRequest): void {
    const at = this.#next;
    const texts = this.#texts;
    texts.requestId[at] = refusal.requestId;
    texts.method[at] = refusal.method;
    texts.route[at] = refusal.route;
    texts.code[at] = refusal.code;
    texts.reason[at] = refusal.reason;
    texts.message[at] = refusal.message;
    texts.organisation[at] = refusal.organisation;
    texts.caller[at] = refusal.caller;
    texts.event[at] = refusal.event;
    texts.budget[at] = refusal.budget;
    this.#labels[at] = refusal.labels?.join(betweenLabels);
    this.#at[at] = refusal.at;
    this.#ms[at] = refusal.ms ?? Number.NaN;
    this.#status[at] = refusal.callerLeft ? -refusal.status : refusal.status;
    this.#next = (at + 1) % this.#max;
    if (this.#size < this.#max) this.#size++;
  }

  /** The ring has every refusal since this time (epoch ms). */
  get since(): number {
    return this.#size < this.#max ? this.#startedAt : this.#at[this.#next]!;
  }

  /** The refusals of this request id, the oldest first. */
  find(requestId: string): RefusedRequest[] {
    const found: RefusedRequest[] = [];
    const { requestId: ids } = this.#texts;
    for (let at = 0; at < this.#size; at++) if (ids[at] === requestId) found.push(this.#entry(at));
    return found.sort((a, b) => a.at - b.at).slice(-foundMax);
  }

  #entry(at: number): RefusedRequest {
    const texts = Object.fromEntries(columnNames.map((name) => [name, this.#texts[name][at]]));
    const ms = this.#ms[at]!;
    const status = this.#status[at]!;
    return {
      ...(texts as Pick<RefusedRequest, (typeof columnNames)[number]>),
      at: this.#at[at]!,
      status: Math.abs(status),
      labels: this.#labels[at]?.split(betweenLabels),
      ms: Number.isNaN(ms) ? undefined : ms,
      callerLeft: status < 0 || undefined,
    };
  }
}
