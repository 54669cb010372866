/** A page of the operator. */
import type { TemplateResult } from 'lit-html';
import type { ViewAddress } from '../address.ts';
import type { Ports } from '../view.ts';

/** `server` sends the root token, to routes below /v1/admin. */
export type OperatorPorts = Omit<Ports, 'who'>;
export type OperatorPage = { draw(place: ViewAddress): TemplateResult; close(): void };
