/**
 * A back end that receives webhooks. It verifies the raw bytes of each post, keeps the post under its occurrence id in
 * a store that takes each id once, and answers. The back end does its work afterwards, from this store.
 *
 * const receiver = createReceiver({ secrets: () => [process.env.WEBHOOK_SECRET!], keep });
 * receiver.listen(3000);
 *
 * `npm run receiver` starts it (run-webhook-receiver.ts). It uses only `standardwebhooks` and Node. Any framework that
 * hands out the raw, unparsed body can do the same.
 */
import { createServer, type IncomingMessage, type Server } from 'node:http';
import { Webhook } from 'standardwebhooks';

export type Occurrence = {
  occurrenceId: string;
  event: string;
  at: number;
  livemode: boolean;
  eventKey?: string;
  /** Set for a test ping from the dashboard. */
  test?: true;
  data: Record<string, unknown>;
};

export type Receiver = {
  /** The valid secrets: the subscription's, and during a rotation the new one too. */
  secrets: () => string[];
  /**
   * Keeps an occurrence for good, and does nothing for a known id: an occurrence is posted again whenever an answer got
   * lost. In a database: `INSERT INTO inbox (id, body) VALUES ($1, $2) ON CONFLICT (id) DO NOTHING`.
   */
  keep: (occurrence: Occurrence) => Promise<void>;
};

/** A booking of some thousand seats is a few megabytes long. */
const bodyBytesMax = 32 * 1024 * 1024;

export function createReceiver({ secrets, keep }: Receiver): Server {
  return createServer(async (request, response) => {
    const answer = (status: number) => response.writeHead(status).end();
    try {
      const body = await rawBody(request);
      if (body === null) return answer(413);
      const occurrence = verified(body, request, secrets());
      // An unknown sender gets no reason. A post that fails here is posted again, so a wrong secret loses nothing.
      if (occurrence === null) return answer(401);
      await keep(occurrence);
      // Answer within 15 seconds, before any work. A later answer counts as a failure.
      answer(204);
    } catch (error) {
      console.error(error);
      answer(500);
    }
  });
}

/** The raw body. A body that was parsed and written again would not verify. */
async function rawBody(request: IncomingMessage): Promise<string | null> {
  const parts: Buffer[] = [];
  let bytes = 0;
  for await (const part of request) {
    bytes += part.length;
    if (bytes > bodyBytesMax) return null;
    parts.push(part);
  }
  return Buffer.concat(parts).toString('utf8');
}

/** Null when none of the secrets has signed the post, or when the post is more than five minutes old. */
function verified(body: string, { headers }: IncomingMessage, secrets: string[]): Occurrence | null {
  for (const secret of secrets) {
    try {
      return new Webhook(secret).verify(body, headers as Record<string, string>) as Occurrence;
    } catch {
      // The next secret may fit.
    }
  }
  return null;
}
