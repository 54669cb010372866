/**
 * Calls to the front door's admin surface. Throws `Refused`, with a sentence for a person, after a refusal or without
 * an answer.
 */
import type { Target } from './target.ts';

export class Refused extends Error {}

// biome-ignore lint/suspicious/noExplicitAny: the commands show answers and do not work on them.
export type Json = any;

/** Longer than the server's own deadline for one request. */
const answerMs = 30_000;
const itemsPerPage = 200;

export class AdminApi {
  constructor(private readonly target: Target) {}

  async call(method: string, path: string, body?: unknown): Promise<Json> {
    const { url, rootToken } = this.target;
    const response = await fetch(`${url}/v1/admin${path}`, {
      method,
      headers: { Authorization: `Bearer ${rootToken}`, 'Content-Type': 'application/json' },
      signal: AbortSignal.timeout(answerMs),
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    }).catch((error: Error) => {
      throw new Refused(`${url} does not answer (${reasonOf(error)}). ${this.target.hint}`);
    });
    const answer = await response.json().catch(() => null);
    if (response.ok && answer !== null) return answer;
    throw new Refused(refusalOf(response.status, answer, `${url} (${this.target.origin})`));
  }

  /** All pages of a list as one answer. */
  all(path: string, name: string): Promise<Json> {
    return this.some(path, name, Number.POSITIVE_INFINITY);
  }

  /** The first `most` items of a list. */
  async some(path: string, name: string, most: number): Promise<Json> {
    const items: Json[] = [];
    for (let cursor = ''; ; ) {
      const page = await this.call(
        'GET',
        `${path}?limit=${Math.min(itemsPerPage, most)}${cursor && `&cursor=${encodeURIComponent(cursor)}`}`,
      );
      items.push(...page[name]);
      if (page.nextCursor === undefined || items.length >= most) return { [name]: items.slice(0, most) };
      cursor = page.nextCursor;
    }
  }
}

function reasonOf(error: Error): string {
  const cause = error.cause as { code?: string; message?: string } | undefined;
  return cause?.code ?? cause?.message ?? error.message;
}

function refusalOf(status: number, answer: Json, where: string): string {
  if (typeof answer?.code !== 'string')
    return `${where} answered ${status} without an error code of Parterre. Is it a front door?`;
  if (status === 401) return `${where} does not know this root token. Set PARTERRE_ROOT_TOKEN to its own.`;
  const issues: string[] = (answer.issues ?? []).map((issue: Json) => `\n  ${issue.path}: ${issue.message}`);
  return `${answer.code}: ${answer.message}${issues.join('')}`;
}
