import { describe } from 'vitest';
import { accountsContract } from './accounts.ts';
import { embeddedDatabase } from './adapters.ts';
import { catalogRaces } from './catalog-races.ts';
import { channelAuditsContract } from './channel-audits.ts';
import { embeddedSessionsContract } from './embedded-sessions.ts';
import { namedCallsContract } from './named-calls.ts';
import { projectionsContract } from './projections.ts';
import { storeContract } from './store-contract.ts';

describe('the embedded store', () => storeContract(embeddedDatabase));
describe('two catalogs on one embedded store', () => catalogRaces(embeddedDatabase));
describe('named calls on the embedded store', () => namedCallsContract(embeddedDatabase));
describe('accounts on the embedded store', () => accountsContract(embeddedDatabase));
describe('embedded sessions on the embedded store', () => embeddedSessionsContract(embeddedDatabase));
describe('projections on the embedded store', () => projectionsContract(embeddedDatabase));
describe('the audit of channels on the embedded store', () => channelAuditsContract(embeddedDatabase));
