import { useState } from 'react';
import { Icon } from '../parts/icons.tsx';
import { Dot } from '../parts/kit/chip.tsx';
import { Entry } from '../parts/kit/entry.tsx';
import { Empty, ListHead } from '../parts/kit/list.tsx';
import { Loaded } from '../parts/loaded.tsx';
import { Menu } from '../parts/menu.tsx';
import { PageLink } from '../parts/page-link.tsx';
import { count, counted } from '../parts/time.ts';
import { noFilter } from '../service/address.ts';
import { screenAddress } from '../service/location.ts';
import { useMay, useTags } from '../service/queries.ts';
import type { Tag } from '../service/types.ts';
import { DeleteTag } from './delete-tag.tsx';
import { TagForm } from './tag-form.tsx';

/** How many tags are shown at once. Others are found by name. */
const mostShown = 200;

type Open = { readonly what: 'new' } | { readonly what: 'edit' | 'delete'; readonly tag: Tag };

/** The tags of the workspace, and how many links have each. */
export function TagsScreen() {
  const tags = useTags();
  const mayWrite = useMay('tags:write');
  const [text, setText] = useState('');
  const [open, setOpen] = useState<Open>();
  const close = () => setOpen(undefined);
  const wanted = text.trim().toLowerCase();
  return (
    <div className="screen">
      <ListHead title="Tags" action={mayWrite && 'Create a tag'} onAction={() => setOpen({ what: 'new' })} />
      <Loaded query={tags} what="The tags" permission="tags:read">
        {(list) => {
          const found = list.filter(({ name }) => name.toLowerCase().includes(wanted));
          if (list.length === 0)
            return <Empty text="No tags yet. Tags group links, so that you can find and count them together." />;
          return (
            <>
              {list.length > 10 && (
                <input
                  type="search"
                  className="search"
                  aria-label="Find a tag"
                  placeholder="Find a tag"
                  value={text}
                  onChange={(event) => setText(event.target.value)}
                />
              )}
              {found.length === 0 && <p>No tag has this name.</p>}
              <ul className="entries">
                {found.slice(0, mostShown).map((tag) => (
                  <TagEntry key={tag.id} tag={tag} mayWrite={mayWrite} onOpen={setOpen} />
                ))}
              </ul>
              {found.length > mostShown && <p className="small">Type to find {count(found.length - mostShown)} more.</p>}
            </>
          );
        }}
      </Loaded>
      {open?.what === 'new' && <TagForm onClose={close} />}
      {open?.what === 'edit' && <TagForm tag={open.tag} onClose={close} />}
      {open?.what === 'delete' && <DeleteTag tag={open.tag} onClose={close} />}
    </div>
  );
}

type TagEntryProps = { readonly tag: Tag; readonly mayWrite: boolean; readonly onOpen: (open: Open) => void };

function TagEntry({ tag, mayWrite, onOpen }: TagEntryProps) {
  const { id, name, color, _count } = tag;
  return (
    <Entry
      className="low"
      side={
        <>
          <PageLink
            to={{ ...screenAddress('links'), filter: { ...noFilter, tags: [id] } }}
            label={`${counted(_count.links, 'link')} with the tag ${name}`}
          >
            {counted(_count.links, 'link')}
          </PageLink>
          <PageLink to={{ ...screenAddress('statistics'), query: `of=${id}` }} label={`Statistics of the tag ${name}`}>
            Statistics
          </PageLink>
          {mayWrite && (
            <Menu
              label={`Actions for the tag ${name}`}
              button={<Icon name="more" />}
              items={[
                { label: 'Edit…', run: () => onOpen({ what: 'edit', tag }) },
                { label: 'Delete…', isBad: true, run: () => onOpen({ what: 'delete', tag }) },
              ]}
            />
          )}
        </>
      }
    >
      <Dot color={color} />
      <bdi className="cut">{name}</bdi>
    </Entry>
  );
}
