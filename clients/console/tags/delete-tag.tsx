import { Confirm } from '../parts/kit/confirm.tsx';
import { counted } from '../parts/time.ts';
import { reloadLinks } from '../service/links.ts';
import { tagAt } from '../service/resources.ts';
import type { Tag } from '../service/types.ts';

export const DeleteTag = ({ tag: { id, name, _count }, onClose }: { readonly tag: Tag; readonly onClose: () => void }) => (
  <Confirm
    title={`Delete the tag ${name}?`}
    action="Delete tag"
    permission="tags:write"
    onClose={onClose}
    run={async (say) => {
      await tagAt(id).remove(say);
      reloadLinks();
      return { text: `The tag ${name} is deleted.` };
    }}
  >
    <p>
      {_count.links === 0
        ? 'No link has it.'
        : `It is removed from ${counted(_count.links, 'link')}. ${_count.links === 1 ? 'The link itself stays' : 'The links themselves stay'}.`}{' '}
      You cannot undo this: a new tag of the same name begins without links.
    </p>
  </Confirm>
);
