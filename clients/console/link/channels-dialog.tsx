import { useState } from 'react';
import { useChange } from '../parts/kit/change.tsx';
import { Field } from '../parts/kit/field.tsx';
import { FormDialog } from '../parts/kit/form-dialog.tsx';
import { counted } from '../parts/time.ts';
import { keepDomain } from '../service/new-links.ts';
import { importPasted } from '../service/pasted.ts';
import { useTags } from '../service/queries.ts';
import type { LinkTag } from '../service/types.ts';
import { channelsAsCsv, channelsIn, channelUrl } from './fields/channels.ts';
import type { Values } from './fields/fields.ts';

type ChannelsProps = {
  /** The values of the form, with the completed address of its destination. */
  readonly values: Values;
  readonly domain: string;
  readonly ownTags: readonly LinkTag[];
  readonly onClose: () => void;
};

/** Asks for channels, and opens the import with a link for each of them, all with the values of the form. */
export function ChannelsDialog({ values, domain, ownTags, onClose }: ChannelsProps) {
  const [text, setText] = useState('');
  const channels = channelsIn(text);
  const [first] = channels;
  const tags = [...(useTags().data ?? []), ...ownTags];
  const names = (values.tagIds as readonly string[]).flatMap((id) => tags.find((tag) => tag.id === id)?.name ?? []);
  return (
    <FormDialog
      title="A link for each channel"
      onClose={onClose}
      change={useChange(undefined)}
      action="Check"
      isReady={first !== undefined}
      run={async () => {
        // The import preselects this domain.
        keepDomain(domain);
        importPasted(channelsAsCsv(values, names, channels));
        return undefined;
      }}
    >
      <Field
        label="Channels"
        hint="One per line: the source and, after a comma, the medium. The links are the same otherwise. A slug, an external ID and a password are not copied."
      >
        {(props) => (
          <textarea
            {...props}
            rows={6}
            placeholder={'newsletter, email\ninstagram, social'}
            spellCheck={false}
            value={text}
            onChange={(event) => setText(event.target.value)}
          />
        )}
      </Field>
      <p role="status">
        {first && (
          <>
            {counted(channels.length, 'link')}. The first one leads to{' '}
            <bdi className="long">{channelUrl(String(values.url), first)}</bdi>
          </>
        )}
      </p>
    </FormDialog>
  );
}
