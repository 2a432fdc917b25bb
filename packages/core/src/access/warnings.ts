import type { Issue } from '../errors.ts';
import { callback, type OptionForms } from '../forms.ts';

/** A change that was written, about which the rules of the host warn. */
export type WithWarnings = {
  /** The warnings of the host's rules; absent if there are none. */
  readonly warnings?: readonly Issue[];
};

/** The option of a write that tells its warnings. */
export type WarningOptions = {
  /**
   * Is called once with the warnings of the host's rules, if there are any, when the change is written: in `records.transaction` once all
   * of it is. A repeated request with the same idempotency key is told them again. An error that it throws is that of the call, though the
   * change is written.
   */
  readonly onWarnings?: ((warnings: readonly Issue[]) => void) | undefined;
};

export const warningForms: OptionForms<WarningOptions> = { onWarnings: callback };
