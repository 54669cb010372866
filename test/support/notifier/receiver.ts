/** A webhook receiver on loopback that keeps every post. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

import type { Json } from '../openapi.ts';

export type Delivery = { headers: Record<string, string>; text: string; body: Json };

/** Answers 500 to the first `failures` posts of each occurrence, and 204 to later ones. */
export async function openReceiver({ failures = 0 } = {}) {
  const deliveries: Delivery[] = [];
  const seen = new Map<string, number>();
  const server = createServer(async (request, response) => {
    let text = '';
    for await (const part of request.setEncoding('utf8')) text += part;
    const headers = request.headers as Record<string, string>;
    const id = headers['webhook-id']!;
    const times = (seen.get(id) ?? 0) + 1;
    seen.set(id, times);
    deliveries.push({ headers, text, body: JSON.parse(text) });
    response.writeHead(times > failures ? 204 : 500).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}/hook`, deliveries, close: () => server.close() };
}
