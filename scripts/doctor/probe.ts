/**
 * Questions through the public address, which show what the proxies in front do with a request.
 *
 * Failure at each await: the address does not answer `/health/ready` → nothing else is asked; a later question without
 * an answer within `answerMs` → null, which counts as unknown.
 */
import { request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import type { ProbeFact } from './rules/findings.ts';

const answerMs = 5_000;
/** Of the largest chart documents. */
const bodyBytes = 16_000_000;
/** Of a range for documents, in which nobody has an address. */
const forgedAddress = '203.0.113.77';

type Answer = { status: number; headers: Record<string, string | string[] | undefined>; body: string };

export async function probe(url: string, rootToken: string | null, isDirect: boolean): Promise<ProbeFact> {
  const fact: ProbeFact = { url, isDirect, problem: null, ready: null, caller: null, upgrade: null, largeBody: null };
  try {
    const answer = await ask(`${url}/health/ready`, 'GET', {});
    const told = jsonOf(answer) as { checks?: Record<string, string>; haltedEvents?: number } | null;
    if (told?.checks === undefined) return { ...fact, problem: `it answers ${answer.status}, and is no front door` };
    fact.ready = { status: answer.status, checks: told.checks, haltedEvents: told.haltedEvents ?? 0 };
  } catch (error) {
    return { ...fact, problem: wordsOf(error) };
  }
  const [caller, upgrade, largeBody] = await Promise.all([
    rootToken === null ? null : askCaller(url, rootToken).catch(() => null),
    askUpgrade(url).catch(() => null),
    askLargeBody(url).catch(() => null),
  ]);
  return { ...fact, caller, upgrade, largeBody };
}

async function askCaller(url: string, rootToken: string): Promise<ProbeFact['caller']> {
  const requestId = `doctor-${process.pid}`;
  const answer = await ask(`${url}/v1/admin/caller`, 'GET', {
    Authorization: `Bearer ${rootToken}`,
    'X-Forwarded-For': forgedAddress,
    'X-Request-Id': requestId,
  });
  const told = jsonOf(answer) as { address?: string; seen?: string; publicUrl?: string } | null;
  if (answer.status !== 200 || told?.address === undefined) return null;
  const { address, seen = '', publicUrl = '' } = told;
  const keepsRequestId = answer.headers['x-request-id'] === requestId;
  return { address, seen, publicUrl, isForged: address === forgedAddress, keepsRequestId };
}

/**
 * A request for a socket with a body: a front door that sees an Upgrade refuses it with `invalid_framing`, and knows no
 * such address where a proxy has taken the Upgrade away. So no credential is needed, and no socket opens.
 */
async function askUpgrade(url: string): Promise<ProbeFact['upgrade']> {
  const headers = {
    Connection: 'Upgrade',
    Upgrade: 'websocket',
    'Sec-WebSocket-Version': '13',
    'Sec-WebSocket-Key': Buffer.from('parterre doctor!').toString('base64'),
    'Content-Length': '1',
  };
  const answer = await ask(`${url}/pub/events/doctor/subscribe`, 'GET', headers, 'x');
  return (jsonOf(answer) as { code?: string } | null)?.code === 'invalid_framing' ? 'passes' : 'stripped';
}

/** Declares a large body and sends none of it: what refuses the size does so by the head. */
async function askLargeBody(url: string): Promise<ProbeFact['largeBody']> {
  const headers = { 'Content-Type': 'application/json', 'Content-Length': String(bodyBytes) };
  const answer = await ask(`${url}/v1/charts`, 'POST', headers, null).catch(() => null);
  // A proxy that waits for the body has let its size in. The front door answers at the head: no key is given.
  if (answer === null) return { bytes: bodyBytes, refusedWith: null };
  const isOurs = typeof (jsonOf(answer) as { code?: string } | null)?.code === 'string';
  return { bytes: bodyBytes, refusedWith: isOurs ? null : answer.status };
}

function ask(url: string, method: string, headers: Record<string, string>, body: string | null = ''): Promise<Answer> {
  const request = (url.startsWith('https:') ? requestHttps : requestHttp)(url, {
    method,
    headers,
    // Another check tells of its certificate.
    rejectUnauthorized: false,
    timeout: answerMs,
    agent: false,
  });
  return new Promise((resolve, reject) => {
    const end = (answer: Answer): void => {
      resolve(answer);
      request.destroy();
    };
    request.once('timeout', () => request.destroy(new Error('no answer in time')));
    request.once('error', reject);
    request.once('upgrade', ({ statusCode = 0, headers: got }) => end({ status: statusCode, headers: got, body: '' }));
    request.once('response', (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.once('error', reject);
      response.once('end', () => {
        end({ status: response.statusCode ?? 0, headers: response.headers, body: Buffer.concat(chunks).toString() });
      });
    });
    // Null: the body never comes.
    if (body === null) request.flushHeaders();
    else request.end(body);
  });
}

function jsonOf({ body }: Answer): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return null;
  }
}

const wordsOf = (error: unknown): string => {
  const { code, message } = error as { code?: string; message?: string };
  return code ?? message ?? String(error);
};
