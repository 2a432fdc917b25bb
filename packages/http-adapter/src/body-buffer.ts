/** The bytes of a body, as it comes. */
export type BodyBuffer = {
  /** Whether the body exceeds the limit, with this piece. */
  readonly add: (piece: Uint8Array) => boolean;
  /** What came so far, up to a byte more than the limit: enough to see that a body exceeds it. */
  readonly bytes: () => Uint8Array;
};

/**
 * Puts a body together in memory that grows with what comes: neither as much as may come is set aside, nor something for
 * each piece, however short. A body that comes in one piece, as most do, is not copied.
 */
export const createBodyBuffer = (limit: number): BodyBuffer => {
  let body: Uint8Array = new Uint8Array(0);
  let length = 0;
  return {
    add: (piece) => {
      const fitting = piece.subarray(0, limit + 1 - length);
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
    bytes: () => body.subarray(0, length),
  };
};
