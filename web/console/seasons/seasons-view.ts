/**
 * Seasons and performance groups: the list of both, one season, or one group, as the address says.
 *
 * - owner-list.ts: the list. season-page.ts and group-page.ts: one of them. night-list.ts, holder-list.ts,
 *   amendment-list.ts: its parts. season-moves.ts and steps.ts: its lifecycle.
 */
import type { TemplateResult } from 'lit-html';
import type { ViewAddress } from '../address.ts';
import { adopt } from '../frame/adopt.ts';
import type { Ports, View } from '../view.ts';
import { GroupPage } from './group-page.ts';
import { looks } from './looks.ts';
import { OwnerList } from './owner-list.ts';
import { SeasonPage } from './season-page.ts';

adopt(looks);

const groupPrefix = 'pg_';

export function openSeasons(place: ViewAddress, ports: Ports): View {
  return new SeasonsView(place, ports);
}

class SeasonsView implements View {
  readonly #ports: Ports;
  readonly #page: OwnerList | SeasonPage | GroupPage;
  #place: ViewAddress;

  constructor(place: ViewAddress, ports: Ports) {
    this.#place = place;
    this.#ports = ports;
    const key = place.path[1];
    const present = (): ViewAddress => this.#place;
    if (key === undefined) this.#page = new OwnerList(ports, present);
    else if (key.startsWith(groupPrefix)) this.#page = new GroupPage(key, ports, present);
    else this.#page = new SeasonPage(key, ports, present);
  }

  get title(): string {
    return 'title' in this.#page ? this.#page.title : this.#ports.words.text('seasons.title');
  }

  moved(place: ViewAddress): boolean {
    const { mode, workspaceId, path } = this.#place;
    const isSame = place.mode === mode && place.workspaceId === workspaceId && place.path.join('/') === path.join('/');
    if (isSame) this.#place = place;
    return isSame;
  }

  close(): void {
    this.#page.close();
  }

  draw(): TemplateResult {
    return this.#page.draw();
  }
}
