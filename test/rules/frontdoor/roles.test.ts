/** Roles of dashboard users: the rights of each, as docs/roles.md tells them, and the right that each route needs. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { roles } from '@parterre/shared/protocol/catalog/scope';
import { type Right, rights, roleHas } from '@parterre/shared/protocol/rights';
import { describe, expect, it } from 'vitest';
import { root } from '../../../scripts/launch/root.ts';
import { mayPerform, rightOf } from '../../../services/frontdoor/src/admission/rules/role-rights.ts';
import { routes } from '../../../services/frontdoor/src/api/api.ts';
import {
  isLoopback,
  readOidcSettings,
  returnPath,
  roleOfGroups,
} from '../../../services/frontdoor/src/oidc/rules/oidc-settings.ts';

const older = { admin: 'owner', member: 'viewer' } as const;

it('docs/roles.md tells the rights that the server upholds', () => {
  const lines = readFileSync(join(root, 'docs/roles.md'), 'utf8').split('\n');
  const cells = (line: string) => line.split('|').map((cell) => cell.trim().replaceAll('`', ''));
  const head = cells(lines.find((line) => line.startsWith('| Role'))!);
  const told = roles.filter((role) => !Object.hasOwn(older, role));
  for (const role of told) {
    const row = cells(lines.find((line) => line.startsWith(`| \`${role}\``))!);
    const has = rights.filter((right) => row[head.indexOf(right)] === 'yes');
    expect([role, has]).toEqual([role, rights.filter((right) => roleHas(role, right))]);
  }
  for (const [role, reads] of Object.entries(older)) {
    for (const right of rights)
      expect(roleHas(role as keyof typeof older, right)).toBe(roleHas(reads as 'owner', right));
  }
});

describe('a route', () => {
  const known: Record<string, Right> = {
    'POST /v1/events/{key}/hold': 'sell',
    'POST /v1/events/{key}/hold-ttl': 'manage',
    'POST /v1/events/{key}/unblock-all': 'sell',
    'POST /v1/events/{key}/reservations/{id}/book': 'sell',
    'POST /v1/events/{key}/release': 'sell',
    'PUT /v1/events/{key}/releases': 'market',
    'POST /v1/events/{key}/channels/{id}/access-links': 'market',
    'POST /v1/events/{key}/manage-sessions': 'manage',
    'DELETE /v1/events/{key}': 'manage',
    'POST /v1/charts/{id}/publish': 'manage',
    'POST /v1/webhooks/{id}/rotate-secret': 'administer',
    'PATCH /v1/workspaces/{id}': 'administer',
    'GET /v1/webhooks': 'see',
    'GET /v1/dashboard/keys': 'administer',
    'PATCH /v1/dashboard/users/{userId}': 'administer',
    'POST /v1/dashboard/users/{userId}/password-reset': 'administer',
    'GET /v1/dashboard/audit': 'administer',
    'POST /v1/seasons/validate': 'see',
  };

  it.each(Object.entries(known))('%s needs the right %s', (signature, right) => {
    const route = routes.find((one) => one.signature === signature)!;
    expect(rightOf(route)).toBe(right);
  });

  it('that changes anything is closed to a viewer and to the door', () => {
    const taken = routes.filter(({ credential }) => ['server', 'console', 'editor', 'dashboard'].includes(credential));
    const writes = taken.filter((route) => route.method !== 'GET' && (rightOf(route) ?? 'see') !== 'see');
    expect(writes.length).toBeGreaterThan(60);
    for (const route of writes) {
      for (const role of ['viewer', 'door', 'member'] as const) {
        expect(mayPerform(role, route)).toMatchObject({ ok: false, refusal: { code: 'forbidden' } });
      }
      expect(mayPerform('owner', route).ok).toBe(true);
    }
  });
});

describe('settings of OpenID Connect', () => {
  const texts = {
    issuer: 'https://issuer.example',
    clientId: 'parterre',
    clientSecret: null,
    redirectUri: 'https://box.example/v1/dashboard/oidc/callback',
    scope: '',
    groupsClaim: '',
    roles: '',
    createIn: '',
  };

  it.each([
    [{ issuer: 'http://issuer.example' }, 'PARTERRE_OIDC_ISSUER'],
    [{ clientId: '' }, 'PARTERRE_OIDC_CLIENT_ID'],
    [{ redirectUri: 'https://box.example/elsewhere' }, 'PARTERRE_OIDC_REDIRECT_URI'],
    [{ roles: 'staff=king' }, 'king'],
    [{ createIn: 'box.example=org_1' }, 'PARTERRE_OIDC_ROLES'],
  ])('%j are refused by name', (more, words) => {
    expect(readOidcSettings({ ...texts, ...more })).toMatchObject({ fault: expect.stringContaining(words) });
  });

  it('map groups to the highest role', () => {
    const read = readOidcSettings({ ...texts, roles: 'Box office=box_office, boards = owner,staff=viewer' });
    if (read === null || 'fault' in read) throw new Error('The settings were refused.');
    expect(roleOfGroups(read.rolesByGroup!, ['staff', 'Box office', 'others'])).toBe('box_office');
    expect(roleOfGroups(read.rolesByGroup!, 'boards')).toBe('owner');
    for (const groups of [undefined, [], ['others'], {}, 7])
      expect(roleOfGroups(read.rolesByGroup!, groups)).toBeNull();
    expect(readOidcSettings({ ...texts, issuer: '' })).toBeNull();
    expect(isLoopback(new URL('http://127.0.0.1:1'))).toBe(true);
  });
});

it.each([
  ['/console?event=gala#map', '/console?event=gala#map'],
  [undefined, '/'],
  ['', '/'],
  ['console', '/'],
  ['https://evil.example/', '/'],
  ['//evil.example', '/'],
  ['/\\evil.example', '/'],
  ['/\t/evil.example', '/'],
  ['/..//evil.example', '/'],
  ['\\\\evil.example', '/'],
  ['/%2F/evil.example', '/%2F/evil.example'],
])('the path %j after a sign-in is read as %j', (text, path) => {
  expect(returnPath(text)).toBe(path);
});
