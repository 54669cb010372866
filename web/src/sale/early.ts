/**
 * Answers that a page asks for before the picker's script has come: the session of an event, then the event's public
 * files and a ticket for its feed. A small script at the head of the page asks. The picker takes each answer once, in
 * place of its own call with the same credential.
 *
 * States of an answer: asked → there → taken, or forgotten at the age of EARLY_MS_MAX. The whole body is read at once,
 * so that an answer that waits for the script cannot be cut off. Failure at each await: the picker takes a call that
 * fails as a call without an answer, and nothing is asked after it.
 */
import { baseFile, type ChartFile } from '../rules/chart-files.ts';

type EarlyAnswer = {
  sentAt: number;
  /** By the clock of the browser; 0 until the answer is there. */
  arrivedAt: number;
  response: Promise<Response>;
};

/** A ticket for the feed lives for 30 s. The picker may take some seconds more until it uses the ticket. */
const EARLY_MS_MAX = 15_000;

/** The script of the page's head and the picker are two bundles: they meet here. */
const page = globalThis as { parterreEarly?: Map<string, EarlyAnswer> };

/** The address of an event's calls. */
export const eventAddress = (baseUrl: string, eventKey: string): string =>
  `${baseUrl.replace(/\/$/, '')}/pub/events/${encodeURIComponent(eventKey)}`;

/** `event` is the event's address. */
export async function openEarly(event: string, publicKey: string): Promise<void> {
  const body = JSON.stringify({ publicKey });
  try {
    // A plain-text request needs no preflight.
    const sent = { method: 'POST', headers: { 'Content-Type': 'text/plain' }, body };
    const answer = await ask(`${event}/bootstrap?files=1`, sent);
    const { token, files, statusesUrl }: { token: string; files?: ChartFile[]; statusesUrl: string } = await answer
      .clone()
      .json();
    const file = baseFile(files ?? []);
    if (file === null) return;
    const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' };
    const publicly = { credentials: 'omit' } as const;
    await Promise.all([
      ask(new URL(file.url, event).href, publicly),
      ask(new URL(statusesUrl, event).href, publicly),
      ask(`${event}/subscribe-tickets`, { method: 'POST', headers, body: '{}' }),
    ]);
  } catch {
    // The picker gets the same failure, and tells it.
  }
}

function ask(url: string, init: RequestInit): Promise<Response> {
  const sent = fetch(url, { ...init, signal: AbortSignal.timeout(EARLY_MS_MAX) });
  const asked: EarlyAnswer = { sentAt: Date.now(), arrivedAt: 0, response: sent.then(whole) };
  async function whole(response: Response): Promise<Response> {
    const body = await response.blob();
    asked.arrivedAt = Date.now();
    return new Response(body, response);
  }
  page.parterreEarly ??= new Map();
  page.parterreEarly.set(nameOf(url, init), asked);
  return asked.response;
}

/** Null where nobody asked, or too long ago. */
export function takeEarly(url: string, init: RequestInit): EarlyAnswer | null {
  const name = nameOf(url, init);
  const asked = page.parterreEarly?.get(name);
  page.parterreEarly?.delete(name);
  return asked && Date.now() - asked.sentAt < EARLY_MS_MAX ? asked : null;
}

/** Another session's ticket would open a feed with what that session sees. */
const nameOf = (url: string, { body, headers }: RequestInit): string =>
  JSON.stringify([url, body, new Headers(headers).get('Authorization')]);
