/** Calls `fetch`. If there is no response, it throws a TypeError with a message that each browser has for itself. */
export const request: typeof fetch = (input, init) =>
  fetch(input, init).catch((cause) => {
    throw cause instanceof TypeError ? new Error('The server did not respond. Try again.', { cause }) : cause;
  });
