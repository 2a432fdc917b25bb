import type { FeedPosition } from '@clinical-records/core';

/** The texts by which a stream continues at a position of the feed. */
export type EventIds = {
  readonly write: (position: FeedPosition) => Promise<string>;
  /** The position of a text; null for one that was made with another secret, or is too old. */
  readonly read: (text: string) => Promise<FeedPosition | null>;
};

/** After so many milliseconds, reading the chart again costs less than to look for what is new in it. */
const maxAge = 60 * 60 * 1000;

/** The most characters of a text. */
const maxLength = 1000;

const initialBytes = 12;

const encoder = new TextEncoder();
const decoder = new TextDecoder();

const toText = (bytes: Uint8Array): string =>
  btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');

/** The bytes of a text; null for a text that is not one of `toText`. */
const fromText = (text: string): Uint8Array<ArrayBuffer> | null => {
  if (text.length > maxLength || !/^[\w-]+$/.test(text)) return null;
  try {
    return Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (byte) =>
      byte.charCodeAt(0),
    );
  } catch {
    return null;
  }
};

type Key = Awaited<ReturnType<typeof crypto.subtle.importKey>>;

const createKey = async (secret: string | undefined): Promise<Key> => {
  const bytes =
    secret === undefined
      ? crypto.getRandomValues(new Uint8Array(32))
      : await crypto.subtle.digest('SHA-256', encoder.encode(secret));
  return crypto.subtle.importKey('raw', bytes, 'AES-GCM', false, ['encrypt', 'decrypt']);
};

/** A short digest of what a stream shows, for the ids of its events. */
export const digestOf = async (text: string): Promise<string> =>
  toText(
    new Uint8Array(await crypto.subtle.digest('SHA-256', encoder.encode(text))).subarray(0, initialBytes),
  );

/**
 * Creates the texts of positions. They are encrypted, because a position counts the versions in all charts. Only those who have
 * the secret can read one; without a secret, only this process can.
 */
export const createEventIds = (secret: string | undefined): EventIds => {
  let created: Promise<Key> | undefined;
  const key = () => {
    created ??= createKey(secret);
    return created;
  };
  const parametersOf = (iv: Uint8Array<ArrayBuffer>) => ({ name: 'AES-GCM', iv });

  return {
    write: async (position) => {
      const iv = crypto.getRandomValues(new Uint8Array(initialBytes));
      const text = encoder.encode(JSON.stringify([Date.now(), position]));
      const encrypted = await crypto.subtle.encrypt(parametersOf(iv), await key(), text);
      return toText(new Uint8Array([...iv, ...new Uint8Array(encrypted)]));
    },

    read: async (sent) => {
      const bytes = fromText(sent);
      if (bytes === null) return null;
      const iv = bytes.slice(0, initialBytes);
      try {
        const parameters = parametersOf(iv);
        const text = await crypto.subtle.decrypt(parameters, await key(), bytes.slice(initialBytes));
        const [at, position] = JSON.parse(decoder.decode(text));
        return Date.now() - at <= maxAge ? position : null;
      } catch {
        return null;
      }
    },
  };
};
