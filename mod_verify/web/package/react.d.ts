import type { ReactElement } from 'react';
import type { Options } from './index.js';

export interface VerificationProps extends Omit<Options, 'container'> {
  /** In the place of the component instead of a dialog. */
  inline?: boolean;
  className?: string;
}

export function Verification(props: VerificationProps): ReactElement | null;
