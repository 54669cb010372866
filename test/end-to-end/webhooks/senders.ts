/** Callers that manage webhook subscriptions: keys of several scopes and people, with their calls. */
import type { Json, Shop } from '../shop.ts';

export const url = 'https://hooks.example/parterre';
export const events = ['seat.booked'];

export type Sender = { token?: string; headers?: Record<string, string> };

export function webhooksOf(shop: Shop) {
  /** An organisation with keys of several scopes, an admin and a member. */
  async function scene() {
    const own = await shop.organisation('Hooked');
    const key = async (more: object): Promise<Sender> => {
      const body = { kind: 'secret', origins: [], ...more };
      const made = await shop.call('POST', `/v1/admin/organisations/${own.id}/keys`, { token: shop.rootToken, body });
      return { token: made.body.secret };
    };
    const person = async (role: string) => shop.logIn(await shop.user({ organisationId: own.id, role }));
    const admin = await person('admin');
    const member = await person('member');
    return {
      test: { token: own.test.secret } as Sender,
      live: { token: own.live.secret } as Sender,
      staging: await key({ mode: 'test', environment: 'staging' }),
      admin: { headers: admin.write } as Sender,
      member: { headers: member.write } as Sender,
      publishable: { token: own.publishable.secret } as Sender,
    };
  }

  const create = (as: Sender, more: object = {}) =>
    shop.call('POST', '/v1/webhooks', { ...as, body: { url, events, ...more } });
  const change = (as: Sender, id: string, body: object) => shop.call('PATCH', `/v1/webhooks/${id}`, { ...as, body });
  const rotate = (as: Sender, id: string) => shop.call('POST', `/v1/webhooks/${id}/rotate-secret`, as);
  const remove = (as: Sender, id: string) => shop.call('DELETE', `/v1/webhooks/${id}`, as);
  const listed = async (as: Sender): Promise<Json[]> => (await shop.call('GET', '/v1/webhooks', as)).body.subs;
  const idsOf = async (as: Sender) => (await listed(as)).map(({ id }) => id);

  return { scene, create, change, rotate, remove, listed, idsOf };
}
