/**
 * The processes of one machine: NATS (unless NATS_URL names one) and the services, in the numbers of the topology. NATS
 * starts first, then the services side by side. The front doors stop first, then the shards, the notifiers, the
 * catalogs, and NATS last. Parts of a cluster can be added and removed while it runs.
 */
import { join } from 'node:path';
import { drainDeadlineMs } from '../../shared/src/protocol/limits.ts';
import { knowsSyncInterval } from '../../shared/src/runtime/nats-version.ts';
import { SECOND_MS } from '../../shared/src/runtime/units.ts';
import type { Settings } from './config.ts';
import { demoKeysFile, writeRunFile } from './data-folder.ts';
import { type FoundNatsServer, findNatsServer } from './find-nats-server.ts';
import { type LogSink, openLog } from './logs.ts';
import { type NatsMember, natsMembers } from './nats-cluster.ts';
import { startNatsServer } from './nats-server.ts';
import { makeNatsUsers, type NatsUsers } from './nats-users.ts';
import { type ServiceName, startService, withoutOthersSecrets } from './service-process.ts';
import { ShardsEnded } from './shards-ended.ts';
import { type LiveProcess, type Supervised, type SupervisedProgram, supervise } from './supervise.ts';
import { copiesOf, type Instance, instanceNamed, instancesOf, type Kind, partitionsOfOneMachine } from './topology.ts';

const stopOrder: Kind[] = ['frontdoor', 'inventory-shard', 'notifier', 'catalog', 'nats'];
/** A service bounds its own drain. A little later it counts as hanging. */
const stopPatienceMs = drainDeadlineMs + 2_000;
const natsStopDeadlineMs = 5_000;
/** A longer start is announced, so that a person does not wonder. */
const patienceMs = 2_000;

export type FleetOptions = {
  settings: Settings;
  rootToken: string;
  /** The front doors' ports, in their order. */
  ports: number[];
  /** By name. A service without an entry takes any free port. */
  healthPorts: ReadonlyMap<string, number>;
  say(line: string): void;
  /** Settings of one service alone, read before each of its starts, when the NATS servers have their addresses. */
  environmentOf?(instance: Instance, natsUrls: string[]): NodeJS.ProcessEnv | Promise<NodeJS.ProcessEnv>;
  /** Called when a process is ready for work, or (null) gone. */
  changed?(name: string, pid: number | null): void;
};

type FoundServer = Extract<FoundNatsServer, { found: true }>;

export class Fleet {
  private readonly parts = new Map<string, { kind: Kind; supervised: Supervised }>();
  private readonly processes: Record<string, number> = {};
  private readonly health: Record<string, string> = {};
  private readonly shardsEnded = new ShardsEnded();
  private natsUrls: string[];
  /** Of the servers that this fleet runs; null for servers that run already, whose users are in the environment. */
  private readonly natsUsers: NatsUsers | null;
  /** True while NATS servers of a cluster look for each other. Their warnings mean nothing then. */
  private gathering = false;
  private stopping = false;

  constructor(private readonly options: FleetOptions) {
    this.natsUrls = options.settings.natsUrl?.split(',') ?? [];
    this.natsUsers = options.settings.natsUrl ? null : makeNatsUsers();
  }

  /** Resolves when every process is ready; when one does not start, ends the others and rejects. */
  async start(): Promise<void> {
    const { settings, say } = this.options;
    const patience = setTimeout(() => say('Starting the services …'), patienceMs);
    try {
      if (!settings.natsUrl) await this.startNats();
      // A shard loads events with deadlines as soon as it starts, and asks the catalog for their charts.
      const catalogs = this.startAll('catalog');
      const shards = catalogs.then(() => this.startAll('inventory-shard'));
      await Promise.all([catalogs, shards, this.startAll('notifier'), this.startAll('frontdoor')]);
    } catch (error) {
      await this.stop();
      throw error;
    } finally {
      clearTimeout(patience);
    }
  }

  /** The NATS servers without a service, for a restore. Rejects when one does not start. `stop` ends them. */
  async startNatsAlone(): Promise<void> {
    try {
      await this.startNats();
    } catch (error) {
      await this.stop();
      throw error;
    }
  }

  private get stopDeadlineMs(): number {
    const graceSeconds = Number(this.options.settings.environment.PARTERRE_DRAIN_GRACE_SECONDS || 0);
    return stopPatienceMs + graceSeconds * SECOND_MS;
  }

  async stop(): Promise<void> {
    this.stopping = true;
    for (const kind of stopOrder) {
      const deadlineMs = kind === 'nats' ? natsStopDeadlineMs : this.stopDeadlineMs;
      const parts = [...this.parts.values()].filter((part) => part.kind === kind);
      await Promise.all(parts.map((part) => part.supervised.stop(deadlineMs)));
    }
  }

  kill(): void {
    for (const { supervised } of this.parts.values()) supervised.kill();
  }

  /**
   * Starts one more service by its name, such as `inventory-shard-4`, or one that was removed. A front door takes any
   * free port.
   */
  async add(name: string): Promise<void> {
    const instance = instanceNamed(name);
    if (!instance || instance.kind === 'nats' || this.parts.has(name)) throw new Error(`${name} cannot be added`);
    await this.startServiceAs(instance);
  }

  /** Stops a process in good order, without another start. */
  async remove(name: string): Promise<void> {
    const part = this.parts.get(name);
    if (!part) throw new Error(`${name} does not run`);
    await part.supervised.stop(this.stopDeadlineMs);
    this.parts.delete(name);
  }

  pidOf(name: string): number | null {
    return this.processes[name] ?? null;
  }

  /** Of the NATS servers, with the credentials of the user who may do everything, as far as the launcher has them. */
  addresses(): string[] {
    return this.natsUrls.map((url) => this.natsUsers?.operatorUrl(url) ?? url);
  }

  private async startNats(): Promise<void> {
    const { settings, say } = this.options;
    const found = await findNatsServer({ say, searchPath: settings.searchPath });
    if (!found.found) throw new Error(found.message);
    if (settings.natsSync !== 'always' && knowsSyncInterval(found.version)) {
      say(`PARTERRE_NATS_SYNC=${settings.natsSync}: a power cut may lose the acknowledged sales since the last sync.`);
    }
    const instances = instancesOf(settings.topology, 'nats');
    const members = await natsMembers(instances.map(({ name }) => name));
    this.natsUrls = members.map(({ url }) => url);
    this.gathering = instances.length > 1;
    await Promise.all(instances.map((instance, index) => this.startNatsAs(instance, found, members[index]!)));
    if (!this.gathering) return;
    const { jetStreamReady } = await import('./jetstream-ready.ts');
    await jetStreamReady(this.addresses(), copiesOf(settings.topology));
    this.gathering = false;
  }

  private async startNatsAs(instance: Instance, found: FoundServer, member: NatsMember): Promise<void> {
    const { port } = member;
    const config = [this.natsUsers?.config, member.config].join('\n');
    const { dataFolder, natsSync: sync } = this.options.settings;
    const log = this.logOf(instance.name);
    await this.up(instance, async () => {
      const { path, version } = found;
      const folder = join(dataFolder, instance.name);
      // The server warns of passwords in its file. These are random, end with the launcher, and only its user reads
      // them.
      const onLine = (line: string): void => void (/Plaintext passwords/.test(line) || log.line(line));
      const server = await startNatsServer({ path, version, folder, port, sync, config, onLine });
      const exited = server.exited.then(() => `see ${instance.name}.log`);
      return { pid: server.pid, healthUrl: null, exited, signal: (signal) => void server.end(signal) };
    });
  }

  private async startAll(kind: ServiceName): Promise<void> {
    await Promise.all(instancesOf(this.options.settings.topology, kind).map((each) => this.startServiceAs(each)));
  }

  private async startServiceAs(instance: Instance): Promise<void> {
    const log = this.logOf(instance.name);
    await this.up(instance, async () => {
      const own = await this.options.environmentOf?.(instance, this.natsUrls);
      const { kind } = instance;
      const environment = { ...this.serviceEnvironment(instance), ...own };
      return startService(kind as ServiceName, environment, log, (child) => {
        if (kind === 'inventory-shard') this.shardsEnded.watch(child);
      });
    });
  }

  private async up(instance: Instance, start: () => Promise<LiveProcess>): Promise<void> {
    const { name, kind } = instance;
    const supervised = await this.firstStart({ name, start });
    this.parts.set(name, { kind, supervised });
    // After Ctrl-C during this start: the process did not exist yet when the others were stopped.
    if (this.stopping) await supervised.stop(this.stopDeadlineMs);
  }

  private async firstStart(part: SupervisedProgram): Promise<Supervised> {
    const say = (line: string): void => void (this.stopping || this.options.say(line));
    const watcher = { say, changed: (name: string, live: LiveProcess | null) => this.changed(name, live) };
    try {
      return await supervise(part, watcher);
    } catch (error) {
      throw new Error(`${part.name} did not start: ${(error as Error).message}`, { cause: error });
    }
  }

  private changed(name: string, live: LiveProcess | null): void {
    const { settings, changed } = this.options;
    const { processes, health } = this;
    delete processes[name];
    delete health[name];
    if (live) processes[name] = live.pid;
    if (live?.healthUrl) health[name] = live.healthUrl;
    const natsUrl = this.addresses().join(',');
    try {
      writeRunFile(settings.dataFolder, { pid: process.pid, urls: this.urls(), natsUrl, processes, health });
    } catch (error) {
      // A full disk must not end the launcher, and all services with it.
      this.options.say(`run.json cannot be written: ${(error as Error).message}`);
    }
    changed?.(name, live?.pid ?? null);
  }

  /** The addresses of the front doors for a browser. */
  urls(): string[] {
    const { ports, settings } = this.options;
    // A browser cannot open a wildcard address. It opens localhost, an origin that test keys accept.
    const loopback = ['127.0.0.1', '0.0.0.0', '::', '::1', 'localhost'].includes(settings.host);
    return ports.map((port) => `http://${loopback ? 'localhost' : settings.host}:${port}`);
  }

  private logOf(name: string): LogSink {
    const { settings, say } = this.options;
    return openLog(join(settings.dataFolder, 'logs'), name, settings.logToTerminal, (line) => {
      if (!this.stopping && !this.gathering) say(line);
    });
  }

  /** Every service reads its own settings. The launcher sets those that all services share. */
  private serviceEnvironment({ name, kind, number }: Instance): NodeJS.ProcessEnv {
    const { settings, ports, healthPorts, rootToken } = this.options;
    return withoutOthersSecrets(kind as ServiceName, {
      NODE_ENV: 'production',
      JOURNAL_REPLICAS: String(settings.natsUrl ? 1 : copiesOf(settings.topology)),
      // No load balancer stands in front, so no time is lost at each stop.
      PARTERRE_DRAIN_GRACE_SECONDS: '0',
      ...settings.environment,
      ...partitionsAtFirst(settings),
      PARTERRE_WEBHOOK_LOOPBACK: settings.loopbackWebhooks ? '1' : '0',
      PARTERRE_DEMO_KEYS_FILE: settings.visitorsDraw ? demoKeysFile(settings.dataFolder) : '',
      ...this.natsUsers?.environmentOf(kind as ServiceName),
      NATS_URL: this.natsUrls.join(','),
      NATS_URL_FILE: '',
      PARTERRE_DATA: settings.dataFolder,
      PARTERRE_ROOT_TOKEN: rootToken,
      PARTERRE_ROOT_TOKEN_FILE: '',
      HOST: settings.host,
      PORT: String((kind === 'frontdoor' && ports[number - 1]) || 0),
      HEALTH_PORT: String(healthPorts.get(name) ?? 0),
    });
  }
}

/** A cluster begins with the shards' own number. */
function partitionsAtFirst({ topology, environment }: Settings): NodeJS.ProcessEnv {
  if (topology.numbered || environment.JOURNAL_PARTITIONS_AT_FIRST) return {};
  return { JOURNAL_PARTITIONS_AT_FIRST: String(partitionsOfOneMachine) };
}
