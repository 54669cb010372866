/** `<ParterreMap event="…" publicKey="pk_…" onHold={…} />` for React 18 and later, on a server too. */
import { createElement, forwardRef, useEffect, useImperativeHandle, useRef } from 'react';
import './index.ts';
import { attributesOf, connect, listen } from './props.ts';
import type { ParterreMapElement } from './types/index.d.ts';
import type { ParterreMapReactProps } from './types/react.d.ts';

const handlers = {
  selectionchange: 'onSelectionChange',
  hold: 'onHold',
  'parterre-continue': 'onContinue',
  holdexpired: 'onHoldExpired',
  holdreleased: 'onHoldReleased',
  booked: 'onBooked',
  error: 'onError',
} as const;

export const ParterreMap = forwardRef<ParterreMapElement, ParterreMapReactProps>(function ParterreMap(props, ref) {
  const element = useRef<ParterreMapElement>(null);
  const latest = useRef(props);
  useImperativeHandle(ref, () => element.current!, []);
  useEffect(() => {
    latest.current = props;
  });
  const hasToken = Boolean(props.token);
  useEffect(() => connect(element.current!, hasToken ? () => latest.current : null), [hasToken]);
  useEffect(() => {
    return listen(element.current!, (name, detail) => {
      const handler = latest.current[handlers[name]] as ((told: unknown) => void) | undefined;
      handler?.(detail);
    });
  }, []);
  const { messages = null, className, style, id, children } = props;
  useEffect(() => {
    element.current!.messages = messages;
  }, [messages]);
  const look = { ...(className ? { class: className } : {}), ...(style ? { style } : {}), ...(id ? { id } : {}) };
  return createElement('parterre-map', { ...attributesOf(props), ...look, ref: element }, children);
});
