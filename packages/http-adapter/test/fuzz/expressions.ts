import { evaluatePath } from '@clinical-records/testing-profiles';
import type { HttpRequest } from '../../src/index.ts';

const parametersOf = ({ url, body }: HttpRequest): readonly string[] => {
  const query = url.replace(/^[^?]*\??|#.*$/gs, '');
  const form = body instanceof Uint8Array ? new TextDecoder().decode(body) : String(body);
  return [query, form].flatMap((text) => [...new URLSearchParams(text).keys()]);
};

const isIn = (body: object, path: string): boolean => path === '' || evaluatePath(body, path).length > 0;

/**
 * Whether the expression of an issue points at a parameter or an element that was sent, or at one that an element lacks.
 * Throws if it is not FHIRPath.
 */
export const pointsAtSent = (expression: string, request: HttpRequest, body: unknown): boolean => {
  const [, parameter] = /^http\.(.+)$/.exec(expression) ?? [];
  if (parameter !== undefined) {
    return parametersOf(request).some((one) => one === parameter || one.startsWith(`${parameter}:`));
  }
  const path = expression.replace(/^[A-Z][A-Za-z]+(?:\.|$)/, '');
  if (typeof body !== 'object' || body === null) return path === '';
  // An array of null is nothing in FHIRPath, so the parent of an item is the element around the array.
  const parent = path.replace(/(?:^|\.)[^.]+$/, '');
  return isIn(body, path) || isIn(body, parent);
};
