/** The SHA-256 of a text in UTF-8, in hexadecimal digits. */
export const sha256 = (text: string): string =>
  // biome-ignore lint/style/noRestrictedGlobals: WebCrypto takes a promise and a job of a thread for each text.
  process.getBuiltinModule('node:crypto').hash('sha256', text);
