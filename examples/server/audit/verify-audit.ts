import { CommandError } from '../command/command-error.ts';
import { type DataLocation, locationName } from '../open/data-location.ts';
import { formatList } from '../verify/print-verification.ts';
import { useAudit } from './use-audit.ts';

const issueSentences = {
  missing: 'it is missing',
  digest: 'it was changed or inserted, or the event before it was',
} as const;

/**
 * Verifies the audit log of a location, and prints the issues and the head to keep. Throws a `CommandError` if there are issues, or no log.
 */
export const verifyAudit = (location: DataLocation, keptHead: string | undefined): Promise<void> =>
  useAudit(location, async (audit) => {
    const { entries, head, hasFoundHead, discrepancies } = await audit.verify({ head: keptHead });
    const found = [
      ...(hasFoundHead ? [] : ['the head that was given is not in the audit']),
      ...discrepancies.map(({ position, problem }) => `event ${position}: ${issueSentences[problem]}`),
    ];
    console.log(
      [...formatList('discrepancies of the audit', found), `events: ${entries}`, `head: ${head}`].join('\n'),
    );
    if (found.length > 0)
      throw new CommandError(`the audit of ${locationName(location)} is not as it should be`, 'data');
  });
