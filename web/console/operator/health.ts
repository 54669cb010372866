/**
 * The health of the deployment: whether it sells, its members, its partitions with their owners and halted events,
 * and how far the projections are.
 *
 * States: reading → shown or failed, each of the two answers by itself; it is read again every `READ_MS` and when the
 * operator asks. The answers that are there stay while newer ones are on their way, and the page says from when they
 * are.
 */
import { html, nothing, type TemplateResult } from 'lit-html';
import { timeOf } from '../frame/fields.ts';
import type { OperatorPage, OperatorPorts } from './page.ts';

type Member = {
  service: string;
  id: string;
  version: string;
  node: string;
  host: string;
  pid: number;
  startedAt: number;
  memoryBytes: number;
  disk: { usedShare: number; bytesFree: number } | null;
  nats: { server: string; version: string } | null;
};
type Partition = {
  partition: number;
  owner: string | null;
  epoch: number | null;
  state: string;
  haltedBy: string | null;
  haltedEvents: number;
  events: { eventKey: string; reason: string }[];
};
type Status = {
  at: number;
  sellable: boolean;
  checks: Record<'nats' | 'catalog' | 'store' | 'disk', string>;
  haltedEvents: number;
  members: Member[];
  partitions: Partition[];
};
type Projections = {
  generation: number;
  building: number | null;
  partitions: { stream: string; counted: number; halted: boolean; behind: number | null; oldestAt: number | null }[];
};

const READ_MS = 15_000;
const MIB = 1_048_576;
const GIB = 1_024 * MIB;
const checkNames = ['nats', 'catalog', 'store', 'disk'] as const;

export const openHealth = (ports: OperatorPorts): OperatorPage => new Health(ports);

class Health implements OperatorPage {
  readonly #ports: OperatorPorts;
  readonly #left = new AbortController();
  #status: Status | null = null;
  #projections: Projections | null = null;
  #failed = false;
  #isReading = false;
  #timer: ReturnType<typeof setTimeout> | undefined = undefined;

  constructor(ports: OperatorPorts) {
    this.#ports = ports;
    void this.#read();
  }

  close(): void {
    clearTimeout(this.#timer);
    this.#left.abort();
  }

  async #read(): Promise<void> {
    if (this.#isReading) return;
    this.#isReading = true;
    clearTimeout(this.#timer);
    const { server, changed } = this.#ports;
    const { signal } = this.#left;
    const [status, projections] = await Promise.all([
      server.get<Status>('status', signal),
      server.get<Projections>('projections', signal),
    ]);
    if (signal.aborted) return;
    if (status.ok) this.#status = status.value;
    if (projections.ok) this.#projections = projections.value;
    this.#failed = !status.ok || !projections.ok;
    this.#isReading = false;
    this.#timer = setTimeout(() => void this.#read(), READ_MS);
    changed();
  }

  draw(): TemplateResult {
    const { text } = this.#ports.words;
    const again = html`<button @click=${() => void this.#read()}>${text('reports.again')}</button>`;
    const told = this.#failed ? html`<p role="alert">${text('house.operator.health.failed')}</p>` : nothing;
    if (!this.#status) {
      return html`${told}${this.#failed ? again : html`<p role="status">${text('house.operator.health.reading')}</p>`}`;
    }
    const { at, members, partitions } = this.#status;
    return html`<div class="tools">${again}</div>${told}
      <p class="muted">${text('reports.from', { time: timeOf(this.#ports, at) })}</p>
      ${this.#summary(this.#status)} ${this.#halted(partitions)} ${this.#membersTable(members)}
      ${this.#partitionsTable(partitions)} ${this.#projections ? this.#projectionsTable(this.#projections) : nothing}`;
  }

  #summary({ sellable, checks, haltedEvents, members }: Status): TemplateResult {
    const { text, number, list } = this.#ports.words;
    const versions = [...new Set(members.map(({ version }) => version))];
    return html`<p role=${sellable ? 'status' : 'alert'}><strong>${text(sellable ? 'house.operator.sells' : 'house.operator.sells.not')}</strong></p>
      <dl class="figures">
        ${checkNames.map((name) => html`<div><dt>${text(`house.operator.check.${name}`)}</dt><dd>${checks[name]}</dd></div>`)}
        <div><dt>${text('house.operator.halted')}</dt><dd>${number(haltedEvents)}</dd></div>
        <div><dt>${text('house.operator.version')}</dt><dd>${list(versions)}</dd></div></dl>
      ${versions.length > 1 ? html`<p class="warned">${text('house.operator.version.mixed')}</p>` : nothing}`;
  }

  #halted(partitions: readonly Partition[]): TemplateResult | typeof nothing {
    const { text } = this.#ports.words;
    const whole = partitions.filter(({ haltedBy }) => haltedBy !== null);
    const events = partitions.flatMap(({ events }) => events);
    if (whole.length === 0 && events.length === 0) return nothing;
    return html`<section aria-labelledby="halted"><h2 id="halted">${text('house.operator.halted')}</h2>
      <p class="warned">${text('house.operator.halted.what')}</p><ul>
      ${whole.map(({ partition, haltedBy }) => html`<li>${text('house.operator.partition')} ${partition}: ${haltedBy}</li>`)}
      ${events.map(({ eventKey, reason }) => html`<li><code dir="ltr">${eventKey}</code>: ${reason}</li>`)}</ul></section>`;
  }

  #membersTable(members: readonly Member[]): TemplateResult {
    const { text, number } = this.#ports.words;
    const heads = ['service', 'process', 'version', 'since', 'memory', 'disk.free', 'nats'] as const;
    const disk = ({ disk }: Member): string =>
      disk === null
        ? '–'
        : text('house.operator.disk', {
            free: number(Math.round(disk.bytesFree / GIB)),
            share: number(Math.round(disk.usedShare * 100)),
          });
    return this.#table(
      'house.operator.members',
      heads,
      members.length,
      members.map(
        (
          member,
        ) => html`<tr><th scope="row">${member.service}<br><code dir="ltr">${member.id}</code></th><td>${member.host}/${member.pid}</td>
        <td>${member.version}<br><small class="muted">Node ${member.node}</small></td><td>${timeOf(this.#ports, member.startedAt)}</td>
        <td>${number(Math.round(member.memoryBytes / MIB))} MiB</td><td>${disk(member)}</td>
        <td>${member.nats === null ? '–' : `${member.nats.server} ${member.nats.version}`}</td></tr>`,
      ),
    );
  }

  #partitionsTable(partitions: readonly Partition[]): TemplateResult {
    const { number } = this.#ports.words;
    const heads = ['partition', 'partition.owner', 'epoch', 'partition.state', 'halted'] as const;
    return this.#table(
      'house.operator.partitions',
      heads,
      partitions.length,
      partitions.map(
        ({
          partition,
          owner,
          epoch,
          state,
          haltedEvents,
        }) => html`<tr><th scope="row">${partition}</th><td><code dir="ltr">${owner ?? '–'}</code></td>
        <td>${epoch ?? '–'}</td><td>${state}</td><td>${number(haltedEvents)}</td></tr>`,
      ),
    );
  }

  #projectionsTable({ generation, building, partitions }: Projections): TemplateResult {
    const { text, number } = this.#ports.words;
    const heads = ['stream', 'counted', 'behind', 'oldest', 'projection.state'] as const;
    const rows = partitions.map(
      ({
        stream,
        counted,
        behind,
        oldestAt,
        halted,
      }) => html`<tr><th scope="row"><code dir="ltr">${stream}</code></th><td>${number(counted)}</td>
        <td>${behind === null ? '–' : number(behind)}</td><td>${oldestAt === null ? '–' : timeOf(this.#ports, oldestAt)}</td>
        <td>${text(halted ? 'house.operator.projection.halted' : 'house.operator.projection.counts')}</td></tr>`,
    );
    const told =
      building === null
        ? text('house.operator.generation', { generation: String(generation) })
        : text('house.operator.building', { generation: String(building) });
    return html`${this.#table('house.operator.projections', heads, partitions.length, rows)}
      <p>${told} <button @click=${() => this.#rebuild()} ?disabled=${building !== null}>${text('house.operator.rebuild')}</button></p>`;
  }

  #table(title: PlainTitle, heads: readonly Head[], count: number, rows: readonly TemplateResult[]): TemplateResult {
    const { text } = this.#ports.words;
    const id = title.replaceAll('.', '-');
    return html`<section aria-labelledby=${id}><h2 id=${id}>${text(title)}</h2>
      ${
        count === 0
          ? html`<p>${text('reports.empty')}</p>`
          : html`<div class="wide" tabindex="0" role="region" aria-label=${text(title)}><table>
            <thead><tr>${heads.map((head) => html`<th scope="col">${text(`house.operator.${head}`)}</th>`)}</tr></thead><tbody>${rows}</tbody></table></div>`
      }</section>`;
  }

  #rebuild(): void {
    const { ask, server, tell, words } = this.#ports;
    const { text } = words;
    ask({
      title: text('house.operator.rebuild'),
      draw: () => html`<p>${text('house.operator.rebuild.what')}</p>`,
      confirm: text('house.operator.rebuild'),
      send: (_, key) => server.send('POST', 'projections/rebuild', { body: {}, key }),
      done: () => {
        tell({ text: text('house.operator.rebuild.done') });
        void this.#read();
      },
    });
  }
}

type PlainTitle = 'house.operator.members' | 'house.operator.partitions' | 'house.operator.projections';
type Head =
  | 'service'
  | 'process'
  | 'version'
  | 'since'
  | 'memory'
  | 'disk.free'
  | 'nats'
  | 'partition'
  | 'partition.owner'
  | 'epoch'
  | 'partition.state'
  | 'halted'
  | 'stream'
  | 'counted'
  | 'behind'
  | 'oldest'
  | 'projection.state';
