/** A page of the house: a list with its acts. */
import type { TemplateResult } from 'lit-html';
import type { ViewAddress } from '../address.ts';
import type { Ports } from '../view.ts';

export type Page = {
  draw(place: ViewAddress): TemplateResult;
  close(): void;
};

export type OpenPage = (ports: Ports, place: ViewAddress) => Page;

/** Of times that belong to no event: in the reader's zone, which is named. */
export const timeOf = ({ words }: Ports, at: number): string => words.date(at, null, 'medium', true);

/** The text of a field, without outer spaces. */
export const fieldOf = (form: FormData, name: string): string => String(form.get(name) ?? '').trim();
