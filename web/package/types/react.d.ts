import type { CSSProperties, ForwardRefExoticComponent, ReactNode, RefAttributes } from 'react';
import type { Hold, MapError, ParterreMapElement, ParterreMapProps, Wanted } from './index.d.ts';

export interface ParterreMapReactProps extends ParterreMapProps {
  id?: string;
  className?: string;
  style?: CSSProperties;
  children?: ReactNode;
  onSelectionChange?(selection: Wanted[]): void;
  onHold?(hold: Hold): void;
  /** The buyer goes on to pay for the hold. */
  onContinue?(hold: Hold): void;
  onHoldExpired?(): void;
  onHoldReleased?(): void;
  onBooked?(labels: string[]): void;
  onError?(error: MapError): void;
}

/** The ref is the element: `ref.current.map` has the methods. */
export const ParterreMap: ForwardRefExoticComponent<ParterreMapReactProps & RefAttributes<ParterreMapElement>>;
