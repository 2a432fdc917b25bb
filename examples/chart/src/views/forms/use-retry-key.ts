import { useMemo } from 'preact/hooks';

/**
 * An `Idempotency-Key` for a form, so that sending it again after a lost response records it once. A changed form is then
 * refused. A draft has no effect, so its form passes its content, and stages it again after a change.
 */
export const useRetryKey = (content?: unknown): string =>
  // `crypto.randomUUID` exists only over https and on the same machine.
  useMemo(() => crypto.getRandomValues(new Uint32Array(4)).join('-'), [content]);
