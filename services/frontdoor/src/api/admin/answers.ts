/** Answers of the operator's surface. */
import { z } from 'zod';
import { mintedAccess } from '../access/access.ts';
import { count, keyInfo, nextCursor, ok, organisation, text, user } from '../records/records.ts';

export const listOrganisationsAnswer = z.object({ organisations: z.array(organisation), nextCursor });

export const createOrganisationAnswer = z.object({ organisation });

export const getOrganisationAnswer = z.object({ organisation });

export const listUsersAnswer = z.object({ users: z.array(user), nextCursor });

export const createUserAnswer = z.object({ user });

/** What a revoked key or a deleted user gave to others. */
const endOfMinter = z.object({
  ok,
  ended: mintedAccess.describe('What this call has ended. A webhook is paused, a link is revoked.'),
  left: mintedAccess.describe('What is still valid, until it expires or is ended.'),
});

export const deleteUserAnswer = endOfMinter;

export const listKeysAnswer = z.object({ keys: z.array(keyInfo), nextCursor });

export const createKeyAnswer = z.object({ key: keyInfo, secret: z.string() });

export const revokeKeyAnswer = endOfMinter;

export const addCreditsAnswer = z.object({ organisation });

export const projectionState = z.object({
  generation: z.int().min(1).describe('The generation that is read. It grows by one with each rebuild.'),
  building: z
    .int()
    .nullable()
    .describe('The generation that is being built. It replaces the current generation when it has counted as far.'),
  partitions: z
    .array(z.object({ stream: text, counted: count, rebuilt: count.nullable() }))
    .describe("How far each journal is counted, in sequences of the journal's stream."),
});
