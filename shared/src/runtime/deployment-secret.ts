/**
 * The deployment secret: the same at every front door, and the same after a restart. `PARTERRE_SECRET` sets it. For a
 * deployment without the setting, NATS keeps a secret in the KV bucket CLUSTER, beside the layout. Shards make it: a
 * front door, which talks to strangers, has no right to write to the bucket.
 *
 * States: absent → kept; no service changes a kept secret. A shard that starts creates the secret where it is absent.
 * One of several concurrent creations succeeds. A failure at a shard's awaits is thrown: the process ends and is
 * started again. Front doors wait: they read again and again until the secret is there, also after failures, and log a
 * line now and then. The leader of the bucket's stream answers all reads, so a new secret is never missed.
 *
 * An operator changes the secret with an overlap: `PARTERRE_SECRET` is the new one, and `PARTERRE_SECRET_PREVIOUS` the
 * one before it (`kept` is the one that NATS keeps). While both are set, signatures are made with the new secret and
 * accepted of both, and a direct link opens by either. Names are made with the previous secret: a front door that does
 * not know the new secret yet gives a repeated call the same name (I5). Names change when the previous secret goes.
 */
import { createSecretKey, hkdfSync, type KeyObject } from 'node:crypto';
import { type KV, Kvm } from '@nats-io/kv';
import { Fault } from '../protocol/errors.ts';
import { randomText } from '../protocol/ids.ts';
import { names } from '../protocol/subjects.ts';
import { longSecretOf, SettingFault } from './environment.ts';
import type { NatsConnection } from './nats.ts';
import { type LayoutPorts, untilFound } from './standing-layout.ts';

export type DeploymentSecrets = { current: string; previous: string | null };

/** As the environment has them. `kept` stands for the secret that NATS keeps. */
export type AskedSecrets = { current: string | 'kept'; previous: string | null };

/** The key that signs comes first. The others are accepted too. */
export type AcceptedKeys = readonly [KeyObject, ...KeyObject[]];

type SigningUse = 'sign-ins' | 'tickets' | 'links' | 'designer framers';
type NamingUse = 'hold ids' | 'visitor addresses' | 'public addresses';

const KEPT = 'kept';
const SECRET = 'secret';
const SECRET_LENGTH = 48;
const KEY_BYTES = 32;

/** Reads the variables above. Throws a `SettingFault` that names the variable, never its value. */
export function askedSecrets(environment: NodeJS.ProcessEnv): AskedSecrets {
  const current = longSecretOf(environment, 'PARTERRE_SECRET');
  const isKept = environment.PARTERRE_SECRET_PREVIOUS === KEPT;
  const previous = isKept ? KEPT : longSecretOf(environment, 'PARTERRE_SECRET_PREVIOUS');
  if (previous !== null && current === null) {
    throw new SettingFault('read PARTERRE_SECRET_PREVIOUS: PARTERRE_SECRET, the secret after it, is not set');
  }
  return { current: current ?? KEPT, previous };
}

/** `kept` is asked only where a setting stands for the kept secret. */
export async function findSecrets(asked: AskedSecrets, kept: () => Promise<string>): Promise<DeploymentSecrets> {
  const find = (secret: string) => (secret === KEPT ? kept() : secret);
  return { current: await find(asked.current), previous: asked.previous === null ? null : await find(asked.previous) };
}

/** The kept secret, made where it is absent. The bucket exists since the layout was settled. */
export async function settleSecret(nats: NatsConnection): Promise<string> {
  const bucket = await open(nats);
  const kept = await read(bucket);
  if (kept) return kept;
  const made = randomText(SECRET_LENGTH);
  try {
    await bucket.create(SECRET, made);
    return made;
  } catch (error) {
    const others = await read(bucket);
    if (others) return others;
    throw new Fault('keep the secret of the deployment', error);
  }
}

/** Waits for the secret without a time limit. */
export function awaitSecret({ nats, clock, log }: LayoutPorts): Promise<string> {
  const words =
    'still without a deployment secret: restart an inventory-shard, which makes one, or set PARTERRE_SECRET';
  return untilFound({ clock, log }, words, async () => read(await open(nats)));
}

function open(nats: NatsConnection): Promise<KV> {
  return new Kvm(nats).open(names.clusterBucket);
}

async function read(bucket: KV): Promise<string | null> {
  const entry = await bucket.get(SECRET);
  return entry?.operation === 'PUT' ? entry.string() : null;
}

export function keysFor(use: SigningUse, { current, previous }: DeploymentSecrets): AcceptedKeys {
  return previous === null ? [keyFor(use, current)] : [keyFor(use, current), keyFor(use, previous)];
}

export function nameKeyFor(use: NamingUse, { current, previous }: DeploymentSecrets): KeyObject {
  return keyFor(use, previous ?? current);
}

/**
 * The key of one use of the secret, by HKDF (RFC 5869): a text that was signed for one use means nothing for another.
 */
export function keyFor(use: SigningUse | NamingUse, secret: string): KeyObject {
  return createSecretKey(Buffer.from(hkdfSync('sha256', secret, '', `parterre ${use}`, KEY_BYTES)));
}
