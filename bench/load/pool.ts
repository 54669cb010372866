/**
 * Keep-alive connections that many callers share. A connection has one call at a time. A call without a free connection
 * waits in line, and opens one more connection up to the bound. So a caller's latency includes this wait.
 *
 * States of a call: waiting → sent → answered, or lost when its connection ends. A connection that cannot be opened
 * leaves its call in line for the next free one.
 */
import { type Client, connectClient } from './connection.ts';

export type Call = {
  request: string;
  /** Gets head and body, or null for a lost call. Returns the caller's next call on the same connection, if any. */
  answered(answer: string | null): Call | null;
};

export type Pool = { call(call: Call): void; end(): void };

export function createPool(port: number, connectionsMax: number): Pool {
  /** The server closes idle connections, so some of these may have ended. */
  const free: Client[] = [];
  const line: Call[] = [];
  /** Every open connection with its call. */
  const open = new Map<Client, Call | null>();
  let connecting = 0;

  const serve = (client: Client, call: Call | null): void => {
    open.set(client, call);
    if (call) client.send(call.request);
    else free.push(client);
  };

  const connect = async (): Promise<void> => {
    connecting++;
    const client = await connectClient(port).catch(() => null);
    connecting--;
    if (client === null) return;
    client.onAnswer = (answer) => {
      serve(client, open.get(client)!.answered(answer) ?? line.shift() ?? null);
    };
    const ended = (): void => {
      const call = open.get(client);
      open.delete(client);
      call?.answered(null);
    };
    client.ended.then(ended, ended);
    serve(client, line.shift() ?? null);
  };

  return {
    call(call) {
      for (let client = free.pop(); client; client = free.pop()) {
        if (!open.has(client)) continue;
        serve(client, call);
        return;
      }
      line.push(call);
      if (open.size + connecting < connectionsMax) void connect();
    },
    end() {
      for (const client of open.keys()) client.end();
    },
  };
}
