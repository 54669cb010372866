/** The settings of OpenID Connect, read from texts. A fault names the variable, never a secret. Pure. */
import { type Role, roles } from '@parterre/shared/protocol/catalog/scope';

export type OidcSettings = {
  issuer: URL;
  clientId: string;
  /** Null: a public client, which has PKCE alone. */
  clientSecret: string | null;
  /** The whole address of `GET /v1/dashboard/oidc/callback`, as it is registered at the issuer. */
  redirectUri: URL;
  scope: string;
  groupsClaim: string;
  /** Roles by group. Null: the groups do not matter, and only known users sign in, with their own roles. */
  rolesByGroup: ReadonlyMap<string, Role> | null;
  /** The organisation in which a user of an email domain is made at the first sign-in. */
  createIn: ReadonlyMap<string, string>;
};

export type OidcTexts = {
  issuer: string;
  clientId: string;
  clientSecret: string | null;
  redirectUri: string;
  scope: string;
  groupsClaim: string;
  roles: string;
  createIn: string;
};

/** Null without an issuer. */
export function readOidcSettings(texts: OidcTexts): OidcSettings | null | { fault: string } {
  if (texts.issuer === '') return null;
  const issuer = secureUrl(texts.issuer);
  if (issuer === null) return { fault: 'PARTERRE_OIDC_ISSUER is an https address (http on this machine alone)' };
  if (texts.clientId === '') return { fault: 'PARTERRE_OIDC_CLIENT_ID is missing' };
  const redirectUri = secureUrl(texts.redirectUri);
  if (redirectUri?.pathname !== callbackPath)
    return { fault: `PARTERRE_OIDC_REDIRECT_URI is an https address that ends with ${callbackPath}` };
  const rolesByGroup = pairsOf(texts.roles);
  const wrongRole = [...rolesByGroup.values()].find((name) => !roles.some((role) => role === name));
  if (wrongRole !== undefined) return { fault: `PARTERRE_OIDC_ROLES: ${wrongRole} is none of ${roles.join(', ')}` };
  const createIn = pairsOf(texts.createIn);
  if (createIn.size > 0 && rolesByGroup.size === 0)
    return { fault: 'PARTERRE_OIDC_CREATE needs PARTERRE_OIDC_ROLES: new users get the role of their group' };
  return {
    issuer,
    clientId: texts.clientId,
    clientSecret: texts.clientSecret,
    redirectUri,
    scope: texts.scope || 'openid email profile',
    groupsClaim: texts.groupsClaim || 'groups',
    rolesByGroup: rolesByGroup.size === 0 ? null : (rolesByGroup as Map<string, Role>),
    createIn,
  };
}

const callbackPath = '/v1/dashboard/oidc/callback';

const LOOPBACK = new Set(['localhost', '127.0.0.1', '[::1]']);

export function isLoopback({ hostname }: URL): boolean {
  return LOOPBACK.has(hostname);
}

function secureUrl(text: string): URL | null {
  if (!URL.canParse(text)) return null;
  const url = new URL(text);
  return url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback(url)) ? url : null;
}

/** `box office=box_office,boards=owner`. A group may have spaces and equals signs, but no comma. */
function pairsOf(text: string): Map<string, string> {
  const parts = text.split(',').filter((part) => part.trim() !== '');
  return new Map(
    parts.map((part) => {
      const at = part.lastIndexOf('=');
      return [part.slice(0, Math.max(0, at)).trim(), part.slice(at + 1).trim()];
    }),
  );
}

/** The highest role of these groups; null if none of them has a role. */
export function roleOfGroups(rolesByGroup: ReadonlyMap<string, Role>, groups: unknown): Role | null {
  const names = Array.isArray(groups) ? groups : [groups];
  const mapped = new Set(names.flatMap((name) => rolesByGroup.get(String(name)) ?? []));
  return roles.find((role) => mapped.has(role)) ?? null;
}

/**
 * A path of this server to return to after the sign-in; `/` for any other text. A browser reads `//host` and `/\host`
 * as another server, and drops tabs and line breaks, so the text is read as a browser reads it.
 */
export function returnPath(text: string | undefined): string {
  if (text === undefined || !text.startsWith('/') || !URL.canParse(text, here)) return '/';
  const url = new URL(text, here);
  // `/..//host` is on this server, and its normalised path is not.
  return url.origin === here && !url.pathname.startsWith('//') ? `${url.pathname}${url.search}${url.hash}` : '/';
}

const here = 'https://parterre.invalid';
