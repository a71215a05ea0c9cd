import { Confirm } from '../parts/forms/confirm.tsx';
import { counted } from '../parts/time.ts';
import { toast } from '../parts/toasts.tsx';
import { api } from '../service/client.ts';
import { reloadLinks } from '../service/links.ts';
import { queries } from '../service/queries.ts';
import { deleteSurely } from '../service/removal.ts';
import type { Tag } from '../service/types.ts';

export const DeleteTag = ({ tag: { id, name, _count }, onClose }: { readonly tag: Tag; readonly onClose: () => void }) => (
  <Confirm
    title={`Delete the tag ${name}?`}
    action="Delete tag"
    permission="tags:write"
    onClose={onClose}
    run={async (say) => {
      await deleteSurely(() => api.DELETE('/api/v1/tags/{id}', { params: { path: { id } } }), say);
      void queries.invalidateQueries({ queryKey: ['tags'] });
      reloadLinks();
      toast(`The tag ${name} is deleted.`);
    }}
  >
    <p>
      {_count.links === 0
        ? 'No link has it.'
        : `${counted(_count.links, 'link')} ${_count.links === 1 ? 'loses' : 'lose'} it, and ${_count.links === 1 ? 'stays' : 'stay'} otherwise as before.`}{' '}
      Nothing brings the tag back: a new one of the same name begins without links.
    </p>
  </Confirm>
);
