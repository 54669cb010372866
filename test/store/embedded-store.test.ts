import { describe } from 'vitest';
import { embeddedDatabase } from './adapters.ts';
import { storeContract } from './store-contract.ts';

describe('the embedded store', () => storeContract(embeddedDatabase));
