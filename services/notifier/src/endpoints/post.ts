/**
 * Sends one webhook: an HTTPS POST with one deadline for name, connection and answer together. Redirects are not
 * followed, nothing is decoded, and at most 2 KiB of the answer are read.
 *
 *   dialling or sending → waiting → (status) → reading → over
 *
 * - A receiver's status is its answer. A body that breaks off, is slow or never ends changes nothing. The post waits
 *   for the body at most `responseBodyMs`.
 * - A kept connection that ends before any answer may have been closed by its receiver at the moment of its use. The
 *   post is then sent once more, over a new connection, within the same deadline.
 * - A post without a whole answer drops its connection, in any state, and no other connection.
 */
import type { IncomingHttpHeaders } from 'node:http';
import {
  interimAnswersMax,
  postTimeoutMs,
  responseBodyBytesMax,
  responseBodyMs,
  responseDrainBytesMax,
  subscriptionCacheEntries,
} from '@parterre/shared/protocol/webhook-limits';
import type { Clock } from '@parterre/shared/runtime/clock';
import type { Dispatcher } from 'undici';
import { type Connection, type Connections, createConnections } from './connections.ts';
import { createDial } from './dial.ts';
import { createResolve, type Resolve } from './resolve.ts';
import { explain, isClosed } from './rules/post-errors.ts';
import type { PostResult } from './rules/post-result.ts';

/** Never throws: every failure on the way to a receiver is a result. */
export type Post = (
  url: string,
  headers: Record<string, string>,
  body: string,
  timeoutMs?: number,
) => Promise<PostResult>;

export type PosterSettings = {
  clock: Clock;
  /** Lets through loopback addresses and plain http. */
  loopbackOpen: boolean;
  resolve?: Resolve;
  /** Trusted certificate authorities instead of Node's. */
  ca?: string;
};

export type Poster = {
  post: Post;
  /** Drops every connection; posts under way fail. */
  close(): void;
};

type Target = { protocol: string; origin: string; path: string };

export function createPoster(settings: PosterSettings): Poster {
  const { clock, loopbackOpen, resolve = createResolve(clock, null) } = settings;
  const targets = new Map<string, Target>();
  const connections = createConnections(createDial({ ...settings, resolve }));

  function post(
    url: string,
    headers: Record<string, string>,
    body: string,
    timeoutMs = postTimeoutMs,
  ): Promise<PostResult> {
    const target = targetOf(url);
    if (target === null) return failed('the URL is not a web address');
    const { protocol } = target;
    if (protocol !== 'https:' && !(loopbackOpen && protocol === 'http:'))
      return failed('the URL is not an https address');
    return new Promise((settle) => {
      const exchange = new Exchange(connections, target, { headers, body }, settle);
      exchange.start(clock, timeoutMs);
    });
  }

  /** A URL is parsed once for all its posts. Past the bound the oldest goes. */
  function targetOf(url: string): Target | null {
    const known = targets.get(url);
    if (known) return known;
    if (!URL.canParse(url)) return null;
    const { protocol, origin, pathname, search } = new URL(url);
    const target = { protocol, origin, path: pathname + search };
    targets.set(url, target);
    if (targets.size > subscriptionCacheEntries) targets.delete(targets.keys().next().value!);
    return target;
  }

  return { post, close: () => connections.close() };
}

function failed(error: string): Promise<PostResult> {
  return Promise.resolve({ kind: 'failed', error });
}

/** One post; undici calls its handlers. It is a class for speed, since there is one for every attempt. */
class Exchange implements Dispatcher.DispatchHandler {
  readonly #connections: Connections;
  readonly #origin: string;
  readonly #options: Dispatcher.DispatchOptions;
  readonly #settle: (result: PostResult) => void;
  #connection: Connection | null = null;
  #clock: Clock | null = null;
  #cancelDeadline = () => {};
  #cancelReading = () => {};
  #isOver = false;
  #isResent = false;
  #interim = 0;
  /** 0 before the status arrives. */
  #status = 0;
  #retryAfter: string | null = null;
  #isReadable = true;
  #parts: Buffer[] = [];
  #bytes = 0;

  constructor(
    connections: Connections,
    target: Target,
    message: { headers: Record<string, string>; body: string },
    settle: (result: PostResult) => void,
  ) {
    this.#connections = connections;
    this.#origin = target.origin;
    this.#settle = settle;
    this.#options = {
      path: target.path,
      method: 'POST',
      headers: { ...message.headers, 'content-type': 'application/json', 'user-agent': 'Parterre-Webhooks/1' },
      body: message.body,
    };
  }

  start(clock: Clock, timeoutMs: number): void {
    this.#clock = clock;
    this.#cancelDeadline = clock.after(timeoutMs, () => this.#giveUp(`no answer within ${timeoutMs / 1000} s`));
    this.#send();
  }

  #send(): void {
    this.#connection = this.#connections.take(this.#origin, this.#isResent);
    this.#connection.dispatch(this.#options, this);
  }

  onRequestStart(): void {}

  onResponseStart(_: Dispatcher.DispatchController, status: number, headers: IncomingHttpHeaders): void {
    if (this.#isOver) return;
    if (status < 200) {
      this.#interim += 1;
      if (this.#interim > interimAnswersMax) this.#giveUp('too many 1xx answers');
      return;
    }
    this.#status = status;
    const retryAfter = headers['retry-after'];
    this.#retryAfter = typeof retryAfter === 'string' ? retryAfter : null;
    this.#isReadable = (headers['content-encoding'] ?? 'identity') === 'identity';
    this.#cancelReading = this.#clock!.after(responseBodyMs, () => this.#giveUp());
  }

  onResponseData(_: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.#isOver) return;
    if (this.#bytes < responseBodyBytesMax) this.#parts.push(chunk);
    this.#bytes += chunk.length;
    if (this.#bytes > responseDrainBytesMax) this.#giveUp();
  }

  onResponseEnd(): void {
    if (this.#isOver) return;
    this.#connection!.giveBack();
    this.#end(this.#answer(true));
  }

  onResponseError(_: Dispatcher.DispatchController, error: Error): void {
    if (this.#isOver) return;
    const isWorthResending = this.#status === 0 && this.#connection!.isKept && !this.#isResent && isClosed(error);
    if (isWorthResending) {
      this.#connection!.drop();
      this.#isResent = true;
      this.#send();
    } else {
      this.#giveUp(explain(error));
    }
  }

  /** Ends the post now. `why` is the result where no status has arrived. */
  #giveUp(why = ''): void {
    this.#end(this.#status === 0 ? { kind: 'failed', error: why } : this.#answer(false));
    this.#connection!.drop();
  }

  #end(result: PostResult): void {
    this.#isOver = true;
    this.#cancelDeadline();
    this.#cancelReading();
    this.#settle(result);
  }

  #answer(isWhole: boolean): PostResult {
    const isCut = !isWhole || this.#bytes > responseBodyBytesMax;
    const responseBody = this.#isReadable && this.#bytes > 0 ? startOf(this.#parts, isCut) : '';
    return { kind: 'answered', status: this.#status, retryAfter: this.#retryAfter, responseBody };
  }
}

/** The start of an answer's body as text. Where the body is cut, an incomplete last character is left out. */
function startOf(parts: Buffer[], isCut: boolean): string {
  const all = parts.length === 1 ? parts[0]! : Buffer.concat(parts);
  if (!isCut) return all.toString('utf8');
  return new TextDecoder().decode(all.subarray(0, responseBodyBytesMax), { stream: true });
}
