/** A page of the house: a list with its acts. */
import type { TemplateResult } from 'lit-html';
import type { ViewAddress } from '../address.ts';
import type { Ports } from '../view.ts';

export type Page = {
  draw(place: ViewAddress): TemplateResult;
  close(): void;
};

export type OpenPage = (ports: Ports, place: ViewAddress) => Page;
