import { createHmac, randomBytes } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import { describe, expect, it } from 'vitest';
import { signatureHeaders } from '../../../services/notifier/src/endpoints/rules/signature.ts';

const newSecret = () => `whsec_${randomBytes(32).toString('base64')}`;
/** The newest first. */
const signing = (...secrets: string[]) => secrets.map((secret) => ({ secret, until: null }));
const body = '{"event":"seat.booked","data":{"labels":["Första raden-1"]}}';
const message = () => ({ id: 'occ_1', atMs: Date.now(), body });

describe('webhook signatures', () => {
  it('are accepted by the Standard Webhooks library', () => {
    const secret = newSecret();
    const headers = signatureHeaders(message(), signing(secret));
    expect(new Webhook(secret).verify(body, headers)).toEqual(JSON.parse(body));
    expect(() => new Webhook(secret).verify(`${body} `, headers)).toThrow();
    expect(() => new Webhook(newSecret()).verify(body, headers)).toThrow();
  });

  it('are refused by it when they are older than five minutes, or carry another time', () => {
    const secret = newSecret();
    const headers = signatureHeaders({ ...message(), atMs: Date.now() - 6 * 60_000 }, signing(secret));
    expect(() => new Webhook(secret).verify(body, headers)).toThrow('too old');
    const now = String(Math.floor(Date.now() / 1_000));
    expect(() => new Webhook(secret).verify(body, { ...headers, 'webhook-timestamp': now })).toThrow('No matching');
  });

  it('are accepted under the new and the old secret after a rotation', () => {
    const current = newSecret();
    const previous = newSecret();
    const headers = signatureHeaders(message(), signing(current, previous));
    for (const secret of [current, previous]) expect(() => new Webhook(secret).verify(body, headers)).not.toThrow();
    expect(headers['webhook-signature']).toMatch(/^v1,\S{44} v1,\S{44}$/);
  });

  it('sign the body alone with the whole text of the newest secret', () => {
    const current = newSecret();
    const previous = newSecret();
    const headers = signatureHeaders(message(), signing(current, previous));
    const hex = createHmac('sha256', current).update(body).digest('hex');
    expect(headers['X-Parterre-Signature']).toBe(`sha256=${hex}`);
  });

  it.each([
    ['an empty body', 'whsec_', 'a2V5', ''],
    ['every kind of character', 'whsec_', 'a2V5', 'a\u0000é€😀\ud800'],
    ['a body beyond one block', '', 'no base64 prefix', 'é'.repeat(5_000)],
    ['a long body', 'whsec_', 'a2V5', 'é'.repeat(40_000)],
    ['a secret longer than a block', 'whsec_', Buffer.alloc(100, 7).toString('base64'), body],
  ])('are HMAC-SHA-256 of %s', (_name, prefix, encoded, content) => {
    const secret = `${prefix}${encoded}`;
    for (const text of [content, body, content]) {
      const headers = signatureHeaders({ id: 'occ_9', atMs: 1_700_000_000_000, body: text }, signing(secret));
      const standard = createHmac('sha256', Buffer.from(encoded, 'base64')).update(`occ_9.1700000000.${text}`);
      expect(headers['webhook-signature']).toBe(`v1,${standard.digest('base64')}`);
      const bodyOnly = createHmac('sha256', secret).update(text).digest('hex');
      expect(headers['X-Parterre-Signature']).toBe(`sha256=${bodyOnly}`);
    }
  });

  it('carry the occurrence id and whole seconds', () => {
    const headers = signatureHeaders({ id: 'occ_9', atMs: 1_700_000_000_999, body }, signing(newSecret()));
    expect(headers).toMatchObject({ 'webhook-id': 'occ_9', 'webhook-timestamp': '1700000000' });
  });
});
