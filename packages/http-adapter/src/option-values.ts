const isText = (value: unknown): value is string => typeof value === 'string' && value !== '';

/** Checks an option that plain JavaScript can leave out. Without it, the tokens of everybody would be valid. */
export const requireTexts = (name: string, value: string | readonly string[]): string[] => {
  const texts = [value].flat();
  if (texts.length > 0 && texts.every(isText)) return texts;
  throw new TypeError(`${name} is required: a text, or an array of texts.`);
};

export const requireSeconds = (name: string, seconds: number, most: number): number => {
  if (Number.isInteger(seconds) && seconds >= 0 && seconds <= most) return seconds;
  throw new RangeError(`${name} must be a whole number of seconds from 0 to ${most}.`);
};

const isLoopback = ({ hostname }: URL): boolean =>
  hostname === 'localhost' || hostname === '[::1]' || /^127\.\d+\.\d+\.\d+$/.test(hostname);

/**
 * Checks a URL to which secrets are sent, or from which keys are fetched. A person who could change its responses on their
 * way could issue tokens.
 */
export const requireSecureUrl = (name: string, url: string | URL): URL => {
  const parsed = URL.parse(`${url}`);
  // `fetch` refuses them, and quotes them in its error.
  if (parsed?.username || parsed?.password) {
    throw new RangeError(`${name} must not have a user or a password in it.`);
  }
  if (parsed?.protocol === 'https:' || (parsed?.protocol === 'http:' && isLoopback(parsed))) return parsed;
  throw new RangeError(`${name} must be a URL of https, or of http on this machine.`);
};
