/** The example receiver, started by the documentation's command. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createInterface } from 'node:readline';
import { Webhook } from 'standardwebhooks';
import { expect, it } from 'vitest';

const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;

it('The example receiver prints a signed occurrence, and marks a repeated one', async () => {
  const port = await freePort();
  const env = { ...process.env, WEBHOOK_SECRET: secret, PORT: String(port) };
  const receiver = spawn('npm', ['run', '-s', 'receiver'], {
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
    detached: true,
  });
  try {
    const lines = createInterface({ input: receiver.stdout })[Symbol.asyncIterator]();
    expect((await lines.next()).value).toContain(`http://localhost:${port}`);
    const body = JSON.stringify({
      occurrenceId: 'occ_1',
      event: 'seat.booked',
      eventKey: 'gala',
      data: { quantity: 1 },
    });
    expect(await post(port, body)).toBe(204);
    expect((await lines.next()).value).toBe('occ_1 seat.booked gala {"quantity":1}');
    expect(await post(port, body)).toBe(204);
    expect((await lines.next()).value).toBe('occ_1 again');
  } finally {
    process.kill(-receiver.pid!, 'SIGKILL');
  }
}, 60_000);

async function post(port: number, body: string): Promise<number> {
  const at = new Date();
  const signature = new Webhook(secret).sign('occ_1', at, body);
  const headers = {
    'webhook-id': 'occ_1',
    'webhook-timestamp': String(Math.floor(at.getTime() / 1_000)),
    'webhook-signature': signature,
  };
  return (await fetch(`http://localhost:${port}/`, { method: 'POST', headers, body })).status;
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0);
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  return port;
}
