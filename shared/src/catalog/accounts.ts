/** Organisations and their keys: what is kept of them, and what can be asked. */
import type { Mode } from '../records.ts';
import type { Principal } from './scope.ts';

export type Organisation = { id: string; name: string; currency: string; credits: number; createdAt: number };

export type KeyInfo = {
  id: string;
  prefix: string;
  kind: 'secret' | 'publishable';
  mode: Mode;
  environment: string | null;
  workspaceId: string | null;
  origins: string[];
  createdAt: number;
};

/** operation → [input, output] */
export type AccountOperations = {
  'organisations.create': [{ name: string; currency: string; credits?: number }, { organisation: Organisation }];
  'organisations.add-credits': [
    { organisationId: string; delta: number; reason: string },
    { organisation: Organisation },
  ];
  'keys.create': [
    {
      organisationId: string;
      kind: 'secret' | 'publishable';
      mode: Mode;
      environment?: string | null;
      workspaceId?: string | null;
      origins?: string[];
    },
    { key: KeyInfo; secret: string },
  ];
  'keys.revoke': [{ organisationId: string; keyId: string }, { ok: true }];
  /** `hash` is `sha256(token)`; refused with `unauthorized` when no key has it. */
  'keys.resolve': [{ hash: string }, Principal];
};
