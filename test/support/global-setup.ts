/**
 * Once before all tests: the nats-servers they run are there, so that files that run side by side do not each fetch one.
 * Without the old one only the tests that run it fail.
 */
import { findNatsServer } from '../../scripts/launch/find-nats-server.ts';
import { debianNatsVersion } from './nats.ts';

export default async function setup(): Promise<void> {
  const say = (line: string): void => console.log(line);
  const found = await findNatsServer({ say });
  if (!found.found) throw new Error(found.message);
  await findNatsServer({ say, version: debianNatsVersion });
}
