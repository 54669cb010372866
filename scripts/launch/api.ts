/** The launcher's few HTTP calls to its own front door. */
import { setTimeout as pause } from 'node:timers/promises';

export type Answer = { status: number; body: unknown };

export type Api = {
  /** Resolves with any answer, once the services have started. */
  ask(method: string, path: string, token: string, body?: unknown): Promise<Answer>;
  /** POST. Resolves with the answer; throws unless it is a success. */
  make<T>(path: string, token: string, body: unknown): Promise<T>;
  failure(call: string, answer: Answer): Error;
};

const answerMs = 15_000;
const triesMax = 50;
const betweenTriesMs = 100;

export function createApi(url: string): Api {
  const once = async (method: string, path: string, token: string, body?: unknown): Promise<Answer> => {
    const response = await fetch(url + path, {
      method,
      headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
      signal: AbortSignal.timeout(answerMs),
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    return { status: response.status, body: await response.json() };
  };
  const failure = (call: string, { status, body }: Answer) =>
    new Error(`${call} was answered ${status} ${JSON.stringify(body)}`);
  const ask: Api['ask'] = async (...call) => {
    for (let tries = 1; ; tries++) {
      const answer = await once(...call);
      // Right after the start a partition may still be without an owner.
      if (answer.status !== 503 || tries === triesMax) return answer;
      await pause(betweenTriesMs);
    }
  };
  return {
    ask,
    failure,
    async make<T>(path: string, token: string, body: unknown) {
      const answer = await ask('POST', path, token, body);
      if (answer.status >= 300) throw failure(`POST ${path}`, answer);
      return answer.body as T;
    },
  };
}
