import type { ComponentChildren } from 'preact';
import { Icon, type IconName } from './icon.tsx';

/** How much a mark calls for attention; `strong` most of all. */
export type Tone = 'plain' | 'good' | 'accent' | 'wait' | 'alert' | 'error' | 'strong-wait' | 'strong-alert';

/** A word with its sign and its colour. */
export const Mark = ({
  icon,
  tone = 'plain',
  children,
}: {
  readonly icon: IconName;
  readonly tone?: Tone;
  readonly children: ComponentChildren;
}) => (
  <span class={`mark ${tone}`}>
    <Icon name={icon} />
    <span>{children}</span>
  </span>
);

/** Says that a record was entered in error. Everything else in its row is struck out. */
export const InErrorMark = () => (
  <Mark icon="entered-in-error" tone="error">
    Entered in error
  </Mark>
);
