/**
 * undici alone, a ceiling and no peer: bodies of as many bytes under headers of the same lengths to the same receivers,
 * by `request` of a pool, with as many connections to each receiver as the notifier may have posts under way, and with
 * undici's own time-outs. Bodies and signature are ready before. It reads no journal, makes no body, signs nothing (two
 * HMACs of a body), resolves no address, drops the answer's body and reports nothing. The benchmark also measures the
 * notifier's own post, without the journal before it and the report after it.
 */
import { systemClock } from '@parterre/shared/runtime/clock';
import { Agent, request } from 'undici';
import { createPoster } from '../../services/notifier/src/endpoints/post.ts';

export type PostOrder = {
  urls: string[];
  bodies: string[];
  count: number;
  connections: number;
  by: 'undici' | 'poster';
};

const agents = new Map<number, Agent>();
const { post } = createPoster({ clock: systemClock, loopbackOpen: true });
let ids = 0;

process.on('message', (order: PostOrder) => {
  void postAll(order);
});

async function postAll({ urls, bodies, count, connections, by }: PostOrder): Promise<void> {
  const dispatcher = agents.get(connections) ?? new Agent({ connections: connections * urls.length, pipelining: 1 });
  agents.set(connections, dispatcher);
  let left = count;
  const work = async (url: string): Promise<void> => {
    while (left-- > 0) {
      const id = ids++;
      const headers = headersOf(id);
      const body = bodies[id % bodies.length]!;
      if (by === 'poster') {
        await post(url, headers, body);
      } else {
        const typed = { ...headers, 'content-type': 'application/json', 'user-agent': 'Parterre-Webhooks/1' };
        const answer = await request(url, { method: 'POST', headers: typed, body, dispatcher });
        await answer.body.dump();
      }
    }
  };
  const started = performance.now();
  await Promise.all(urls.flatMap((url) => Array.from({ length: connections }, () => work(url))));
  process.send!({ perSecond: count / ((performance.now() - started) / 1_000) });
}

const signature = `v1,${Buffer.alloc(32).toString('base64')}`;

function headersOf(id: number): Record<string, string> {
  return {
    'webhook-id': `occ_${String(id).padStart(22, '0')}`,
    'webhook-timestamp': '1700000000',
    'webhook-signature': signature,
    'X-Parterre-Signature': `sha256=${'0'.repeat(64)}`,
  };
}
