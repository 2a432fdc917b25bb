import { useEffect, useState } from 'preact/hooks';
import { loadHistory } from '../../api/history.ts';
import { formatDate } from '../../model/dates/dates.ts';
import { errorWords } from '../../model/error-words.ts';
import type { HistoryVersion } from '../../model/history/history.ts';
import type { ChartType } from '../../model/resources.ts';
import { Alert } from '../alert.tsx';
import { useClient } from '../contexts.ts';
import { Corrections } from '../corrections/corrections.tsx';
import { Dialog } from '../dialog.tsx';
import { usePossibleMembers } from '../use-possible-members.tsx';
import { ChangeList } from './change-list.tsx';

/** The resource whose history is shown. */
export type HistoryOf = { readonly type: ChartType; readonly id: string; readonly title: string };

/** A version can have the same content, such as after a change among the members who are not active. */
const unchangedText = ({ isFirst }: HistoryVersion): string =>
  isFirst ? 'Created, with nothing in it.' : 'Nothing changed in what is in effect.';

const Version = ({ version, author }: { readonly version: HistoryVersion; readonly author: string }) => (
  <li>
    <h3>
      <time dateTime={version.at}>{formatDate(version.at)}</time>
      <span class="secondary">
        {' '}
        by <bdi dir="auto">{author}</bdi>
        {version.proposedBy !== '' && `, as ${version.proposedBy} proposed`}
      </span>
    </h3>
    {version.reason !== '' && (
      <p>
        Reason: <span dir="auto">{version.reason}</span>
      </p>
    )}
    {version.changes.length === 0 ? (
      <p class="secondary">{unchangedText(version)}</p>
    ) : (
      <ChangeList changes={version.changes} />
    )}
  </li>
);

/** Who changed something, when, and what, the newest first. */
export const HistoryDialog = ({ of, onClose }: { readonly of: HistoryOf; readonly onClose: () => void }) => {
  const client = useClient();
  const names = usePossibleMembers();
  const [versions, setVersions] = useState<readonly HistoryVersion[] | null>(null);
  const [error, setError] = useState('');
  useEffect(() => {
    loadHistory(client, of).then(setVersions, (cause) => setError(errorWords(cause)));
  }, [client, of]);
  return (
    <Dialog title={`History: ${of.title}`} onClose={onClose}>
      <Alert sentence={error} />
      {versions === null && error === '' && <p class="secondary">Reading the versions …</p>}
      {/* The team of a patient joins another one with the chart. */}
      <Corrections of={of.type === 'CareTeam' ? { type: 'Patient', id: of.id } : of} />
      <ol class="versions">
        {versions?.map((version) => (
          <Version
            key={version.number}
            version={version}
            author={
              version.author === null ? 'an unknown author' : (names.get(version.author) ?? version.author)
            }
          />
        ))}
      </ol>
    </Dialog>
  );
};
