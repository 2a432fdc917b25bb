const encoder = new TextEncoder();

/** The SHA-256 of a text in UTF-8, in hexadecimal digits. It is computed off the event loop. */
export const sha256 = async (text: string): Promise<string> => {
  const bytes = new Uint8Array(await crypto.subtle.digest('SHA-256', encoder.encode(text)));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
};
