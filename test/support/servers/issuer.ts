/** An OpenID issuer on loopback, and a browser that signs in there without asking a person. */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import Provider, { type Configuration } from 'oidc-provider';

export type Issuer = {
  url: string;
  /** The claims of the person who signs in next. */
  person: Record<string, unknown>;
  /** Follows a link of the issuer with a fresh browser. Resolves with the address of the callback. */
  signIn(location: string, redirectUri: string): Promise<URL>;
  stop(): Promise<void>;
};

export async function openIssuer(redirectUri: string): Promise<Issuer> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const issuer: Issuer = {
    url,
    person: {},
    signIn: (location, to) => follow(location, to),
    stop: () => closed(server),
  };
  const provider = new Provider(url, configuration(issuer, redirectUri));
  server.on('request', (request, response) => {
    if (!request.url!.startsWith('/interaction/')) {
      provider.callback()(request, response);
      return;
    }
    provider
      .interactionFinished(request, response, { login: { accountId: 'person-1' } }, { mergeWithLastSubmission: false })
      .catch((error: Error) => response.writeHead(500).end(String(error)));
  });
  return issuer;
}

function configuration(issuer: Issuer, redirectUri: string): Configuration {
  return {
    clients: [
      {
        client_id: 'parterre',
        client_secret: 'a secret of the client',
        redirect_uris: [redirectUri],
        post_logout_redirect_uris: [new URL('/', redirectUri).href],
      },
    ],
    claims: { openid: ['sub'], email: ['email', 'email_verified', 'groups'], profile: ['name'] },
    features: { devInteractions: { enabled: false } },
    interactions: { url: (_context, interaction) => `/interaction/${interaction.uid}` },
    ttl: { AccessToken: 60, Grant: 60, IdToken: 60, Interaction: 60, Session: 60 },
    pkce: { required: () => true },
    cookies: { keys: ['a key of a test'] },
    findAccount: (_context, sub) => ({ accountId: sub, claims: () => ({ sub, ...issuer.person }) }),
    async loadExistingGrant(context) {
      const { oidc } = context;
      const grant = new oidc.provider.Grant({ clientId: oidc.client!.clientId, accountId: oidc.session!.accountId! });
      grant.addOIDCScope('openid email profile');
      await grant.save();
      return grant;
    },
  };
}

async function follow(from: string, redirectUri: string): Promise<URL> {
  const cookies = new Map<string, string>();
  for (let location = from, hops = 0; hops < 10; hops++) {
    if (location.startsWith(redirectUri)) return new URL(location);
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const answer = await fetch(location, { redirect: 'manual', headers: { Cookie: cookie } });
    for (const line of answer.headers.getSetCookie()) {
      const [name, value] = line.split(';')[0]!.split('=') as [string, string];
      cookies.set(name, value);
    }
    const next = answer.headers.get('location');
    if (next === null) throw new Error(`The issuer answered ${answer.status}: ${await answer.text()}`);
    location = new URL(next, location).href;
  }
  throw new Error('The issuer redirects without end.');
}

function closed(server: Server): Promise<void> {
  server.closeAllConnections();
  return new Promise((resolve) => server.close(() => resolve()));
}
