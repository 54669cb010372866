/**
 * The opening of a map: the calls of a page that has only a publishable key, one after the other on one connection.
 *
 * Failure: a refused call throws, with the call, the status and the code of the refusal.
 */
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { expectSuccess, fieldOf, getOf, pageHeaders, postOf } from './request.ts';

/**
 * `page`: bootstrap and availability, as the picker opens a map without files. `calls`: bootstrap, chart, objects and
 * availability. `files`: bootstrap with files=1, the public files and statuses that it names, and availability where
 * the bootstrap does not have it.
 */
export type Opening = 'page' | 'calls' | 'files';

/** The publishable key is registered for `origin`. */
export type MapPage = { event: string; publishableKey: string; origin: string; opening: Opening };

/** Bytes of all answers, heads included. */
export type OpenedMap = { token: string; calls: number; bytes: number };

/** Sends a request, and resolves with head and body as latin1. */
export type Ask = (request: string) => Promise<string>;

/** The answer of a bootstrap with files=1, as far as an opening needs it. */
export type BootstrapWithFiles = {
  token: string;
  files: { url: string; hash: string }[];
  statusesUrl: string;
  availability?: object;
};

/** A browser's. */
const accepts = 'Accept-Encoding: gzip, deflate, br\r\n';

export async function openMap(ask: Ask, { event, publishableKey, origin, opening }: MapPage): Promise<OpenedMap> {
  const at = `/pub/events/${event}`;
  let calls = 0;
  let bytes = 0;
  const call = async (request: string): Promise<string> => {
    const answer = await ask(request);
    calls += 1;
    bytes += answer.length;
    expectSuccess(request.split(' HTTP/', 1)[0]!, answer);
    return answer;
  };
  const query = opening === 'files' ? '?files=1' : '';
  const bootstrap = postOf(`${at}/bootstrap${query}`, `Origin: ${origin}\r\n${accepts}`, { publicKey: publishableKey });
  const opened = await call(bootstrap);
  const named = opening === 'files' ? jsonOf<BootstrapWithFiles>(opened) : null;
  // A large answer has the token uncompressed beside its compressed chart. So nothing is unpacked for it.
  const token = named?.token ?? fieldOf(opened, 'token');
  const asBuyer = pageHeaders(token, origin) + accepts;
  if (opening === 'calls') {
    await call(getOf(`${at}/chart`, asBuyer));
    await call(getOf(`${at}/objects?compact=1`, asBuyer));
  }
  if (named) {
    // Without a credential, so that any cache may answer.
    for (const { url } of named.files) await call(getOf(url, accepts));
    await call(getOf(named.statusesUrl, accepts));
  }
  if (named?.availability === undefined) await call(getOf(`${at}/availability`, asBuyer));
  return { token, calls, bytes };
}

/** The body of an answer that was received as latin1. */
export function jsonOf<Body>(answer: string): Body {
  const headEnd = answer.indexOf('\r\n\r\n');
  const body = Buffer.from(answer.slice(headEnd + 4), 'latin1');
  const encoding = /^content-encoding: *(\w+)/im.exec(answer.slice(0, headEnd))?.[1];
  const plain = encoding === 'br' ? brotliDecompressSync(body) : encoding === 'gzip' ? gunzipSync(body) : body;
  return JSON.parse(plain.toString('utf8')) as Body;
}
