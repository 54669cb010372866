/**
 * Checks that the NATS server of NATS_URL is reachable. Without the check the services would wait for it in silence.
 */
import { connect } from 'node:net';

const answerMs = 3_000;
const defaultPort = 4222;

/** Null when one of the comma-separated addresses accepts a connection, else the problem, without credentials. */
export async function natsProblem(natsUrl: string): Promise<string | null> {
  const failures: string[] = [];
  for (const address of natsUrl.split(',')) {
    const failure = await failureAt(address.trim());
    if (failure === null) return null;
    failures.push(failure);
  }
  return `NATS_URL names no NATS server that answers: ${failures.join('; ')}.\nStart it, or unset NATS_URL to have one started here.`;
}

function failureAt(address: string): Promise<string | null> {
  const text = address.includes('://') ? address : `nats://${address}`;
  if (!URL.canParse(text)) return Promise.resolve('one of its addresses cannot be read');
  const url = new URL(text);
  const port = Number(url.port || defaultPort);
  return new Promise((resolve) => {
    const socket = connect({ host: url.hostname.replace(/^\[|\]$/g, ''), port, timeout: answerMs });
    const end = (failure: string | null): void => {
      socket.destroy();
      resolve(failure === null ? null : `${url.hostname}:${port} ${failure}`);
    };
    socket.once('connect', () => end(null));
    socket.once('timeout', () => end(`gave no answer within ${answerMs / 1000} s`));
    socket.once('error', (error: NodeJS.ErrnoException) => end(`refused (${error.code})`));
  });
}
