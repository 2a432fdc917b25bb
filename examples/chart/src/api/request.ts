/** Calls `fetch`. Without a response, that throws a TypeError, whose message differs between browsers. */
export const request: typeof fetch = (input, init) =>
  fetch(input, init).catch((cause) => {
    throw cause instanceof TypeError ? new Error('The server did not respond. Try again.', { cause }) : cause;
  });
