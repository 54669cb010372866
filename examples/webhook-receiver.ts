/**
 * A back end that hears of sales by webhook. Each post is verified by its raw bytes, kept under its occurrence id in a store
 * that takes each id once, and answered; the work is done afterwards, from that store.
 *
 *   const receiver = createReceiver({ secrets: () => [process.env.WEBHOOK_SECRET!], keep });
 *   receiver.listen(3000);
 *
 * `npm run receiver` starts one (run-webhook-receiver.ts). Nothing but `standardwebhooks` and Node is used; any framework does that hands
 * out the body as it came, unparsed.
 */
import { createServer, type IncomingMessage, type Server } from 'node:http';
import { Webhook } from 'standardwebhooks';

export type Occurrence = {
  occurrenceId: string;
  event: string;
  at: number;
  livemode: boolean;
  eventKey?: string;
  /** Of a ping that somebody sent from the dashboard. */
  test?: true;
  data: Record<string, unknown>;
};

export type Receiver = {
  /** Those that may sign: the subscription's, and beside it the new one while you rotate. */
  secrets: () => string[];
  /**
   * Keeps an occurrence for good, and does nothing where its id is known already: one is posted again whenever an answer got
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
      // Whoever is not known gets no reason. What we fail to verify is posted again, so nothing is lost by a wrong secret.
      if (occurrence === null) return answer(401);
      await keep(occurrence);
      // Within 15 seconds, and before any work: an answer that comes later counts as none.
      answer(204);
    } catch (error) {
      console.error(error);
      answer(500);
    }
  });
}

/** The bytes as they came: parsed and written again they would not verify. */
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

/** Null where no secret has signed it, or it is more than five minutes old. */
function verified(body: string, { headers }: IncomingMessage, secrets: string[]): Occurrence | null {
  for (const secret of secrets) {
    try {
      return new Webhook(secret).verify(body, headers as Record<string, string>) as Occurrence;
    } catch {
      // Perhaps the next one has.
    }
  }
  return null;
}
