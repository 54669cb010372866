/** A front door's HTTP on its own, with a few routes and no services behind it, and connections that send raw bytes. */
import { App, us_listen_socket_close, us_socket_local_port } from 'uWebSockets.js';
import { connect } from 'node:net';
import { done } from '@parterre/shared/protocol/errors';
import { requestDeadlineMs } from '@parterre/shared/protocol/limits';
import { systemClock } from '@parterre/shared/runtime/clock';
import { z } from 'zod';
import {
  type AdmissionPorts,
  type BodyThread,
  createBodyProgram,
  createLargeBodies,
  type Row,
} from '../../../services/frontdoor/src/admission/admission.ts';
import { createRouter, newHttpCounters, serveHttp } from '../../../services/frontdoor/src/http/http.ts';

const row: Omit<Row, 'signature' | 'method' | 'path'> = {
  parameters: [],
  credential: 'none',
  event: false,
  capabilities: [],
  authority: null,
  status: 200,
  schema: null,
  query: null,
  answer: null,
  droppedForKeys: [],
  missingFields: [],
  rawBody: false,
  labelsIn: null,
  bodyOptional: false,
  anyType: true,
  bodyBytesMax: 1024 * 1024,
  documentField: null,
  budget: null,
  unbudgeted: 'A route of a test.',
  deadlineMs: requestDeadlineMs,
  idempotent: false,
};

export type OwnRoute = Partial<Row> & { handle?: (body: unknown) => unknown };

/** Routes by `METHOD /path`. `asked` lists the requests that reached a handler, `faults` the exceptions. */
export async function startHttp(routes: Record<string, OwnRoute>, more: Partial<AdmissionPorts> = {}) {
  const asked: string[] = [];
  const faults: unknown[] = [];
  let stop = (): void => {};
  const app = App();
  const counters = newHttpCounters(systemClock);
  const table = Object.entries(routes).map(([signature, { handle, ...own }]) => {
    const [method, path] = signature.split(' ') as [Row['method'], string];
    return {
      ...row,
      signature,
      method,
      path,
      ...own,
      handle: async ({ body }: { body: unknown }) => {
        asked.push(signature);
        return done(await (handle?.(body) ?? { ok: true }));
      },
    };
  });
  const ports = {
    clock: systemClock,
    budgets: null,
    largeBodies: createLargeBodies(more.clock ?? systemClock, bodyThreadHere(table)),
    clientAddress: (peer: string) => peer,
    onFault: (error: unknown) => faults.push(error),
    ...more,
  };
  serveHttp(app, createRouter(table as never), ports as never, counters);
  const port = await new Promise<number>((resolve, reject) => {
    app.listen('127.0.0.1', 0, (socket) => {
      if (!socket) return reject(new Error('listen'));
      stop = () => {
        us_listen_socket_close(socket);
        app.close();
      };
      resolve(us_socket_local_port(socket));
    });
  });
  return { port, asked, faults, counters, stop };
}

/** Reads large bodies in the loop of the test. */
export function bodyThreadHere(rows: readonly Row[]): BodyThread {
  const program = createBodyProgram(rows);
  return { inTurn: (_party, run) => run((job) => program(job)) };
}

/** The schema of any JSON. */
export const anyJson = z.unknown();

/**
 * Sends the parts, each in a packet of its own (a number is a pause in milliseconds). Resolves with everything received
 * when the server closes, or once no byte has come for `quietMs`. `target` is a port or the path of a socket.
 */
export function converse(
  target: number | string,
  parts: readonly (string | number)[],
  quietMs = 500,
): Promise<{ received: string; closed: boolean }> {
  return new Promise((resolve) => {
    const socket = typeof target === 'string' ? connect(target) : connect(target, '127.0.0.1');
    socket.setNoDelay(true);
    let received = '';
    let quiet = setTimeout(() => {}, 0);
    const end = (closed: boolean) => {
      clearTimeout(quiet);
      socket.destroy();
      resolve({ received, closed });
    };
    const wait = () => {
      clearTimeout(quiet);
      quiet = setTimeout(() => end(false), quietMs);
    };
    socket.on('data', (chunk) => {
      received += chunk.toString('latin1');
      wait();
    });
    // A reset loses nothing that was read before.
    socket.on('error', () => {});
    socket.on('close', () => end(true));
    socket.on('connect', async () => {
      wait();
      for (const part of parts) {
        if (socket.destroyed) return;
        if (typeof part === 'number') await new Promise((over) => setTimeout(over, part));
        else await new Promise((written) => socket.write(part, () => setTimeout(written, 3)));
      }
      wait();
    });
  });
}

export function answersIn(received: string): number[] {
  return [...received.matchAll(/HTTP\/1\.1 (\d{3})/g)].map(([, status]) => Number(status));
}
