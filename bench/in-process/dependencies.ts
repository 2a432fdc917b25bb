// The modules of others that the core imports.
import 'zod';
import 'fp-ts/lib/Either.js';
import 'fp-ts/lib/function.js';
