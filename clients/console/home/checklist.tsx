import { type ReactNode, useState } from 'react';
import { useMembers } from '../members/list.ts';
import { Button } from '../parts/button.tsx';
import { Icon } from '../parts/icons.tsx';
import { PageLink } from '../parts/page-link.tsx';
import { screenAddress } from '../service/location.ts';
import { useDomains, useMay } from '../service/queries.ts';
import { isOffered } from '../service/sign-in.ts';

const placeOf = (workspaceId: string): string => `links-begun-${workspaceId}`;

type ChecklistProps = {
  readonly workspaceId: string;
  /** The number of loaded links. */
  readonly links: number;
  readonly hasClicks: boolean;
};

/** The first steps in a new workspace. The list never comes back once everything is done or somebody has closed it. */
export function Checklist({ workspaceId, links, hasClicks }: ChecklistProps) {
  const place = placeOf(workspaceId);
  const [isOver, end] = useState(() => localStorage.getItem(place) !== null);
  const domains = useDomains(useMay('domains:read'));
  const mayInvite = useMay('members:write') && isOffered;
  const members = useMembers(mayInvite && !isOver);
  const isKnown = !domains.isLoading && !members.isLoading;
  const steps: readonly { readonly text: string; readonly isDone: boolean; readonly how: ReactNode }[] = [
    { text: 'Make a link', isDone: links > 0, how: 'Paste a long address above, and press Shorten.' },
    { text: 'Share it', isDone: hasClicks, how: 'Its first click shows here.' },
    {
      text: 'Add your domain',
      isDone: (domains.data?.length ?? 0) > 0,
      how: <PageLink to={screenAddress('domains')}>Domains</PageLink>,
    },
    ...(mayInvite
      ? [
          {
            text: 'Invite someone',
            isDone: (members.data?.length ?? 0) > 1,
            how: <PageLink to={screenAddress('members')}>Members</PageLink>,
          },
        ]
      : []),
  ];
  if (isOver || !isKnown || links > 10) return null;
  const left = steps.filter(({ isDone }) => !isDone).length;
  if (left === 0) {
    localStorage.setItem(place, 'done');
    return null;
  }
  return (
    <section className="stats-panel" aria-labelledby="home-begin">
      <div className="screen-head">
        <h2 id="home-begin">First steps</h2>
        <Button
          kind="link"
          onClick={() => {
            localStorage.setItem(place, 'closed');
            end(true);
          }}
        >
          Dismiss
        </Button>
      </div>
      <ul className="home-list">
        {steps.map(({ text, isDone, how }) => (
          <li key={text} className={isDone ? 'done' : 'todo'}>
            <Icon name={isDone ? 'check' : 'todo'} />
            <span>
              {text}
              {isDone && <span className="hidden"> (done)</span>}
            </span>
            {!isDone && <span className="small">{how}</span>}
          </li>
        ))}
      </ul>
    </section>
  );
}
