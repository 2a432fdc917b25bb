type Piece = string | Uint8Array;

/**
 * The lines of NDJSON that comes in pieces, as text or as bytes in UTF-8: of a file, or of a download.
 * Lines end at a line feed and nowhere else: the separators U+2028 and U+2029 may stand in a JSON text.
 * Throws a TypeError for what is no UTF-8.
 *
 * @example
 * await orThrow(records.importer.load(ndjson(createReadStream('Patient.ndjson'))));
 */
export async function* ndjson(pieces: AsyncIterable<Piece> | Iterable<Piece>): AsyncGenerator<string, void> {
  const utf8 = new TextDecoder('utf-8', { fatal: true });
  let rest = '';
  for await (const piece of pieces) {
    const text = typeof piece === 'string' ? piece : utf8.decode(piece, { stream: true });
    const [end = '', ...begun] = text.split('\n');
    rest += end;
    for (const line of begun) {
      yield rest;
      rest = line;
    }
  }
  yield rest + utf8.decode();
}
