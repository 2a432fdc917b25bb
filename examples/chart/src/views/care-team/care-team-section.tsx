import type { ComponentChildren } from 'preact';
import type { Chart } from '../../api/chart.ts';
import { departuresIn, type Member, membersOf, sortMembers } from '../../model/care-team.ts';
import { formatDay, quantity } from '../../model/dates/dates.ts';
import type { CareTeam } from '../../model/resources.ts';
import { statusLabels } from '../../model/status-labels.ts';
import type { HistoryOf } from '../history/history-dialog.tsx';
import { InErrorMark, Mark } from '../section/mark.tsx';
import { ShowAll, useFirst } from '../section/record-list.tsx';
import { SavedMark } from '../section/saved-mark.tsx';
import { Section } from '../section/section.tsx';

const MemberRow = ({
  member,
  children,
}: {
  readonly member: Member;
  readonly children?: ComponentChildren;
}) => (
  <li class="member">
    <bdi dir="auto" class="member-name">
      {member.name}
    </bdi>
    <span class="secondary">{member.role || 'Organization'}</span>
    {member.isLead && (
      <Mark icon="lead" tone="accent">
        Lead
      </Mark>
    )}
    {children}
  </li>
);

const MemberRows = ({ members }: { readonly members: readonly Member[] }) => (
  <ul class="rows">
    {members.map((member) => (
      <MemberRow key={member.reference} member={member} />
    ))}
  </ul>
);

/** The members with another status, such as those who are proposed. */
const OtherPart = ({ part }: { readonly part: CareTeam }) => {
  const isInError = part.status === 'entered-in-error';
  return (
    <div class={isInError ? 'in-error' : undefined}>
      <h3>{isInError ? <InErrorMark /> : statusLabels[part.status]}</h3>
      <MemberRows members={membersOf(part)} />
    </div>
  );
};

/** The team: its lead first, those who are not active, and who left when. */
export const CareTeamSection = ({
  chart,
  onHistory,
  onChange,
}: {
  readonly chart: Chart;
  readonly onHistory: (of: HistoryOf) => void;
  readonly onChange: () => void;
}) => {
  const { team, otherParts, inactivePart, teamVersions } = chart;
  const members = sortMembers(membersOf(team));
  const departures = departuresIn(inactivePart ?? {}, teamVersions);
  const first = useFirst(members, () => false, 6);
  return (
    <Section
      id="care-team"
      title="Care team"
      detail={
        <>
          {members.length > 0 && quantity(members.length, 'member')} <SavedMark id={team.id} />
        </>
      }
      action={{ text: 'Change the team', onClick: onChange }}
      menu={[
        {
          text: 'History',
          onChoose: () => onHistory({ type: 'CareTeam', id: team.id, title: 'Care team' }),
        },
      ]}
    >
      {members.length === 0 ? (
        <p class="empty">Nobody is on the team yet. Begin with the person who leads the care.</p>
      ) : (
        <>
          <MemberRows members={first.shown} />
          <ShowAll noun="members" of={first} />
        </>
      )}
      {otherParts.map((part) => (
        <OtherPart key={part.status} part={part} />
      ))}
      {departures.length > 0 && (
        <div>
          <h3>Left the team</h3>
          <ul class="rows">
            {departures.map((member) => (
              <MemberRow key={member.reference} member={member}>
                {member.leftAt !== '' && (
                  <time class="row-date" dateTime={member.leftAt}>
                    {formatDay(member.leftAt)}
                  </time>
                )}
              </MemberRow>
            ))}
          </ul>
        </div>
      )}
    </Section>
  );
};
