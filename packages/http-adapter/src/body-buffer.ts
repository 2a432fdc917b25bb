/** Collects the bytes of a body while they arrive. */
export type BodyBuffer = {
  /** Adds a piece. Returns whether the body now exceeds the limit. */
  readonly add: (piece: Uint8Array) => boolean;
  /** The bytes so far, at most one more than the limit, which shows that a body exceeds it. */
  readonly bytes: () => Uint8Array;
};

const noBytes = new Uint8Array(0);

/**
 * Creates a buffer that grows with the body. It does not reserve the limit in advance, nor an object for each short
 * piece. A body that arrives in one piece, as most do, is not copied.
 */
export const createBodyBuffer = (limit: number): BodyBuffer => {
  let body: Uint8Array = noBytes;
  let length = 0;
  return {
    add: (piece) => {
      const room = limit + 1 - length;
      const fitting = piece.length > room ? piece.subarray(0, room) : piece;
      if (length === 0) body = fitting;
      else {
        if (length + fitting.length > body.length) {
          const larger = new Uint8Array(2 * (length + fitting.length));
          larger.set(body);
          body = larger;
        }
        body.set(fitting, length);
      }
      length += fitting.length;
      return length > limit;
    },
    bytes: () => (length === body.length ? body : body.subarray(0, length)),
  };
};
