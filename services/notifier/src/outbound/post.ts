/**
 * Sends one webhook: HTTPS POST, 15 s for all of it, redirects not followed, at most 2 KiB of the answer read. The
 * address is checked when it is dialled, on the very addresses that DNS gave for this connection, so that a name
 * cannot pass the check and then point inside; a literal address is checked too, as no lookup is made for it.
 */
import { type LookupAddress, lookup as systemLookup } from 'node:dns';
import type { LookupFunction } from 'node:net';
import type { Clock } from '@parterre/shared/clock';
import { postsPerEndpointMax, postTimeoutMs, responseBodyBytesMax } from '@parterre/shared/limits';
import { Agent, buildConnector, request } from 'undici';
import type { Post } from '../deliver.ts';
import { isRefusedAddress } from '../rules/addresses.ts';
import type { PostResult } from '../rules/schedule.ts';

const KEEP_ALIVE_MS = 10_000;

export type Resolve = (
  hostname: string,
  options: { all: true; verbatim: true },
  done: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
) => void;

export type PosterSettings = {
  clock: Clock;
  /** Lets through loopback addresses and plain http. */
  loopbackOpen: boolean;
  resolve?: Resolve;
};

export function createPoster(settings: PosterSettings): { post: Post; close(): Promise<void> } {
  const { clock, loopbackOpen } = settings;
  const agent = new Agent({
    connect: createConnect(loopbackOpen, settings.resolve ?? systemLookup),
    connections: postsPerEndpointMax,
    keepAliveTimeout: KEEP_ALIVE_MS,
    pipelining: 1,
  });

  async function post(url: string, headers: Record<string, string>, body: string): Promise<PostResult> {
    if (!loopbackOpen && !url.startsWith('https:')) return { kind: 'failed', error: 'not an https address' };
    const abort = new AbortController();
    const cancelTimer = clock.after(postTimeoutMs, () => abort.abort());
    try {
      return await exchange(url, headers, body, abort.signal);
    } catch (error) {
      const why = abort.signal.aborted ? `no answer within ${postTimeoutMs / 1000} s` : causeOf(error);
      return { kind: 'failed', error: why };
    } finally {
      cancelTimer();
    }
  }

  async function exchange(
    url: string,
    headers: Record<string, string>,
    body: string,
    signal: AbortSignal,
  ): Promise<PostResult> {
    const answer = await request(url, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json', 'user-agent': 'Parterre-Webhooks/1' },
      body,
      signal,
      dispatcher: agent,
      headersTimeout: postTimeoutMs,
      bodyTimeout: postTimeoutMs,
    });
    const retryAfter = answer.headers['retry-after'];
    return {
      kind: 'answered',
      status: answer.statusCode,
      retryAfter: typeof retryAfter === 'string' ? retryAfter : null,
      responseBody: await readStart(answer.body),
    };
  }

  return { post, close: () => agent.destroy() };
}

/** The start of an answer's body. The status has been received, so a body that breaks off or drags on changes nothing. */
async function readStart(body: AsyncIterable<Buffer> & { on(event: 'error', listener: () => void): unknown }) {
  // Leaving the loop early destroys the stream, which reports that as an error to whoever listens.
  body.on('error', () => {});
  const parts: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const part of body) {
      parts.push(part);
      bytes += part.length;
      if (bytes >= responseBodyBytesMax) break;
    }
  } catch {
    return startOf(parts);
  }
  return startOf(parts);
}

function startOf(parts: Buffer[]): string {
  return Buffer.concat(parts).subarray(0, responseBodyBytesMax).toString('utf8');
}

function createConnect(loopbackOpen: boolean, resolve: Resolve): buildConnector.connector {
  const connect = buildConnector({ timeout: postTimeoutMs, lookup: createLookup(loopbackOpen, resolve) });
  return (options, callback) => {
    const host = options.hostname.replace(/^\[|\]$/g, '');
    const isLiteral = /^[\d.]+$/.test(host) || host.includes(':');
    if (isLiteral && isRefusedAddress(host, loopbackOpen)) return callback(refusal(host), null);
    connect(options, callback);
  };
}

/** A lookup that fails when any address of the name is refused, in both shapes that net.connect asks for. */
function createLookup(loopbackOpen: boolean, resolve: Resolve): LookupFunction {
  return (hostname, options, done) => {
    resolve(hostname, { all: true, verbatim: true }, (error, addresses) => {
      if (error) return done(error, '', 0);
      const refused = addresses.find(({ address }) => isRefusedAddress(address, loopbackOpen));
      if (refused || addresses.length === 0) return done(refusal(hostname), '', 0);
      if (options.all) return done(null, addresses);
      done(null, addresses[0]!.address, addresses[0]!.family);
    });
  };
}

function refusal(host: string): Error {
  return new Error(`${host} is not a public address`);
}

function causeOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.message || (error as NodeJS.ErrnoException).code || error.name;
}
