// Written by `npm run openapi`, with openapi-typescript. A test checks that it matches the code.

export interface paths {
    "/api/v1/me": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Show the caller
         * @description The workspace and the key of the request, the limits that apply, and what is left of them. The request counts only towards the rate of all requests.
         *
         *     Needs no permission: any valid key may call it.
         */
        get: operations["getMe"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/links": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List links
         * @description The links of the workspace in the order of their creation, a page at a time. A link that matches throughout is shown exactly once, even if other links are created, changed or deleted between two pages. A page with `domain` looks through at most 10,000 links. A page with `q`, `managedBy`, `state`, `expiresBefore`, `notClickedSince` or `match=all`, or with `domain` and tags together, reads at most 1,000 links, and fewer if they are large; one by tag, too, if it meets archived links. So a page may have fewer links than `limit`, or none, while `nextCursor` says that there are more to search.
         *
         *     Needs the permission `links:read`.
         *
         *     A tenth of the request rate of the workspace applies to it.
         */
        get: operations["listLinks"];
        put?: never;
        /**
         * Create a link
         * @description Creates one link on a domain that the workspace has proven to own. Without a `customSlug`, a slug of 7 characters is generated.
         *
         *     Needs the permission `links:write`. It also allows reading what you write, because the response shows it.
         */
        post: operations["createLink"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/links/ranked": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List links by their clicks
         * @description The links of the workspace by how many clicks they have, or by when they were last clicked, a page at a time. Links without a click in the range come last, newest first. The first page decides the order: a link that matches throughout is on exactly one page, even while clicks come in, and is shown as it is now. Filters are those of `GET /links`, with the same bounds: a page may have fewer links than `limit`, or none. At most 250,000 links may have clicks in the range.
         *
         *     Needs the permissions `links:read` and `stats:read`.
         *
         *     A tenth of the request rate of the workspace applies to it.
         */
        get: operations["listRankedLinks"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/links/lookup": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Look up a link
         * @description The link with this domain and slug, or with this external id. Slugs are case-insensitive; external ids are case-sensitive. Send either `domain` with one of `shortCode` and `slug`, or `externalId`.
         *
         *     Needs the permission `links:read`.
         */
        get: operations["lookupLink"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/metadata": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read what a page says about itself
         * @description Fetches a public page, and returns its title, its description and its image: those for previews (Open Graph), or else the title and the description of the page. Texts are cut to the lengths of those of a link. If the page cannot be read within 5 seconds, the error says why.
         *
         *     Needs the permission `links:write`. It also allows reading what you write, because the response shows it.
         *
         *     A workspace may send 30 requests for metadata in any 60 seconds.
         */
        get: operations["getMetadata"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/links/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Fetch a link
         * @description Fetches one link by its id.
         *
         *     Needs the permission `links:read`.
         */
        get: operations["getLink"];
        put?: never;
        post?: never;
        /**
         * Delete a link
         * @description Deletes a link and its click count, and removes it from its tags. The slug becomes available; a new link there has another id.
         *
         *     Needs the permission `links:write`.
         */
        delete: operations["deleteLink"];
        options?: never;
        head?: never;
        /**
         * Update a link
         * @description Changes the fields in the body, all or none. Absent fields stay as they are, and `null` clears a field. A new `customSlug` keeps the former slug as an alias, so that printed links still work.
         *
         *     Needs the permission `links:write`. It also allows reading what you write, because the response shows it.
         */
        patch: operations["updateLink"];
        trace?: never;
    };
    "/api/v1/links/by-external-id/{externalId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Create or replace a link by its external id
         * @description Creates the link with this external id, or replaces it. Absent fields return to their defaults, except `password`, `customSlug` and `isActive`, which stay as they are. Another `customSlug` keeps the former slug as an alias; another `domain` is refused. If nothing differs, nothing is written. With `If-None-Match: *` it only creates. Repeating the request is harmless. After a deletion it creates a link with another id.
         *
         *     Needs the permission `links:write`. It also allows reading what you write, because the response shows it.
         */
        put: operations["putLink"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/links/{id}/aliases/{slug}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Remove an alias
         * @description Removes a former slug of a link. It then answers 404, and other links may use it. The first slug is an exception: it stays reserved while the link exists. The current slug cannot be removed (`slug_in_use`).
         *
         *     Needs the permission `links:write`.
         */
        delete: operations["deleteLinkAlias"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/links/{id}/aliases": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Remove an alias, by its slug as a parameter
         * @description The same as `DELETE /links/{id}/aliases/{slug}`. An alias with a slash can be removed only like this.
         *
         *     Needs the permission `links:write`.
         */
        delete: operations["deleteLinkAliasBySlug"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/links/bulk": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Import links
         * @description Creates up to 1,000 links. A bad link does not affect the others: it is listed under `failed`, and the rest is created. A request may have at most 100 different passwords and 2,000 different hosts.
         *
         *     Needs the permission `links:write`. It also allows reading what you write, because the response shows it.
         *
         *     A workspace may send 3 imports in any 60 seconds, or more for a time if the operator allows it.
         */
        post: operations["bulkCreateLinks"];
        /**
         * Delete many links
         * @description Deletes up to 1,000 links. Links that cannot be deleted are listed under `failed`, and the rest is deleted. If you repeat the request, links that are already gone are `not_found`. `DELETE /links/bulk` and `POST /links/bulk-delete` are the same: use the POST if your client or a proxy drops the body of a DELETE.
         *
         *     Needs the permission `links:write`. It also allows reading what you write, because the response shows it.
         *
         *     A workspace may send 30 bulk updates and deletions in any 60 seconds.
         */
        delete: operations["bulkDeleteLinks"];
        options?: never;
        head?: never;
        /**
         * Update many links
         * @description Updates the same fields of up to 1,000 links. Each link is updated as a whole or not at all. Links that cannot be updated are listed under `failed`, and the rest is updated. Repeating the request changes nothing more.
         *
         *     Needs the permission `links:write`. It also allows reading what you write, because the response shows it.
         *
         *     A workspace may send 30 bulk updates and deletions in any 60 seconds.
         */
        patch: operations["bulkUpdateLinks"];
        trace?: never;
    };
    "/api/v1/links/bulk-delete": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Delete many links
         * @description Deletes up to 1,000 links. Links that cannot be deleted are listed under `failed`, and the rest is deleted. If you repeat the request, links that are already gone are `not_found`. `DELETE /links/bulk` and `POST /links/bulk-delete` are the same: use the POST if your client or a proxy drops the body of a DELETE.
         *
         *     Needs the permission `links:write`. It also allows reading what you write, because the response shows it.
         *
         *     A workspace may send 30 bulk updates and deletions in any 60 seconds.
         */
        post: operations["bulkDeleteLinksByPost"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/links/{id}/qr": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the QR code of a link
         * @description An image of the QR code that leads to the link. It contains the short URL with `.q`, so that scans are counted with the `source` `qr`. To get a PNG, send a header `Accept` that starts with `image/png`.
         *
         *     Needs the permission `links:read`.
         */
        get: operations["getLinkQr"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/links/{id}/stats": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Count the clicks of a link
         * @description The clicks of a link over time, and by what is known about them. Everything is of exactly the range. The points of the series have no gaps and add up to `total`, and so do the groups of each dimension with their `rest`. A unique click is the first one of its visitor on a link and day in UTC. A click counts within seconds; `readAt` says when the clicks were read. Any dimension is also a filter, such as `country=DE,AT&device=mobile`. Clicks are kept for a number of days that the operator sets. A request reads at most 30,000,000 clicks.
         *
         *     Needs the permission `stats:read`.
         *
         *     A tenth of the request rate of the workspace applies to it.
         */
        get: operations["getLinkStats"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/links/{id}/clicks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the clicks of a link
         * @description The clicks of a link, newest first, a page at a time. New clicks do not move clicks to other pages. A page may have fewer clicks than `limit`, or none, while `nextCursor` says that there are more. With `Accept: text/csv`, a page is CSV (RFC 4180) with the names of the fields in the first row, and the header `Link` has the next page. Any dimension is also a filter, such as `country=DE,AT&device=mobile`. Clicks are kept for a number of days that the operator sets. A request reads at most 30,000,000 clicks.
         *
         *     Needs the permission `stats:read`.
         *
         *     A tenth of the request rate of the workspace applies to it.
         */
        get: operations["listClicks"];
        put?: never;
        post?: never;
        /**
         * Erase the clicks of a link
         * @description Erases all clicks of a link. From then on, its `clickCount` and statistics are 0 and its list of clicks is empty; the records are deleted soon after. Later clicks count as usual, except that those of the next second may still be erased. The erased clicks still count towards the link's cap. Repeating the request is harmless.
         *
         *     Needs the permission `stats:write`.
         */
        delete: operations["deleteClicks"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/links/{id}/history": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the changes of a link
         * @description Who changed a link, when and how, newest first, with its creation as the last entry. A deleted link keeps its history. A change appears within seconds. The history has neither clicks nor what the service does by itself, such as removing a deleted tag.
         *
         *     Needs the permission `history:read`.
         */
        get: operations["listLinkHistory"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/links/{id}/history/{entryId}/revert": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Revert a change of a link
         * @description Restores the fields that an entry of a link's history changed, except passwords, and returns the link. A former slug becomes the slug again; removed aliases do not come back. The restored values are checked like the body of a `PATCH`. Nothing is restored, and the error names the fields, if a field has been changed again since, a tag is gone, another link has the slug, there are ten aliases, or the destination is no longer accepted. If the entry is the deletion of the link, the link is made again at its addresses, once, with a new id and without clicks (201). If it had a password, it comes back inactive.
         *
         *     Needs the permissions `links:write` and `history:read`. It also allows reading what you write, because the response shows it.
         */
        post: operations["revertChange"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/history": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the changes of the workspace
         * @description The changes of all links, tags, templates, domains, keys and members of the workspace, and their deletions, newest first. Of what was created, only keys and members are included. A page with a filter may have fewer entries than `limit`, or none, even if there are more pages.
         *
         *     Needs the permission `history:read`.
         *
         *     A tenth of the request rate of the workspace applies to it.
         */
        get: operations["listHistory"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/stats": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Count the clicks of all links, or of those on a domain or with tags
         * @description The clicks of all links of the workspace, or with `domain` of those on a domain, or with `tagIds` or `tagNames` of the links that have these tags now, or of both, over time and by what is known about them. Everything is of exactly the range. The points of the series have no gaps and add up to `total`, and so do the groups of each dimension with their `rest`. A unique click is the first one of its visitor on a link and day in UTC. A click counts within seconds; `readAt` says when the clicks were read. Any dimension is also a filter, such as `country=DE,AT&device=mobile`. Clicks are kept for a number of days that the operator sets. A request reads at most 30,000,000 clicks. Clicks of deleted links stay in the counts of the workspace and of its domains, but not in those of tags.
         *
         *     Needs the permission `stats:read`.
         *
         *     A tenth of the request rate of the workspace applies to it.
         */
        get: operations["getStats"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/stats/top-links": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the most clicked links of a range
         * @description The links with the most clicks of all links of the workspace, or with `domain` of those on a domain, or with `tagIds` or `tagNames` of the links that have these tags now, or of both, a page at a time, each with its clicks in the range of the same length before. Any dimension is also a filter, such as `country=DE,AT&device=mobile`. Clicks are kept for a number of days that the operator sets. A request reads at most 30,000,000 clicks. Deleted links are listed, too, except with tags.
         *
         *     Needs the permission `stats:read`.
         *
         *     A tenth of the request rate of the workspace applies to it.
         */
        get: operations["getTopLinks"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/clicks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the clicks of all links, or of those on a domain or with tags
         * @description The clicks of all links of the workspace, or with `domain` of those on a domain, or with `tagIds` or `tagNames` of the links that have these tags now, or of both, newest first, a page at a time. New clicks do not move clicks to other pages. A page may have fewer clicks than `limit`, or none, while `nextCursor` says that there are more. With `Accept: text/csv`, a page is CSV (RFC 4180) with the names of the fields in the first row, and the header `Link` has the next page. Any dimension is also a filter, such as `country=DE,AT&device=mobile`. Clicks are kept for a number of days that the operator sets. A request reads at most 30,000,000 clicks.
         *
         *     Needs the permission `stats:read`.
         *
         *     A tenth of the request rate of the workspace applies to it.
         */
        get: operations["listAllClicks"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/tags": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the tags
         * @description The tags of the workspace, sorted by name. All in one response, or at most 1,000 and a `nextCursor` for the rest. An entry that does not change is shown exactly once.
         *
         *     Needs the permission `tags:read`.
         *
         *     A tenth of the request rate of the workspace applies to it.
         */
        get: operations["listTags"];
        put?: never;
        /**
         * Create a tag
         * @description Creates a tag. A workspace may have 5,000 tags.
         *
         *     Needs the permission `tags:write`. It also allows reading what you write, because the response shows it.
         */
        post: operations["createTag"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/tags/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Fetch a tag
         * @description Fetches one tag, with the exact number of its links.
         *
         *     Needs the permission `tags:read`.
         */
        get: operations["getTag"];
        put?: never;
        post?: never;
        /**
         * Delete a tag
         * @description Deletes a tag. From then on, no link shows it; a list may show it for 5 more seconds. The links themselves stay.
         *
         *     Needs the permission `tags:write`.
         */
        delete: operations["deleteTag"];
        options?: never;
        head?: never;
        /**
         * Update a tag
         * @description Changes the name, the colour or both. Links keep the tag.
         *
         *     Needs the permission `tags:write`. It also allows reading what you write, because the response shows it.
         */
        patch: operations["updateTag"];
        trace?: never;
    };
    "/api/v1/tags/{id}/links": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the links of a tag
         * @description The links with the tag, newest first, a page at a time, like `GET /api/v1/links` with `tagId`.
         *
         *     Needs the permission `links:read`.
         *
         *     A tenth of the request rate of the workspace applies to it.
         */
        get: operations["listTagLinks"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/templates": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the templates
         * @description The templates of the workspace, sorted by name. All in one response, or at most 1,000 and a `nextCursor` for the rest. An entry that does not change is shown exactly once.
         *
         *     Needs the permission `tags:read`.
         *
         *     A tenth of the request rate of the workspace applies to it.
         */
        get: operations["listTemplates"];
        put?: never;
        /**
         * Create a template
         * @description Creates a template. What it does not name has the default value of a link. A workspace may have 100 templates.
         *
         *     Needs the permission `tags:write`. It also allows reading what you write, because the response shows it.
         */
        post: operations["createTemplate"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/templates/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Fetch a template
         * @description Fetches one template.
         *
         *     Needs the permission `tags:read`.
         */
        get: operations["getTemplate"];
        put?: never;
        post?: never;
        /**
         * Delete a template
         * @description Deletes a template. Links that were made with it stay as they are.
         *
         *     Needs the permission `tags:write`.
         */
        delete: operations["deleteTemplate"];
        options?: never;
        head?: never;
        /**
         * Update a template
         * @description Changes what it names, and nothing else. Links that were made with the template stay as they are.
         *
         *     Needs the permission `tags:write`. It also allows reading what you write, because the response shows it.
         */
        patch: operations["updateTemplate"];
        trace?: never;
    };
    "/api/v1/templates/{id}/history/{entryId}/revert": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Undo the deletion of a template
         * @description Brings a deleted template back by the entry of its deletion in the history, with its id and settings, without tags that are gone. A deletion is undone once: later requests change nothing, and get the template as it is. Nothing is restored if another template has the name, or if the template was restored and has been deleted again since.
         *
         *     Needs the permissions `tags:write` and `history:read`. It also allows reading what you write, because the response shows it.
         */
        post: operations["restoreTemplate"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/domains": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the domains
         * @description The domains and claims of the workspace, sorted by name. All in one response, or at most 1,000 and a `nextCursor` for the rest. An entry that does not change is shown exactly once.
         *
         *     Needs the permission `domains:read`.
         */
        get: operations["listDomains"];
        put?: never;
        /**
         * Claim a domain
         * @description Records that the workspace claims a domain, and returns the DNS records that prove it. Repeating the request returns the same records. A claim reserves nothing and lapses after 7 days. A workspace may have 100 domains and claims.
         *
         *     Needs the permission `domains:write`. It also allows reading what you write, because the response shows it.
         */
        post: operations["createDomain"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/domains/{domain}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Fetch a domain
         * @description Fetches one domain or claim.
         *
         *     Needs the permission `domains:read`.
         */
        get: operations["getDomain"];
        put?: never;
        post?: never;
        /**
         * Delete a domain
         * @description Deletes a domain or a claim. A domain with links cannot be deleted. Visitors get 404 within 60 seconds. A request looks through 50,000 of the workspace's links. If there are more, the error is `domain_deletion_in_progress`: send the request again to continue. Meanwhile the domain takes no new links. Verifying the domain cancels the deletion.
         *
         *     Needs the permission `domains:write`.
         *
         *     A tenth of the request rate of the workspace applies to it.
         */
        delete: operations["deleteDomain"];
        options?: never;
        head?: never;
        /**
         * Update a domain
         * @description Changes settings of a domain whose ownership is proven. Absent fields stay as they are, and `null` clears a field. Visitors see the change within 60 seconds.
         *
         *     Needs the permission `domains:write`. It also allows reading what you write, because the response shows it.
         *
         *     A tenth of the request rate of the workspace applies to it.
         */
        patch: operations["updateDomain"];
        trace?: never;
    };
    "/api/v1/domains/{domain}/verify": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Verify a domain
         * @description Looks up the domain's DNS records and advances its status as far as they allow: first the ownership, then whether the domain points to the service and a custom domain of the service covers it. The error of a failed check says what was found. If the operator activates domains on this stage, only the ownership is checked. If the service makes certificates for domains, it does what can be done now, and `certificate` says what is missing; only an unproven ownership is an error then. An unfinished deletion is cancelled.
         *
         *     Needs the permission `domains:write`. It also allows reading what you write, because the response shows it.
         *
         *     A tenth of the request rate of the workspace applies to it.
         */
        post: operations["verifyDomain"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/webhooks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the webhooks
         * @description The webhooks of the workspace, oldest first. All in one response, or at most 1,000 and a `nextCursor` for the rest. An entry that does not change is shown exactly once.
         *
         *     Needs the permission `webhooks:read`.
         */
        get: operations["listWebhooks"];
        put?: never;
        /**
         * Create a webhook
         * @description Creates a webhook with its first secret, which only this response shows. If you repeat the request with the same `Idempotency-Key`, you get the same secret, unless it has ended. A workspace may have 20 webhooks. Clicks start to be sent within 60 seconds. The URL gets links and clicks of the whole workspace, also if the key lacks `links:read` and `stats:read`.
         *
         *     Needs the permission `webhooks:write`. It also allows reading what you write, because the response shows it.
         */
        post: operations["createWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/webhooks/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Fetch a webhook
         * @description Fetches one webhook.
         *
         *     Needs the permission `webhooks:read`.
         */
        get: operations["getWebhook"];
        put?: never;
        post?: never;
        /**
         * Delete a webhook
         * @description Deletes a webhook with its secrets.
         *
         *     Needs the permission `webhooks:write`.
         */
        delete: operations["deleteWebhook"];
        options?: never;
        head?: never;
        /**
         * Update a webhook
         * @description Changes the fields that are sent. Changes that concern clicks take effect within 60 seconds. The secrets stay. The URL gets links and clicks of the whole workspace, also if the key lacks `links:read` and `stats:read`.
         *
         *     Needs the permission `webhooks:write`. It also allows reading what you write, because the response shows it.
         */
        patch: operations["updateWebhook"];
        trace?: never;
    };
    "/api/v1/webhook-secrets": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the secrets
         * @description The valid secrets of all webhooks, with their dates only. All in one response, or at most 1,000 and a `nextCursor` for the rest. An entry that does not change is shown exactly once.
         *
         *     Needs the permission `webhooks:read`.
         */
        get: operations["listWebhookSecrets"];
        put?: never;
        /**
         * Create or rotate a secret
         * @description Creates a secret for a webhook, or without `webhookId` for the `webhookUrls` of the workspace's links. Only this response shows it. Older secrets end after 24 hours, or earlier if they had an earlier end. Until then, everything is signed with each valid secret. At most 5 are valid at once. If you repeat the request with the same `Idempotency-Key`, you get the same secret, unless it has ended.
         *
         *     Needs the permission `webhooks:write`. It also allows reading what you write, because the response shows it.
         */
        post: operations["createWebhookSecret"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/webhook-secrets/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * End a secret
         * @description Ends a secret at once. Nothing more is signed with it. To keep deliveries going, create another secret first.
         *
         *     Needs the permission `webhooks:write`.
         */
        delete: operations["deleteWebhookSecret"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/webhooks/{id}/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Test a webhook
         * @description Sends an event of type `webhook.test` to the webhook, even if it is paused. Fetch the delivery to see its result.
         *
         *     Needs the permission `webhooks:write`. It also allows reading what you write, because the response shows it.
         */
        post: operations["testWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/webhook-deliveries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List deliveries
         * @description The deliveries of the workspace, newest first, a page at a time. They are kept for 14 days. With a filter, a page may have fewer deliveries than `limit`, or none, while `nextCursor` says that there are more.
         *
         *     Needs the permission `webhooks:read`.
         *
         *     A tenth of the request rate of the workspace applies to it.
         */
        get: operations["listWebhookDeliveries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/webhook-deliveries/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Fetch a delivery
         * @description Fetches one delivery, with its attempts and the body that is sent. The body shows a link or a click, also if the key lacks `links:read` and `stats:read`.
         *
         *     Needs the permission `webhooks:read`.
         */
        get: operations["getWebhookDelivery"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/webhook-deliveries/{id}/redeliver": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Deliver again
         * @description Sends a delivery again, with the same `webhook-id`, whatever its state. If its URL is paused or gone and this attempt succeeds, the deliveries that wait for the URL are sent too.
         *
         *     Needs the permission `webhooks:write`. It also allows reading what you write, because the response shows it.
         */
        post: operations["redeliverWebhookDelivery"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/keys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List API keys
         * @description The API keys of the workspace, newest first, a page at a time, also expired ones, and revoked ones for 30 days. A key that was created a moment ago may be missing. A page may have fewer keys than `limit` while `nextCursor` says that there are more.
         *
         *     Needs the permission `keys:read`.
         */
        get: operations["listKeys"];
        put?: never;
        /**
         * Create an API key
         * @description Creates an API key for the workspace. Only this response shows the key itself. A key gives only what it has: it needs every permission of the other key, and sets no end that is later than its own. By default, the new key has the permissions of the key of the request except `keys:…` and `members:…`, and ends with it. If you repeat the request with the same `Idempotency-Key`, no second key is created, and the error names the first. A workspace may have 200 keys that are neither revoked nor replaced.
         *
         *     Needs the permission `keys:write`. It also allows reading what you write, because the response shows it.
         */
        post: operations["createKey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/keys/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Fetch an API key
         * @description Fetches what is known of an API key. A revoked key is found for 30 days.
         *
         *     Needs the permission `keys:read`.
         */
        get: operations["getKey"];
        put?: never;
        post?: never;
        /**
         * Revoke an API key
         * @description Revokes an API key for good. The key of the request needs all its permissions. The gateway notices within 60 seconds. The keys that it has created stay. To revoke a key again changes nothing.
         *
         *     Needs the permission `keys:write`.
         */
        delete: operations["deleteKey"];
        options?: never;
        head?: never;
        /**
         * Update an API key
         * @description Updates the fields that are sent. A key gives only what it has: it needs every permission of the other key, and sets no end that is later than its own. It can always bring the end of a key forward. The end of a key that has been replaced can only be brought forward. The gateway notices changes within 60 seconds.
         *
         *     Needs the permission `keys:write`. It also allows reading what you write, because the response shows it.
         */
        patch: operations["updateKey"];
        trace?: never;
    };
    "/api/v1/keys/{id}/rotate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Rotate an API key
         * @description Creates an API key that replaces another, with its name and permissions, and lets the old one expire after the overlap. Only this response shows the new key itself. A key gives only what it has: it needs every permission of the other key, and sets no end that is later than its own. By default, the new key lives as long as the old one was to, as far as that allows. A key is replaced only once: if you repeat the request, the error names the new key.
         *
         *     Needs the permission `keys:write`. It also allows reading what you write, because the response shows it.
         */
        post: operations["rotateKey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/members": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the members
         * @description The members of the workspace, newest first, with those who are invited or wait for an approval. All in one response, or at most 1,000 and a `nextCursor` for the rest. An entry that does not change is shown exactly once.
         *
         *     Needs the permission `members:read`.
         */
        get: operations["listMembers"];
        put?: never;
        /**
         * Invite a member
         * @description Invites a person to the workspace. Only this response shows the link of the invitation: send it to them yourself, because the service sends no mail. It works once, for 7 days, for the person who signs in with that email address. A key manages only members all of whose permissions it has, before and after. If you repeat the request with the same `Idempotency-Key`, nobody is invited again, and the error names the first invitation. A workspace may have 500 members, with those who are invited.
         *
         *     Needs the permission `members:write`. It also allows reading what you write, because the response shows it.
         */
        post: operations["createMember"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/members/me": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Leave the workspace
         * @description Removes the member whose sign-in the key of the request belongs to. Other keys cannot leave (403 `forbidden`). The last active owner stays.
         *
         *     Needs no permission: any valid key may call it.
         */
        delete: operations["leaveWorkspace"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/members/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Fetch a member
         * @description Fetches one member. Those who have been removed are not found.
         *
         *     Needs the permission `members:read`.
         */
        get: operations["getMember"];
        put?: never;
        post?: never;
        /**
         * Remove a member
         * @description Removes a member, or takes an invitation back. A key manages only members all of whose permissions it has, before and after. The last active owner stays. What they have changed stays. Keys of their sign-ins end within 60 seconds, and so do the keys that they have made, unless those are to be kept.
         *
         *     Needs the permission `members:write`.
         */
        delete: operations["deleteMember"];
        options?: never;
        head?: never;
        /**
         * Approve a member, or change the role
         * @description Gives a member another role, or approves one who is pending, with `"state": "active"`. A key manages only members all of whose permissions it has, before and after. The last active owner keeps the role. Keys that the member has made stay as they are. Keys of sign-ins end within 60 seconds, and the member fetches another one.
         *
         *     Needs the permission `members:write`. It also allows reading what you write, because the response shows it.
         */
        patch: operations["updateMember"];
        trace?: never;
    };
}
export interface webhooks {
    "link.clicked": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A link was clicked
         * @description Signed by Standard Webhooks: verify `webhook-signature` (docs/webhooks.md). Sent at least once.
         */
        post: operations["linkClicked"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "link.cap_reached": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A click has used up a link's `maxClicks`
         * @description Signed by Standard Webhooks: verify `webhook-signature` (docs/webhooks.md). Sent at least once.
         */
        post: operations["linkCapReached"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "link.created": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A link was created
         * @description Signed by Standard Webhooks: verify `webhook-signature` (docs/webhooks.md). Sent at least once.
         */
        post: operations["linkCreated"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "link.updated": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A link was changed
         * @description Signed by Standard Webhooks: verify `webhook-signature` (docs/webhooks.md). Sent at least once.
         */
        post: operations["linkUpdated"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "link.deleted": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A link was deleted
         * @description Signed by Standard Webhooks: verify `webhook-signature` (docs/webhooks.md). Sent at least once.
         */
        post: operations["linkDeleted"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "webhook.test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A test of the webhook
         * @description Signed by Standard Webhooks: verify `webhook-signature` (docs/webhooks.md). Sent at least once.
         */
        post: operations["webhookTest"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export interface components {
    schemas: {
        LinkClickedEvent: {
            /** @constant */
            type: "link.clicked";
            /**
             * Format: date-time
             * @example 2030-01-02T03:04:05.678Z
             */
            timestamp: string;
            data: {
                link: components["schemas"]["LinkInEvent"];
                click: components["schemas"]["ClickInEvent"];
            };
        };
        /** @description A link as a webhook shows it. A deleted link has only its `id`. */
        LinkInEvent: {
            /** @example lnk_5kzVq0bTn3yWc8Rj1sXgAfE2hLmP */
            id: string;
            shortCode?: string;
            domain?: string;
            /** Format: uri */
            shortUrl?: string;
            aliases?: string[];
            url?: string;
            title?: string | null;
            isActive?: boolean;
            startsAt?: string | null;
            expiresAt?: string | null;
            maxClicks?: number | null;
            tagIds?: string[];
            /**
             * Format: date-time
             * @example 2030-01-02T03:04:05.678Z
             */
            createdAt?: string;
            /**
             * Format: date-time
             * @example 2030-01-02T03:04:05.678Z
             */
            updatedAt?: string;
        };
        /** @description A recorded click. What is not known about its visitor is `unknown`. */
        ClickInEvent: {
            /** @example 3hT2kQ9xWm4RsV0pLz7YbC */
            id: string;
            /**
             * Format: date-time
             * @example 2030-01-02T03:04:05.678Z
             */
            at: string;
            /** @example lnk_5kzVq0bTn3yWc8Rj1sXgAfE2hLmP */
            linkId: string;
            /**
             * @description An ISO 3166-1 code of two letters.
             * @example DE
             */
            country: string;
            /**
             * @description The site of the page with the link; `direct` if there was none.
             * @example news.example.com
             */
            referrer: string;
            /** @example mobile */
            device: string;
            /** @example Firefox */
            browser: string;
            /**
             * @description The operating system.
             * @example android
             */
            os: string;
            /**
             * @description The first of the visitor's languages.
             * @example de
             */
            language: string;
            /**
             * @description `qr` if a QR code of the service was scanned, otherwise `link`.
             * @example link
             */
            source: string;
            /**
             * @description The id of the variant that the visitor got; `none` if the visitor got none.
             * @example a
             */
            variant: string;
        };
        LinkCapReachedEvent: {
            /** @constant */
            type: "link.cap_reached";
            /**
             * Format: date-time
             * @example 2030-01-02T03:04:05.678Z
             */
            timestamp: string;
            data: {
                link: components["schemas"]["LinkInEvent"];
            };
        };
        LinkCreatedEvent: {
            /** @constant */
            type: "link.created";
            /**
             * Format: date-time
             * @example 2030-01-02T03:04:05.678Z
             */
            timestamp: string;
            data: {
                link: components["schemas"]["LinkInEvent"];
            };
        };
        LinkUpdatedEvent: {
            /** @constant */
            type: "link.updated";
            /**
             * Format: date-time
             * @example 2030-01-02T03:04:05.678Z
             */
            timestamp: string;
            data: {
                link: components["schemas"]["LinkInEvent"];
            };
        };
        LinkDeletedEvent: {
            /** @constant */
            type: "link.deleted";
            /**
             * Format: date-time
             * @example 2030-01-02T03:04:05.678Z
             */
            timestamp: string;
            data: {
                link: components["schemas"]["LinkInEvent"];
            };
        };
        WebhookTestEvent: {
            /** @constant */
            type: "webhook.test";
            /**
             * Format: date-time
             * @example 2030-01-02T03:04:05.678Z
             */
            timestamp: string;
            data: Record<string, never>;
        };
        /**
         * @description What went wrong. The status follows from it. Later versions may have more codes.
         * @enum {string}
         */
        ErrorCode: "bad_request" | "invalid_json" | "unauthorized" | "forbidden" | "not_found" | "not_acceptable" | "slug_taken" | "slug_in_use" | "alias_limit_reached" | "external_id_taken" | "domain_mismatch" | "link_deleted" | "tag_name_taken" | "tag_limit_reached" | "template_name_taken" | "template_limit_reached" | "domain_taken" | "domain_in_use" | "domain_deletion_in_progress" | "domain_limit_reached" | "webhook_limit_reached" | "secret_limit_reached" | "secret_ended" | "key_limit_reached" | "key_already_created" | "key_replaced" | "key_ended" | "already_member" | "member_limit_reached" | "member_already_invited" | "invitation_not_accepted" | "last_owner" | "membership_inconsistent" | "idempotency_in_progress" | "revert_refused" | "precondition_failed" | "request_too_large" | "unsupported_media_type" | "validation_failed" | "tag_not_found" | "template_not_found" | "webhook_not_found" | "domain_not_verified" | "domain_check_failed" | "answer_too_large" | "too_much_to_read" | "idempotency_key_reused" | "rate_limited" | "internal_error" | "temporarily_unavailable";
        /** @description The counts of a tag. */
        TagCounts: {
            /** @description The exact number of links with the tag. */
            links: number;
        };
        /** @description A tag of the workspace. */
        Tag: {
            /** @example tag_0a1B2c3D4e5F6g7H */
            id: string;
            name: string;
            /** @example #1a2b3c */
            color: string;
            /**
             * Format: date-time
             * @example 2030-01-02T03:04:05.678Z
             */
            createdAt: string;
            _count: components["schemas"]["TagCounts"];
        };
        /** @description The caller: its workspace, its key, and the limits that apply. */
        Me: {
            workspace: {
                id: string;
                name: string;
                /**
                 * Format: date-time
                 * @example 2030-01-02T03:04:05.678Z
                 */
                createdAt: string;
            };
            key: {
                id: string;
                name: string | null;
                permissions: string[];
                expiresAt: string | null;
            };
            limits: {
                bulkRequests: {
                    /** @description The limit. */
                    limit: number;
                    /** @description How much is left. */
                    remaining: number;
                    windowSeconds: number;
                    /** @description Seconds until more is available; 0 if nothing is used. */
                    resetSeconds: number;
                };
                bulkChanges: {
                    /** @description The limit. */
                    limit: number;
                    /** @description How much is left. */
                    remaining: number;
                    windowSeconds: number;
                    /** @description Seconds until more is available; 0 if nothing is used. */
                    resetSeconds: number;
                };
                metadataRequests: {
                    /** @description The limit. */
                    limit: number;
                    /** @description How much is left. */
                    remaining: number;
                    windowSeconds: number;
                    /** @description Seconds until more is available; 0 if nothing is used. */
                    resetSeconds: number;
                };
                framingLookUps: {
                    /** @description The limit. */
                    limit: number;
                    /** @description How much is left. */
                    remaining: number;
                    windowSeconds: number;
                    /** @description Seconds until more is available; 0 if nothing is used. */
                    resetSeconds: number;
                };
                tags: {
                    /** @description The limit. */
                    limit: number;
                    /** @description How much is left. */
                    remaining: number;
                };
                templates: {
                    /** @description The limit. */
                    limit: number;
                    /** @description How much is left. */
                    remaining: number;
                };
                domains: {
                    /** @description The limit. */
                    limit: number;
                    /** @description How much is left. */
                    remaining: number;
                };
                webhooks: {
                    /** @description The limit. */
                    limit: number;
                    /** @description How much is left. */
                    remaining: number;
                };
                keys: {
                    /** @description The limit. */
                    limit: number;
                    /** @description How much is left. */
                    remaining: number;
                };
                linksPerBulkRequest: number;
                requestsPerSecond: number;
                requestBurst: number;
                /** @description For how many days the records of clicks are kept. */
                clickDays: number;
                /** @description For how many days entries of the history are kept; 0 if it is off. */
                historyDays: number;
                linksPerPage: number;
                tagsPerLink: number;
                aliasesPerLink: number;
                rulesPerLink: number;
                variantsPerLink: number;
                webhookUrlsPerLink: number;
                secretsAtOnce: number;
            };
        };
        /** @description The tags, or a page of them, sorted by name. */
        TagList: {
            tags: components["schemas"]["Tag"][];
            /** @description Send it as `cursor`, with the same filter, to get the next page. Null on the last page. */
            nextCursor: string | null;
        };
        /** @description A template: settings for new links. What is not set has the default value of a link, or is null. */
        Template: {
            /** @example tpl_0a1B2c3D4e5F6g7H */
            id: string;
            name: string;
            /**
             * @description The domain of the links. It may no longer belong to the workspace: then links cannot be created on it.
             * @example go.example.com
             */
            domain: string | null;
            /** @description The tags of the links. One that is deleted leaves the list. */
            tagIds: string[];
            utmSource: string | null;
            utmMedium: string | null;
            utmCampaign: string | null;
            utmTerm: string | null;
            utmContent: string | null;
            /** @enum {string} */
            redirectType: "PERMANENT_301" | "TEMPORARY_302";
            /** @description How many days after their creation the links expire. */
            expiresAfterDays: number | null;
            isActive: boolean;
            isArchived: boolean;
            cloaked: boolean;
            forwardParameters: boolean;
            forwardPath: boolean;
            hideReferrer: boolean;
            blockBots: boolean;
            confirmVisit: boolean;
            /**
             * Format: date-time
             * @example 2030-01-02T03:04:05.678Z
             */
            createdAt: string;
        };
        /** @description The templates, or a page of them, sorted by name. */
        TemplateList: {
            templates: components["schemas"]["Template"][];
            /** @description Send it as `cursor`, with the same filter, to get the next page. Null on the last page. */
            nextCursor: string | null;
        };
        /** @description Conditions that must all hold. A list holds if any of its values does. */
        RuleConditions: {
            country?: string[];
            device?: ("mobile" | "desktop")[];
            os?: ("ios" | "android" | "windows" | "macos" | "linux" | "chromeos")[];
            language?: string[];
            /**
             * Format: date-time
             * @example 2030-01-02T03:04:05.678Z
             */
            after?: string;
            /**
             * Format: date-time
             * @example 2030-01-02T03:04:05.678Z
             */
            before?: string;
            query?: {
                [key: string]: string;
            };
        };
        /** @description A tag of a link. */
        LinkTag: {
            /** @example tag_0a1B2c3D4e5F6g7H */
            id: string;
            name: string;
            /** @example #1a2b3c */
            color: string;
        };
        /** @description Where a link leads if all conditions hold. */
        Rule: {
            if: components["schemas"]["RuleConditions"];
            url: string;
        };
        /** @description One of the destinations among which visitors are divided. */
        Variant: {
            id: string;
            url: string;
            weight: number;
        };
        /** @description The state of one of the `webhookUrls`. */
        WebhookUrlStatus: {
            url: string;
            /** @enum {string} */
            state: "ok" | "failing" | "paused" | "gone" | "no_secret";
            since: string | null;
            error: string | null;
            /** @description Where the last response redirects to, without credentials and fragment, and cut after 1 kB. Redirects are not followed: use this address instead. */
            redirectsTo: string | null;
        };
        /** @description A link, without its password. */
        Link: {
            /** @example lnk_5kzVq0bTn3yWc8Rj1sXgAfE2hLmP */
            id: string;
            /**
             * @description The slug, as given or generated.
             * @example summer-sale
             */
            shortCode: string;
            /** @example go.example.com */
            domain: string;
            /**
             * Format: uri
             * @example https://go.example.com/summer-sale
             */
            shortUrl: string;
            /** @description Former slugs, which still lead to the link. */
            aliases: string[];
            /** @description The destination. */
            url: string;
            title: string | null;
            description: string | null;
            image: string | null;
            /** @description What the workspace notes about the link. */
            notes: string | null;
            /** @enum {string} */
            redirectType: "PERMANENT_301" | "TEMPORARY_302";
            isActive: boolean;
            isArchived: boolean;
            /**
             * @description `active` if visitors get through. Otherwise the first that applies: `disabled` (by the operator), `blocked` (the operator has blocked the host of `url`), `inactive` (`isActive` is false), `scheduled` (before `startsAt`), `expired` (`expiresAt` has passed), `used_up` (visits have used up `maxClicks`), `pending` (the domain does not serve yet).
             * @enum {string}
             */
            state: "active" | "inactive" | "scheduled" | "expired" | "used_up" | "pending" | "disabled" | "blocked";
            /** @description Whether the link still waits for its domain to serve. */
            pendingVerification: boolean;
            cloaked: boolean;
            hasPassword: boolean;
            startsAt: string | null;
            expiresAt: string | null;
            expiredUrl: string | null;
            maxClicks: number | null;
            clickCount: number;
            /** @description When the newest counted click was recorded, to the second. Null without clicks, after an erasure, or if it is not known. */
            lastClickedAt: string | null;
            tags: components["schemas"]["LinkTag"][];
            /**
             * @description The id of the link in a system of its workspace.
             * @example cms:page-4711
             */
            externalId: string | null;
            /**
             * @description What manages the link, as `owner@domain`.
             * @example marketing@go.example.com
             */
            managedBy: string | null;
            forwardParameters: boolean;
            forwardPath: boolean;
            hideReferrer: boolean;
            blockBots: boolean;
            confirmVisit: boolean;
            rules: components["schemas"]["Rule"][];
            variants: components["schemas"]["Variant"][];
            metaPixelId: string | null;
            googleTagId: string | null;
            webhookUrls: string | null;
            /** @description The state of each of the `webhookUrls`. Present only if a single link is fetched. `failing`: every attempt since the last success has failed. `paused`: it has failed for three days. `gone`: it answered 410. `no_secret`: the workspace has no secret for the URLs of links. */
            webhookStatus?: components["schemas"]["WebhookUrlStatus"][];
            /**
             * @description The deleted link that it was made from again, whose history has what happened before. Absent for other links.
             * @example lnk_5kzVq0bTn3yWc8Rj1sXgAfE2hLmP
             */
            restoredFrom?: string;
            /**
             * Format: date-time
             * @example 2030-01-02T03:04:05.678Z
             */
            createdAt: string;
            /**
             * Format: date-time
             * @example 2030-01-02T03:04:05.678Z
             */
            updatedAt: string;
        };
        LinkAnswer: {
            link: components["schemas"]["Link"];
        };
        /** @description A link that was made again. */
        RestoredLink: {
            link: components["schemas"]["Link"];
            /** @description The tags that the deleted link had and that no longer exist. */
            lostTagIds: string[];
            /** @description Whether the deleted link had a password. The history does not know it, so the link comes back inactive. */
            lostPassword: boolean;
        };
        /** @description A page of links, newest first. */
        LinkPage: {
            links: components["schemas"]["Link"][];
            /** @description Send it as `cursor`, with the same filter, to get the next page. Null on the last page. */
            nextCursor: string | null;
        };
        /** @description A link, and its clicks in a range. */
        RankedLink: {
            /** @example lnk_5kzVq0bTn3yWc8Rj1sXgAfE2hLmP */
            id: string;
            /**
             * @description The slug, as given or generated.
             * @example summer-sale
             */
            shortCode: string;
            /** @example go.example.com */
            domain: string;
            /**
             * Format: uri
             * @example https://go.example.com/summer-sale
             */
            shortUrl: string;
            /** @description Former slugs, which still lead to the link. */
            aliases: string[];
            /** @description The destination. */
            url: string;
            title: string | null;
            description: string | null;
            image: string | null;
            /** @description What the workspace notes about the link. */
            notes: string | null;
            /** @enum {string} */
            redirectType: "PERMANENT_301" | "TEMPORARY_302";
            isActive: boolean;
            isArchived: boolean;
            /**
             * @description `active` if visitors get through. Otherwise the first that applies: `disabled` (by the operator), `blocked` (the operator has blocked the host of `url`), `inactive` (`isActive` is false), `scheduled` (before `startsAt`), `expired` (`expiresAt` has passed), `used_up` (visits have used up `maxClicks`), `pending` (the domain does not serve yet).
             * @enum {string}
             */
            state: "active" | "inactive" | "scheduled" | "expired" | "used_up" | "pending" | "disabled" | "blocked";
            /** @description Whether the link still waits for its domain to serve. */
            pendingVerification: boolean;
            cloaked: boolean;
            hasPassword: boolean;
            startsAt: string | null;
            expiresAt: string | null;
            expiredUrl: string | null;
            maxClicks: number | null;
            clickCount: number;
            /** @description When the newest counted click was recorded, to the second. Null without clicks, after an erasure, or if it is not known. */
            lastClickedAt: string | null;
            tags: components["schemas"]["LinkTag"][];
            /**
             * @description The id of the link in a system of its workspace.
             * @example cms:page-4711
             */
            externalId: string | null;
            /**
             * @description What manages the link, as `owner@domain`.
             * @example marketing@go.example.com
             */
            managedBy: string | null;
            forwardParameters: boolean;
            forwardPath: boolean;
            hideReferrer: boolean;
            blockBots: boolean;
            confirmVisit: boolean;
            rules: components["schemas"]["Rule"][];
            variants: components["schemas"]["Variant"][];
            metaPixelId: string | null;
            googleTagId: string | null;
            webhookUrls: string | null;
            /** @description The state of each of the `webhookUrls`. Present only if a single link is fetched. `failing`: every attempt since the last success has failed. `paused`: it has failed for three days. `gone`: it answered 410. `no_secret`: the workspace has no secret for the URLs of links. */
            webhookStatus?: components["schemas"]["WebhookUrlStatus"][];
            /**
             * @description The deleted link that it was made from again, whose history has what happened before. Absent for other links.
             * @example lnk_5kzVq0bTn3yWc8Rj1sXgAfE2hLmP
             */
            restoredFrom?: string;
            /**
             * Format: date-time
             * @example 2030-01-02T03:04:05.678Z
             */
            createdAt: string;
            /**
             * Format: date-time
             * @example 2030-01-02T03:04:05.678Z
             */
            updatedAt: string;
            /** @description The clicks in the range when the order was decided. */
            inRange: {
                clicks: number;
                lastClickedAt: string | null;
            };
        };
        /** @description A page of links, by their clicks. */
        RankedLinkPage: {
            links: components["schemas"]["RankedLink"][];
            /** @description Send it as `cursor`, with the same filter, to get the next page. Null on the last page. */
            nextCursor: string | null;
        };
        /** @description What a page says about itself. Null is what it does not say. */
        Metadata: {
            /**
             * Format: uri
             * @description The address of the page, in the form that links store.
             */
            url: string;
            title: string | null;
            description: string | null;
            /**
             * Format: uri
             * @description An https URL.
             */
            image: string | null;
        };
        /** @description A link of the request that was not changed. */
        FailedChange: {
            /** @description The position in the request, starting at 0. */
            index: number;
            id: string;
            code: components["schemas"]["ErrorCode"];
            message: string;
        };
        /** @description How many links were updated, and which were not. */
        BulkUpdate: {
            /** @description How many links were updated or needed no change. */
            updated: number;
            failed: components["schemas"]["FailedChange"][];
        };
        /** @description How many links were deleted, and which were not. */
        BulkDeletion: {
            /** @description How many links were deleted. */
            deleted: number;
            failed: components["schemas"]["FailedChange"][];
        };
        /** @description A link of the request that was not created. */
        FailedImport: {
            /** @description The position in the request, starting at 0. */
            index: number;
            url: string | null;
            customSlug: string | null;
            /**
             * @description The rule that was broken, or the error code of a problem document. Each rule has its own code (docs/api/errors.md).
             * @example destination_scheme
             */
            code: string;
            message: string;
        };
        /** @description Which links were created and which failed, in the order of the request. */
        BulkAnswer: {
            /** @description How many links were created. */
            created: number;
            activeCount: number;
            /** @description How many of them still wait for their domain to serve. */
            pendingCount: number;
            failed: components["schemas"]["FailedImport"][];
            links: components["schemas"]["Link"][];
        };
        /** @description A record to set in the DNS. */
        DnsRecord: {
            /** @enum {string} */
            type: "TXT" | "CNAME";
            name: string;
            value: string;
        };
        /** @description The certificate and the name that the service makes for a domain. */
        DomainCertificate: {
            /**
             * @description `PENDING_OWNERSHIP`: set the record in the domain's `records` first. `REQUESTED`: the certificate is being requested. `PENDING_VALIDATION`: set the first record. `ISSUED`: the name is being made. `PENDING_TRAFFIC`: everything is ready; set the second record. `ACTIVE`: visitors are sent here. `EXPIRING`: so they are, but the certificate is not being renewed. `WAITING`: AWS cannot do the next step yet, and the service tries again. `FAILED`: `detail` says what somebody has to do.
             * @enum {string}
             */
            status: "PENDING_OWNERSHIP" | "REQUESTED" | "PENDING_VALIDATION" | "ISSUED" | "PENDING_TRAFFIC" | "ACTIVE" | "EXPIRING" | "WAITING" | "FAILED";
            /** @description The records to set, as far as they are known: first that of the certificate, which must stay for renewals, then that for visitors. Set the second one only when it is shown, so that a domain that is in use moves without a gap. */
            records: components["schemas"]["DnsRecord"][];
            /** @description What is missing or wrong, in a sentence. */
            detail: string | null;
            /** @description Whether the DNS has been seen to send visitors to the name. */
            wasReached: boolean;
            /** @description When AWS was last asked. Null if it never was. */
            checkedAt: string | null;
        };
        /** @description What the last look at the DNS of a domain saw. */
        LastCheck: {
            /**
             * Format: date-time
             * @example 2030-01-02T03:04:05.678Z
             */
            at: string;
            wanted: components["schemas"]["DnsRecord"];
            /** @description The values that the DNS had, at most five, shortened and in printable ASCII; empty if there were none. Null if the DNS did not answer. For a CNAME, these may be addresses. */
            seen: string[] | null;
        };
        /** @description A domain that links are served on, or a claim to one. */
        Domain: {
            /** @example go.example.com */
            domain: string;
            /**
             * @description `PENDING_OWNERSHIP`: only claimed. `PENDING_DNS`: ownership is proven, links can be created but do not work yet. `ACTIVE`: links work.
             * @enum {string}
             */
            status: "PENDING_OWNERSHIP" | "PENDING_DNS" | "ACTIVE";
            /** @description Whether a custom domain of the service covers the name. If none does, visitors cannot reach it, and the domain stays pending, until the operator adds one. */
            covered: boolean;
            /** @description The records to set in the DNS: one that proves the ownership, and one that directs visitors here, unless `certificate` has that. */
            records: components["schemas"]["DnsRecord"][];
            /** @description The certificate and the name that the service makes for the domain. Null if it makes none: on this stage, or because a custom domain of the operator covers the name. */
            certificate: components["schemas"]["DomainCertificate"] | null;
            /** @description Where visitors of `/` are sent. */
            rootUrl: string | null;
            /** @description Where visitors of an unknown slug or path are sent. */
            notFoundUrl: string | null;
            /** @description Where visitors of an expired or used-up link are sent. */
            expiredUrl: string | null;
            /** @description The colour of the buttons on the pages of the domain. */
            accentColor: string | null;
            /** @description The URL from which the logo of the pages was fetched. */
            logoUrl: string | null;
            /** @description Whether anyone may fetch the QR codes of its links. */
            publicQr: boolean;
            /** @description Whether search engines may list its short links. Otherwise, redirects, cards and frames say `X-Robots-Tag: noindex`. */
            allowIndexing: boolean;
            /**
             * Format: date-time
             * @example 2030-01-02T03:04:05.678Z
             */
            createdAt: string;
            /** @description When the ownership was proven. */
            verifiedAt: string | null;
            /** @description What the last `verify`, or the daily check, saw. Null before the first one. */
            lastCheck: components["schemas"]["LastCheck"] | null;
            /** @description The object that `/.well-known/apple-app-site-association` returns; null for 404. */
            appleAppSiteAssociation: {
                [key: string]: unknown;
            } | null;
            /** @description The array that `/.well-known/assetlinks.json` returns; null for 404. */
            assetLinks: {
                [key: string]: unknown;
            }[] | null;
        };
        /** @description A domain or a claim, without its files for apps. */
        DomainInList: {
            /** @example go.example.com */
            domain: string;
            /**
             * @description `PENDING_OWNERSHIP`: only claimed. `PENDING_DNS`: ownership is proven, links can be created but do not work yet. `ACTIVE`: links work.
             * @enum {string}
             */
            status: "PENDING_OWNERSHIP" | "PENDING_DNS" | "ACTIVE";
            /** @description Whether a custom domain of the service covers the name. If none does, visitors cannot reach it, and the domain stays pending, until the operator adds one. */
            covered: boolean;
            /** @description The records to set in the DNS: one that proves the ownership, and one that directs visitors here, unless `certificate` has that. */
            records: components["schemas"]["DnsRecord"][];
            /** @description The certificate and the name that the service makes for the domain. Null if it makes none: on this stage, or because a custom domain of the operator covers the name. */
            certificate: components["schemas"]["DomainCertificate"] | null;
            /** @description Where visitors of `/` are sent. */
            rootUrl: string | null;
            /** @description Where visitors of an unknown slug or path are sent. */
            notFoundUrl: string | null;
            /** @description Where visitors of an expired or used-up link are sent. */
            expiredUrl: string | null;
            /** @description The colour of the buttons on the pages of the domain. */
            accentColor: string | null;
            /** @description The URL from which the logo of the pages was fetched. */
            logoUrl: string | null;
            /** @description Whether anyone may fetch the QR codes of its links. */
            publicQr: boolean;
            /** @description Whether search engines may list its short links. Otherwise, redirects, cards and frames say `X-Robots-Tag: noindex`. */
            allowIndexing: boolean;
            /**
             * Format: date-time
             * @example 2030-01-02T03:04:05.678Z
             */
            createdAt: string;
            /** @description When the ownership was proven. */
            verifiedAt: string | null;
            /** @description What the last `verify`, or the daily check, saw. Null before the first one. */
            lastCheck: components["schemas"]["LastCheck"] | null;
        };
        /** @description The domains and claims of the workspace, or a page of them, sorted by name. */
        DomainList: {
            domains: components["schemas"]["DomainInList"][];
            /** @description Send it as `cursor`, with the same filter, to get the next page. Null on the last page. */
            nextCursor: string | null;
        };
        /** @description The state of its URL. `failing`: every attempt since the last success has failed. `paused`: it has failed for three days. `gone`: it answered 410. `error` is the error of the last attempt. `backlog` says whether its deliveries fall behind: those that wait are lost 14 days after they were created. */
        WebhookStatus: {
            /** @enum {string} */
            state: "ok" | "failing" | "paused" | "gone" | "no_secret";
            since: string | null;
            error: string | null;
            /** @description Where the last response redirects to, without credentials and fragment, and cut after 1 kB. Redirects are not followed: use this address instead. */
            redirectsTo: string | null;
            backlog: {
                /**
                 * Format: date-time
                 * @example 2030-01-02T03:04:05.678Z
                 */
                oldestDueAt: string;
            } | null;
        };
        /** @description A webhook of the workspace, in a list. */
        ListedWebhook: {
            /** @example whk_0a1B2c3D4e5F6g7H */
            id: string;
            /**
             * Format: uri
             * @example https://example.com/hooks/links
             */
            url: string;
            /** @description The events that are sent. */
            events: ("link.clicked" | "link.cap_reached" | "link.created" | "link.updated" | "link.deleted")[];
            /** @description Whether events are sent to the webhook. */
            active: boolean;
            /**
             * Format: date-time
             * @example 2030-01-02T03:04:05.678Z
             */
            createdAt: string;
        };
        /** @description A webhook of the workspace. */
        Webhook: {
            /** @example whk_0a1B2c3D4e5F6g7H */
            id: string;
            /**
             * Format: uri
             * @example https://example.com/hooks/links
             */
            url: string;
            /** @description The events that are sent. */
            events: ("link.clicked" | "link.cap_reached" | "link.created" | "link.updated" | "link.deleted")[];
            /** @description Whether events are sent to the webhook. */
            active: boolean;
            /**
             * Format: date-time
             * @example 2030-01-02T03:04:05.678Z
             */
            createdAt: string;
            status: components["schemas"]["WebhookStatus"];
        };
        /** @description A new webhook, with its first secret. */
        NewWebhook: {
            /** @example whk_0a1B2c3D4e5F6g7H */
            id: string;
            /**
             * Format: uri
             * @example https://example.com/hooks/links
             */
            url: string;
            /** @description The events that are sent. */
            events: ("link.clicked" | "link.cap_reached" | "link.created" | "link.updated" | "link.deleted")[];
            /** @description Whether events are sent to the webhook. */
            active: boolean;
            /**
             * Format: date-time
             * @example 2030-01-02T03:04:05.678Z
             */
            createdAt: string;
            status: components["schemas"]["WebhookStatus"];
            /**
             * @description The secret that signatures are verified with (Standard Webhooks). Only this response shows it.
             * @example whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD
             */
            secret: string;
        };
        /** @description The webhooks of the workspace, or a page of them, oldest first. */
        WebhookList: {
            webhooks: components["schemas"]["ListedWebhook"][];
            /** @description Send it as `cursor`, with the same filter, to get the next page. Null on the last page. */
            nextCursor: string | null;
        };
        /** @description A valid secret, without its text. */
        WebhookSecret: {
            /** @example whs_7H6g5F4e3D2c1B0a */
            id: string;
            /** @description Null for the secrets of the `webhookUrls` of the workspace's links. */
            webhookId: string | null;
            /**
             * Format: date-time
             * @example 2030-01-02T03:04:05.678Z
             */
            createdAt: string;
            /** @description When the secret ends. Null until there is a newer one. */
            expiresAt: string | null;
        };
        /** @description A new secret. */
        NewWebhookSecret: {
            /** @example whs_7H6g5F4e3D2c1B0a */
            id: string;
            /** @description Null for the secrets of the `webhookUrls` of the workspace's links. */
            webhookId: string | null;
            /**
             * Format: date-time
             * @example 2030-01-02T03:04:05.678Z
             */
            createdAt: string;
            /** @description When the secret ends. Null until there is a newer one. */
            expiresAt: string | null;
            /**
             * @description The secret that signatures are verified with (Standard Webhooks). Only this response shows it.
             * @example whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD
             */
            secret: string;
        };
        /** @description The valid secrets, or a page of them: those of links' `webhookUrls` first, then those of each webhook, newest first. */
        WebhookSecretList: {
            secrets: components["schemas"]["WebhookSecret"][];
            /** @description Send it as `cursor`, with the same filter, to get the next page. Null on the last page. */
            nextCursor: string | null;
        };
        /** @description A value of a dimension, and its clicks. */
        GroupCount: {
            value: string;
            clicks: number;
            /** @description Null if the operator does not have them counted. */
            uniqueClicks: number | null;
        };
        /** @description The clicks of a dimension with other values than those of its group. */
        GroupRest: {
            /** @description How many values they have. */
            values: number;
            clicks: number;
            /** @description Null if the operator does not have them counted. */
            uniqueClicks: number | null;
        };
        /** @description The clicks of an hour, day, week or month. */
        SeriesPoint: {
            /**
             * Format: date-time
             * @description When the point starts, in UTC. It ends when the next one starts; the last one ends with the range.
             * @example 2030-01-02T00:00:00.000Z
             */
            start: string;
            clicks: number;
            /** @description Null if the operator does not have them counted. */
            uniqueClicks: number | null;
        };
        /** @description Clicks over time, and by what is known about them. */
        Statistics: {
            /**
             * Format: date-time
             * @description The start of the range, in UTC.
             * @example 2030-01-01T00:00:00.000Z
             */
            from: string;
            /**
             * Format: date-time
             * @description The end of the range, which is not included.
             * @example 2030-01-03T10:11:12.000Z
             */
            to: string;
            /** @description The clicks of the range. */
            total: number;
            /** @description The unique clicks of the range: those that were the first of their visitor on their link and day in UTC. Null if the operator does not have them counted. */
            uniqueClicks: number | null;
            /**
             * Format: date-time
             * @description When the counts were read.
             * @example 2030-01-03T10:11:12.131Z
             */
            readAt: string;
            /** @description The clicks over time, without gaps. They add up to `total`. */
            series: components["schemas"]["SeriesPoint"][];
            /** @description The most frequent values of each dimension of `groupBy`, at most `groupLimit`, most clicks first. With the `rest`, they add up to `total`. Empty without `groupBy`. */
            groups: {
                [key: string]: components["schemas"]["GroupCount"][];
            };
            /** @description For each dimension of `groupBy`, what its values beyond `groupLimit` have together. */
            rest: {
                [key: string]: components["schemas"]["GroupRest"];
            };
        };
        /** @description The clicks of the range of the same length before. */
        PreviousClicks: {
            clicks: number;
            /** @description Null if the operator does not have them counted. */
            uniqueClicks: number | null;
        };
        /** @description A link with its clicks. */
        TopLink: {
            /** @example lnk_5kzVq0bTn3yWc8Rj1sXgAfE2hLmP */
            id: string;
            /** @description Null if the link was deleted. */
            shortUrl: string | null;
            /** @description Null if it has none, or was deleted. */
            title: string | null;
            clicks: number;
            /** @description Null if the operator does not have them counted. */
            uniqueClicks: number | null;
            previous: components["schemas"]["PreviousClicks"];
        };
        /** @description A page of the links with the most clicks in a range. */
        TopLinks: {
            /**
             * Format: date-time
             * @description The start of the range, in UTC.
             * @example 2030-01-01T00:00:00.000Z
             */
            from: string;
            /**
             * Format: date-time
             * @description The end of the range, which is not included.
             * @example 2030-01-03T10:11:12.000Z
             */
            to: string;
            /**
             * Format: date-time
             * @description When the counts were read.
             * @example 2030-01-03T10:11:12.131Z
             */
            readAt: string;
            links: components["schemas"]["TopLink"][];
            /** @description Send it as `cursor`, with the same filter, to get the next page. Null on the last page. */
            nextCursor: string | null;
        };
        /** @description A click. What is not known about it is `unknown`. */
        Click: {
            /** @description Null some weeks after the month of the click. */
            id: string | null;
            /**
             * Format: date-time
             * @description When the visitor came, to the second.
             * @example 2030-01-02T03:04:05.000Z
             */
            at: string;
            /** @example lnk_5kzVq0bTn3yWc8Rj1sXgAfE2hLmP */
            linkId: string;
            /**
             * @description An ISO 3166-1 code of two letters.
             * @example DE
             */
            country: string;
            /**
             * @description The site of the page with the link; `direct` if there was none.
             * @example news.example.com
             */
            referrer: string;
            /** @example mobile */
            device: string;
            /** @example Firefox */
            browser: string;
            /**
             * @description The operating system.
             * @example android
             */
            os: string;
            /**
             * @description The first of the visitor's languages.
             * @example de
             */
            language: string;
            /**
             * @description `qr` if a QR code of the service was scanned, otherwise `link`.
             * @example link
             */
            source: string;
            /**
             * @description The id of the variant that the visitor got; `none` if the visitor got none.
             * @example a
             */
            variant: string;
            /**
             * @description By which of its slugs the link was reached.
             * @example summer-sale
             */
            slug: string;
            /**
             * @description What followed the slug, up to 3 segments, if the link has `forwardPath`; otherwise `none`.
             * @example none
             */
            path: string;
            /**
             * @description `utm_source` of the short link's own query, in lower case; `none` if it had none.
             * @example newsletter
             */
            utmSource: string;
            /**
             * @description `utm_medium` of the short link's own query, in lower case; `none` if it had none.
             * @example email
             */
            utmMedium: string;
            /**
             * @description `utm_campaign` of the short link's own query, in lower case; `none` if it had none.
             * @example none
             */
            utmCampaign: string;
            /**
             * @description The link's domain.
             * @example go.example.com
             */
            domain: string;
            /** @description Whether it was the first click of its visitor on the link and day in UTC. Null if the operator does not have them counted. */
            isUnique: boolean | null;
        };
        /** @description An attempt to send a delivery. */
        DeliveryAttempt: {
            /**
             * Format: date-time
             * @example 2030-01-02T03:04:05.678Z
             */
            at: string;
            /** @description Null if there was no response. */
            status: number | null;
            /** @description How long it took, in milliseconds. */
            ms: number;
            /** @description Why it failed, such as `timeout`, `refused`, `redirect` or `status_500`. Null if it succeeded. */
            error: string | null;
            /** @description The start of the response, at most 1 kB. Only the newest attempt has it. */
            response: string | null;
            /** @description Where the response redirects to, as in the status of the URL. Redirects are not followed: use this address instead. Only the newest attempt has it. */
            redirectsTo: string | null;
        };
        /** @description A message for one URL about one event. */
        WebhookDelivery: {
            /**
             * @description Sent as `webhook-id` in each attempt.
             * @example dlv_0a1B2c3D4e5F6g7H8i9J0k
             */
            id: string;
            /** @enum {string} */
            type: "link.clicked" | "link.cap_reached" | "link.created" | "link.updated" | "link.deleted" | "webhook.test";
            /**
             * Format: uri
             * @example https://hooks.example.com/links
             */
            url: string;
            /** @description Null if the URL is one of a link's `webhookUrls`. */
            webhookId: string | null;
            /** @description The link of the event; null for a test. */
            linkId: string | null;
            /**
             * Format: uri
             * @description The address of the link as it is now, or the one in the body if the link is gone. Null if neither is known.
             */
            shortUrl: string | null;
            /**
             * @description A delivery is `paused` while nothing is sent to its URL, and `failed` once no attempt is left.
             * @enum {string}
             */
            state: "pending" | "succeeded" | "failed" | "paused";
            /** @description The newest 20 attempts, oldest first. */
            attempts: components["schemas"]["DeliveryAttempt"][];
            nextAttemptAt: string | null;
            /**
             * Format: date-time
             * @example 2030-01-02T03:04:05.678Z
             */
            createdAt: string;
        };
        /** @description A delivery with the body that is sent. */
        WebhookDeliveryDetails: {
            /**
             * @description Sent as `webhook-id` in each attempt.
             * @example dlv_0a1B2c3D4e5F6g7H8i9J0k
             */
            id: string;
            /** @enum {string} */
            type: "link.clicked" | "link.cap_reached" | "link.created" | "link.updated" | "link.deleted" | "webhook.test";
            /**
             * Format: uri
             * @example https://hooks.example.com/links
             */
            url: string;
            /** @description Null if the URL is one of a link's `webhookUrls`. */
            webhookId: string | null;
            /** @description The link of the event; null for a test. */
            linkId: string | null;
            /**
             * Format: uri
             * @description The address of the link as it is now, or the one in the body if the link is gone. Null if neither is known.
             */
            shortUrl: string | null;
            /**
             * @description A delivery is `paused` while nothing is sent to its URL, and `failed` once no attempt is left.
             * @enum {string}
             */
            state: "pending" | "succeeded" | "failed" | "paused";
            /** @description The newest 20 attempts, oldest first. */
            attempts: components["schemas"]["DeliveryAttempt"][];
            nextAttemptAt: string | null;
            /**
             * Format: date-time
             * @example 2030-01-02T03:04:05.678Z
             */
            createdAt: string;
            /** @description The body that is sent, byte for byte. */
            body: string;
        };
        /** @description A page of deliveries, newest first. */
        WebhookDeliveryPage: {
            deliveries: components["schemas"]["WebhookDelivery"][];
            /** @description Send it as `cursor`, with the same filter, to get the next page. Null on the last page. */
            nextCursor: string | null;
        };
        /** @description A page of clicks, newest first. */
        ClickPage: {
            clicks: components["schemas"]["Click"][];
            /** @description Send it as `cursor`, with the same parameters, to get the next page. Null on the last page. */
            nextCursor: string | null;
        };
        /** @description An API key. */
        KeyActor: {
            /** @constant */
            type: "key";
            id: string;
            name: string | null;
        };
        /** @description A member who has signed in. In the history, the name is the one that they have now, or else their email address (with ` (not verified)` behind it unless the provider has verified it), or `former member`. */
        MemberActor: {
            /** @constant */
            type: "member";
            id: string;
            name: string | null;
        };
        /** @description The operator, with a command. */
        OperatorActor: {
            /** @constant */
            type: "operator";
            id: null;
            name: string;
        };
        /** @description The service by itself. */
        ServiceActor: {
            /** @constant */
            type: "service";
            id: null;
            name: null;
        };
        /** @description Who made the change: a key, with up to 64 characters of the name that it had; a member; the operator, with the name of the command; or the service. */
        HistoryActor: components["schemas"]["KeyActor"] | components["schemas"]["MemberActor"] | components["schemas"]["OperatorActor"] | components["schemas"]["ServiceActor"];
        /** @description An API key of the workspace, without the key itself. */
        ApiKey: {
            /** @example key_5kzVq0bTn3yWc8Rj1sXgAfE2hLmP5kzVq0bTn3yWc8R */
            id: string;
            /**
             * @description How the key begins, to recognise it.
             * @example lk_5kzV
             */
            prefix: string;
            /** @description What the key is for. */
            name: string | null;
            /** @description What the key may do. */
            permissions: ("links:write" | "links:read" | "tags:write" | "tags:read" | "domains:write" | "domains:read" | "stats:write" | "stats:read" | "webhooks:write" | "webhooks:read" | "history:read" | "keys:write" | "keys:read" | "members:write" | "members:read")[];
            /**
             * Format: date-time
             * @example 2030-01-02T03:04:05.678Z
             */
            createdAt: string;
            createdBy: components["schemas"]["HistoryActor"];
            /** @description The key is refused from then on. Null if it does not expire. */
            expiresAt: string | null;
            /** @description When the key was last used, updated at most once a minute. Null if it never was. */
            lastUsedAt: string | null;
            /** @description When the key was revoked. It is still shown for 30 days. Null if it is not revoked. */
            revokedAt: string | null;
            /** @description The key that this one replaces. */
            replaces: string | null;
            /** @description The key that replaces this one. */
            replacedBy: string | null;
        };
        /** @description A new API key, with the key itself. */
        NewApiKey: {
            /** @example key_5kzVq0bTn3yWc8Rj1sXgAfE2hLmP5kzVq0bTn3yWc8R */
            id: string;
            /**
             * @description How the key begins, to recognise it.
             * @example lk_5kzV
             */
            prefix: string;
            /** @description What the key is for. */
            name: string | null;
            /** @description What the key may do. */
            permissions: ("links:write" | "links:read" | "tags:write" | "tags:read" | "domains:write" | "domains:read" | "stats:write" | "stats:read" | "webhooks:write" | "webhooks:read" | "history:read" | "keys:write" | "keys:read" | "members:write" | "members:read")[];
            /**
             * Format: date-time
             * @example 2030-01-02T03:04:05.678Z
             */
            createdAt: string;
            createdBy: components["schemas"]["HistoryActor"];
            /** @description The key is refused from then on. Null if it does not expire. */
            expiresAt: string | null;
            /** @description When the key was last used, updated at most once a minute. Null if it never was. */
            lastUsedAt: string | null;
            /** @description When the key was revoked. It is still shown for 30 days. Null if it is not revoked. */
            revokedAt: string | null;
            /** @description The key that this one replaces. */
            replaces: string | null;
            /** @description The key that replaces this one. */
            replacedBy: string | null;
            /**
             * @description The key itself. No other response shows it.
             * @example lk_5kzVq0bTn3yWc8Rj1sXgAfE2hLmP5kzVq0bT
             */
            key: string;
        };
        /** @description A page of API keys, newest first. */
        ApiKeyPage: {
            keys: components["schemas"]["ApiKey"][];
            /** @description Send it as `cursor` to get the next page. Null on the last page. */
            nextCursor: string | null;
        };
        /** @description A person who may use the workspace, or is invited. */
        Member: {
            /** @example mbr_0a1B2c3D4e5F6g7H */
            id: string;
            /**
             * @description As invited; once the invitation is accepted, the address of the last sign-in at which the provider had verified it. Only of somebody who never had a verified one, it is that of the last sign-in.
             * @example ada@example.com
             */
            email: string;
            /** @description Whether the provider has verified the address. Unless true, it is only what somebody calls themselves. Null if the provider does not say, or if nobody has accepted the invitation. */
            emailVerified: boolean | null;
            /** @description The name of the last sign-in. Null if the provider gives none. */
            name: string | null;
            /**
             * @description What the member may do.
             * @enum {string}
             */
            role: "owner" | "editor" | "viewer";
            /**
             * @description An `invited` member has not accepted yet. A `pending` one has, and waits for somebody to approve, because the provider does not say whether the email address is theirs.
             * @enum {string}
             */
            state: "invited" | "pending" | "active";
            /**
             * Format: date-time
             * @example 2030-01-02T03:04:05.678Z
             */
            createdAt: string;
            /** @description Null if they never have. */
            lastSignedInAt: string | null;
        };
        /** @description A new member, with the link of the invitation. */
        InvitedMember: {
            /** @example mbr_0a1B2c3D4e5F6g7H */
            id: string;
            /**
             * @description As invited; once the invitation is accepted, the address of the last sign-in at which the provider had verified it. Only of somebody who never had a verified one, it is that of the last sign-in.
             * @example ada@example.com
             */
            email: string;
            /** @description Whether the provider has verified the address. Unless true, it is only what somebody calls themselves. Null if the provider does not say, or if nobody has accepted the invitation. */
            emailVerified: boolean | null;
            /** @description The name of the last sign-in. Null if the provider gives none. */
            name: string | null;
            /**
             * @description What the member may do.
             * @enum {string}
             */
            role: "owner" | "editor" | "viewer";
            /**
             * @description An `invited` member has not accepted yet. A `pending` one has, and waits for somebody to approve, because the provider does not say whether the email address is theirs.
             * @enum {string}
             */
            state: "invited" | "pending" | "active";
            /**
             * Format: date-time
             * @example 2030-01-02T03:04:05.678Z
             */
            createdAt: string;
            /** @description Null if they never have. */
            lastSignedInAt: string | null;
            /**
             * Format: uri
             * @description The link to give to the person. It works once, for 7 days. No other response shows it.
             * @example https://links.example.com/console#invitation=inv_0123456789012345678901234567890123456789012345678901234567890123
             */
            invitationUrl: string;
        };
        /** @description A page of members, newest first. */
        MemberPage: {
            members: components["schemas"]["Member"][];
            /** @description Send it as `cursor` to get the next page. Null on the last page. */
            nextCursor: string | null;
        };
        /** @description The former and the new value of a field. */
        FieldChange: {
            from: unknown;
            to: unknown;
        };
        /** @description What was changed: the id of a link, tag, key or member, or the name of a domain. Of a member, also what they are called now. */
        HistorySubject: {
            /** @enum {string} */
            type: "link" | "tag" | "template" | "domain" | "key" | "member";
            id: string;
            name?: string;
        };
        /** @description A change of a link, tag, template, domain, key or member. */
        HistoryEntry: {
            /**
             * @description Unique in the history of its subject.
             * @example his_20301231000000000300000000000000499659
             */
            id: string;
            /**
             * Format: date-time
             * @example 2030-01-02T03:04:05.678Z
             */
            at: string;
            actor: components["schemas"]["HistoryActor"];
            /** @description The same for all changes of one request. If a link was imported, its creation has the id of the import. */
            requestId: string | null;
            /** @enum {string} */
            action: "link.created" | "link.updated" | "link.deleted" | "link.clicks_erased" | "tag.updated" | "tag.deleted" | "template.updated" | "template.deleted" | "domain.updated" | "domain.deleted" | "key.created" | "key.updated" | "key.revoked" | "member.invited" | "member.joined" | "member.updated" | "member.removed";
            subject: components["schemas"]["HistorySubject"];
            /** @description The fields that were changed, as requests name them, with their former and new values. `null` means that the field was empty. A password is shown as `changed`. The entry of a deletion has the values that were lost, and that of the creation of a key or member those that it got. */
            changes: {
                [key: string]: components["schemas"]["FieldChange"];
            };
            /**
             * Format: uri
             * @description The address of the link as it is now, or the last one that the entry knows if the link is gone. Null if the entry is about something else, or knows none.
             */
            shortUrl: string | null;
            /** @description The link that was made again, or the template that is back. Only deletions that were undone have it. */
            restoredAs?: string;
        };
        /** @description A page of the history, newest first. */
        HistoryPage: {
            entries: components["schemas"]["HistoryEntry"][];
            /** @description Send it as `cursor`, with the same filter, to get the next page. Null on the last page. */
            nextCursor: string | null;
        };
        /** @description One broken rule. */
        FieldError: {
            /** @description A JSON Pointer (RFC 6901) into the body. Empty for the body itself, a header, a query parameter or a DNS record. */
            path: string;
            /**
             * @description The rule that was broken, or the error code of a problem document. Each rule has its own code (docs/api/errors.md).
             * @example destination_scheme
             */
            code: string;
            message: string;
        };
        /** @description A problem document (RFC 9457). */
        Problem: {
            /** @description `urn:problem:links:` followed by the code, which docs/api/errors.md explains. */
            type: string;
            title: string;
            status: number;
            detail: string;
            code: components["schemas"]["ErrorCode"];
            requestId: string;
            errors?: components["schemas"]["FieldError"][];
        };
        RuleRequest: {
            if: components["schemas"]["RuleConditionsRequest"];
            /** @description Where the rule leads. Checked like `url`. */
            url: string;
        };
        /** @description Conditions that must all hold. A list holds if any of its values does. */
        RuleConditionsRequest: {
            country?: string[];
            device?: ("mobile" | "desktop")[];
            os?: ("ios" | "android" | "windows" | "macos" | "linux" | "chromeos")[];
            language?: string[];
            after?: string;
            before?: string;
            /** @description Query parameters that the visit must have, with these values. */
            query?: {
                [key: string]: string;
            };
        };
        VariantRequest: {
            /**
             * @description Unique among the variants. `none`, `other` and `unknown` are reserved.
             * @example a
             */
            id: string;
            /** @description Where the variant leads. Checked like `url`. */
            url: string;
            weight: number;
        };
        CreateLinkRequest: {
            /**
             * @description The destination: an absolute http or https URL without credentials. Its host must be a public address or a name under a public top-level domain (`destination_private`). It must not be a short domain of the service (`destination_short_domain`) or a host that the operator has blocked (`destination_blocked`) or that is on the list of harmful hosts (`destination_listed`). It must not have invisible characters, such as U+200B, unless they are escaped or join letters or emoji (`destination_invalid`). Stored as a browser would normalise it.
             * @example https://example.com/landing?utm_source=mail
             */
            url: string;
            title?: string | null;
            description?: string | null;
            image?: string | null;
            notes?: string | null;
            /**
             * @description The status of the redirect.
             * @enum {string}
             */
            redirectType?: "PERMANENT_301" | "TEMPORARY_302";
            /** @description Whether the link works. An inactive link answers 404. */
            isActive?: boolean;
            /** @description Whether lists leave the link out unless they are asked for it. Visitors notice nothing. */
            isArchived?: boolean;
            /** @description Whether the destination is shown in a frame under the short URL, if it allows framing. */
            cloaked?: boolean;
            /** @description Whether the visitor's query parameters are passed on to the destination. If both have a parameter, the destination's value wins. */
            forwardParameters?: boolean;
            /** @description Whether visitors of `/{slug}/more/path` are sent to the same path behind the destination's. The slug has at most 4 parts with a slash between them (`slug_too_deep`). A link with the whole path as its slug comes first. */
            forwardPath?: boolean;
            /** @description Whether browsers are told to send the destination no `Referer`, so that it does not learn from which page its visitors come. */
            hideReferrer?: boolean;
            /** @description Whether known bots are refused. Command lines and HTTP libraries do not count as bots. */
            blockBots?: boolean;
            /** @description Whether visitors have to press a button before they are counted and redirected. This keeps most email and chat scanners from using up `maxClicks`; it cannot stop scanners that press buttons. Programs send the header `Link-Confirm: 1`. */
            confirmVisit?: boolean;
            /**
             * @description Up to 20 rules. The first one whose conditions all hold for a visit decides where it leads. If there is none, `variants` decide, and without variants `url`. Each URL is checked like `url`. Rules and variants together have at most 8000 bytes of JSON. Replaces the whole list.
             * @example [
             *       {
             *         "if": {
             *           "os": [
             *             "ios",
             *             "android"
             *           ],
             *           "language": [
             *             "de"
             *           ]
             *         },
             *         "url": "https://example.com/de/app"
             *       }
             *     ]
             */
            rules?: components["schemas"]["RuleRequest"][];
            /**
             * @description 2 to 10 destinations among which visitors are divided by weight, or none. The same visitor keeps the same one. Each URL is checked like `url`. Replaces the whole list.
             * @example [
             *       {
             *         "id": "a",
             *         "url": "https://example.com/a",
             *         "weight": 1
             *       },
             *       {
             *         "id": "b",
             *         "url": "https://example.com/b",
             *         "weight": 1
             *       }
             *     ]
             */
            variants?: components["schemas"]["VariantRequest"][];
            password?: string | null;
            startsAt?: string | null;
            expiresAt?: string | null;
            expiredUrl?: string | null;
            maxClicks?: number | null;
            /**
             * @description The ids of tags. Replaces the whole list. Duplicates are dropped, and the order is kept.
             * @example [
             *       "tag_0a1B2c3D4e5F6g7H"
             *     ]
             */
            tagIds?: string[];
            /**
             * @description Names of tags of the workspace, in addition to `tagIds`. Together they replace the whole list. A link has at most 20 tags. A name that no tag has is refused (`tag_not_found`).
             * @example [
             *       "Summer 2030"
             *     ]
             */
            tagNames?: string[];
            managedBy?: string | null;
            metaPixelId?: string | null;
            googleTagId?: string | null;
            webhookUrls?: string | null;
            externalId?: string | null;
            utmSource?: string | null;
            utmMedium?: string | null;
            utmCampaign?: string | null;
            utmTerm?: string | null;
            utmContent?: string | null;
            /**
             * @description A domain that the workspace has proven to own.
             * @example go.example.com
             */
            domain?: string;
            /**
             * @description The path of the short URL: parts with a slash between them. Case-insensitive, but stored as given. It does not end in `.q` or `.svg`, no part is `.` or `..` or begins with `.well-known`, and the first is none of `api`, `ping`, `sping`, `robots.txt` and `favicon.ico`. If a link gets another slug, the former one becomes an alias.
             * @example summer-sale
             */
            customSlug?: string;
            /**
             * @description A template, which gives what the request does not say. Fields of the request win, also if they are null, and so do parameters that `url` has; its tags are all tags. The template's tags that are gone are left out. The link keeps no connection to it.
             * @example tpl_0a1B2c3D4e5F6g7H
             */
            templateId?: string;
        };
        UpdateLinkRequest: {
            /**
             * @description The destination: an absolute http or https URL without credentials. Its host must be a public address or a name under a public top-level domain (`destination_private`). It must not be a short domain of the service (`destination_short_domain`) or a host that the operator has blocked (`destination_blocked`) or that is on the list of harmful hosts (`destination_listed`). It must not have invisible characters, such as U+200B, unless they are escaped or join letters or emoji (`destination_invalid`). Stored as a browser would normalise it.
             * @example https://example.com/landing?utm_source=mail
             */
            url?: string;
            title?: string | null;
            description?: string | null;
            image?: string | null;
            notes?: string | null;
            /**
             * @description The status of the redirect.
             * @enum {string}
             */
            redirectType?: "PERMANENT_301" | "TEMPORARY_302";
            /** @description Whether the link works. An inactive link answers 404. */
            isActive?: boolean;
            /** @description Whether lists leave the link out unless they are asked for it. Visitors notice nothing. */
            isArchived?: boolean;
            /** @description Whether the destination is shown in a frame under the short URL, if it allows framing. */
            cloaked?: boolean;
            /** @description Whether the visitor's query parameters are passed on to the destination. If both have a parameter, the destination's value wins. */
            forwardParameters?: boolean;
            /** @description Whether visitors of `/{slug}/more/path` are sent to the same path behind the destination's. The slug has at most 4 parts with a slash between them (`slug_too_deep`). A link with the whole path as its slug comes first. */
            forwardPath?: boolean;
            /** @description Whether browsers are told to send the destination no `Referer`, so that it does not learn from which page its visitors come. */
            hideReferrer?: boolean;
            /** @description Whether known bots are refused. Command lines and HTTP libraries do not count as bots. */
            blockBots?: boolean;
            /** @description Whether visitors have to press a button before they are counted and redirected. This keeps most email and chat scanners from using up `maxClicks`; it cannot stop scanners that press buttons. Programs send the header `Link-Confirm: 1`. */
            confirmVisit?: boolean;
            /**
             * @description Up to 20 rules. The first one whose conditions all hold for a visit decides where it leads. If there is none, `variants` decide, and without variants `url`. Each URL is checked like `url`. Rules and variants together have at most 8000 bytes of JSON. Replaces the whole list.
             * @example [
             *       {
             *         "if": {
             *           "os": [
             *             "ios",
             *             "android"
             *           ],
             *           "language": [
             *             "de"
             *           ]
             *         },
             *         "url": "https://example.com/de/app"
             *       }
             *     ]
             */
            rules?: components["schemas"]["RuleRequest"][];
            /**
             * @description 2 to 10 destinations among which visitors are divided by weight, or none. The same visitor keeps the same one. Each URL is checked like `url`. Replaces the whole list.
             * @example [
             *       {
             *         "id": "a",
             *         "url": "https://example.com/a",
             *         "weight": 1
             *       },
             *       {
             *         "id": "b",
             *         "url": "https://example.com/b",
             *         "weight": 1
             *       }
             *     ]
             */
            variants?: components["schemas"]["VariantRequest"][];
            password?: string | null;
            startsAt?: string | null;
            expiresAt?: string | null;
            expiredUrl?: string | null;
            maxClicks?: number | null;
            /**
             * @description The ids of tags. Replaces the whole list. Duplicates are dropped, and the order is kept.
             * @example [
             *       "tag_0a1B2c3D4e5F6g7H"
             *     ]
             */
            tagIds?: string[];
            /**
             * @description Names of tags of the workspace, in addition to `tagIds`. Together they replace the whole list. A link has at most 20 tags. A name that no tag has is refused (`tag_not_found`).
             * @example [
             *       "Summer 2030"
             *     ]
             */
            tagNames?: string[];
            managedBy?: string | null;
            metaPixelId?: string | null;
            googleTagId?: string | null;
            webhookUrls?: string | null;
            externalId?: string | null;
            utmSource?: string | null;
            utmMedium?: string | null;
            utmCampaign?: string | null;
            utmTerm?: string | null;
            utmContent?: string | null;
            /**
             * @description The path of the short URL: parts with a slash between them. Case-insensitive, but stored as given. It does not end in `.q` or `.svg`, no part is `.` or `..` or begins with `.well-known`, and the first is none of `api`, `ping`, `sping`, `robots.txt` and `favicon.ico`. If a link gets another slug, the former one becomes an alias.
             * @example summer-sale
             */
            customSlug?: string;
        };
        PutLinkRequest: {
            /**
             * @description The destination: an absolute http or https URL without credentials. Its host must be a public address or a name under a public top-level domain (`destination_private`). It must not be a short domain of the service (`destination_short_domain`) or a host that the operator has blocked (`destination_blocked`) or that is on the list of harmful hosts (`destination_listed`). It must not have invisible characters, such as U+200B, unless they are escaped or join letters or emoji (`destination_invalid`). Stored as a browser would normalise it.
             * @example https://example.com/landing?utm_source=mail
             */
            url: string;
            title?: string | null;
            description?: string | null;
            image?: string | null;
            notes?: string | null;
            /**
             * @description The status of the redirect.
             * @enum {string}
             */
            redirectType?: "PERMANENT_301" | "TEMPORARY_302";
            /** @description Whether the link works. An inactive link answers 404. */
            isActive?: boolean;
            /** @description Whether lists leave the link out unless they are asked for it. Visitors notice nothing. */
            isArchived?: boolean;
            /** @description Whether the destination is shown in a frame under the short URL, if it allows framing. */
            cloaked?: boolean;
            /** @description Whether the visitor's query parameters are passed on to the destination. If both have a parameter, the destination's value wins. */
            forwardParameters?: boolean;
            /** @description Whether visitors of `/{slug}/more/path` are sent to the same path behind the destination's. The slug has at most 4 parts with a slash between them (`slug_too_deep`). A link with the whole path as its slug comes first. */
            forwardPath?: boolean;
            /** @description Whether browsers are told to send the destination no `Referer`, so that it does not learn from which page its visitors come. */
            hideReferrer?: boolean;
            /** @description Whether known bots are refused. Command lines and HTTP libraries do not count as bots. */
            blockBots?: boolean;
            /** @description Whether visitors have to press a button before they are counted and redirected. This keeps most email and chat scanners from using up `maxClicks`; it cannot stop scanners that press buttons. Programs send the header `Link-Confirm: 1`. */
            confirmVisit?: boolean;
            /**
             * @description Up to 20 rules. The first one whose conditions all hold for a visit decides where it leads. If there is none, `variants` decide, and without variants `url`. Each URL is checked like `url`. Rules and variants together have at most 8000 bytes of JSON. Replaces the whole list.
             * @example [
             *       {
             *         "if": {
             *           "os": [
             *             "ios",
             *             "android"
             *           ],
             *           "language": [
             *             "de"
             *           ]
             *         },
             *         "url": "https://example.com/de/app"
             *       }
             *     ]
             */
            rules?: components["schemas"]["RuleRequest"][];
            /**
             * @description 2 to 10 destinations among which visitors are divided by weight, or none. The same visitor keeps the same one. Each URL is checked like `url`. Replaces the whole list.
             * @example [
             *       {
             *         "id": "a",
             *         "url": "https://example.com/a",
             *         "weight": 1
             *       },
             *       {
             *         "id": "b",
             *         "url": "https://example.com/b",
             *         "weight": 1
             *       }
             *     ]
             */
            variants?: components["schemas"]["VariantRequest"][];
            password?: string | null;
            startsAt?: string | null;
            expiresAt?: string | null;
            expiredUrl?: string | null;
            maxClicks?: number | null;
            /**
             * @description The ids of tags. Replaces the whole list. Duplicates are dropped, and the order is kept.
             * @example [
             *       "tag_0a1B2c3D4e5F6g7H"
             *     ]
             */
            tagIds?: string[];
            /**
             * @description Names of tags of the workspace, in addition to `tagIds`. Together they replace the whole list. A link has at most 20 tags. A name that no tag has is refused (`tag_not_found`).
             * @example [
             *       "Summer 2030"
             *     ]
             */
            tagNames?: string[];
            managedBy?: string | null;
            metaPixelId?: string | null;
            googleTagId?: string | null;
            webhookUrls?: string | null;
            utmSource?: string | null;
            utmMedium?: string | null;
            utmCampaign?: string | null;
            utmTerm?: string | null;
            utmContent?: string | null;
            /**
             * @description A domain that the workspace has proven to own.
             * @example go.example.com
             */
            domain: string;
            /**
             * @description The path of the short URL: parts with a slash between them. Case-insensitive, but stored as given. It does not end in `.q` or `.svg`, no part is `.` or `..` or begins with `.well-known`, and the first is none of `api`, `ping`, `sping`, `robots.txt` and `favicon.ico`. If a link gets another slug, the former one becomes an alias.
             * @example summer-sale
             */
            customSlug?: string;
        };
        BulkCreateLinksRequest: {
            /** @description A domain that the workspace has proven to own. */
            domain: string;
            /**
             * @description A template, which gives what the request does not say. Fields of the request win, also if they are null, and so do parameters that `url` has; its tags are all tags. The template's tags that are gone are left out. The link keeps no connection to it.
             * @example tpl_0a1B2c3D4e5F6g7H
             */
            templateId?: string;
            /** @description Anything else is listed under `failed`, and does not affect the other links. */
            links: components["schemas"]["ImportLink"][];
        };
        /** @description The fields to update on all of the links. `tagIds` and `tagNames` replace the whole list of each; the fields that add and remove tags leave the others as they are, and go with neither. */
        LinkSettings: {
            /**
             * @description The destination: an absolute http or https URL without credentials. Its host must be a public address or a name under a public top-level domain (`destination_private`). It must not be a short domain of the service (`destination_short_domain`) or a host that the operator has blocked (`destination_blocked`) or that is on the list of harmful hosts (`destination_listed`). It must not have invisible characters, such as U+200B, unless they are escaped or join letters or emoji (`destination_invalid`). Stored as a browser would normalise it.
             * @example https://example.com/landing?utm_source=mail
             */
            url?: string;
            title?: string | null;
            description?: string | null;
            image?: string | null;
            notes?: string | null;
            /**
             * @description The status of the redirect.
             * @enum {string}
             */
            redirectType?: "PERMANENT_301" | "TEMPORARY_302";
            /** @description Whether the link works. An inactive link answers 404. */
            isActive?: boolean;
            /** @description Whether lists leave the link out unless they are asked for it. Visitors notice nothing. */
            isArchived?: boolean;
            /** @description Whether the destination is shown in a frame under the short URL, if it allows framing. */
            cloaked?: boolean;
            /** @description Whether the visitor's query parameters are passed on to the destination. If both have a parameter, the destination's value wins. */
            forwardParameters?: boolean;
            /** @description Whether visitors of `/{slug}/more/path` are sent to the same path behind the destination's. The slug has at most 4 parts with a slash between them (`slug_too_deep`). A link with the whole path as its slug comes first. */
            forwardPath?: boolean;
            /** @description Whether browsers are told to send the destination no `Referer`, so that it does not learn from which page its visitors come. */
            hideReferrer?: boolean;
            /** @description Whether known bots are refused. Command lines and HTTP libraries do not count as bots. */
            blockBots?: boolean;
            /** @description Whether visitors have to press a button before they are counted and redirected. This keeps most email and chat scanners from using up `maxClicks`; it cannot stop scanners that press buttons. Programs send the header `Link-Confirm: 1`. */
            confirmVisit?: boolean;
            /**
             * @description Up to 20 rules. The first one whose conditions all hold for a visit decides where it leads. If there is none, `variants` decide, and without variants `url`. Each URL is checked like `url`. Rules and variants together have at most 8000 bytes of JSON. Replaces the whole list.
             * @example [
             *       {
             *         "if": {
             *           "os": [
             *             "ios",
             *             "android"
             *           ],
             *           "language": [
             *             "de"
             *           ]
             *         },
             *         "url": "https://example.com/de/app"
             *       }
             *     ]
             */
            rules?: components["schemas"]["RuleRequest"][];
            /**
             * @description 2 to 10 destinations among which visitors are divided by weight, or none. The same visitor keeps the same one. Each URL is checked like `url`. Replaces the whole list.
             * @example [
             *       {
             *         "id": "a",
             *         "url": "https://example.com/a",
             *         "weight": 1
             *       },
             *       {
             *         "id": "b",
             *         "url": "https://example.com/b",
             *         "weight": 1
             *       }
             *     ]
             */
            variants?: components["schemas"]["VariantRequest"][];
            password?: string | null;
            startsAt?: string | null;
            expiresAt?: string | null;
            expiredUrl?: string | null;
            maxClicks?: number | null;
            /**
             * @description The ids of tags. Replaces the whole list. Duplicates are dropped, and the order is kept.
             * @example [
             *       "tag_0a1B2c3D4e5F6g7H"
             *     ]
             */
            tagIds?: string[];
            /**
             * @description Names of tags of the workspace, in addition to `tagIds`. Together they replace the whole list. A link has at most 20 tags. A name that no tag has is refused (`tag_not_found`).
             * @example [
             *       "Summer 2030"
             *     ]
             */
            tagNames?: string[];
            managedBy?: string | null;
            metaPixelId?: string | null;
            googleTagId?: string | null;
            webhookUrls?: string | null;
            utmSource?: string | null;
            utmMedium?: string | null;
            utmCampaign?: string | null;
            utmTerm?: string | null;
            utmContent?: string | null;
            /**
             * @description Tags that are added to the links.
             * @example [
             *       "tag_0a1B2c3D4e5F6g7H"
             *     ]
             */
            addTagIds?: string[];
            /**
             * @description The same by their names, in addition to `addTagIds`.
             * @example [
             *       "Summer 2030"
             *     ]
             */
            addTagNames?: string[];
            /**
             * @description Tags that are removed from the links.
             * @example [
             *       "tag_0a1B2c3D4e5F6g7H"
             *     ]
             */
            removeTagIds?: string[];
            /**
             * @description The same by their names, in addition to `removeTagIds`.
             * @example [
             *       "Summer 2030"
             *     ]
             */
            removeTagNames?: string[];
        };
        BulkUpdateLinksRequest: {
            /** @description The ids of the links, or `ext_` and their external ids. A link that is named twice counts once. */
            ids: string[];
            fields: components["schemas"]["LinkSettings"];
        };
        BulkDeleteLinksRequest: {
            /** @description The ids of the links, or `ext_` and their external ids. A link that is named twice counts once. */
            ids: string[];
        };
        CreateTagRequest: {
            /**
             * @description 1 to 64 letters, numbers, spaces, hyphens and underscores of any script, after trimming. Unique in the workspace, case-insensitively.
             * @example Summer 2030
             */
            name: string;
            /**
             * @description Stored in lower case.
             * @example #1a2b3c
             */
            color: string;
        };
        UpdateTagRequest: {
            /**
             * @description 1 to 64 letters, numbers, spaces, hyphens and underscores of any script, after trimming. Unique in the workspace, case-insensitively.
             * @example Summer 2030
             */
            name?: string;
            /**
             * @description Stored in lower case.
             * @example #1a2b3c
             */
            color?: string;
        };
        CreateTemplateRequest: {
            /**
             * @description The name, unique in the workspace: compared like the names of tags.
             * @example Newsletter
             */
            name: string;
            domain?: string | null;
            /**
             * @description The ids of tags. Replaces the whole list. Duplicates are dropped, and the order is kept.
             * @example [
             *       "tag_0a1B2c3D4e5F6g7H"
             *     ]
             */
            tagIds?: string[];
            utmSource?: string | null;
            utmMedium?: string | null;
            utmCampaign?: string | null;
            utmTerm?: string | null;
            utmContent?: string | null;
            /**
             * @description The status of the redirect.
             * @enum {string}
             */
            redirectType?: "PERMANENT_301" | "TEMPORARY_302";
            expiresAfterDays?: number | null;
            /** @description Whether the link works. An inactive link answers 404. */
            isActive?: boolean;
            /** @description Whether lists leave the link out unless they are asked for it. Visitors notice nothing. */
            isArchived?: boolean;
            /** @description Whether the destination is shown in a frame under the short URL, if it allows framing. */
            cloaked?: boolean;
            /** @description Whether the visitor's query parameters are passed on to the destination. If both have a parameter, the destination's value wins. */
            forwardParameters?: boolean;
            /** @description Whether visitors of `/{slug}/more/path` are sent to the same path behind the destination's. The slug has at most 4 parts with a slash between them (`slug_too_deep`). A link with the whole path as its slug comes first. */
            forwardPath?: boolean;
            /** @description Whether browsers are told to send the destination no `Referer`, so that it does not learn from which page its visitors come. */
            hideReferrer?: boolean;
            /** @description Whether known bots are refused. Command lines and HTTP libraries do not count as bots. */
            blockBots?: boolean;
            /** @description Whether visitors have to press a button before they are counted and redirected. This keeps most email and chat scanners from using up `maxClicks`; it cannot stop scanners that press buttons. Programs send the header `Link-Confirm: 1`. */
            confirmVisit?: boolean;
        };
        UpdateTemplateRequest: {
            /**
             * @description The name, unique in the workspace: compared like the names of tags.
             * @example Newsletter
             */
            name?: string;
            domain?: string | null;
            /**
             * @description The ids of tags. Replaces the whole list. Duplicates are dropped, and the order is kept.
             * @example [
             *       "tag_0a1B2c3D4e5F6g7H"
             *     ]
             */
            tagIds?: string[];
            utmSource?: string | null;
            utmMedium?: string | null;
            utmCampaign?: string | null;
            utmTerm?: string | null;
            utmContent?: string | null;
            /**
             * @description The status of the redirect.
             * @enum {string}
             */
            redirectType?: "PERMANENT_301" | "TEMPORARY_302";
            expiresAfterDays?: number | null;
            /** @description Whether the link works. An inactive link answers 404. */
            isActive?: boolean;
            /** @description Whether lists leave the link out unless they are asked for it. Visitors notice nothing. */
            isArchived?: boolean;
            /** @description Whether the destination is shown in a frame under the short URL, if it allows framing. */
            cloaked?: boolean;
            /** @description Whether the visitor's query parameters are passed on to the destination. If both have a parameter, the destination's value wins. */
            forwardParameters?: boolean;
            /** @description Whether visitors of `/{slug}/more/path` are sent to the same path behind the destination's. The slug has at most 4 parts with a slash between them (`slug_too_deep`). A link with the whole path as its slug comes first. */
            forwardPath?: boolean;
            /** @description Whether browsers are told to send the destination no `Referer`, so that it does not learn from which page its visitors come. */
            hideReferrer?: boolean;
            /** @description Whether known bots are refused. Command lines and HTTP libraries do not count as bots. */
            blockBots?: boolean;
            /** @description Whether visitors have to press a button before they are counted and redirected. This keeps most email and chat scanners from using up `maxClicks`; it cannot stop scanners that press buttons. Programs send the header `Link-Confirm: 1`. */
            confirmVisit?: boolean;
        };
        CreateDomainRequest: {
            /**
             * @description A domain name of two or more labels, not a public suffix, address, URL or wildcard. Converted to lower case and ASCII (IDNA).
             * @example go.example.com
             */
            domain: string;
        };
        AppleAppSiteAssociation: {
            applinks?: {
                apps?: string[];
                details: ({
                    appID?: string;
                    appIDs?: string[];
                    paths?: string[];
                    components?: {
                        [key: string]: unknown;
                    }[];
                } & {
                    [key: string]: unknown;
                })[];
            } & {
                [key: string]: unknown;
            };
            webcredentials?: {
                apps: string[];
            } & {
                [key: string]: unknown;
            };
            appclips?: {
                apps: string[];
            } & {
                [key: string]: unknown;
            };
            activitycontinuation?: {
                apps: string[];
            } & {
                [key: string]: unknown;
            };
        } & {
            [key: string]: unknown;
        };
        AssetLinkStatement: {
            relation?: string[];
            target?: ({
                /** @constant */
                namespace: "web";
                site: string;
            } & {
                [key: string]: unknown;
            }) | ({
                /** @constant */
                namespace: "android_app";
                package_name: string;
                sha256_cert_fingerprints: string[];
            } & {
                [key: string]: unknown;
            });
            include?: string;
        } & {
            [key: string]: unknown;
        };
        UpdateDomainRequest: {
            /** @description Where visitors of `/` are sent. A URL like the `url` of a link, with the same errors; null for nowhere. */
            rootUrl?: string | null;
            /** @description Where visitors of an unknown slug or path are sent. A URL like the `url` of a link, with the same errors; null for nowhere. */
            notFoundUrl?: string | null;
            /** @description Where visitors of an expired or used-up link are sent. A URL like the `url` of a link, with the same errors; null for nowhere. */
            expiredUrl?: string | null;
            /** @description Whether anyone may fetch the QR codes of its links. */
            publicQr?: boolean;
            /** @description Whether search engines may list its short links. Otherwise, redirects, cards and frames say `X-Robots-Tag: noindex`. */
            allowIndexing?: boolean;
            accentColor?: string | null;
            logoUrl?: string | null;
            appleAppSiteAssociation?: components["schemas"]["AppleAppSiteAssociation"] | null;
            assetLinks?: components["schemas"]["AssetLinkStatement"][] | null;
        };
        CreateWebhookRequest: {
            /**
             * @description An https URL at a public host, without credentials.
             * @example https://example.com/hooks/links
             */
            url: string;
            /**
             * @description The events to send, at most as many as there are. Replaces the whole list. Duplicates are dropped, and the order is kept.
             * @example [
             *       "link.clicked",
             *       "link.deleted"
             *     ]
             */
            events: ("link.clicked" | "link.cap_reached" | "link.created" | "link.updated" | "link.deleted")[];
            /**
             * @description Whether events are sent to the webhook.
             * @default true
             */
            active: boolean;
        };
        UpdateWebhookRequest: {
            /**
             * @description An https URL at a public host, without credentials.
             * @example https://example.com/hooks/links
             */
            url?: string;
            /**
             * @description The events to send, at most as many as there are. Replaces the whole list. Duplicates are dropped, and the order is kept.
             * @example [
             *       "link.clicked",
             *       "link.deleted"
             *     ]
             */
            events?: ("link.clicked" | "link.cap_reached" | "link.created" | "link.updated" | "link.deleted")[];
            /** @description Whether events are sent to the webhook. */
            active?: boolean;
        };
        CreateWebhookSecretRequest: {
            /**
             * @description The webhook that gets the secret; null or absent for the `webhookUrls` of the workspace's links.
             * @example whk_0a1B2c3D4e5F6g7H
             */
            webhookId?: string | null;
        };
        CreateKeyRequest: {
            name?: string | null;
            /**
             * @description What the key may do. Replaces the whole list. Duplicates are dropped, and the order is kept.
             * @example [
             *       "links:write",
             *       "links:read"
             *     ]
             */
            permissions?: ("links:write" | "links:read" | "tags:write" | "tags:read" | "domains:write" | "domains:read" | "stats:write" | "stats:read" | "webhooks:write" | "webhooks:read" | "history:read" | "keys:write" | "keys:read" | "members:write" | "members:read")[];
            expiresAt?: string | null;
            /**
             * @description When the key expires, in seconds from now. Instead of `expiresAt`.
             * @example 7776000
             */
            expiresInSeconds?: number;
        };
        UpdateKeyRequest: {
            name?: string | null;
            /**
             * @description What the key may do. Replaces the whole list. Duplicates are dropped, and the order is kept.
             * @example [
             *       "links:write",
             *       "links:read"
             *     ]
             */
            permissions?: ("links:write" | "links:read" | "tags:write" | "tags:read" | "domains:write" | "domains:read" | "stats:write" | "stats:read" | "webhooks:write" | "webhooks:read" | "history:read" | "keys:write" | "keys:read" | "members:write" | "members:read")[];
            expiresAt?: string | null;
            /**
             * @description When the key expires, in seconds from now. Instead of `expiresAt`.
             * @example 7776000
             */
            expiresInSeconds?: number;
        };
        RotateKeyRequest: {
            /**
             * @description For how long the old key stays valid. It never lives longer than before. With 0, it ends at once.
             * @default 86400
             * @example 3600
             */
            overlapSeconds: number;
            expiresAt?: string | null;
            /**
             * @description When the key expires, in seconds from now. Instead of `expiresAt`.
             * @example 7776000
             */
            expiresInSeconds?: number;
        };
        CreateMemberRequest: {
            /**
             * @description The email address with which the person will sign in, trimmed, at most 254 characters. Its case makes no difference.
             * @example ada@example.com
             */
            email: string;
            /** @enum {string} */
            role: "owner" | "editor" | "viewer";
        };
        UpdateMemberRequest: {
            /** @enum {string} */
            role?: "owner" | "editor" | "viewer";
            /** @constant */
            state?: "active";
        };
        ImportLink: {
            /**
             * @description The destination: an absolute http or https URL without credentials. Its host must be a public address or a name under a public top-level domain (`destination_private`). It must not be a short domain of the service (`destination_short_domain`) or a host that the operator has blocked (`destination_blocked`) or that is on the list of harmful hosts (`destination_listed`). It must not have invisible characters, such as U+200B, unless they are escaped or join letters or emoji (`destination_invalid`). Stored as a browser would normalise it.
             * @example https://example.com/landing?utm_source=mail
             */
            url: string;
            title?: string | null;
            description?: string | null;
            image?: string | null;
            notes?: string | null;
            /**
             * @description The status of the redirect.
             * @enum {string}
             */
            redirectType?: "PERMANENT_301" | "TEMPORARY_302";
            /** @description Whether the link works. An inactive link answers 404. */
            isActive?: boolean;
            /** @description Whether lists leave the link out unless they are asked for it. Visitors notice nothing. */
            isArchived?: boolean;
            /** @description Whether the destination is shown in a frame under the short URL, if it allows framing. */
            cloaked?: boolean;
            /** @description Whether the visitor's query parameters are passed on to the destination. If both have a parameter, the destination's value wins. */
            forwardParameters?: boolean;
            /** @description Whether visitors of `/{slug}/more/path` are sent to the same path behind the destination's. The slug has at most 4 parts with a slash between them (`slug_too_deep`). A link with the whole path as its slug comes first. */
            forwardPath?: boolean;
            /** @description Whether browsers are told to send the destination no `Referer`, so that it does not learn from which page its visitors come. */
            hideReferrer?: boolean;
            /** @description Whether known bots are refused. Command lines and HTTP libraries do not count as bots. */
            blockBots?: boolean;
            /** @description Whether visitors have to press a button before they are counted and redirected. This keeps most email and chat scanners from using up `maxClicks`; it cannot stop scanners that press buttons. Programs send the header `Link-Confirm: 1`. */
            confirmVisit?: boolean;
            /**
             * @description Up to 20 rules. The first one whose conditions all hold for a visit decides where it leads. If there is none, `variants` decide, and without variants `url`. Each URL is checked like `url`. Rules and variants together have at most 8000 bytes of JSON. Replaces the whole list.
             * @example [
             *       {
             *         "if": {
             *           "os": [
             *             "ios",
             *             "android"
             *           ],
             *           "language": [
             *             "de"
             *           ]
             *         },
             *         "url": "https://example.com/de/app"
             *       }
             *     ]
             */
            rules?: components["schemas"]["RuleRequest"][];
            /**
             * @description 2 to 10 destinations among which visitors are divided by weight, or none. The same visitor keeps the same one. Each URL is checked like `url`. Replaces the whole list.
             * @example [
             *       {
             *         "id": "a",
             *         "url": "https://example.com/a",
             *         "weight": 1
             *       },
             *       {
             *         "id": "b",
             *         "url": "https://example.com/b",
             *         "weight": 1
             *       }
             *     ]
             */
            variants?: components["schemas"]["VariantRequest"][];
            password?: string | null;
            startsAt?: string | null;
            expiresAt?: string | null;
            expiredUrl?: string | null;
            maxClicks?: number | null;
            /**
             * @description The ids of tags. Replaces the whole list. Duplicates are dropped, and the order is kept.
             * @example [
             *       "tag_0a1B2c3D4e5F6g7H"
             *     ]
             */
            tagIds?: string[];
            /**
             * @description Names of tags of the workspace, in addition to `tagIds`. Together they replace the whole list. A link has at most 20 tags. A name that no tag has is refused (`tag_not_found`).
             * @example [
             *       "Summer 2030"
             *     ]
             */
            tagNames?: string[];
            managedBy?: string | null;
            metaPixelId?: string | null;
            googleTagId?: string | null;
            webhookUrls?: string | null;
            externalId?: string | null;
            utmSource?: string | null;
            utmMedium?: string | null;
            utmCampaign?: string | null;
            utmTerm?: string | null;
            utmContent?: string | null;
            /**
             * @description The path of the short URL: parts with a slash between them. Case-insensitive, but stored as given. It does not end in `.q` or `.svg`, no part is `.` or `..` or begins with `.well-known`, and the first is none of `api`, `ping`, `sping`, `robots.txt` and `favicon.ico`. If a link gets another slug, the former one becomes an alias.
             * @example summer-sale
             */
            customSlug?: string;
        };
    };
    responses: {
        /** @description Not modified: the version still matches `If-None-Match`. */
        NotModified: {
            headers: {
                "Cache-Control": components["headers"]["Cache-Control"];
                ETag: components["headers"]["ETag"];
                [name: string]: unknown;
            };
            content?: never;
        };
        /** @description The request is malformed. */
        BadRequest: {
            headers: {
                "Cache-Control": components["headers"]["Cache-Control"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The API key is missing, unknown, revoked or expired. */
        Unauthorized: {
            headers: {
                "Cache-Control": components["headers"]["Cache-Control"];
                "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                "x-amzn-Remapped-WWW-Authenticate": components["headers"]["x-amzn-Remapped-WWW-Authenticate"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The API key lacks a permission. */
        Forbidden: {
            headers: {
                "Cache-Control": components["headers"]["Cache-Control"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The resource of the path does not exist in this workspace. */
        NotFound: {
            headers: {
                "Cache-Control": components["headers"]["Cache-Control"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The header `Accept` does not allow what was requested. */
        NotAcceptable: {
            headers: {
                "Cache-Control": components["headers"]["Cache-Control"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The request conflicts with what exists. */
        Conflict: {
            headers: {
                "Cache-Control": components["headers"]["Cache-Control"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The resource has changed since its `ETag` was read. */
        PreconditionFailed: {
            headers: {
                "Cache-Control": components["headers"]["Cache-Control"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The request is too large. */
        RequestTooLarge: {
            headers: {
                "Cache-Control": components["headers"]["Cache-Control"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The `Content-Type` is not supported, or its charset is not UTF-8. */
        UnsupportedMediaType: {
            headers: {
                "Cache-Control": components["headers"]["Cache-Control"];
                "Accept-Patch": components["headers"]["Accept-Patch"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The request breaks a rule. */
        Unprocessable: {
            headers: {
                "Cache-Control": components["headers"]["Cache-Control"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description A limit was reached. Retry after the time in `Retry-After`. */
        TooManyRequests: {
            headers: {
                "Cache-Control": components["headers"]["Cache-Control"];
                "Retry-After": components["headers"]["Retry-After"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The service failed. */
        InternalError: {
            headers: {
                "Cache-Control": components["headers"]["Cache-Control"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The service is temporarily unavailable. Retry after the time in `Retry-After`. */
        Unavailable: {
            headers: {
                "Cache-Control": components["headers"]["Cache-Control"];
                "Retry-After": components["headers"]["Retry-After"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
    };
    parameters: never;
    requestBodies: never;
    headers: {
        /** @description The path of the created resource. */
        Location: string;
        /**
         * @description In a CSV response: the address of the next page, as a reference relative to the request (RFC 8288). Absent on the last page.
         * @example <?limit=50&cursor=kG8u1rN3tQ0vYx5zBw7cDe>; rel="next"
         */
        Link: string;
        /**
         * @description The strong entity tag of the response body. It changes with every change of the body (RFC 9110). If the body has counts, the part after the dot changes with them; the part before it does not.
         * @example "5kzVq0bTn3yWc8Rj1sXgAf.0qN7dLw2Hb5uYt9RkVx4Zc"
         */
        ETag: string;
        /**
         * @description How many requests are left of the limit, and in how many seconds more will be (draft-ietf-httpapi-ratelimit-headers). Only in responses to requests with an exact limit, and absent if the gateway refused one.
         * @example "bulk";r=2;t=60
         */
        RateLimit: string;
        /**
         * @description The limit in force: `q` requests in any `w` seconds. Only in responses to requests with an exact limit, and absent if the gateway refused one.
         * @example "bulk";q=3;w=60
         */
        "RateLimit-Policy": string;
        /**
         * @description After how many seconds to retry.
         * @example 60
         */
        "Retry-After": string;
        /** @description How to authenticate. Absent if the key expired within the last 60 seconds; see `x-amzn-Remapped-WWW-Authenticate`. */
        "WWW-Authenticate": "Bearer";
        /** @description How to authenticate, if the key expired within the last 60 seconds. A function then responds, and API Gateway renames its header. */
        "x-amzn-Remapped-WWW-Authenticate": "Bearer";
        /** @description The media types that PATCH accepts (RFC 5789). Only in responses to PATCH. */
        "Accept-Patch": "application/json, application/merge-patch+json";
        /** @description Responses of the API must not be cached. */
        "Cache-Control": "no-store";
    };
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    getMe: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Who is calling. */
            200: {
                headers: {
                    "Cache-Control": components["headers"]["Cache-Control"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "workspace": {
                     *         "id": "ws_0a1B2c3D4e5F6g7H",
                     *         "name": "Acme",
                     *         "createdAt": "2030-01-02T03:04:05.678Z"
                     *       },
                     *       "key": {
                     *         "id": "key_5kzVq0bTn3yWc8Rj1sXgAfE2hLmP5kzVq0bTn3yWc8R",
                     *         "name": "CI",
                     *         "permissions": [
                     *           "links:write",
                     *           "links:read"
                     *         ],
                     *         "expiresAt": "2031-01-02T00:00:00.000Z"
                     *       },
                     *       "limits": {
                     *         "bulkRequests": {
                     *           "limit": 3,
                     *           "remaining": 2,
                     *           "windowSeconds": 60,
                     *           "resetSeconds": 42
                     *         },
                     *         "bulkChanges": {
                     *           "limit": 30,
                     *           "remaining": 30,
                     *           "windowSeconds": 60,
                     *           "resetSeconds": 0
                     *         },
                     *         "metadataRequests": {
                     *           "limit": 30,
                     *           "remaining": 30,
                     *           "windowSeconds": 60,
                     *           "resetSeconds": 0
                     *         },
                     *         "framingLookUps": {
                     *           "limit": 1000,
                     *           "remaining": 1000,
                     *           "windowSeconds": 3600,
                     *           "resetSeconds": 0
                     *         },
                     *         "tags": {
                     *           "limit": 5000,
                     *           "remaining": 4988
                     *         },
                     *         "templates": {
                     *           "limit": 100,
                     *           "remaining": 97
                     *         },
                     *         "domains": {
                     *           "limit": 100,
                     *           "remaining": 99
                     *         },
                     *         "webhooks": {
                     *           "limit": 20,
                     *           "remaining": 20
                     *         },
                     *         "keys": {
                     *           "limit": 200,
                     *           "remaining": 197
                     *         },
                     *         "linksPerBulkRequest": 1000,
                     *         "requestsPerSecond": 100,
                     *         "requestBurst": 1000,
                     *         "clickDays": 30,
                     *         "historyDays": 365,
                     *         "linksPerPage": 100,
                     *         "tagsPerLink": 20,
                     *         "aliasesPerLink": 10,
                     *         "rulesPerLink": 20,
                     *         "variantsPerLink": 10,
                     *         "webhookUrlsPerLink": 5,
                     *         "secretsAtOnce": 5
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["Me"];
                };
            };
            /** @description Unauthorized (`unauthorized`). */
            401: components["responses"]["Unauthorized"];
            /** @description Forbidden (`forbidden`). */
            403: components["responses"]["Forbidden"];
            /** @description Validation failed (`validation_failed`). */
            422: components["responses"]["Unprocessable"];
            /** @description Too many requests (`rate_limited`). */
            429: components["responses"]["TooManyRequests"];
            /** @description Internal error (`internal_error`). */
            500: components["responses"]["InternalError"];
            /** @description Temporarily unavailable (`temporarily_unavailable`). */
            503: components["responses"]["Unavailable"];
        };
    };
    listLinks: {
        parameters: {
            query?: {
                /**
                 * @description The most links on a page.
                 * @example 50
                 */
                limit?: number;
                /** @description The `nextCursor` of the previous page. It is valid only for the same filter in the same workspace. */
                cursor?: string;
                /**
                 * @description Only links with this tag. A short form of `tagIds`: send it without `tagIds` and `tagNames`.
                 * @example tag_0a1B2c3D4e5F6g7H
                 */
                tagId?: string;
                /**
                 * @description Only links with any of these tags, or with all of them if `match` says so. Separated by commas; duplicates are dropped.
                 * @example [
                 *       "tag_0a1B2c3D4e5F6g7H",
                 *       "tag_7H6g5F4e3D2c1B0a"
                 *     ]
                 */
                tagIds?: string[];
                /**
                 * @description The same by the names of tags. With `tagIds`, these are in addition to them.
                 * @example [
                 *       "Summer 2030",
                 *       "news"
                 *     ]
                 */
                tagNames?: string[];
                /** @description Whether a link needs any of these tags, or all of them. */
                match?: "any" | "all";
                /**
                 * @description Only links on this domain.
                 * @example go.example.com
                 */
                domain?: string;
                /**
                 * @description Only links with exactly this `managedBy`.
                 * @example marketing@go.example.com
                 */
                managedBy?: string;
                /**
                 * @description Only links with this text in a slug, `url`, title or notes, or at this short URL or domain.
                 * @example summer
                 */
                q?: string;
                /** @description `false` leaves archived links out, `true` lists only them, `any` lists all links. */
                archived?: "false" | "true" | "any";
                /** @description Only links with this `state`. */
                state?: "active" | "inactive" | "scheduled" | "expired" | "used_up" | "pending" | "disabled" | "blocked";
                /**
                 * @description Only links created at that time or later, in ISO 8601 with a time zone.
                 * @example 2030-01-01T00:00:00Z
                 */
                createdAfter?: string;
                /**
                 * @description Only links created before that time, in ISO 8601 with a time zone.
                 * @example 2030-02-01T00:00:00Z
                 */
                createdBefore?: string;
                /**
                 * @description Only links whose `expiresAt` is before that time, in ISO 8601 with a time zone; with `state=active`, those that expire soon.
                 * @example 2030-02-01T00:00:00Z
                 */
                expiresBefore?: string;
                /**
                 * @description Only links without a click at that time or later, in ISO 8601 with a time zone: whose `clickCount` is 0, or whose `lastClickedAt` is before it.
                 * @example 2030-01-01T00:00:00Z
                 */
                notClickedSince?: string;
                /** @description `desc` is newest first. */
                order?: "asc" | "desc";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page. */
            200: {
                headers: {
                    "Cache-Control": components["headers"]["Cache-Control"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "links": [
                     *         {
                     *           "id": "lnk_5kzVq0bTn3yWc8Rj1sXgAfE2hLmP",
                     *           "shortCode": "summer-sale",
                     *           "domain": "go.example.com",
                     *           "shortUrl": "https://go.example.com/summer-sale",
                     *           "aliases": [],
                     *           "url": "https://example.com/landing?utm_source=mail",
                     *           "title": "Summer sale",
                     *           "description": null,
                     *           "image": null,
                     *           "notes": null,
                     *           "redirectType": "TEMPORARY_302",
                     *           "isActive": true,
                     *           "isArchived": false,
                     *           "state": "active",
                     *           "pendingVerification": false,
                     *           "cloaked": false,
                     *           "hasPassword": false,
                     *           "startsAt": null,
                     *           "expiresAt": "2030-08-01T00:00:00.000Z",
                     *           "expiredUrl": null,
                     *           "maxClicks": null,
                     *           "clickCount": 0,
                     *           "lastClickedAt": null,
                     *           "tags": [
                     *             {
                     *               "id": "tag_0a1B2c3D4e5F6g7H",
                     *               "name": "Summer 2030",
                     *               "color": "#1a2b3c"
                     *             }
                     *           ],
                     *           "externalId": "cms:page-4711",
                     *           "managedBy": null,
                     *           "forwardParameters": false,
                     *           "forwardPath": false,
                     *           "hideReferrer": false,
                     *           "blockBots": false,
                     *           "confirmVisit": false,
                     *           "rules": [],
                     *           "variants": [],
                     *           "metaPixelId": null,
                     *           "googleTagId": null,
                     *           "webhookUrls": null,
                     *           "createdAt": "2030-01-02T03:04:05.678Z",
                     *           "updatedAt": "2030-01-02T03:04:05.678Z"
                     *         }
                     *       ],
                     *       "nextCursor": "kG8u1rN3tQ0vYx5zBw7cDeMjAzMC0wMS0wMlQwMzowNDowNS42NzhaI2xua18"
                     *     }
                     */
                    "application/json": components["schemas"]["LinkPage"];
                };
            };
            /** @description Unauthorized (`unauthorized`). */
            401: components["responses"]["Unauthorized"];
            /** @description Forbidden (`forbidden`). */
            403: components["responses"]["Forbidden"];
            /** @description Validation failed (`validation_failed`), or Tag not found (`tag_not_found`). */
            422: components["responses"]["Unprocessable"];
            /** @description Too many requests (`rate_limited`). */
            429: components["responses"]["TooManyRequests"];
            /** @description Internal error (`internal_error`). */
            500: components["responses"]["InternalError"];
            /** @description Temporarily unavailable (`temporarily_unavailable`). */
            503: components["responses"]["Unavailable"];
        };
    };
    createLink: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description If you send the same key and body again within 24 hours, you get the same response, and nothing is created twice. This holds even if a response was lost or the service crashed.
                 * @example 6f1c1f0e-migration-1
                 */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "domain": "go.example.com",
                 *       "customSlug": "summer-sale",
                 *       "url": "https://example.com/landing?utm_source=mail",
                 *       "title": "Summer sale",
                 *       "expiresAt": "2030-08-01T00:00:00Z",
                 *       "externalId": "cms:page-4711"
                 *     }
                 */
                "application/json": components["schemas"]["CreateLinkRequest"];
            };
        };
        responses: {
            /** @description The link. */
            201: {
                headers: {
                    "Cache-Control": components["headers"]["Cache-Control"];
                    Location: components["headers"]["Location"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "link": {
                     *         "id": "lnk_5kzVq0bTn3yWc8Rj1sXgAfE2hLmP",
                     *         "shortCode": "summer-sale",
                     *         "domain": "go.example.com",
                     *         "shortUrl": "https://go.example.com/summer-sale",
                     *         "aliases": [],
                     *         "url": "https://example.com/landing?utm_source=mail",
                     *         "title": "Summer sale",
                     *         "description": null,
                     *         "image": null,
                     *         "notes": null,
                     *         "redirectType": "TEMPORARY_302",
                     *         "isActive": true,
                     *         "isArchived": false,
                     *         "state": "active",
                     *         "pendingVerification": false,
                     *         "cloaked": false,
                     *         "hasPassword": false,
                     *         "startsAt": null,
                     *         "expiresAt": "2030-08-01T00:00:00.000Z",
                     *         "expiredUrl": null,
                     *         "maxClicks": null,
                     *         "clickCount": 0,
                     *         "lastClickedAt": null,
                     *         "tags": [
                     *           {
                     *             "id": "tag_0a1B2c3D4e5F6g7H",
                     *             "name": "Summer 2030",
                     *             "color": "#1a2b3c"
                     *           }
                     *         ],
                     *         "externalId": "cms:page-4711",
                     *         "managedBy": null,
                     *         "forwardParameters": false,
                     *         "forwardPath": false,
                     *         "hideReferrer": false,
                     *         "blockBots": false,
                     *         "confirmVisit": false,
                     *         "rules": [],
                     *         "variants": [],
                     *         "metaPixelId": null,
                     *         "googleTagId": null,
                     *         "webhookUrls": null,
                     *         "createdAt": "2030-01-02T03:04:05.678Z",
                     *         "updatedAt": "2030-01-02T03:04:05.678Z"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["LinkAnswer"];
                };
            };
            /** @description Bad request (`bad_request`), or Invalid JSON (`invalid_json`). */
            400: components["responses"]["BadRequest"];
            /** @description Unauthorized (`unauthorized`). */
            401: components["responses"]["Unauthorized"];
            /** @description Forbidden (`forbidden`). */
            403: components["responses"]["Forbidden"];
            /** @description Slug taken (`slug_taken`), or External id taken (`external_id_taken`), or Link deleted (`link_deleted`), or Domain is being deleted (`domain_deletion_in_progress`), or Request in progress (`idempotency_in_progress`). */
            409: components["responses"]["Conflict"];
            /** @description Request too large (`request_too_large`). */
            413: components["responses"]["RequestTooLarge"];
            /** @description Unsupported media type (`unsupported_media_type`). */
            415: components["responses"]["UnsupportedMediaType"];
            /** @description Validation failed (`validation_failed`), or Tag not found (`tag_not_found`), or Template not found (`template_not_found`), or Domain not verified (`domain_not_verified`), or Idempotency key reused (`idempotency_key_reused`). */
            422: components["responses"]["Unprocessable"];
            /** @description Too many requests (`rate_limited`). */
            429: components["responses"]["TooManyRequests"];
            /** @description Internal error (`internal_error`). */
            500: components["responses"]["InternalError"];
            /** @description Temporarily unavailable (`temporarily_unavailable`). */
            503: components["responses"]["Unavailable"];
        };
    };
    listRankedLinks: {
        parameters: {
            query?: {
                /**
                 * @description The most links on a page.
                 * @example 50
                 */
                limit?: number;
                /** @description The `nextCursor` of the previous page. It is valid for at least a day, with the same parameters except `limit`, and stands for the order. */
                cursor?: string;
                /**
                 * @description Only links with this tag. A short form of `tagIds`: send it without `tagIds` and `tagNames`.
                 * @example tag_0a1B2c3D4e5F6g7H
                 */
                tagId?: string;
                /**
                 * @description Only links with any of these tags, or with all of them if `match` says so. Separated by commas; duplicates are dropped.
                 * @example [
                 *       "tag_0a1B2c3D4e5F6g7H",
                 *       "tag_7H6g5F4e3D2c1B0a"
                 *     ]
                 */
                tagIds?: string[];
                /**
                 * @description The same by the names of tags. With `tagIds`, these are in addition to them.
                 * @example [
                 *       "Summer 2030",
                 *       "news"
                 *     ]
                 */
                tagNames?: string[];
                /** @description Whether a link needs any of these tags, or all of them. */
                match?: "any" | "all";
                /**
                 * @description Only links on this domain.
                 * @example go.example.com
                 */
                domain?: string;
                /**
                 * @description Only links with exactly this `managedBy`.
                 * @example marketing@go.example.com
                 */
                managedBy?: string;
                /**
                 * @description Only links with this text in a slug, `url`, title or notes, or at this short URL or domain.
                 * @example summer
                 */
                q?: string;
                /** @description `false` leaves archived links out, `true` lists only them, `any` lists all links. */
                archived?: "false" | "true" | "any";
                /** @description Only links with this `state`. */
                state?: "active" | "inactive" | "scheduled" | "expired" | "used_up" | "pending" | "disabled" | "blocked";
                /**
                 * @description Only links created at that time or later, in ISO 8601 with a time zone.
                 * @example 2030-01-01T00:00:00Z
                 */
                createdAfter?: string;
                /**
                 * @description Only links created before that time, in ISO 8601 with a time zone.
                 * @example 2030-02-01T00:00:00Z
                 */
                createdBefore?: string;
                /**
                 * @description Only links whose `expiresAt` is before that time, in ISO 8601 with a time zone; with `state=active`, those that expire soon.
                 * @example 2030-02-01T00:00:00Z
                 */
                expiresBefore?: string;
                /**
                 * @description Only links without a click at that time or later, in ISO 8601 with a time zone: whose `clickCount` is 0, or whose `lastClickedAt` is before it.
                 * @example 2030-01-01T00:00:00Z
                 */
                notClickedSince?: string;
                /** @description `desc` has the most clicks or the last click first. */
                order?: "asc" | "desc";
                /**
                 * @description The start, in ISO 8601 with a time zone, in whole seconds. By default, all clicks that are kept.
                 * @example 2030-01-01T00:00:00Z
                 */
                from?: string;
                /**
                 * @description The end, which is not included, in ISO 8601 with a time zone, in whole seconds. By default there is none.
                 * @example 2030-02-01T00:00:00Z
                 */
                to?: string;
                /** @description By the number of clicks in the range, or by the time of the last of them. */
                sort?: "clicks" | "lastClickedAt";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page. */
            200: {
                headers: {
                    "Cache-Control": components["headers"]["Cache-Control"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "links": [
                     *         {
                     *           "id": "lnk_5kzVq0bTn3yWc8Rj1sXgAfE2hLmP",
                     *           "shortCode": "summer-sale",
                     *           "domain": "go.example.com",
                     *           "shortUrl": "https://go.example.com/summer-sale",
                     *           "aliases": [],
                     *           "url": "https://example.com/landing?utm_source=mail",
                     *           "title": "Summer sale",
                     *           "description": null,
                     *           "image": null,
                     *           "notes": null,
                     *           "redirectType": "TEMPORARY_302",
                     *           "isActive": true,
                     *           "isArchived": false,
                     *           "state": "active",
                     *           "pendingVerification": false,
                     *           "cloaked": false,
                     *           "hasPassword": false,
                     *           "startsAt": null,
                     *           "expiresAt": "2030-08-01T00:00:00.000Z",
                     *           "expiredUrl": null,
                     *           "maxClicks": null,
                     *           "clickCount": 0,
                     *           "lastClickedAt": null,
                     *           "tags": [
                     *             {
                     *               "id": "tag_0a1B2c3D4e5F6g7H",
                     *               "name": "Summer 2030",
                     *               "color": "#1a2b3c"
                     *             }
                     *           ],
                     *           "externalId": "cms:page-4711",
                     *           "managedBy": null,
                     *           "forwardParameters": false,
                     *           "forwardPath": false,
                     *           "hideReferrer": false,
                     *           "blockBots": false,
                     *           "confirmVisit": false,
                     *           "rules": [],
                     *           "variants": [],
                     *           "metaPixelId": null,
                     *           "googleTagId": null,
                     *           "webhookUrls": null,
                     *           "createdAt": "2030-01-02T03:04:05.678Z",
                     *           "updatedAt": "2030-01-02T03:04:05.678Z",
                     *           "inRange": {
                     *             "clicks": 12,
                     *             "lastClickedAt": "2030-01-02T03:04:05.000Z"
                     *           }
                     *         }
                     *       ],
                     *       "nextCursor": "kG8u1rN3tQ0vYx5zBw7cDeMjAzMC0wMS0wMlQwMzowNDowNS42NzhaI2xua18"
                     *     }
                     */
                    "application/json": components["schemas"]["RankedLinkPage"];
                };
            };
            /** @description Unauthorized (`unauthorized`). */
            401: components["responses"]["Unauthorized"];
            /** @description Forbidden (`forbidden`). */
            403: components["responses"]["Forbidden"];
            /** @description Validation failed (`validation_failed`), or Tag not found (`tag_not_found`), or Too much to read (`too_much_to_read`). */
            422: components["responses"]["Unprocessable"];
            /** @description Too many requests (`rate_limited`). */
            429: components["responses"]["TooManyRequests"];
            /** @description Internal error (`internal_error`). */
            500: components["responses"]["InternalError"];
            /** @description Temporarily unavailable (`temporarily_unavailable`). */
            503: components["responses"]["Unavailable"];
        };
    };
    lookupLink: {
        parameters: {
            query?: {
                /**
                 * @description Only links on this domain.
                 * @example go.example.com
                 */
                domain?: string;
                /**
                 * @description The `shortCode` of the link, or one of its aliases. Case-insensitive.
                 * @example summer-sale
                 */
                shortCode?: string;
                /**
                 * @description Another name for `shortCode`. Send only one of them.
                 * @example summer-sale
                 */
                slug?: string;
                /**
                 * @description The id of the link in a system of yours, unique in the workspace. Case-sensitive; not `.` or `..`. Null removes it, so that another link can have it.
                 * @example cms:page-4711
                 */
                externalId?: string;
            };
            header?: {
                /**
                 * @description Entity tags that you already have. If the current version has one of them, the response is 304 (RFC 9110).
                 * @example "5kzVq0bTn3yWc8Rj1sXgAf.0qN7dLw2Hb5uYt9RkVx4Zc"
                 */
                "If-None-Match"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The link. */
            200: {
                headers: {
                    "Cache-Control": components["headers"]["Cache-Control"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "link": {
                     *         "id": "lnk_5kzVq0bTn3yWc8Rj1sXgAfE2hLmP",
                     *         "shortCode": "summer-sale",
                     *         "domain": "go.example.com",
                     *         "shortUrl": "https://go.example.com/summer-sale",
                     *         "aliases": [],
                     *         "url": "https://example.com/landing?utm_source=mail",
                     *         "title": "Summer sale",
                     *         "description": null,
                     *         "image": null,
                     *         "notes": null,
                     *         "redirectType": "TEMPORARY_302",
                     *         "isActive": true,
                     *         "isArchived": false,
                     *         "state": "active",
                     *         "pendingVerification": false,
                     *         "cloaked": false,
                     *         "hasPassword": false,
                     *         "startsAt": null,
                     *         "expiresAt": "2030-08-01T00:00:00.000Z",
                     *         "expiredUrl": null,
                     *         "maxClicks": null,
                     *         "clickCount": 0,
                     *         "lastClickedAt": null,
                     *         "tags": [
                     *           {
                     *             "id": "tag_0a1B2c3D4e5F6g7H",
                     *             "name": "Summer 2030",
                     *             "color": "#1a2b3c"
                     *           }
                     *         ],
                     *         "externalId": "cms:page-4711",
                     *         "managedBy": null,
                     *         "forwardParameters": false,
                     *         "forwardPath": false,
                     *         "hideReferrer": false,
                     *         "blockBots": false,
                     *         "confirmVisit": false,
                     *         "rules": [],
                     *         "variants": [],
                     *         "metaPixelId": null,
                     *         "googleTagId": null,
                     *         "webhookUrls": null,
                     *         "createdAt": "2030-01-02T03:04:05.678Z",
                     *         "updatedAt": "2030-01-02T03:04:05.678Z"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["LinkAnswer"];
                };
            };
            304: components["responses"]["NotModified"];
            /** @description Bad request (`bad_request`). */
            400: components["responses"]["BadRequest"];
            /** @description Unauthorized (`unauthorized`). */
            401: components["responses"]["Unauthorized"];
            /** @description Forbidden (`forbidden`). */
            403: components["responses"]["Forbidden"];
            /** @description Not found (`not_found`). */
            404: components["responses"]["NotFound"];
            /** @description Validation failed (`validation_failed`). */
            422: components["responses"]["Unprocessable"];
            /** @description Too many requests (`rate_limited`). */
            429: components["responses"]["TooManyRequests"];
            /** @description Internal error (`internal_error`). */
            500: components["responses"]["InternalError"];
            /** @description Temporarily unavailable (`temporarily_unavailable`). */
            503: components["responses"]["Unavailable"];
        };
    };
    getMetadata: {
        parameters: {
            query: {
                /**
                 * @description The address of the page.
                 * @example https://example.com/landing
                 */
                url: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What the page says. */
            200: {
                headers: {
                    "Cache-Control": components["headers"]["Cache-Control"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "url": "https://example.com/landing",
                     *       "title": "Summer sale",
                     *       "description": null,
                     *       "image": "https://example.com/sale.png"
                     *     }
                     */
                    "application/json": components["schemas"]["Metadata"];
                };
            };
            /** @description Unauthorized (`unauthorized`). */
            401: components["responses"]["Unauthorized"];
            /** @description Forbidden (`forbidden`). */
            403: components["responses"]["Forbidden"];
            /** @description Validation failed (`validation_failed`). */
            422: components["responses"]["Unprocessable"];
            /** @description Too many requests (`rate_limited`). */
            429: components["responses"]["TooManyRequests"];
            /** @description Internal error (`internal_error`). */
            500: components["responses"]["InternalError"];
            /** @description Temporarily unavailable (`temporarily_unavailable`). */
            503: components["responses"]["Unavailable"];
        };
    };
    getLink: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Entity tags that you already have. If the current version has one of them, the response is 304 (RFC 9110).
                 * @example "5kzVq0bTn3yWc8Rj1sXgAf.0qN7dLw2Hb5uYt9RkVx4Zc"
                 */
                "If-None-Match"?: string;
            };
            path: {
                /**
                 * @description The link's id, or `ext_` and its external id, such as `ext_cms:page-4711`.
                 * @example lnk_5kzVq0bTn3yWc8Rj1sXgAfE2hLmP
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The link. */
            200: {
                headers: {
                    "Cache-Control": components["headers"]["Cache-Control"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "link": {
                     *         "id": "lnk_5kzVq0bTn3yWc8Rj1sXgAfE2hLmP",
                     *         "shortCode": "summer-sale",
                     *         "domain": "go.example.com",
                     *         "shortUrl": "https://go.example.com/summer-sale",
                     *         "aliases": [],
                     *         "url": "https://example.com/landing?utm_source=mail",
                     *         "title": "Summer sale",
                     *         "description": null,
                     *         "image": null,
                     *         "notes": null,
                     *         "redirectType": "TEMPORARY_302",
                     *         "isActive": true,
                     *         "isArchived": false,
                     *         "state": "active",
                     *         "pendingVerification": false,
                     *         "cloaked": false,
                     *         "hasPassword": false,
                     *         "startsAt": null,
                     *         "expiresAt": "2030-08-01T00:00:00.000Z",
                     *         "expiredUrl": null,
                     *         "maxClicks": null,
                     *         "clickCount": 0,
                     *         "lastClickedAt": null,
                     *         "tags": [
                     *           {
                     *             "id": "tag_0a1B2c3D4e5F6g7H",
                     *             "name": "Summer 2030",
                     *             "color": "#1a2b3c"
                     *           }
                     *         ],
                     *         "externalId": "cms:page-4711",
                     *         "managedBy": null,
                     *         "forwardParameters": false,
                     *         "forwardPath": false,
                     *         "hideReferrer": false,
                     *         "blockBots": false,
                     *         "confirmVisit": false,
                     *         "rules": [],
                     *         "variants": [],
                     *         "metaPixelId": null,
                     *         "googleTagId": null,
                     *         "webhookUrls": null,
                     *         "createdAt": "2030-01-02T03:04:05.678Z",
                     *         "updatedAt": "2030-01-02T03:04:05.678Z"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["LinkAnswer"];
                };
            };
            304: components["responses"]["NotModified"];
            /** @description Bad request (`bad_request`). */
            400: components["responses"]["BadRequest"];
            /** @description Unauthorized (`unauthorized`). */
            401: components["responses"]["Unauthorized"];
            /** @description Forbidden (`forbidden`). */
            403: components["responses"]["Forbidden"];
            /** @description Not found (`not_found`). */
            404: components["responses"]["NotFound"];
            /** @description Validation failed (`validation_failed`). */
            422: components["responses"]["Unprocessable"];
            /** @description Too many requests (`rate_limited`). */
            429: components["responses"]["TooManyRequests"];
            /** @description Internal error (`internal_error`). */
            500: components["responses"]["InternalError"];
            /** @description Temporarily unavailable (`temporarily_unavailable`). */
            503: components["responses"]["Unavailable"];
        };
    };
    deleteLink: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Only proceed if nobody has changed the settings since the response with one of these strong entity tags (RFC 9110). Clicks and other counts make no difference. `*` matches any version.
                 * @example "5kzVq0bTn3yWc8Rj1sXgAf.0qN7dLw2Hb5uYt9RkVx4Zc"
                 */
                "If-Match"?: string;
            };
            path: {
                /**
                 * @description The link's id, or `ext_` and its external id, such as `ext_cms:page-4711`.
                 * @example lnk_5kzVq0bTn3yWc8Rj1sXgAfE2hLmP
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The link is gone. */
            204: {
                headers: {
                    "Cache-Control": components["headers"]["Cache-Control"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Bad request (`bad_request`). */
            400: components["responses"]["BadRequest"];
            /** @description Unauthorized (`unauthorized`). */
            401: components["responses"]["Unauthorized"];
            /** @description Forbidden (`forbidden`). */
            403: components["responses"]["Forbidden"];
            /** @description Not found (`not_found`). */
            404: components["responses"]["NotFound"];
            /** @description Precondition failed (`precondition_failed`). */
            412: components["responses"]["PreconditionFailed"];
            /** @description Validation failed (`validation_failed`). */
            422: components["responses"]["Unprocessable"];
            /** @description Too many requests (`rate_limited`). */
            429: components["responses"]["TooManyRequests"];
            /** @description Internal error (`internal_error`). */
            500: components["responses"]["InternalError"];
            /** @description Temporarily unavailable (`temporarily_unavailable`). */
            503: components["responses"]["Unavailable"];
        };
    };
    updateLink: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Only proceed if nobody has changed the settings since the response with one of these strong entity tags (RFC 9110). Clicks and other counts make no difference. `*` matches any version.
                 * @example "5kzVq0bTn3yWc8Rj1sXgAf.0qN7dLw2Hb5uYt9RkVx4Zc"
                 */
                "If-Match"?: string;
            };
            path: {
                /**
                 * @description The link's id, or `ext_` and its external id, such as `ext_cms:page-4711`.
                 * @example lnk_5kzVq0bTn3yWc8Rj1sXgAfE2hLmP
                 */
                id: string;
            };
            cookie?: never;
        };
        /** @description `application/merge-patch+json` is accepted too (RFC 7396). */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "url": "https://example.com/landing?utm_source=mail",
                 *       "title": "Summer sale",
                 *       "expiresAt": "2030-08-01T00:00:00Z",
                 *       "tagIds": [
                 *         "tag_0a1B2c3D4e5F6g7H"
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["UpdateLinkRequest"];
            };
        };
        responses: {
            /** @description The link as it is now. */
            200: {
                headers: {
                    "Cache-Control": components["headers"]["Cache-Control"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "link": {
                     *         "id": "lnk_5kzVq0bTn3yWc8Rj1sXgAfE2hLmP",
                     *         "shortCode": "summer-sale",
                     *         "domain": "go.example.com",
                     *         "shortUrl": "https://go.example.com/summer-sale",
                     *         "aliases": [],
                     *         "url": "https://example.com/landing?utm_source=mail",
                     *         "title": "Summer sale",
                     *         "description": null,
                     *         "image": null,
                     *         "notes": null,
                     *         "redirectType": "TEMPORARY_302",
                     *         "isActive": true,
                     *         "isArchived": false,
                     *         "state": "active",
                     *         "pendingVerification": false,
                     *         "cloaked": false,
                     *         "hasPassword": false,
                     *         "startsAt": null,
                     *         "expiresAt": "2030-08-01T00:00:00.000Z",
                     *         "expiredUrl": null,
                     *         "maxClicks": null,
                     *         "clickCount": 0,
                     *         "lastClickedAt": null,
                     *         "tags": [
                     *           {
                     *             "id": "tag_0a1B2c3D4e5F6g7H",
                     *             "name": "Summer 2030",
                     *             "color": "#1a2b3c"
                     *           }
                     *         ],
                     *         "externalId": "cms:page-4711",
                     *         "managedBy": null,
                     *         "forwardParameters": false,
                     *         "forwardPath": false,
                     *         "hideReferrer": false,
                     *         "blockBots": false,
                     *         "confirmVisit": false,
                     *         "rules": [],
                     *         "variants": [],
                     *         "metaPixelId": null,
                     *         "googleTagId": null,
                     *         "webhookUrls": null,
                     *         "createdAt": "2030-01-02T03:04:05.678Z",
                     *         "updatedAt": "2030-01-02T03:04:05.678Z"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["LinkAnswer"];
                };
            };
            /** @description Bad request (`bad_request`), or Invalid JSON (`invalid_json`). */
            400: components["responses"]["BadRequest"];
            /** @description Unauthorized (`unauthorized`). */
            401: components["responses"]["Unauthorized"];
            /** @description Forbidden (`forbidden`). */
            403: components["responses"]["Forbidden"];
            /** @description Not found (`not_found`). */
            404: components["responses"]["NotFound"];
            /** @description Slug taken (`slug_taken`), or Too many aliases (`alias_limit_reached`), or External id taken (`external_id_taken`). */
            409: components["responses"]["Conflict"];
            /** @description Precondition failed (`precondition_failed`). */
            412: components["responses"]["PreconditionFailed"];
            /** @description Request too large (`request_too_large`). */
            413: components["responses"]["RequestTooLarge"];
            /** @description Unsupported media type (`unsupported_media_type`). */
            415: components["responses"]["UnsupportedMediaType"];
            /** @description Validation failed (`validation_failed`), or Tag not found (`tag_not_found`). */
            422: components["responses"]["Unprocessable"];
            /** @description Too many requests (`rate_limited`). */
            429: components["responses"]["TooManyRequests"];
            /** @description Internal error (`internal_error`). */
            500: components["responses"]["InternalError"];
            /** @description Temporarily unavailable (`temporarily_unavailable`). */
            503: components["responses"]["Unavailable"];
        };
    };
    putLink: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Only proceed if nobody has changed the settings since the response with one of these strong entity tags (RFC 9110). Clicks and other counts make no difference. `*` matches any version.
                 * @example "5kzVq0bTn3yWc8Rj1sXgAf.0qN7dLw2Hb5uYt9RkVx4Zc"
                 */
                "If-Match"?: string;
                /**
                 * @description `*` only creates a link, and replaces nothing. With entity tags, it only replaces a version that has none of them (RFC 9110).
                 * @example *
                 */
                "If-None-Match"?: string;
            };
            path: {
                /** @example cms:page-4711 */
                externalId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "domain": "go.example.com",
                 *       "url": "https://example.com/landing?utm_source=mail",
                 *       "title": "Summer sale",
                 *       "expiresAt": "2030-08-01T00:00:00Z",
                 *       "tagIds": [
                 *         "tag_0a1B2c3D4e5F6g7H"
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["PutLinkRequest"];
            };
        };
        responses: {
            /** @description The link, which existed before. */
            200: {
                headers: {
                    "Cache-Control": components["headers"]["Cache-Control"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "link": {
                     *         "id": "lnk_5kzVq0bTn3yWc8Rj1sXgAfE2hLmP",
                     *         "shortCode": "summer-sale",
                     *         "domain": "go.example.com",
                     *         "shortUrl": "https://go.example.com/summer-sale",
                     *         "aliases": [],
                     *         "url": "https://example.com/landing?utm_source=mail",
                     *         "title": "Summer sale",
                     *         "description": null,
                     *         "image": null,
                     *         "notes": null,
                     *         "redirectType": "TEMPORARY_302",
                     *         "isActive": true,
                     *         "isArchived": false,
                     *         "state": "active",
                     *         "pendingVerification": false,
                     *         "cloaked": false,
                     *         "hasPassword": false,
                     *         "startsAt": null,
                     *         "expiresAt": "2030-08-01T00:00:00.000Z",
                     *         "expiredUrl": null,
                     *         "maxClicks": null,
                     *         "clickCount": 0,
                     *         "lastClickedAt": null,
                     *         "tags": [
                     *           {
                     *             "id": "tag_0a1B2c3D4e5F6g7H",
                     *             "name": "Summer 2030",
                     *             "color": "#1a2b3c"
                     *           }
                     *         ],
                     *         "externalId": "cms:page-4711",
                     *         "managedBy": null,
                     *         "forwardParameters": false,
                     *         "forwardPath": false,
                     *         "hideReferrer": false,
                     *         "blockBots": false,
                     *         "confirmVisit": false,
                     *         "rules": [],
                     *         "variants": [],
                     *         "metaPixelId": null,
                     *         "googleTagId": null,
                     *         "webhookUrls": null,
                     *         "createdAt": "2030-01-02T03:04:05.678Z",
                     *         "updatedAt": "2030-01-02T03:04:05.678Z"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["LinkAnswer"];
                };
            };
            /** @description The new link. */
            201: {
                headers: {
                    "Cache-Control": components["headers"]["Cache-Control"];
                    Location: components["headers"]["Location"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "link": {
                     *         "id": "lnk_5kzVq0bTn3yWc8Rj1sXgAfE2hLmP",
                     *         "shortCode": "summer-sale",
                     *         "domain": "go.example.com",
                     *         "shortUrl": "https://go.example.com/summer-sale",
                     *         "aliases": [],
                     *         "url": "https://example.com/landing?utm_source=mail",
                     *         "title": "Summer sale",
                     *         "description": null,
                     *         "image": null,
                     *         "notes": null,
                     *         "redirectType": "TEMPORARY_302",
                     *         "isActive": true,
                     *         "isArchived": false,
                     *         "state": "active",
                     *         "pendingVerification": false,
                     *         "cloaked": false,
                     *         "hasPassword": false,
                     *         "startsAt": null,
                     *         "expiresAt": "2030-08-01T00:00:00.000Z",
                     *         "expiredUrl": null,
                     *         "maxClicks": null,
                     *         "clickCount": 0,
                     *         "lastClickedAt": null,
                     *         "tags": [
                     *           {
                     *             "id": "tag_0a1B2c3D4e5F6g7H",
                     *             "name": "Summer 2030",
                     *             "color": "#1a2b3c"
                     *           }
                     *         ],
                     *         "externalId": "cms:page-4711",
                     *         "managedBy": null,
                     *         "forwardParameters": false,
                     *         "forwardPath": false,
                     *         "hideReferrer": false,
                     *         "blockBots": false,
                     *         "confirmVisit": false,
                     *         "rules": [],
                     *         "variants": [],
                     *         "metaPixelId": null,
                     *         "googleTagId": null,
                     *         "webhookUrls": null,
                     *         "createdAt": "2030-01-02T03:04:05.678Z",
                     *         "updatedAt": "2030-01-02T03:04:05.678Z"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["LinkAnswer"];
                };
            };
            /** @description Bad request (`bad_request`), or Invalid JSON (`invalid_json`). */
            400: components["responses"]["BadRequest"];
            /** @description Unauthorized (`unauthorized`). */
            401: components["responses"]["Unauthorized"];
            /** @description Forbidden (`forbidden`). */
            403: components["responses"]["Forbidden"];
            /** @description Slug taken (`slug_taken`), or Too many aliases (`alias_limit_reached`), or Another domain (`domain_mismatch`), or Domain is being deleted (`domain_deletion_in_progress`). */
            409: components["responses"]["Conflict"];
            /** @description Precondition failed (`precondition_failed`). */
            412: components["responses"]["PreconditionFailed"];
            /** @description Request too large (`request_too_large`). */
            413: components["responses"]["RequestTooLarge"];
            /** @description Unsupported media type (`unsupported_media_type`). */
            415: components["responses"]["UnsupportedMediaType"];
            /** @description Validation failed (`validation_failed`), or Tag not found (`tag_not_found`), or Domain not verified (`domain_not_verified`). */
            422: components["responses"]["Unprocessable"];
            /** @description Too many requests (`rate_limited`). */
            429: components["responses"]["TooManyRequests"];
            /** @description Internal error (`internal_error`). */
            500: components["responses"]["InternalError"];
            /** @description Temporarily unavailable (`temporarily_unavailable`). */
            503: components["responses"]["Unavailable"];
        };
    };
    deleteLinkAlias: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Only proceed if nobody has changed the settings since the response with one of these strong entity tags (RFC 9110). Clicks and other counts make no difference. `*` matches any version.
                 * @example "5kzVq0bTn3yWc8Rj1sXgAf.0qN7dLw2Hb5uYt9RkVx4Zc"
                 */
                "If-Match"?: string;
            };
            path: {
                /**
                 * @description The link's id, or `ext_` and its external id, such as `ext_cms:page-4711`.
                 * @example lnk_5kzVq0bTn3yWc8Rj1sXgAfE2hLmP
                 */
                id: string;
                /** @example spring-sale */
                slug: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The alias is gone. */
            204: {
                headers: {
                    "Cache-Control": components["headers"]["Cache-Control"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Bad request (`bad_request`). */
            400: components["responses"]["BadRequest"];
            /** @description Unauthorized (`unauthorized`). */
            401: components["responses"]["Unauthorized"];
            /** @description Forbidden (`forbidden`). */
            403: components["responses"]["Forbidden"];
            /** @description Not found (`not_found`). */
            404: components["responses"]["NotFound"];
            /** @description Slug in use (`slug_in_use`). */
            409: components["responses"]["Conflict"];
            /** @description Precondition failed (`precondition_failed`). */
            412: components["responses"]["PreconditionFailed"];
            /** @description Validation failed (`validation_failed`). */
            422: components["responses"]["Unprocessable"];
            /** @description Too many requests (`rate_limited`). */
            429: components["responses"]["TooManyRequests"];
            /** @description Internal error (`internal_error`). */
            500: components["responses"]["InternalError"];
            /** @description Temporarily unavailable (`temporarily_unavailable`). */
            503: components["responses"]["Unavailable"];
        };
    };
    deleteLinkAliasBySlug: {
        parameters: {
            query: {
                /**
                 * @description The alias. Case-insensitive.
                 * @example sales/spring
                 */
                slug: string;
            };
            header?: {
                /**
                 * @description Only proceed if nobody has changed the settings since the response with one of these strong entity tags (RFC 9110). Clicks and other counts make no difference. `*` matches any version.
                 * @example "5kzVq0bTn3yWc8Rj1sXgAf.0qN7dLw2Hb5uYt9RkVx4Zc"
                 */
                "If-Match"?: string;
            };
            path: {
                /**
                 * @description The link's id, or `ext_` and its external id, such as `ext_cms:page-4711`.
                 * @example lnk_5kzVq0bTn3yWc8Rj1sXgAfE2hLmP
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The alias is gone. */
            204: {
                headers: {
                    "Cache-Control": components["headers"]["Cache-Control"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Bad request (`bad_request`). */
            400: components["responses"]["BadRequest"];
            /** @description Unauthorized (`unauthorized`). */
            401: components["responses"]["Unauthorized"];
            /** @description Forbidden (`forbidden`). */
            403: components["responses"]["Forbidden"];
            /** @description Not found (`not_found`). */
            404: components["responses"]["NotFound"];
            /** @description Slug in use (`slug_in_use`). */
            409: components["responses"]["Conflict"];
            /** @description Precondition failed (`precondition_failed`). */
            412: components["responses"]["PreconditionFailed"];
            /** @description Validation failed (`validation_failed`). */
            422: components["responses"]["Unprocessable"];
            /** @description Too many requests (`rate_limited`). */
            429: components["responses"]["TooManyRequests"];
            /** @description Internal error (`internal_error`). */
            500: components["responses"]["InternalError"];
            /** @description Temporarily unavailable (`temporarily_unavailable`). */
            503: components["responses"]["Unavailable"];
        };
    };
    bulkCreateLinks: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description If you send the same key and body again within 24 hours, you get the same response, and nothing is created twice. This holds even if a response was lost or the service crashed.
                 * @example 6f1c1f0e-migration-1
                 */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "domain": "go.example.com",
                 *       "links": [
                 *         {
                 *           "url": "https://example.com/landing?utm_source=mail",
                 *           "customSlug": "summer-sale"
                 *         },
                 *         {
                 *           "url": "https://example.com/",
                 *           "customSlug": "spring-sale"
                 *         }
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["BulkCreateLinksRequest"];
            };
        };
        responses: {
            /** @description Which links were created and which failed, even if all of them failed. */
            200: {
                headers: {
                    "Cache-Control": components["headers"]["Cache-Control"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "created": 1,
                     *       "activeCount": 1,
                     *       "pendingCount": 0,
                     *       "failed": [
                     *         {
                     *           "index": 1,
                     *           "url": "https://example.com/",
                     *           "customSlug": "spring-sale",
                     *           "code": "slug_taken",
                     *           "message": "/customSlug is already taken on this domain"
                     *         }
                     *       ],
                     *       "links": [
                     *         {
                     *           "id": "lnk_5kzVq0bTn3yWc8Rj1sXgAfE2hLmP",
                     *           "shortCode": "summer-sale",
                     *           "domain": "go.example.com",
                     *           "shortUrl": "https://go.example.com/summer-sale",
                     *           "aliases": [],
                     *           "url": "https://example.com/landing?utm_source=mail",
                     *           "title": null,
                     *           "description": null,
                     *           "image": null,
                     *           "notes": null,
                     *           "redirectType": "TEMPORARY_302",
                     *           "isActive": true,
                     *           "isArchived": false,
                     *           "state": "active",
                     *           "pendingVerification": false,
                     *           "cloaked": false,
                     *           "hasPassword": false,
                     *           "startsAt": null,
                     *           "expiresAt": null,
                     *           "expiredUrl": null,
                     *           "maxClicks": null,
                     *           "clickCount": 0,
                     *           "lastClickedAt": null,
                     *           "tags": [],
                     *           "externalId": "cms:page-4711",
                     *           "managedBy": null,
                     *           "forwardParameters": false,
                     *           "forwardPath": false,
                     *           "hideReferrer": false,
                     *           "blockBots": false,
                     *           "confirmVisit": false,
                     *           "rules": [],
                     *           "variants": [],
                     *           "metaPixelId": null,
                     *           "googleTagId": null,
                     *           "webhookUrls": null,
                     *           "createdAt": "2030-01-02T03:04:05.678Z",
                     *           "updatedAt": "2030-01-02T03:04:05.678Z"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["BulkAnswer"];
                };
            };
            /** @description Bad request (`bad_request`), or Invalid JSON (`invalid_json`). */
            400: components["responses"]["BadRequest"];
            /** @description Unauthorized (`unauthorized`). */
            401: components["responses"]["Unauthorized"];
            /** @description Forbidden (`forbidden`). */
            403: components["responses"]["Forbidden"];
            /** @description Domain is being deleted (`domain_deletion_in_progress`), or Request in progress (`idempotency_in_progress`). */
            409: components["responses"]["Conflict"];
            /** @description Request too large (`request_too_large`). */
            413: components["responses"]["RequestTooLarge"];
            /** @description Unsupported media type (`unsupported_media_type`). */
            415: components["responses"]["UnsupportedMediaType"];
            /** @description Validation failed (`validation_failed`), or Template not found (`template_not_found`), or Domain not verified (`domain_not_verified`), or Response too large (`answer_too_large`), or Idempotency key reused (`idempotency_key_reused`). */
            422: components["responses"]["Unprocessable"];
            /** @description Too many requests (`rate_limited`). */
            429: components["responses"]["TooManyRequests"];
            /** @description Internal error (`internal_error`). */
            500: components["responses"]["InternalError"];
            /** @description Temporarily unavailable (`temporarily_unavailable`). */
            503: components["responses"]["Unavailable"];
        };
    };
    bulkDeleteLinks: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "ids": [
                 *         "lnk_5kzVq0bTn3yWc8Rj1sXgAfE2hLmP",
                 *         "lnk_0000000000000000000000000000"
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["BulkDeleteLinksRequest"];
            };
        };
        responses: {
            /** @description How many were deleted, and which were not. */
            200: {
                headers: {
                    "Cache-Control": components["headers"]["Cache-Control"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "deleted": 1,
                     *       "failed": [
                     *         {
                     *           "index": 1,
                     *           "id": "lnk_0000000000000000000000000000",
                     *           "code": "not_found",
                     *           "message": "There is no such link."
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["BulkDeletion"];
                };
            };
            /** @description Bad request (`bad_request`), or Invalid JSON (`invalid_json`). */
            400: components["responses"]["BadRequest"];
            /** @description Unauthorized (`unauthorized`). */
            401: components["responses"]["Unauthorized"];
            /** @description Forbidden (`forbidden`). */
            403: components["responses"]["Forbidden"];
            /** @description Request too large (`request_too_large`). */
            413: components["responses"]["RequestTooLarge"];
            /** @description Unsupported media type (`unsupported_media_type`). */
            415: components["responses"]["UnsupportedMediaType"];
            /** @description Validation failed (`validation_failed`). */
            422: components["responses"]["Unprocessable"];
            /** @description Too many requests (`rate_limited`). */
            429: components["responses"]["TooManyRequests"];
            /** @description Internal error (`internal_error`). */
            500: components["responses"]["InternalError"];
            /** @description Temporarily unavailable (`temporarily_unavailable`). */
            503: components["responses"]["Unavailable"];
        };
    };
    bulkUpdateLinks: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description `application/merge-patch+json` is accepted too (RFC 7396). */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "ids": [
                 *         "lnk_5kzVq0bTn3yWc8Rj1sXgAfE2hLmP",
                 *         "lnk_0000000000000000000000000000"
                 *       ],
                 *       "fields": {
                 *         "isActive": false,
                 *         "tagIds": [
                 *           "tag_0a1B2c3D4e5F6g7H"
                 *         ]
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["BulkUpdateLinksRequest"];
            };
        };
        responses: {
            /** @description How many were updated, and which were not. */
            200: {
                headers: {
                    "Cache-Control": components["headers"]["Cache-Control"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "updated": 1,
                     *       "failed": [
                     *         {
                     *           "index": 1,
                     *           "id": "lnk_0000000000000000000000000000",
                     *           "code": "not_found",
                     *           "message": "There is no such link."
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["BulkUpdate"];
                };
            };
            /** @description Bad request (`bad_request`), or Invalid JSON (`invalid_json`). */
            400: components["responses"]["BadRequest"];
            /** @description Unauthorized (`unauthorized`). */
            401: components["responses"]["Unauthorized"];
            /** @description Forbidden (`forbidden`). */
            403: components["responses"]["Forbidden"];
            /** @description Request too large (`request_too_large`). */
            413: components["responses"]["RequestTooLarge"];
            /** @description Unsupported media type (`unsupported_media_type`). */
            415: components["responses"]["UnsupportedMediaType"];
            /** @description Validation failed (`validation_failed`), or Tag not found (`tag_not_found`). */
            422: components["responses"]["Unprocessable"];
            /** @description Too many requests (`rate_limited`). */
            429: components["responses"]["TooManyRequests"];
            /** @description Internal error (`internal_error`). */
            500: components["responses"]["InternalError"];
            /** @description Temporarily unavailable (`temporarily_unavailable`). */
            503: components["responses"]["Unavailable"];
        };
    };
    bulkDeleteLinksByPost: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "ids": [
                 *         "lnk_5kzVq0bTn3yWc8Rj1sXgAfE2hLmP",
                 *         "lnk_0000000000000000000000000000"
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["BulkDeleteLinksRequest"];
            };
        };
        responses: {
            /** @description How many were deleted, and which were not. */
            200: {
                headers: {
                    "Cache-Control": components["headers"]["Cache-Control"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "deleted": 1,
                     *       "failed": [
                     *         {
                     *           "index": 1,
                     *           "id": "lnk_0000000000000000000000000000",
                     *           "code": "not_found",
                     *           "message": "There is no such link."
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["BulkDeletion"];
                };
            };
            /** @description Bad request (`bad_request`), or Invalid JSON (`invalid_json`). */
            400: components["responses"]["BadRequest"];
            /** @description Unauthorized (`unauthorized`). */
            401: components["responses"]["Unauthorized"];
            /** @description Forbidden (`forbidden`). */
            403: components["responses"]["Forbidden"];
            /** @description Request too large (`request_too_large`). */
            413: components["responses"]["RequestTooLarge"];
            /** @description Unsupported media type (`unsupported_media_type`). */
            415: components["responses"]["UnsupportedMediaType"];
            /** @description Validation failed (`validation_failed`). */
            422: components["responses"]["Unprocessable"];
            /** @description Too many requests (`rate_limited`). */
            429: components["responses"]["TooManyRequests"];
            /** @description Internal error (`internal_error`). */
            500: components["responses"]["InternalError"];
            /** @description Temporarily unavailable (`temporarily_unavailable`). */
            503: components["responses"]["Unavailable"];
        };
    };
    getLinkQr: {
        parameters: {
            query?: {
                /** @description The format of the image. */
                format?: "svg" | "png";
                /** @description The side of the image, in pixels. A PNG needs at least 2 for each module. */
                size?: number;
                /** @description The margin, in modules. Scanners need 4 modules of the background around the code. */
                margin?: number;
                /** @description The least error correction: how much of the code may be damaged. A higher level is used if that does not make the code larger. */
                ecc?: "L" | "M" | "Q" | "H";
                /**
                 * @description The colour of the dark modules: 6 hexadecimal digits. It must differ enough from the background (`low_contrast`). It may be lighter than the background, but some scanners do not read such codes.
                 * @example 1a2b3c
                 */
                foreground?: string;
                /**
                 * @description The colour of the light modules and of the margin.
                 * @example ffffff
                 */
                background?: string;
            };
            header?: {
                /**
                 * @description Entity tags that you already have. If the current version has one of them, the response is 304 (RFC 9110).
                 * @example "5kzVq0bTn3yWc8Rj1sXgAf.0qN7dLw2Hb5uYt9RkVx4Zc"
                 */
                "If-None-Match"?: string;
            };
            path: {
                /**
                 * @description The link's id, or `ext_` and its external id, such as `ext_cms:page-4711`.
                 * @example lnk_5kzVq0bTn3yWc8Rj1sXgAfE2hLmP
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The image. */
            200: {
                headers: {
                    "Cache-Control": components["headers"]["Cache-Control"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /** @example <svg xmlns="http://www.w3.org/2000/svg" width="512" height="512" viewBox="0 0 33 33">…</svg> */
                    "image/svg+xml": string;
                    /** @example the bytes of the image */
                    "image/png": unknown;
                };
            };
            304: components["responses"]["NotModified"];
            /** @description Bad request (`bad_request`). */
            400: components["responses"]["BadRequest"];
            /** @description Unauthorized (`unauthorized`). */
            401: components["responses"]["Unauthorized"];
            /** @description Forbidden (`forbidden`). */
            403: components["responses"]["Forbidden"];
            /** @description Not found (`not_found`). */
            404: components["responses"]["NotFound"];
            /** @description Not acceptable (`not_acceptable`). */
            406: components["responses"]["NotAcceptable"];
            /** @description Validation failed (`validation_failed`). */
            422: components["responses"]["Unprocessable"];
            /** @description Too many requests (`rate_limited`). */
            429: components["responses"]["TooManyRequests"];
            /** @description Internal error (`internal_error`). */
            500: components["responses"]["InternalError"];
            /** @description Temporarily unavailable (`temporarily_unavailable`). */
            503: components["responses"]["Unavailable"];
        };
    };
    getLinkStats: {
        parameters: {
            query?: {
                /**
                 * @description The start, in ISO 8601 with a time zone, in whole seconds. The default is the start of the day 29 days before the last one, in `timezone`. Clicks from before `clickDays` have expired.
                 * @example 2030-01-01T00:00:00Z
                 */
                from?: string;
                /**
                 * @description The end, which is not included, in ISO 8601 with a time zone, in whole seconds. The default is now.
                 * @example 2030-02-01T00:00:00Z
                 */
                to?: string;
                /**
                 * @description How long a point of the series is. Weeks start on Monday. By default it follows from the range: an hour for up to 4 days, a day for up to 100, a week for up to 370, otherwise a month. A series has at most 400 points.
                 * @example day
                 */
                interval?: "hour" | "day" | "week" | "month";
                /**
                 * @description The IANA time zone in which hours, days, weeks and months start.
                 * @example Europe/Berlin
                 */
                timezone?: string;
                /**
                 * @description The dimensions to group the clicks by, separated by commas. Duplicates are dropped.
                 * @example [
                 *       "country",
                 *       "device"
                 *     ]
                 */
                groupBy?: ("country" | "referrer" | "device" | "browser" | "os" | "language" | "source" | "variant" | "slug" | "path" | "utmSource" | "utmMedium" | "utmCampaign")[];
                /** @description How many values of each dimension to name. `rest` sums up the others. */
                groupLimit?: number;
                /**
                 * @description Only clicks with one of these countries. Several values are separated by commas; a comma of a value is `\\,`. Duplicates are dropped.
                 * @example [
                 *       "DE",
                 *       "AT"
                 *     ]
                 */
                country?: string[];
                /**
                 * @description Only clicks with one of these referrers. Several values are separated by commas; a comma of a value is `\\,`. Duplicates are dropped.
                 * @example [
                 *       "news.example.com"
                 *     ]
                 */
                referrer?: string[];
                /**
                 * @description Only clicks with one of these devices. Several values are separated by commas; a comma of a value is `\\,`. Duplicates are dropped.
                 * @example [
                 *       "mobile"
                 *     ]
                 */
                device?: ("mobile" | "desktop" | "unknown")[];
                /**
                 * @description Only clicks with one of these browsers. Several values are separated by commas; a comma of a value is `\\,`. Duplicates are dropped.
                 * @example [
                 *       "firefox"
                 *     ]
                 */
                browser?: ("facebook" | "instagram" | "tiktok" | "snapchat" | "pinterest" | "linkedin" | "wechat" | "line" | "google-app" | "edge" | "opera" | "samsung-internet" | "yandex" | "vivaldi" | "duckduckgo" | "brave" | "uc" | "huawei" | "xiaomi" | "silk" | "internet-explorer" | "webview" | "firefox" | "chrome" | "safari" | "unknown")[];
                /**
                 * @description Only clicks with one of these operating systems. Several values are separated by commas; a comma of a value is `\\,`. Duplicates are dropped.
                 * @example [
                 *       "ios",
                 *       "android"
                 *     ]
                 */
                os?: ("ios" | "android" | "windows" | "macos" | "linux" | "chromeos" | "unknown")[];
                /**
                 * @description Only clicks with one of these languages. Several values are separated by commas; a comma of a value is `\\,`. Duplicates are dropped.
                 * @example [
                 *       "de"
                 *     ]
                 */
                language?: string[];
                /**
                 * @description Only clicks with one of these sources. Several values are separated by commas; a comma of a value is `\\,`. Duplicates are dropped.
                 * @example [
                 *       "qr"
                 *     ]
                 */
                source?: ("link" | "qr" | "unknown")[];
                /**
                 * @description Only clicks with one of these variants. Several values are separated by commas; a comma of a value is `\\,`. Duplicates are dropped.
                 * @example [
                 *       "a"
                 *     ]
                 */
                variant?: string[];
                /**
                 * @description Only clicks with one of these slugs, by which the link was reached. Several values are separated by commas; a comma of a value is `\\,`. Duplicates are dropped.
                 * @example [
                 *       "summer-sale"
                 *     ]
                 */
                slug?: string[];
                /**
                 * @description Only clicks with one of these paths behind the slug. Several values are separated by commas; a comma of a value is `\\,`. Duplicates are dropped.
                 * @example [
                 *       "none"
                 *     ]
                 */
                path?: string[];
                /**
                 * @description Only clicks with one of these values of `utm_source`. Several values are separated by commas; a comma of a value is `\\,`. Duplicates are dropped.
                 * @example [
                 *       "newsletter"
                 *     ]
                 */
                utmSource?: string[];
                /**
                 * @description Only clicks with one of these values of `utm_medium`. Several values are separated by commas; a comma of a value is `\\,`. Duplicates are dropped.
                 * @example [
                 *       "email"
                 *     ]
                 */
                utmMedium?: string[];
                /**
                 * @description Only clicks with one of these values of `utm_campaign`. Several values are separated by commas; a comma of a value is `\\,`. Duplicates are dropped.
                 * @example [
                 *       "summer",
                 *       "none"
                 *     ]
                 */
                utmCampaign?: string[];
            };
            header?: never;
            path: {
                /**
                 * @description The link's id, or `ext_` and its external id, such as `ext_cms:page-4711`.
                 * @example lnk_5kzVq0bTn3yWc8Rj1sXgAfE2hLmP
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The clicks. */
            200: {
                headers: {
                    "Cache-Control": components["headers"]["Cache-Control"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "from": "2030-01-01T00:00:00.000Z",
                     *       "to": "2030-01-03T10:11:12.000Z",
                     *       "total": 12,
                     *       "uniqueClicks": 9,
                     *       "readAt": "2030-01-03T10:11:12.131Z",
                     *       "series": [
                     *         {
                     *           "start": "2030-01-01T00:00:00.000Z",
                     *           "clicks": 0,
                     *           "uniqueClicks": 0
                     *         },
                     *         {
                     *           "start": "2030-01-02T00:00:00.000Z",
                     *           "clicks": 11,
                     *           "uniqueClicks": 8
                     *         },
                     *         {
                     *           "start": "2030-01-03T00:00:00.000Z",
                     *           "clicks": 1,
                     *           "uniqueClicks": 1
                     *         }
                     *       ],
                     *       "groups": {
                     *         "device": [
                     *           {
                     *             "value": "mobile",
                     *             "clicks": 8,
                     *             "uniqueClicks": 6
                     *           },
                     *           {
                     *             "value": "desktop",
                     *             "clicks": 3,
                     *             "uniqueClicks": 2
                     *           }
                     *         ]
                     *       },
                     *       "rest": {
                     *         "device": {
                     *           "values": 1,
                     *           "clicks": 1,
                     *           "uniqueClicks": 1
                     *         }
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["Statistics"];
                };
            };
            /** @description Unauthorized (`unauthorized`). */
            401: components["responses"]["Unauthorized"];
            /** @description Forbidden (`forbidden`). */
            403: components["responses"]["Forbidden"];
            /** @description Not found (`not_found`). */
            404: components["responses"]["NotFound"];
            /** @description Validation failed (`validation_failed`), or Too much to read (`too_much_to_read`). */
            422: components["responses"]["Unprocessable"];
            /** @description Too many requests (`rate_limited`). */
            429: components["responses"]["TooManyRequests"];
            /** @description Internal error (`internal_error`). */
            500: components["responses"]["InternalError"];
            /** @description Temporarily unavailable (`temporarily_unavailable`). */
            503: components["responses"]["Unavailable"];
        };
    };
    listClicks: {
        parameters: {
            query?: {
                /**
                 * @description Only clicks with one of these countries. Several values are separated by commas; a comma of a value is `\\,`. Duplicates are dropped.
                 * @example [
                 *       "DE",
                 *       "AT"
                 *     ]
                 */
                country?: string[];
                /**
                 * @description Only clicks with one of these referrers. Several values are separated by commas; a comma of a value is `\\,`. Duplicates are dropped.
                 * @example [
                 *       "news.example.com"
                 *     ]
                 */
                referrer?: string[];
                /**
                 * @description Only clicks with one of these devices. Several values are separated by commas; a comma of a value is `\\,`. Duplicates are dropped.
                 * @example [
                 *       "mobile"
                 *     ]
                 */
                device?: ("mobile" | "desktop" | "unknown")[];
                /**
                 * @description Only clicks with one of these browsers. Several values are separated by commas; a comma of a value is `\\,`. Duplicates are dropped.
                 * @example [
                 *       "firefox"
                 *     ]
                 */
                browser?: ("facebook" | "instagram" | "tiktok" | "snapchat" | "pinterest" | "linkedin" | "wechat" | "line" | "google-app" | "edge" | "opera" | "samsung-internet" | "yandex" | "vivaldi" | "duckduckgo" | "brave" | "uc" | "huawei" | "xiaomi" | "silk" | "internet-explorer" | "webview" | "firefox" | "chrome" | "safari" | "unknown")[];
                /**
                 * @description Only clicks with one of these operating systems. Several values are separated by commas; a comma of a value is `\\,`. Duplicates are dropped.
                 * @example [
                 *       "ios",
                 *       "android"
                 *     ]
                 */
                os?: ("ios" | "android" | "windows" | "macos" | "linux" | "chromeos" | "unknown")[];
                /**
                 * @description Only clicks with one of these languages. Several values are separated by commas; a comma of a value is `\\,`. Duplicates are dropped.
                 * @example [
                 *       "de"
                 *     ]
                 */
                language?: string[];
                /**
                 * @description Only clicks with one of these sources. Several values are separated by commas; a comma of a value is `\\,`. Duplicates are dropped.
                 * @example [
                 *       "qr"
                 *     ]
                 */
                source?: ("link" | "qr" | "unknown")[];
                /**
                 * @description Only clicks with one of these variants. Several values are separated by commas; a comma of a value is `\\,`. Duplicates are dropped.
                 * @example [
                 *       "a"
                 *     ]
                 */
                variant?: string[];
                /**
                 * @description Only clicks with one of these slugs, by which the link was reached. Several values are separated by commas; a comma of a value is `\\,`. Duplicates are dropped.
                 * @example [
                 *       "summer-sale"
                 *     ]
                 */
                slug?: string[];
                /**
                 * @description Only clicks with one of these paths behind the slug. Several values are separated by commas; a comma of a value is `\\,`. Duplicates are dropped.
                 * @example [
                 *       "none"
                 *     ]
                 */
                path?: string[];
                /**
                 * @description Only clicks with one of these values of `utm_source`. Several values are separated by commas; a comma of a value is `\\,`. Duplicates are dropped.
                 * @example [
                 *       "newsletter"
                 *     ]
                 */
                utmSource?: string[];
                /**
                 * @description Only clicks with one of these values of `utm_medium`. Several values are separated by commas; a comma of a value is `\\,`. Duplicates are dropped.
                 * @example [
                 *       "email"
                 *     ]
                 */
                utmMedium?: string[];
                /**
                 * @description Only clicks with one of these values of `utm_campaign`. Several values are separated by commas; a comma of a value is `\\,`. Duplicates are dropped.
                 * @example [
                 *       "summer",
                 *       "none"
                 *     ]
                 */
                utmCampaign?: string[];
                /**
                 * @description Only clicks at this time or later, in ISO 8601 with a time zone.
                 * @example 2030-01-01T00:00:00Z
                 */
                from?: string;
                /**
                 * @description Only clicks before this time, in ISO 8601 with a time zone.
                 * @example 2030-02-01T00:00:00Z
                 */
                to?: string;
                /**
                 * @description The most clicks on a page.
                 * @example 50
                 */
                limit?: number;
                /** @description The `nextCursor` of the previous page. It is valid only with the same parameters except `limit`. */
                cursor?: string;
            };
            header?: never;
            path: {
                /**
                 * @description The link's id, or `ext_` and its external id, such as `ext_cms:page-4711`.
                 * @example lnk_5kzVq0bTn3yWc8Rj1sXgAfE2hLmP
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page. */
            200: {
                headers: {
                    "Cache-Control": components["headers"]["Cache-Control"];
                    Link: components["headers"]["Link"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "clicks": [
                     *         {
                     *           "id": "3hT2kQ9xWm4RsV0pLz7YbC",
                     *           "at": "2030-01-02T03:04:05.000Z",
                     *           "linkId": "lnk_5kzVq0bTn3yWc8Rj1sXgAfE2hLmP",
                     *           "country": "DE",
                     *           "referrer": "news.example.com",
                     *           "device": "mobile",
                     *           "browser": "Firefox",
                     *           "os": "android",
                     *           "language": "de",
                     *           "source": "link",
                     *           "variant": "none",
                     *           "slug": "summer-sale",
                     *           "path": "none",
                     *           "utmSource": "newsletter",
                     *           "utmMedium": "email",
                     *           "utmCampaign": "none",
                     *           "domain": "go.example.com",
                     *           "isUnique": true
                     *         }
                     *       ],
                     *       "nextCursor": null
                     *     }
                     */
                    "application/json": components["schemas"]["ClickPage"];
                    /**
                     * @example id,at,linkId,country,referrer,device,browser,os,language,source,variant,slug,path,utmSource,utmMedium,utmCampaign,domain,isUnique
                     *     3hT2kQ9xWm4RsV0pLz7YbC,2030-01-02T03:04:05.000Z,lnk_5kzVq0bTn3yWc8Rj1sXgAfE2hLmP,DE,news.example.com,mobile,Firefox,android,de,link,none,summer-sale,none,newsletter,email,none,go.example.com,true
                     */
                    "text/csv": string;
                };
            };
            /** @description Unauthorized (`unauthorized`). */
            401: components["responses"]["Unauthorized"];
            /** @description Forbidden (`forbidden`). */
            403: components["responses"]["Forbidden"];
            /** @description Not found (`not_found`). */
            404: components["responses"]["NotFound"];
            /** @description Validation failed (`validation_failed`), or Too much to read (`too_much_to_read`). */
            422: components["responses"]["Unprocessable"];
            /** @description Too many requests (`rate_limited`). */
            429: components["responses"]["TooManyRequests"];
            /** @description Internal error (`internal_error`). */
            500: components["responses"]["InternalError"];
            /** @description Temporarily unavailable (`temporarily_unavailable`). */
            503: components["responses"]["Unavailable"];
        };
    };
    deleteClicks: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The link's id, or `ext_` and its external id, such as `ext_cms:page-4711`.
                 * @example lnk_5kzVq0bTn3yWc8Rj1sXgAfE2hLmP
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The clicks are erased. */
            204: {
                headers: {
                    "Cache-Control": components["headers"]["Cache-Control"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Unauthorized (`unauthorized`). */
            401: components["responses"]["Unauthorized"];
            /** @description Forbidden (`forbidden`). */
            403: components["responses"]["Forbidden"];
            /** @description Not found (`not_found`). */
            404: components["responses"]["NotFound"];
            /** @description Validation failed (`validation_failed`). */
            422: components["responses"]["Unprocessable"];
            /** @description Too many requests (`rate_limited`). */
            429: components["responses"]["TooManyRequests"];
            /** @description Internal error (`internal_error`). */
            500: components["responses"]["InternalError"];
            /** @description Temporarily unavailable (`temporarily_unavailable`). */
            503: components["responses"]["Unavailable"];
        };
    };
    listLinkHistory: {
        parameters: {
            query?: {
                /**
                 * @description The most entries on a page.
                 * @example 50
                 */
                limit?: number;
                /** @description The `nextCursor` of the previous page. It is valid only for the same filter in the same workspace. */
                cursor?: string;
            };
            header?: never;
            path: {
                /**
                 * @description The link's id, or `ext_` and its external id, such as `ext_cms:page-4711`.
                 * @example lnk_5kzVq0bTn3yWc8Rj1sXgAfE2hLmP
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of entries. */
            200: {
                headers: {
                    "Cache-Control": components["headers"]["Cache-Control"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "entries": [
                     *         {
                     *           "id": "his_20301231000000000300000000000000499659",
                     *           "at": "2030-01-02T03:04:05.000Z",
                     *           "actor": {
                     *             "type": "key",
                     *             "id": "key_0123456789012345678901234567890123456789abc",
                     *             "name": "Campaigns"
                     *           },
                     *           "requestId": "8f0c4c1e-6f0e-4d6c-9a53-0f4d3b0f6a11",
                     *           "action": "link.updated",
                     *           "subject": {
                     *             "type": "link",
                     *             "id": "lnk_5kzVq0bTn3yWc8Rj1sXgAfE2hLmP"
                     *           },
                     *           "changes": {
                     *             "title": {
                     *               "from": null,
                     *               "to": "Summer sale"
                     *             }
                     *           },
                     *           "shortUrl": "https://go.example.com/summer-sale"
                     *         }
                     *       ],
                     *       "nextCursor": null
                     *     }
                     */
                    "application/json": components["schemas"]["HistoryPage"];
                };
            };
            /** @description Unauthorized (`unauthorized`). */
            401: components["responses"]["Unauthorized"];
            /** @description Forbidden (`forbidden`). */
            403: components["responses"]["Forbidden"];
            /** @description Not found (`not_found`). */
            404: components["responses"]["NotFound"];
            /** @description Validation failed (`validation_failed`). */
            422: components["responses"]["Unprocessable"];
            /** @description Too many requests (`rate_limited`). */
            429: components["responses"]["TooManyRequests"];
            /** @description Internal error (`internal_error`). */
            500: components["responses"]["InternalError"];
            /** @description Temporarily unavailable (`temporarily_unavailable`). */
            503: components["responses"]["Unavailable"];
        };
    };
    revertChange: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The link's id, or `ext_` and its external id, such as `ext_cms:page-4711`.
                 * @example lnk_5kzVq0bTn3yWc8Rj1sXgAfE2hLmP
                 */
                id: string;
                /** @example his_20301231000000000300000000000000499659 */
                entryId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The link. */
            200: {
                headers: {
                    "Cache-Control": components["headers"]["Cache-Control"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "link": {
                     *         "id": "lnk_5kzVq0bTn3yWc8Rj1sXgAfE2hLmP",
                     *         "shortCode": "summer-sale",
                     *         "domain": "go.example.com",
                     *         "shortUrl": "https://go.example.com/summer-sale",
                     *         "aliases": [],
                     *         "url": "https://example.com/landing?utm_source=mail",
                     *         "title": "Summer sale",
                     *         "description": null,
                     *         "image": null,
                     *         "notes": null,
                     *         "redirectType": "TEMPORARY_302",
                     *         "isActive": true,
                     *         "isArchived": false,
                     *         "state": "active",
                     *         "pendingVerification": false,
                     *         "cloaked": false,
                     *         "hasPassword": false,
                     *         "startsAt": null,
                     *         "expiresAt": "2030-08-01T00:00:00.000Z",
                     *         "expiredUrl": null,
                     *         "maxClicks": null,
                     *         "clickCount": 0,
                     *         "lastClickedAt": null,
                     *         "tags": [
                     *           {
                     *             "id": "tag_0a1B2c3D4e5F6g7H",
                     *             "name": "Summer 2030",
                     *             "color": "#1a2b3c"
                     *           }
                     *         ],
                     *         "externalId": "cms:page-4711",
                     *         "managedBy": null,
                     *         "forwardParameters": false,
                     *         "forwardPath": false,
                     *         "hideReferrer": false,
                     *         "blockBots": false,
                     *         "confirmVisit": false,
                     *         "rules": [],
                     *         "variants": [],
                     *         "metaPixelId": null,
                     *         "googleTagId": null,
                     *         "webhookUrls": null,
                     *         "createdAt": "2030-01-02T03:04:05.678Z",
                     *         "updatedAt": "2030-01-02T03:04:05.678Z"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["LinkAnswer"];
                };
            };
            /** @description The link that was made again. */
            201: {
                headers: {
                    "Cache-Control": components["headers"]["Cache-Control"];
                    Location: components["headers"]["Location"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "link": {
                     *         "id": "lnk_5kzVq0bTn3yWc8Rj1sXgAfE2hLmP",
                     *         "shortCode": "summer-sale",
                     *         "domain": "go.example.com",
                     *         "shortUrl": "https://go.example.com/summer-sale",
                     *         "aliases": [],
                     *         "url": "https://example.com/landing?utm_source=mail",
                     *         "title": "Summer sale",
                     *         "description": null,
                     *         "image": null,
                     *         "notes": null,
                     *         "redirectType": "TEMPORARY_302",
                     *         "isActive": true,
                     *         "isArchived": false,
                     *         "state": "active",
                     *         "pendingVerification": false,
                     *         "cloaked": false,
                     *         "hasPassword": false,
                     *         "startsAt": null,
                     *         "expiresAt": "2030-08-01T00:00:00.000Z",
                     *         "expiredUrl": null,
                     *         "maxClicks": null,
                     *         "clickCount": 0,
                     *         "lastClickedAt": null,
                     *         "tags": [
                     *           {
                     *             "id": "tag_0a1B2c3D4e5F6g7H",
                     *             "name": "Summer 2030",
                     *             "color": "#1a2b3c"
                     *           }
                     *         ],
                     *         "externalId": "cms:page-4711",
                     *         "managedBy": null,
                     *         "forwardParameters": false,
                     *         "forwardPath": false,
                     *         "hideReferrer": false,
                     *         "blockBots": false,
                     *         "confirmVisit": false,
                     *         "rules": [],
                     *         "variants": [],
                     *         "metaPixelId": null,
                     *         "googleTagId": null,
                     *         "webhookUrls": null,
                     *         "createdAt": "2030-01-02T03:04:05.678Z",
                     *         "updatedAt": "2030-01-02T03:04:05.678Z",
                     *         "restoredFrom": "lnk_1onJ5auaKh0QD1rAqOyVVSKqDtIB"
                     *       },
                     *       "lostTagIds": [],
                     *       "lostPassword": false
                     *     }
                     */
                    "application/json": components["schemas"]["RestoredLink"];
                };
            };
            /** @description Unauthorized (`unauthorized`). */
            401: components["responses"]["Unauthorized"];
            /** @description Forbidden (`forbidden`). */
            403: components["responses"]["Forbidden"];
            /** @description Not found (`not_found`). */
            404: components["responses"]["NotFound"];
            /** @description Cannot be reverted (`revert_refused`), or Link deleted (`link_deleted`), or Domain is being deleted (`domain_deletion_in_progress`). */
            409: components["responses"]["Conflict"];
            /** @description Validation failed (`validation_failed`), or Domain not verified (`domain_not_verified`). */
            422: components["responses"]["Unprocessable"];
            /** @description Too many requests (`rate_limited`). */
            429: components["responses"]["TooManyRequests"];
            /** @description Internal error (`internal_error`). */
            500: components["responses"]["InternalError"];
            /** @description Temporarily unavailable (`temporarily_unavailable`). */
            503: components["responses"]["Unavailable"];
        };
    };
    listHistory: {
        parameters: {
            query?: {
                /**
                 * @description The most entries on a page.
                 * @example 50
                 */
                limit?: number;
                /** @description The `nextCursor` of the previous page. It is valid only for the same filter in the same workspace. */
                cursor?: string;
                /** @description Only changes by the key or member with this id, or by the `operator`. */
                actor?: string;
                /**
                 * @description Only changes from this time on, in ISO 8601 with a time zone.
                 * @example 2030-01-01T00:00:00Z
                 */
                from?: string;
                /**
                 * @description Only changes before this time, in ISO 8601 with a time zone.
                 * @example 2030-02-01T00:00:00Z
                 */
                to?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of entries. */
            200: {
                headers: {
                    "Cache-Control": components["headers"]["Cache-Control"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "entries": [
                     *         {
                     *           "id": "his_20301231000000000300000000000000499659",
                     *           "at": "2030-01-02T03:04:05.000Z",
                     *           "actor": {
                     *             "type": "key",
                     *             "id": "key_0123456789012345678901234567890123456789abc",
                     *             "name": "Campaigns"
                     *           },
                     *           "requestId": "8f0c4c1e-6f0e-4d6c-9a53-0f4d3b0f6a11",
                     *           "action": "link.updated",
                     *           "subject": {
                     *             "type": "link",
                     *             "id": "lnk_5kzVq0bTn3yWc8Rj1sXgAfE2hLmP"
                     *           },
                     *           "changes": {
                     *             "title": {
                     *               "from": null,
                     *               "to": "Summer sale"
                     *             }
                     *           },
                     *           "shortUrl": "https://go.example.com/summer-sale"
                     *         }
                     *       ],
                     *       "nextCursor": null
                     *     }
                     */
                    "application/json": components["schemas"]["HistoryPage"];
                };
            };
            /** @description Unauthorized (`unauthorized`). */
            401: components["responses"]["Unauthorized"];
            /** @description Forbidden (`forbidden`). */
            403: components["responses"]["Forbidden"];
            /** @description Validation failed (`validation_failed`). */
            422: components["responses"]["Unprocessable"];
            /** @description Too many requests (`rate_limited`). */
            429: components["responses"]["TooManyRequests"];
            /** @description Internal error (`internal_error`). */
            500: components["responses"]["InternalError"];
            /** @description Temporarily unavailable (`temporarily_unavailable`). */
            503: components["responses"]["Unavailable"];
        };
    };
    getStats: {
        parameters: {
            query?: {
                /**
                 * @description The start, in ISO 8601 with a time zone, in whole seconds. The default is the start of the day 29 days before the last one, in `timezone`. Clicks from before `clickDays` have expired.
                 * @example 2030-01-01T00:00:00Z
                 */
                from?: string;
                /**
                 * @description The end, which is not included, in ISO 8601 with a time zone, in whole seconds. The default is now.
                 * @example 2030-02-01T00:00:00Z
                 */
                to?: string;
                /**
                 * @description How long a point of the series is. Weeks start on Monday. By default it follows from the range: an hour for up to 4 days, a day for up to 100, a week for up to 370, otherwise a month. A series has at most 400 points.
                 * @example day
                 */
                interval?: "hour" | "day" | "week" | "month";
                /**
                 * @description The IANA time zone in which hours, days, weeks and months start.
                 * @example Europe/Berlin
                 */
                timezone?: string;
                /**
                 * @description The dimensions to group the clicks by, separated by commas. Duplicates are dropped.
                 * @example [
                 *       "country",
                 *       "device"
                 *     ]
                 */
                groupBy?: ("country" | "referrer" | "device" | "browser" | "os" | "language" | "source" | "variant" | "slug" | "path" | "utmSource" | "utmMedium" | "utmCampaign")[];
                /** @description How many values of each dimension to name. `rest` sums up the others. */
                groupLimit?: number;
                /**
                 * @description Only clicks on this domain. A domain that the workspace has deleted still has its clicks.
                 * @example go.example.com
                 */
                domain?: string;
                /**
                 * @description Only clicks of links that have any of these tags now, or all of them if `match` says so. A link counts once. Separated by commas; duplicates are dropped.
                 * @example [
                 *       "tag_0a1B2c3D4e5F6g7H",
                 *       "tag_7H6g5F4e3D2c1B0a"
                 *     ]
                 */
                tagIds?: string[];
                /**
                 * @description The same, by the names of tags in any case. Tags by ids and by names count together.
                 * @example [
                 *       "Summer 2030",
                 *       "news"
                 *     ]
                 */
                tagNames?: string[];
                /** @description Whether a link needs any of these tags, or all of them. */
                match?: "any" | "all";
                /**
                 * @description Only clicks with one of these countries. Several values are separated by commas; a comma of a value is `\\,`. Duplicates are dropped.
                 * @example [
                 *       "DE",
                 *       "AT"
                 *     ]
                 */
                country?: string[];
                /**
                 * @description Only clicks with one of these referrers. Several values are separated by commas; a comma of a value is `\\,`. Duplicates are dropped.
                 * @example [
                 *       "news.example.com"
                 *     ]
                 */
                referrer?: string[];
                /**
                 * @description Only clicks with one of these devices. Several values are separated by commas; a comma of a value is `\\,`. Duplicates are dropped.
                 * @example [
                 *       "mobile"
                 *     ]
                 */
                device?: ("mobile" | "desktop" | "unknown")[];
                /**
                 * @description Only clicks with one of these browsers. Several values are separated by commas; a comma of a value is `\\,`. Duplicates are dropped.
                 * @example [
                 *       "firefox"
                 *     ]
                 */
                browser?: ("facebook" | "instagram" | "tiktok" | "snapchat" | "pinterest" | "linkedin" | "wechat" | "line" | "google-app" | "edge" | "opera" | "samsung-internet" | "yandex" | "vivaldi" | "duckduckgo" | "brave" | "uc" | "huawei" | "xiaomi" | "silk" | "internet-explorer" | "webview" | "firefox" | "chrome" | "safari" | "unknown")[];
                /**
                 * @description Only clicks with one of these operating systems. Several values are separated by commas; a comma of a value is `\\,`. Duplicates are dropped.
                 * @example [
                 *       "ios",
                 *       "android"
                 *     ]
                 */
                os?: ("ios" | "android" | "windows" | "macos" | "linux" | "chromeos" | "unknown")[];
                /**
                 * @description Only clicks with one of these languages. Several values are separated by commas; a comma of a value is `\\,`. Duplicates are dropped.
                 * @example [
                 *       "de"
                 *     ]
                 */
                language?: string[];
                /**
                 * @description Only clicks with one of these sources. Several values are separated by commas; a comma of a value is `\\,`. Duplicates are dropped.
                 * @example [
                 *       "qr"
                 *     ]
                 */
                source?: ("link" | "qr" | "unknown")[];
                /**
                 * @description Only clicks with one of these variants. Several values are separated by commas; a comma of a value is `\\,`. Duplicates are dropped.
                 * @example [
                 *       "a"
                 *     ]
                 */
                variant?: string[];
                /**
                 * @description Only clicks with one of these slugs, by which the link was reached. Several values are separated by commas; a comma of a value is `\\,`. Duplicates are dropped.
                 * @example [
                 *       "summer-sale"
                 *     ]
                 */
                slug?: string[];
                /**
                 * @description Only clicks with one of these paths behind the slug. Several values are separated by commas; a comma of a value is `\\,`. Duplicates are dropped.
                 * @example [
                 *       "none"
                 *     ]
                 */
                path?: string[];
                /**
                 * @description Only clicks with one of these values of `utm_source`. Several values are separated by commas; a comma of a value is `\\,`. Duplicates are dropped.
                 * @example [
                 *       "newsletter"
                 *     ]
                 */
                utmSource?: string[];
                /**
                 * @description Only clicks with one of these values of `utm_medium`. Several values are separated by commas; a comma of a value is `\\,`. Duplicates are dropped.
                 * @example [
                 *       "email"
                 *     ]
                 */
                utmMedium?: string[];
                /**
                 * @description Only clicks with one of these values of `utm_campaign`. Several values are separated by commas; a comma of a value is `\\,`. Duplicates are dropped.
                 * @example [
                 *       "summer",
                 *       "none"
                 *     ]
                 */
                utmCampaign?: string[];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The clicks. */
            200: {
                headers: {
                    "Cache-Control": components["headers"]["Cache-Control"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "from": "2030-01-01T00:00:00.000Z",
                     *       "to": "2030-01-03T10:11:12.000Z",
                     *       "total": 12,
                     *       "uniqueClicks": 9,
                     *       "readAt": "2030-01-03T10:11:12.131Z",
                     *       "series": [
                     *         {
                     *           "start": "2030-01-01T00:00:00.000Z",
                     *           "clicks": 0,
                     *           "uniqueClicks": 0
                     *         },
                     *         {
                     *           "start": "2030-01-02T00:00:00.000Z",
                     *           "clicks": 11,
                     *           "uniqueClicks": 8
                     *         },
                     *         {
                     *           "start": "2030-01-03T00:00:00.000Z",
                     *           "clicks": 1,
                     *           "uniqueClicks": 1
                     *         }
                     *       ],
                     *       "groups": {
                     *         "device": [
                     *           {
                     *             "value": "mobile",
                     *             "clicks": 8,
                     *             "uniqueClicks": 6
                     *           },
                     *           {
                     *             "value": "desktop",
                     *             "clicks": 3,
                     *             "uniqueClicks": 2
                     *           }
                     *         ]
                     *       },
                     *       "rest": {
                     *         "device": {
                     *           "values": 1,
                     *           "clicks": 1,
                     *           "uniqueClicks": 1
                     *         }
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["Statistics"];
                };
            };
            /** @description Unauthorized (`unauthorized`). */
            401: components["responses"]["Unauthorized"];
            /** @description Forbidden (`forbidden`). */
            403: components["responses"]["Forbidden"];
            /** @description Not found (`not_found`). */
            404: components["responses"]["NotFound"];
            /** @description Validation failed (`validation_failed`), or Tag not found (`tag_not_found`), or Too much to read (`too_much_to_read`). */
            422: components["responses"]["Unprocessable"];
            /** @description Too many requests (`rate_limited`). */
            429: components["responses"]["TooManyRequests"];
            /** @description Internal error (`internal_error`). */
            500: components["responses"]["InternalError"];
            /** @description Temporarily unavailable (`temporarily_unavailable`). */
            503: components["responses"]["Unavailable"];
        };
    };
    getTopLinks: {
        parameters: {
            query?: {
                /**
                 * @description The start, in ISO 8601 with a time zone, in whole seconds. The default is the start of the day 29 days before the last one, in `timezone`. Clicks from before `clickDays` have expired.
                 * @example 2030-01-01T00:00:00Z
                 */
                from?: string;
                /**
                 * @description The end, which is not included, in ISO 8601 with a time zone, in whole seconds. The default is now.
                 * @example 2030-02-01T00:00:00Z
                 */
                to?: string;
                /**
                 * @description A day in UTC, instead of `from` and `to`.
                 * @example 2030-01-31
                 */
                day?: string;
                /**
                 * @description Only clicks on this domain. A domain that the workspace has deleted still has its clicks.
                 * @example go.example.com
                 */
                domain?: string;
                /**
                 * @description Only clicks of links that have any of these tags now, or all of them if `match` says so. A link counts once. Separated by commas; duplicates are dropped.
                 * @example [
                 *       "tag_0a1B2c3D4e5F6g7H",
                 *       "tag_7H6g5F4e3D2c1B0a"
                 *     ]
                 */
                tagIds?: string[];
                /**
                 * @description The same, by the names of tags in any case. Tags by ids and by names count together.
                 * @example [
                 *       "Summer 2030",
                 *       "news"
                 *     ]
                 */
                tagNames?: string[];
                /** @description Whether a link needs any of these tags, or all of them. */
                match?: "any" | "all";
                /**
                 * @description Only clicks with one of these countries. Several values are separated by commas; a comma of a value is `\\,`. Duplicates are dropped.
                 * @example [
                 *       "DE",
                 *       "AT"
                 *     ]
                 */
                country?: string[];
                /**
                 * @description Only clicks with one of these referrers. Several values are separated by commas; a comma of a value is `\\,`. Duplicates are dropped.
                 * @example [
                 *       "news.example.com"
                 *     ]
                 */
                referrer?: string[];
                /**
                 * @description Only clicks with one of these devices. Several values are separated by commas; a comma of a value is `\\,`. Duplicates are dropped.
                 * @example [
                 *       "mobile"
                 *     ]
                 */
                device?: ("mobile" | "desktop" | "unknown")[];
                /**
                 * @description Only clicks with one of these browsers. Several values are separated by commas; a comma of a value is `\\,`. Duplicates are dropped.
                 * @example [
                 *       "firefox"
                 *     ]
                 */
                browser?: ("facebook" | "instagram" | "tiktok" | "snapchat" | "pinterest" | "linkedin" | "wechat" | "line" | "google-app" | "edge" | "opera" | "samsung-internet" | "yandex" | "vivaldi" | "duckduckgo" | "brave" | "uc" | "huawei" | "xiaomi" | "silk" | "internet-explorer" | "webview" | "firefox" | "chrome" | "safari" | "unknown")[];
                /**
                 * @description Only clicks with one of these operating systems. Several values are separated by commas; a comma of a value is `\\,`. Duplicates are dropped.
                 * @example [
                 *       "ios",
                 *       "android"
                 *     ]
                 */
                os?: ("ios" | "android" | "windows" | "macos" | "linux" | "chromeos" | "unknown")[];
                /**
                 * @description Only clicks with one of these languages. Several values are separated by commas; a comma of a value is `\\,`. Duplicates are dropped.
                 * @example [
                 *       "de"
                 *     ]
                 */
                language?: string[];
                /**
                 * @description Only clicks with one of these sources. Several values are separated by commas; a comma of a value is `\\,`. Duplicates are dropped.
                 * @example [
                 *       "qr"
                 *     ]
                 */
                source?: ("link" | "qr" | "unknown")[];
                /**
                 * @description Only clicks with one of these variants. Several values are separated by commas; a comma of a value is `\\,`. Duplicates are dropped.
                 * @example [
                 *       "a"
                 *     ]
                 */
                variant?: string[];
                /**
                 * @description Only clicks with one of these slugs, by which the link was reached. Several values are separated by commas; a comma of a value is `\\,`. Duplicates are dropped.
                 * @example [
                 *       "summer-sale"
                 *     ]
                 */
                slug?: string[];
                /**
                 * @description Only clicks with one of these paths behind the slug. Several values are separated by commas; a comma of a value is `\\,`. Duplicates are dropped.
                 * @example [
                 *       "none"
                 *     ]
                 */
                path?: string[];
                /**
                 * @description Only clicks with one of these values of `utm_source`. Several values are separated by commas; a comma of a value is `\\,`. Duplicates are dropped.
                 * @example [
                 *       "newsletter"
                 *     ]
                 */
                utmSource?: string[];
                /**
                 * @description Only clicks with one of these values of `utm_medium`. Several values are separated by commas; a comma of a value is `\\,`. Duplicates are dropped.
                 * @example [
                 *       "email"
                 *     ]
                 */
                utmMedium?: string[];
                /**
                 * @description Only clicks with one of these values of `utm_campaign`. Several values are separated by commas; a comma of a value is `\\,`. Duplicates are dropped.
                 * @example [
                 *       "summer",
                 *       "none"
                 *     ]
                 */
                utmCampaign?: string[];
                /**
                 * @description The most links on a page.
                 * @example 50
                 */
                limit?: number;
                /** @description The `nextCursor` of the previous page. It is valid only with the same parameters except `limit`, and stands for the range, too. */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The links. */
            200: {
                headers: {
                    "Cache-Control": components["headers"]["Cache-Control"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "from": "2030-01-02T00:00:00.000Z",
                     *       "to": "2030-01-03T00:00:00.000Z",
                     *       "readAt": "2030-01-03T10:11:12.131Z",
                     *       "links": [
                     *         {
                     *           "id": "lnk_5kzVq0bTn3yWc8Rj1sXgAfE2hLmP",
                     *           "shortUrl": "https://go.example.com/summer-sale",
                     *           "title": "Summer sale",
                     *           "clicks": 12,
                     *           "uniqueClicks": 9,
                     *           "previous": {
                     *             "clicks": 7,
                     *             "uniqueClicks": 7
                     *           }
                     *         }
                     *       ],
                     *       "nextCursor": null
                     *     }
                     */
                    "application/json": components["schemas"]["TopLinks"];
                };
            };
            /** @description Unauthorized (`unauthorized`). */
            401: components["responses"]["Unauthorized"];
            /** @description Forbidden (`forbidden`). */
            403: components["responses"]["Forbidden"];
            /** @description Not found (`not_found`). */
            404: components["responses"]["NotFound"];
            /** @description Validation failed (`validation_failed`), or Tag not found (`tag_not_found`), or Too much to read (`too_much_to_read`). */
            422: components["responses"]["Unprocessable"];
            /** @description Too many requests (`rate_limited`). */
            429: components["responses"]["TooManyRequests"];
            /** @description Internal error (`internal_error`). */
            500: components["responses"]["InternalError"];
            /** @description Temporarily unavailable (`temporarily_unavailable`). */
            503: components["responses"]["Unavailable"];
        };
    };
    listAllClicks: {
        parameters: {
            query?: {
                /**
                 * @description Only clicks on this domain. A domain that the workspace has deleted still has its clicks.
                 * @example go.example.com
                 */
                domain?: string;
                /**
                 * @description Only clicks of links that have any of these tags now, or all of them if `match` says so. A link counts once. Separated by commas; duplicates are dropped.
                 * @example [
                 *       "tag_0a1B2c3D4e5F6g7H",
                 *       "tag_7H6g5F4e3D2c1B0a"
                 *     ]
                 */
                tagIds?: string[];
                /**
                 * @description The same, by the names of tags in any case. Tags by ids and by names count together.
                 * @example [
                 *       "Summer 2030",
                 *       "news"
                 *     ]
                 */
                tagNames?: string[];
                /** @description Whether a link needs any of these tags, or all of them. */
                match?: "any" | "all";
                /**
                 * @description Only clicks with one of these countries. Several values are separated by commas; a comma of a value is `\\,`. Duplicates are dropped.
                 * @example [
                 *       "DE",
                 *       "AT"
                 *     ]
                 */
                country?: string[];
                /**
                 * @description Only clicks with one of these referrers. Several values are separated by commas; a comma of a value is `\\,`. Duplicates are dropped.
                 * @example [
                 *       "news.example.com"
                 *     ]
                 */
                referrer?: string[];
                /**
                 * @description Only clicks with one of these devices. Several values are separated by commas; a comma of a value is `\\,`. Duplicates are dropped.
                 * @example [
                 *       "mobile"
                 *     ]
                 */
                device?: ("mobile" | "desktop" | "unknown")[];
                /**
                 * @description Only clicks with one of these browsers. Several values are separated by commas; a comma of a value is `\\,`. Duplicates are dropped.
                 * @example [
                 *       "firefox"
                 *     ]
                 */
                browser?: ("facebook" | "instagram" | "tiktok" | "snapchat" | "pinterest" | "linkedin" | "wechat" | "line" | "google-app" | "edge" | "opera" | "samsung-internet" | "yandex" | "vivaldi" | "duckduckgo" | "brave" | "uc" | "huawei" | "xiaomi" | "silk" | "internet-explorer" | "webview" | "firefox" | "chrome" | "safari" | "unknown")[];
                /**
                 * @description Only clicks with one of these operating systems. Several values are separated by commas; a comma of a value is `\\,`. Duplicates are dropped.
                 * @example [
                 *       "ios",
                 *       "android"
                 *     ]
                 */
                os?: ("ios" | "android" | "windows" | "macos" | "linux" | "chromeos" | "unknown")[];
                /**
                 * @description Only clicks with one of these languages. Several values are separated by commas; a comma of a value is `\\,`. Duplicates are dropped.
                 * @example [
                 *       "de"
                 *     ]
                 */
                language?: string[];
                /**
                 * @description Only clicks with one of these sources. Several values are separated by commas; a comma of a value is `\\,`. Duplicates are dropped.
                 * @example [
                 *       "qr"
                 *     ]
                 */
                source?: ("link" | "qr" | "unknown")[];
                /**
                 * @description Only clicks with one of these variants. Several values are separated by commas; a comma of a value is `\\,`. Duplicates are dropped.
                 * @example [
                 *       "a"
                 *     ]
                 */
                variant?: string[];
                /**
                 * @description Only clicks with one of these slugs, by which the link was reached. Several values are separated by commas; a comma of a value is `\\,`. Duplicates are dropped.
                 * @example [
                 *       "summer-sale"
                 *     ]
                 */
                slug?: string[];
                /**
                 * @description Only clicks with one of these paths behind the slug. Several values are separated by commas; a comma of a value is `\\,`. Duplicates are dropped.
                 * @example [
                 *       "none"
                 *     ]
                 */
                path?: string[];
                /**
                 * @description Only clicks with one of these values of `utm_source`. Several values are separated by commas; a comma of a value is `\\,`. Duplicates are dropped.
                 * @example [
                 *       "newsletter"
                 *     ]
                 */
                utmSource?: string[];
                /**
                 * @description Only clicks with one of these values of `utm_medium`. Several values are separated by commas; a comma of a value is `\\,`. Duplicates are dropped.
                 * @example [
                 *       "email"
                 *     ]
                 */
                utmMedium?: string[];
                /**
                 * @description Only clicks with one of these values of `utm_campaign`. Several values are separated by commas; a comma of a value is `\\,`. Duplicates are dropped.
                 * @example [
                 *       "summer",
                 *       "none"
                 *     ]
                 */
                utmCampaign?: string[];
                /**
                 * @description Only clicks at this time or later, in ISO 8601 with a time zone.
                 * @example 2030-01-01T00:00:00Z
                 */
                from?: string;
                /**
                 * @description Only clicks before this time, in ISO 8601 with a time zone.
                 * @example 2030-02-01T00:00:00Z
                 */
                to?: string;
                /**
                 * @description The most clicks on a page.
                 * @example 50
                 */
                limit?: number;
                /** @description The `nextCursor` of the previous page. It is valid only with the same parameters except `limit`. */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page. */
            200: {
                headers: {
                    "Cache-Control": components["headers"]["Cache-Control"];
                    Link: components["headers"]["Link"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "clicks": [
                     *         {
                     *           "id": "3hT2kQ9xWm4RsV0pLz7YbC",
                     *           "at": "2030-01-02T03:04:05.000Z",
                     *           "linkId": "lnk_5kzVq0bTn3yWc8Rj1sXgAfE2hLmP",
                     *           "country": "DE",
                     *           "referrer": "news.example.com",
                     *           "device": "mobile",
                     *           "browser": "Firefox",
                     *           "os": "android",
                     *           "language": "de",
                     *           "source": "link",
                     *           "variant": "none",
                     *           "slug": "summer-sale",
                     *           "path": "none",
                     *           "utmSource": "newsletter",
                     *           "utmMedium": "email",
                     *           "utmCampaign": "none",
                     *           "domain": "go.example.com",
                     *           "isUnique": true
                     *         }
                     *       ],
                     *       "nextCursor": null
                     *     }
                     */
                    "application/json": components["schemas"]["ClickPage"];
                    /**
                     * @example id,at,linkId,country,referrer,device,browser,os,language,source,variant,slug,path,utmSource,utmMedium,utmCampaign,domain,isUnique
                     *     3hT2kQ9xWm4RsV0pLz7YbC,2030-01-02T03:04:05.000Z,lnk_5kzVq0bTn3yWc8Rj1sXgAfE2hLmP,DE,news.example.com,mobile,Firefox,android,de,link,none,summer-sale,none,newsletter,email,none,go.example.com,true
                     */
                    "text/csv": string;
                };
            };
            /** @description Unauthorized (`unauthorized`). */
            401: components["responses"]["Unauthorized"];
            /** @description Forbidden (`forbidden`). */
            403: components["responses"]["Forbidden"];
            /** @description Not found (`not_found`). */
            404: components["responses"]["NotFound"];
            /** @description Validation failed (`validation_failed`), or Tag not found (`tag_not_found`), or Too much to read (`too_much_to_read`). */
            422: components["responses"]["Unprocessable"];
            /** @description Too many requests (`rate_limited`). */
            429: components["responses"]["TooManyRequests"];
            /** @description Internal error (`internal_error`). */
            500: components["responses"]["InternalError"];
            /** @description Temporarily unavailable (`temporarily_unavailable`). */
            503: components["responses"]["Unavailable"];
        };
    };
    listTags: {
        parameters: {
            query?: {
                /**
                 * @description The most tags on a page.
                 * @example 50
                 */
                limit?: number;
                /** @description The `nextCursor` of the previous page. It is valid only for the same list of the same workspace. */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The tags. */
            200: {
                headers: {
                    "Cache-Control": components["headers"]["Cache-Control"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "tags": [
                     *         {
                     *           "id": "tag_0a1B2c3D4e5F6g7H",
                     *           "name": "Summer 2030",
                     *           "color": "#1a2b3c",
                     *           "createdAt": "2030-01-02T03:04:05.678Z",
                     *           "_count": {
                     *             "links": 12
                     *           }
                     *         }
                     *       ],
                     *       "nextCursor": null
                     *     }
                     */
                    "application/json": components["schemas"]["TagList"];
                };
            };
            /** @description Unauthorized (`unauthorized`). */
            401: components["responses"]["Unauthorized"];
            /** @description Forbidden (`forbidden`). */
            403: components["responses"]["Forbidden"];
            /** @description Validation failed (`validation_failed`). */
            422: components["responses"]["Unprocessable"];
            /** @description Too many requests (`rate_limited`). */
            429: components["responses"]["TooManyRequests"];
            /** @description Internal error (`internal_error`). */
            500: components["responses"]["InternalError"];
            /** @description Temporarily unavailable (`temporarily_unavailable`). */
            503: components["responses"]["Unavailable"];
        };
    };
    createTag: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Summer 2030",
                 *       "color": "#1A2B3C"
                 *     }
                 */
                "application/json": components["schemas"]["CreateTagRequest"];
            };
        };
        responses: {
            /** @description The tag. */
            201: {
                headers: {
                    "Cache-Control": components["headers"]["Cache-Control"];
                    Location: components["headers"]["Location"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "tag_0a1B2c3D4e5F6g7H",
                     *       "name": "Summer 2030",
                     *       "color": "#1a2b3c",
                     *       "createdAt": "2030-01-02T03:04:05.678Z",
                     *       "_count": {
                     *         "links": 0
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["Tag"];
                };
            };
            /** @description Bad request (`bad_request`), or Invalid JSON (`invalid_json`). */
            400: components["responses"]["BadRequest"];
            /** @description Unauthorized (`unauthorized`). */
            401: components["responses"]["Unauthorized"];
            /** @description Forbidden (`forbidden`). */
            403: components["responses"]["Forbidden"];
            /** @description Tag name taken (`tag_name_taken`), or Too many tags (`tag_limit_reached`). */
            409: components["responses"]["Conflict"];
            /** @description Request too large (`request_too_large`). */
            413: components["responses"]["RequestTooLarge"];
            /** @description Unsupported media type (`unsupported_media_type`). */
            415: components["responses"]["UnsupportedMediaType"];
            /** @description Validation failed (`validation_failed`). */
            422: components["responses"]["Unprocessable"];
            /** @description Too many requests (`rate_limited`). */
            429: components["responses"]["TooManyRequests"];
            /** @description Internal error (`internal_error`). */
            500: components["responses"]["InternalError"];
            /** @description Temporarily unavailable (`temporarily_unavailable`). */
            503: components["responses"]["Unavailable"];
        };
    };
    getTag: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Entity tags that you already have. If the current version has one of them, the response is 304 (RFC 9110).
                 * @example "5kzVq0bTn3yWc8Rj1sXgAf.0qN7dLw2Hb5uYt9RkVx4Zc"
                 */
                "If-None-Match"?: string;
            };
            path: {
                /** @example tag_0a1B2c3D4e5F6g7H */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The tag. */
            200: {
                headers: {
                    "Cache-Control": components["headers"]["Cache-Control"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "tag_0a1B2c3D4e5F6g7H",
                     *       "name": "Summer 2030",
                     *       "color": "#1a2b3c",
                     *       "createdAt": "2030-01-02T03:04:05.678Z",
                     *       "_count": {
                     *         "links": 12
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["Tag"];
                };
            };
            304: components["responses"]["NotModified"];
            /** @description Bad request (`bad_request`). */
            400: components["responses"]["BadRequest"];
            /** @description Unauthorized (`unauthorized`). */
            401: components["responses"]["Unauthorized"];
            /** @description Forbidden (`forbidden`). */
            403: components["responses"]["Forbidden"];
            /** @description Not found (`not_found`). */
            404: components["responses"]["NotFound"];
            /** @description Validation failed (`validation_failed`). */
            422: components["responses"]["Unprocessable"];
            /** @description Too many requests (`rate_limited`). */
            429: components["responses"]["TooManyRequests"];
            /** @description Internal error (`internal_error`). */
            500: components["responses"]["InternalError"];
            /** @description Temporarily unavailable (`temporarily_unavailable`). */
            503: components["responses"]["Unavailable"];
        };
    };
    deleteTag: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Only proceed if nobody has changed the settings since the response with one of these strong entity tags (RFC 9110). Clicks and other counts make no difference. `*` matches any version.
                 * @example "5kzVq0bTn3yWc8Rj1sXgAf.0qN7dLw2Hb5uYt9RkVx4Zc"
                 */
                "If-Match"?: string;
            };
            path: {
                /** @example tag_0a1B2c3D4e5F6g7H */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The tag is gone. */
            204: {
                headers: {
                    "Cache-Control": components["headers"]["Cache-Control"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Bad request (`bad_request`). */
            400: components["responses"]["BadRequest"];
            /** @description Unauthorized (`unauthorized`). */
            401: components["responses"]["Unauthorized"];
            /** @description Forbidden (`forbidden`). */
            403: components["responses"]["Forbidden"];
            /** @description Not found (`not_found`). */
            404: components["responses"]["NotFound"];
            /** @description Precondition failed (`precondition_failed`). */
            412: components["responses"]["PreconditionFailed"];
            /** @description Validation failed (`validation_failed`). */
            422: components["responses"]["Unprocessable"];
            /** @description Too many requests (`rate_limited`). */
            429: components["responses"]["TooManyRequests"];
            /** @description Internal error (`internal_error`). */
            500: components["responses"]["InternalError"];
            /** @description Temporarily unavailable (`temporarily_unavailable`). */
            503: components["responses"]["Unavailable"];
        };
    };
    updateTag: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Only proceed if nobody has changed the settings since the response with one of these strong entity tags (RFC 9110). Clicks and other counts make no difference. `*` matches any version.
                 * @example "5kzVq0bTn3yWc8Rj1sXgAf.0qN7dLw2Hb5uYt9RkVx4Zc"
                 */
                "If-Match"?: string;
            };
            path: {
                /** @example tag_0a1B2c3D4e5F6g7H */
                id: string;
            };
            cookie?: never;
        };
        /** @description `application/merge-patch+json` is accepted too (RFC 7396). */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Summer 2031"
                 *     }
                 */
                "application/json": components["schemas"]["UpdateTagRequest"];
            };
        };
        responses: {
            /** @description The tag as it is now. */
            200: {
                headers: {
                    "Cache-Control": components["headers"]["Cache-Control"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "tag_0a1B2c3D4e5F6g7H",
                     *       "name": "Summer 2031",
                     *       "color": "#1a2b3c",
                     *       "createdAt": "2030-01-02T03:04:05.678Z",
                     *       "_count": {
                     *         "links": 12
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["Tag"];
                };
            };
            /** @description Bad request (`bad_request`), or Invalid JSON (`invalid_json`). */
            400: components["responses"]["BadRequest"];
            /** @description Unauthorized (`unauthorized`). */
            401: components["responses"]["Unauthorized"];
            /** @description Forbidden (`forbidden`). */
            403: components["responses"]["Forbidden"];
            /** @description Not found (`not_found`). */
            404: components["responses"]["NotFound"];
            /** @description Tag name taken (`tag_name_taken`). */
            409: components["responses"]["Conflict"];
            /** @description Precondition failed (`precondition_failed`). */
            412: components["responses"]["PreconditionFailed"];
            /** @description Request too large (`request_too_large`). */
            413: components["responses"]["RequestTooLarge"];
            /** @description Unsupported media type (`unsupported_media_type`). */
            415: components["responses"]["UnsupportedMediaType"];
            /** @description Validation failed (`validation_failed`). */
            422: components["responses"]["Unprocessable"];
            /** @description Too many requests (`rate_limited`). */
            429: components["responses"]["TooManyRequests"];
            /** @description Internal error (`internal_error`). */
            500: components["responses"]["InternalError"];
            /** @description Temporarily unavailable (`temporarily_unavailable`). */
            503: components["responses"]["Unavailable"];
        };
    };
    listTagLinks: {
        parameters: {
            query?: {
                /**
                 * @description The most links on a page.
                 * @example 50
                 */
                limit?: number;
                /** @description The `nextCursor` of the previous page. It is valid only for the same filter in the same workspace. */
                cursor?: string;
                /** @description `false` leaves archived links out, `true` lists only them, `any` lists all links. */
                archived?: "false" | "true" | "any";
            };
            header?: never;
            path: {
                /** @example tag_0a1B2c3D4e5F6g7H */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page. */
            200: {
                headers: {
                    "Cache-Control": components["headers"]["Cache-Control"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "links": [
                     *         {
                     *           "id": "lnk_5kzVq0bTn3yWc8Rj1sXgAfE2hLmP",
                     *           "shortCode": "summer-sale",
                     *           "domain": "go.example.com",
                     *           "shortUrl": "https://go.example.com/summer-sale",
                     *           "aliases": [],
                     *           "url": "https://example.com/landing?utm_source=mail",
                     *           "title": "Summer sale",
                     *           "description": null,
                     *           "image": null,
                     *           "notes": null,
                     *           "redirectType": "TEMPORARY_302",
                     *           "isActive": true,
                     *           "isArchived": false,
                     *           "state": "active",
                     *           "pendingVerification": false,
                     *           "cloaked": false,
                     *           "hasPassword": false,
                     *           "startsAt": null,
                     *           "expiresAt": "2030-08-01T00:00:00.000Z",
                     *           "expiredUrl": null,
                     *           "maxClicks": null,
                     *           "clickCount": 0,
                     *           "lastClickedAt": null,
                     *           "tags": [
                     *             {
                     *               "id": "tag_0a1B2c3D4e5F6g7H",
                     *               "name": "Summer 2030",
                     *               "color": "#1a2b3c"
                     *             }
                     *           ],
                     *           "externalId": "cms:page-4711",
                     *           "managedBy": null,
                     *           "forwardParameters": false,
                     *           "forwardPath": false,
                     *           "hideReferrer": false,
                     *           "blockBots": false,
                     *           "confirmVisit": false,
                     *           "rules": [],
                     *           "variants": [],
                     *           "metaPixelId": null,
                     *           "googleTagId": null,
                     *           "webhookUrls": null,
                     *           "createdAt": "2030-01-02T03:04:05.678Z",
                     *           "updatedAt": "2030-01-02T03:04:05.678Z"
                     *         }
                     *       ],
                     *       "nextCursor": "kG8u1rN3tQ0vYx5zBw7cDeMjAzMC0wMS0wMlQwMzowNDowNS42NzhaI2xua18"
                     *     }
                     */
                    "application/json": components["schemas"]["LinkPage"];
                };
            };
            /** @description Unauthorized (`unauthorized`). */
            401: components["responses"]["Unauthorized"];
            /** @description Forbidden (`forbidden`). */
            403: components["responses"]["Forbidden"];
            /** @description Not found (`not_found`). */
            404: components["responses"]["NotFound"];
            /** @description Validation failed (`validation_failed`). */
            422: components["responses"]["Unprocessable"];
            /** @description Too many requests (`rate_limited`). */
            429: components["responses"]["TooManyRequests"];
            /** @description Internal error (`internal_error`). */
            500: components["responses"]["InternalError"];
            /** @description Temporarily unavailable (`temporarily_unavailable`). */
            503: components["responses"]["Unavailable"];
        };
    };
    listTemplates: {
        parameters: {
            query?: {
                /**
                 * @description The most templates on a page.
                 * @example 50
                 */
                limit?: number;
                /** @description The `nextCursor` of the previous page. It is valid only for the same list of the same workspace. */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The templates. */
            200: {
                headers: {
                    "Cache-Control": components["headers"]["Cache-Control"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "templates": [
                     *         {
                     *           "id": "tpl_0a1B2c3D4e5F6g7H",
                     *           "name": "Newsletter",
                     *           "domain": "go.example.com",
                     *           "tagIds": [
                     *             "tag_0a1B2c3D4e5F6g7H"
                     *           ],
                     *           "utmSource": "newsletter",
                     *           "utmMedium": "email",
                     *           "utmCampaign": null,
                     *           "utmTerm": null,
                     *           "utmContent": null,
                     *           "redirectType": "TEMPORARY_302",
                     *           "expiresAfterDays": 90,
                     *           "isActive": true,
                     *           "isArchived": false,
                     *           "cloaked": false,
                     *           "forwardParameters": false,
                     *           "forwardPath": false,
                     *           "hideReferrer": false,
                     *           "blockBots": false,
                     *           "confirmVisit": false,
                     *           "createdAt": "2030-01-02T03:04:05.678Z"
                     *         }
                     *       ],
                     *       "nextCursor": null
                     *     }
                     */
                    "application/json": components["schemas"]["TemplateList"];
                };
            };
            /** @description Unauthorized (`unauthorized`). */
            401: components["responses"]["Unauthorized"];
            /** @description Forbidden (`forbidden`). */
            403: components["responses"]["Forbidden"];
            /** @description Validation failed (`validation_failed`). */
            422: components["responses"]["Unprocessable"];
            /** @description Too many requests (`rate_limited`). */
            429: components["responses"]["TooManyRequests"];
            /** @description Internal error (`internal_error`). */
            500: components["responses"]["InternalError"];
            /** @description Temporarily unavailable (`temporarily_unavailable`). */
            503: components["responses"]["Unavailable"];
        };
    };
    createTemplate: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Newsletter",
                 *       "domain": "go.example.com",
                 *       "tagIds": [
                 *         "tag_0a1B2c3D4e5F6g7H"
                 *       ],
                 *       "utmSource": "newsletter",
                 *       "utmMedium": "email",
                 *       "expiresAfterDays": 90
                 *     }
                 */
                "application/json": components["schemas"]["CreateTemplateRequest"];
            };
        };
        responses: {
            /** @description The template. */
            201: {
                headers: {
                    "Cache-Control": components["headers"]["Cache-Control"];
                    Location: components["headers"]["Location"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "tpl_0a1B2c3D4e5F6g7H",
                     *       "name": "Newsletter",
                     *       "domain": "go.example.com",
                     *       "tagIds": [
                     *         "tag_0a1B2c3D4e5F6g7H"
                     *       ],
                     *       "utmSource": "newsletter",
                     *       "utmMedium": "email",
                     *       "utmCampaign": null,
                     *       "utmTerm": null,
                     *       "utmContent": null,
                     *       "redirectType": "TEMPORARY_302",
                     *       "expiresAfterDays": 90,
                     *       "isActive": true,
                     *       "isArchived": false,
                     *       "cloaked": false,
                     *       "forwardParameters": false,
                     *       "forwardPath": false,
                     *       "hideReferrer": false,
                     *       "blockBots": false,
                     *       "confirmVisit": false,
                     *       "createdAt": "2030-01-02T03:04:05.678Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Template"];
                };
            };
            /** @description Bad request (`bad_request`), or Invalid JSON (`invalid_json`). */
            400: components["responses"]["BadRequest"];
            /** @description Unauthorized (`unauthorized`). */
            401: components["responses"]["Unauthorized"];
            /** @description Forbidden (`forbidden`). */
            403: components["responses"]["Forbidden"];
            /** @description Template name taken (`template_name_taken`), or Too many templates (`template_limit_reached`), or Domain is being deleted (`domain_deletion_in_progress`). */
            409: components["responses"]["Conflict"];
            /** @description Request too large (`request_too_large`). */
            413: components["responses"]["RequestTooLarge"];
            /** @description Unsupported media type (`unsupported_media_type`). */
            415: components["responses"]["UnsupportedMediaType"];
            /** @description Validation failed (`validation_failed`), or Tag not found (`tag_not_found`), or Domain not verified (`domain_not_verified`). */
            422: components["responses"]["Unprocessable"];
            /** @description Too many requests (`rate_limited`). */
            429: components["responses"]["TooManyRequests"];
            /** @description Internal error (`internal_error`). */
            500: components["responses"]["InternalError"];
            /** @description Temporarily unavailable (`temporarily_unavailable`). */
            503: components["responses"]["Unavailable"];
        };
    };
    getTemplate: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Entity tags that you already have. If the current version has one of them, the response is 304 (RFC 9110).
                 * @example "5kzVq0bTn3yWc8Rj1sXgAf.0qN7dLw2Hb5uYt9RkVx4Zc"
                 */
                "If-None-Match"?: string;
            };
            path: {
                /** @example tpl_0a1B2c3D4e5F6g7H */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The template. */
            200: {
                headers: {
                    "Cache-Control": components["headers"]["Cache-Control"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "tpl_0a1B2c3D4e5F6g7H",
                     *       "name": "Newsletter",
                     *       "domain": "go.example.com",
                     *       "tagIds": [
                     *         "tag_0a1B2c3D4e5F6g7H"
                     *       ],
                     *       "utmSource": "newsletter",
                     *       "utmMedium": "email",
                     *       "utmCampaign": null,
                     *       "utmTerm": null,
                     *       "utmContent": null,
                     *       "redirectType": "TEMPORARY_302",
                     *       "expiresAfterDays": 90,
                     *       "isActive": true,
                     *       "isArchived": false,
                     *       "cloaked": false,
                     *       "forwardParameters": false,
                     *       "forwardPath": false,
                     *       "hideReferrer": false,
                     *       "blockBots": false,
                     *       "confirmVisit": false,
                     *       "createdAt": "2030-01-02T03:04:05.678Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Template"];
                };
            };
            304: components["responses"]["NotModified"];
            /** @description Bad request (`bad_request`). */
            400: components["responses"]["BadRequest"];
            /** @description Unauthorized (`unauthorized`). */
            401: components["responses"]["Unauthorized"];
            /** @description Forbidden (`forbidden`). */
            403: components["responses"]["Forbidden"];
            /** @description Not found (`not_found`). */
            404: components["responses"]["NotFound"];
            /** @description Validation failed (`validation_failed`). */
            422: components["responses"]["Unprocessable"];
            /** @description Too many requests (`rate_limited`). */
            429: components["responses"]["TooManyRequests"];
            /** @description Internal error (`internal_error`). */
            500: components["responses"]["InternalError"];
            /** @description Temporarily unavailable (`temporarily_unavailable`). */
            503: components["responses"]["Unavailable"];
        };
    };
    deleteTemplate: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Only proceed if nobody has changed the settings since the response with one of these strong entity tags (RFC 9110). Clicks and other counts make no difference. `*` matches any version.
                 * @example "5kzVq0bTn3yWc8Rj1sXgAf.0qN7dLw2Hb5uYt9RkVx4Zc"
                 */
                "If-Match"?: string;
            };
            path: {
                /** @example tpl_0a1B2c3D4e5F6g7H */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The template is gone. */
            204: {
                headers: {
                    "Cache-Control": components["headers"]["Cache-Control"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Bad request (`bad_request`). */
            400: components["responses"]["BadRequest"];
            /** @description Unauthorized (`unauthorized`). */
            401: components["responses"]["Unauthorized"];
            /** @description Forbidden (`forbidden`). */
            403: components["responses"]["Forbidden"];
            /** @description Not found (`not_found`). */
            404: components["responses"]["NotFound"];
            /** @description Precondition failed (`precondition_failed`). */
            412: components["responses"]["PreconditionFailed"];
            /** @description Validation failed (`validation_failed`). */
            422: components["responses"]["Unprocessable"];
            /** @description Too many requests (`rate_limited`). */
            429: components["responses"]["TooManyRequests"];
            /** @description Internal error (`internal_error`). */
            500: components["responses"]["InternalError"];
            /** @description Temporarily unavailable (`temporarily_unavailable`). */
            503: components["responses"]["Unavailable"];
        };
    };
    updateTemplate: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Only proceed if nobody has changed the settings since the response with one of these strong entity tags (RFC 9110). Clicks and other counts make no difference. `*` matches any version.
                 * @example "5kzVq0bTn3yWc8Rj1sXgAf.0qN7dLw2Hb5uYt9RkVx4Zc"
                 */
                "If-Match"?: string;
            };
            path: {
                /** @example tpl_0a1B2c3D4e5F6g7H */
                id: string;
            };
            cookie?: never;
        };
        /** @description `application/merge-patch+json` is accepted too (RFC 7396). */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "expiresAfterDays": null,
                 *       "utmCampaign": "summer"
                 *     }
                 */
                "application/json": components["schemas"]["UpdateTemplateRequest"];
            };
        };
        responses: {
            /** @description The template as it is now. */
            200: {
                headers: {
                    "Cache-Control": components["headers"]["Cache-Control"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "tpl_0a1B2c3D4e5F6g7H",
                     *       "name": "Newsletter",
                     *       "domain": "go.example.com",
                     *       "tagIds": [
                     *         "tag_0a1B2c3D4e5F6g7H"
                     *       ],
                     *       "utmSource": "newsletter",
                     *       "utmMedium": "email",
                     *       "utmCampaign": "summer",
                     *       "utmTerm": null,
                     *       "utmContent": null,
                     *       "redirectType": "TEMPORARY_302",
                     *       "expiresAfterDays": null,
                     *       "isActive": true,
                     *       "isArchived": false,
                     *       "cloaked": false,
                     *       "forwardParameters": false,
                     *       "forwardPath": false,
                     *       "hideReferrer": false,
                     *       "blockBots": false,
                     *       "confirmVisit": false,
                     *       "createdAt": "2030-01-02T03:04:05.678Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Template"];
                };
            };
            /** @description Bad request (`bad_request`), or Invalid JSON (`invalid_json`). */
            400: components["responses"]["BadRequest"];
            /** @description Unauthorized (`unauthorized`). */
            401: components["responses"]["Unauthorized"];
            /** @description Forbidden (`forbidden`). */
            403: components["responses"]["Forbidden"];
            /** @description Not found (`not_found`). */
            404: components["responses"]["NotFound"];
            /** @description Template name taken (`template_name_taken`), or Domain is being deleted (`domain_deletion_in_progress`). */
            409: components["responses"]["Conflict"];
            /** @description Precondition failed (`precondition_failed`). */
            412: components["responses"]["PreconditionFailed"];
            /** @description Request too large (`request_too_large`). */
            413: components["responses"]["RequestTooLarge"];
            /** @description Unsupported media type (`unsupported_media_type`). */
            415: components["responses"]["UnsupportedMediaType"];
            /** @description Validation failed (`validation_failed`), or Tag not found (`tag_not_found`), or Domain not verified (`domain_not_verified`). */
            422: components["responses"]["Unprocessable"];
            /** @description Too many requests (`rate_limited`). */
            429: components["responses"]["TooManyRequests"];
            /** @description Internal error (`internal_error`). */
            500: components["responses"]["InternalError"];
            /** @description Temporarily unavailable (`temporarily_unavailable`). */
            503: components["responses"]["Unavailable"];
        };
    };
    restoreTemplate: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example tpl_0a1B2c3D4e5F6g7H */
                id: string;
                /** @example his_D0a1B2c3D4e5F6g7H */
                entryId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The template as it is now. */
            201: {
                headers: {
                    "Cache-Control": components["headers"]["Cache-Control"];
                    Location: components["headers"]["Location"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "tpl_0a1B2c3D4e5F6g7H",
                     *       "name": "Newsletter",
                     *       "domain": "go.example.com",
                     *       "tagIds": [
                     *         "tag_0a1B2c3D4e5F6g7H"
                     *       ],
                     *       "utmSource": "newsletter",
                     *       "utmMedium": "email",
                     *       "utmCampaign": null,
                     *       "utmTerm": null,
                     *       "utmContent": null,
                     *       "redirectType": "TEMPORARY_302",
                     *       "expiresAfterDays": 90,
                     *       "isActive": true,
                     *       "isArchived": false,
                     *       "cloaked": false,
                     *       "forwardParameters": false,
                     *       "forwardPath": false,
                     *       "hideReferrer": false,
                     *       "blockBots": false,
                     *       "confirmVisit": false,
                     *       "createdAt": "2030-01-02T03:04:05.678Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Template"];
                };
            };
            /** @description Unauthorized (`unauthorized`). */
            401: components["responses"]["Unauthorized"];
            /** @description Forbidden (`forbidden`). */
            403: components["responses"]["Forbidden"];
            /** @description Not found (`not_found`). */
            404: components["responses"]["NotFound"];
            /** @description Cannot be reverted (`revert_refused`), or Too many templates (`template_limit_reached`). */
            409: components["responses"]["Conflict"];
            /** @description Validation failed (`validation_failed`). */
            422: components["responses"]["Unprocessable"];
            /** @description Too many requests (`rate_limited`). */
            429: components["responses"]["TooManyRequests"];
            /** @description Internal error (`internal_error`). */
            500: components["responses"]["InternalError"];
            /** @description Temporarily unavailable (`temporarily_unavailable`). */
            503: components["responses"]["Unavailable"];
        };
    };
    listDomains: {
        parameters: {
            query?: {
                /**
                 * @description The most domains on a page.
                 * @example 50
                 */
                limit?: number;
                /** @description The `nextCursor` of the previous page. It is valid only for the same list of the same workspace. */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The domains. */
            200: {
                headers: {
                    "Cache-Control": components["headers"]["Cache-Control"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "domains": [
                     *         {
                     *           "domain": "go.example.com",
                     *           "status": "ACTIVE",
                     *           "covered": true,
                     *           "records": [
                     *             {
                     *               "type": "TXT",
                     *               "name": "_links.go.example.com",
                     *               "value": "links-verification=0a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P"
                     *             },
                     *             {
                     *               "type": "CNAME",
                     *               "name": "go.example.com",
                     *               "value": "links.example.net"
                     *             }
                     *           ],
                     *           "certificate": null,
                     *           "rootUrl": null,
                     *           "notFoundUrl": null,
                     *           "expiredUrl": null,
                     *           "publicQr": false,
                     *           "allowIndexing": false,
                     *           "accentColor": null,
                     *           "logoUrl": null,
                     *           "createdAt": "2030-01-02T03:04:05.678Z",
                     *           "verifiedAt": "2030-01-02T03:14:05.678Z",
                     *           "lastCheck": null
                     *         }
                     *       ],
                     *       "nextCursor": null
                     *     }
                     */
                    "application/json": components["schemas"]["DomainList"];
                };
            };
            /** @description Unauthorized (`unauthorized`). */
            401: components["responses"]["Unauthorized"];
            /** @description Forbidden (`forbidden`). */
            403: components["responses"]["Forbidden"];
            /** @description Validation failed (`validation_failed`). */
            422: components["responses"]["Unprocessable"];
            /** @description Too many requests (`rate_limited`). */
            429: components["responses"]["TooManyRequests"];
            /** @description Internal error (`internal_error`). */
            500: components["responses"]["InternalError"];
            /** @description Temporarily unavailable (`temporarily_unavailable`). */
            503: components["responses"]["Unavailable"];
        };
    };
    createDomain: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "domain": "go.example.com"
                 *     }
                 */
                "application/json": components["schemas"]["CreateDomainRequest"];
            };
        };
        responses: {
            /** @description The claim. */
            201: {
                headers: {
                    "Cache-Control": components["headers"]["Cache-Control"];
                    Location: components["headers"]["Location"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "domain": "go.example.com",
                     *       "status": "PENDING_OWNERSHIP",
                     *       "covered": true,
                     *       "records": [
                     *         {
                     *           "type": "TXT",
                     *           "name": "_links.go.example.com",
                     *           "value": "links-verification=0a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P"
                     *         },
                     *         {
                     *           "type": "CNAME",
                     *           "name": "go.example.com",
                     *           "value": "links.example.net"
                     *         }
                     *       ],
                     *       "certificate": null,
                     *       "rootUrl": null,
                     *       "notFoundUrl": null,
                     *       "expiredUrl": null,
                     *       "publicQr": false,
                     *       "allowIndexing": false,
                     *       "accentColor": null,
                     *       "logoUrl": null,
                     *       "createdAt": "2030-01-02T03:04:05.678Z",
                     *       "verifiedAt": null,
                     *       "lastCheck": null,
                     *       "appleAppSiteAssociation": null,
                     *       "assetLinks": null
                     *     }
                     */
                    "application/json": components["schemas"]["Domain"];
                };
            };
            /** @description Bad request (`bad_request`), or Invalid JSON (`invalid_json`). */
            400: components["responses"]["BadRequest"];
            /** @description Unauthorized (`unauthorized`). */
            401: components["responses"]["Unauthorized"];
            /** @description Forbidden (`forbidden`). */
            403: components["responses"]["Forbidden"];
            /** @description Domain taken (`domain_taken`), or Too many domains (`domain_limit_reached`). */
            409: components["responses"]["Conflict"];
            /** @description Request too large (`request_too_large`). */
            413: components["responses"]["RequestTooLarge"];
            /** @description Unsupported media type (`unsupported_media_type`). */
            415: components["responses"]["UnsupportedMediaType"];
            /** @description Validation failed (`validation_failed`). */
            422: components["responses"]["Unprocessable"];
            /** @description Too many requests (`rate_limited`). */
            429: components["responses"]["TooManyRequests"];
            /** @description Internal error (`internal_error`). */
            500: components["responses"]["InternalError"];
            /** @description Temporarily unavailable (`temporarily_unavailable`). */
            503: components["responses"]["Unavailable"];
        };
    };
    getDomain: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Entity tags that you already have. If the current version has one of them, the response is 304 (RFC 9110).
                 * @example "5kzVq0bTn3yWc8Rj1sXgAf.0qN7dLw2Hb5uYt9RkVx4Zc"
                 */
                "If-None-Match"?: string;
            };
            path: {
                /** @example go.example.com */
                domain: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The domain. */
            200: {
                headers: {
                    "Cache-Control": components["headers"]["Cache-Control"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "domain": "go.example.com",
                     *       "status": "ACTIVE",
                     *       "covered": true,
                     *       "records": [
                     *         {
                     *           "type": "TXT",
                     *           "name": "_links.go.example.com",
                     *           "value": "links-verification=0a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P"
                     *         },
                     *         {
                     *           "type": "CNAME",
                     *           "name": "go.example.com",
                     *           "value": "links.example.net"
                     *         }
                     *       ],
                     *       "certificate": null,
                     *       "rootUrl": null,
                     *       "notFoundUrl": null,
                     *       "expiredUrl": null,
                     *       "publicQr": false,
                     *       "allowIndexing": false,
                     *       "accentColor": null,
                     *       "logoUrl": null,
                     *       "createdAt": "2030-01-02T03:04:05.678Z",
                     *       "verifiedAt": "2030-01-02T03:14:05.678Z",
                     *       "lastCheck": null,
                     *       "appleAppSiteAssociation": null,
                     *       "assetLinks": null
                     *     }
                     */
                    "application/json": components["schemas"]["Domain"];
                };
            };
            304: components["responses"]["NotModified"];
            /** @description Bad request (`bad_request`). */
            400: components["responses"]["BadRequest"];
            /** @description Unauthorized (`unauthorized`). */
            401: components["responses"]["Unauthorized"];
            /** @description Forbidden (`forbidden`). */
            403: components["responses"]["Forbidden"];
            /** @description Not found (`not_found`). */
            404: components["responses"]["NotFound"];
            /** @description Validation failed (`validation_failed`). */
            422: components["responses"]["Unprocessable"];
            /** @description Too many requests (`rate_limited`). */
            429: components["responses"]["TooManyRequests"];
            /** @description Internal error (`internal_error`). */
            500: components["responses"]["InternalError"];
            /** @description Temporarily unavailable (`temporarily_unavailable`). */
            503: components["responses"]["Unavailable"];
        };
    };
    deleteDomain: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Only proceed if nobody has changed the settings since the response with one of these strong entity tags (RFC 9110). Clicks and other counts make no difference. `*` matches any version.
                 * @example "5kzVq0bTn3yWc8Rj1sXgAf.0qN7dLw2Hb5uYt9RkVx4Zc"
                 */
                "If-Match"?: string;
            };
            path: {
                /** @example go.example.com */
                domain: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The domain is gone. */
            204: {
                headers: {
                    "Cache-Control": components["headers"]["Cache-Control"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Bad request (`bad_request`). */
            400: components["responses"]["BadRequest"];
            /** @description Unauthorized (`unauthorized`). */
            401: components["responses"]["Unauthorized"];
            /** @description Forbidden (`forbidden`). */
            403: components["responses"]["Forbidden"];
            /** @description Not found (`not_found`). */
            404: components["responses"]["NotFound"];
            /** @description Domain in use (`domain_in_use`), or Domain is being deleted (`domain_deletion_in_progress`). */
            409: components["responses"]["Conflict"];
            /** @description Precondition failed (`precondition_failed`). */
            412: components["responses"]["PreconditionFailed"];
            /** @description Validation failed (`validation_failed`). */
            422: components["responses"]["Unprocessable"];
            /** @description Too many requests (`rate_limited`). */
            429: components["responses"]["TooManyRequests"];
            /** @description Internal error (`internal_error`). */
            500: components["responses"]["InternalError"];
            /** @description Temporarily unavailable (`temporarily_unavailable`). */
            503: components["responses"]["Unavailable"];
        };
    };
    updateDomain: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Only proceed if nobody has changed the settings since the response with one of these strong entity tags (RFC 9110). Clicks and other counts make no difference. `*` matches any version.
                 * @example "5kzVq0bTn3yWc8Rj1sXgAf.0qN7dLw2Hb5uYt9RkVx4Zc"
                 */
                "If-Match"?: string;
            };
            path: {
                /** @example go.example.com */
                domain: string;
            };
            cookie?: never;
        };
        /** @description `application/merge-patch+json` is accepted too (RFC 7396). */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "rootUrl": "https://example.com/",
                 *       "notFoundUrl": "https://example.com/not-found"
                 *     }
                 */
                "application/json": components["schemas"]["UpdateDomainRequest"];
            };
        };
        responses: {
            /** @description The domain as it is now. */
            200: {
                headers: {
                    "Cache-Control": components["headers"]["Cache-Control"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "domain": "go.example.com",
                     *       "status": "ACTIVE",
                     *       "covered": true,
                     *       "records": [
                     *         {
                     *           "type": "TXT",
                     *           "name": "_links.go.example.com",
                     *           "value": "links-verification=0a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P"
                     *         },
                     *         {
                     *           "type": "CNAME",
                     *           "name": "go.example.com",
                     *           "value": "links.example.net"
                     *         }
                     *       ],
                     *       "certificate": null,
                     *       "rootUrl": "https://example.com/",
                     *       "notFoundUrl": "https://example.com/not-found",
                     *       "expiredUrl": null,
                     *       "publicQr": false,
                     *       "allowIndexing": false,
                     *       "accentColor": null,
                     *       "logoUrl": null,
                     *       "createdAt": "2030-01-02T03:04:05.678Z",
                     *       "verifiedAt": "2030-01-02T03:14:05.678Z",
                     *       "lastCheck": null,
                     *       "appleAppSiteAssociation": null,
                     *       "assetLinks": null
                     *     }
                     */
                    "application/json": components["schemas"]["Domain"];
                };
            };
            /** @description Bad request (`bad_request`), or Invalid JSON (`invalid_json`). */
            400: components["responses"]["BadRequest"];
            /** @description Unauthorized (`unauthorized`). */
            401: components["responses"]["Unauthorized"];
            /** @description Forbidden (`forbidden`). */
            403: components["responses"]["Forbidden"];
            /** @description Not found (`not_found`). */
            404: components["responses"]["NotFound"];
            /** @description Precondition failed (`precondition_failed`). */
            412: components["responses"]["PreconditionFailed"];
            /** @description Request too large (`request_too_large`). */
            413: components["responses"]["RequestTooLarge"];
            /** @description Unsupported media type (`unsupported_media_type`). */
            415: components["responses"]["UnsupportedMediaType"];
            /** @description Validation failed (`validation_failed`), or Domain not verified (`domain_not_verified`). */
            422: components["responses"]["Unprocessable"];
            /** @description Too many requests (`rate_limited`). */
            429: components["responses"]["TooManyRequests"];
            /** @description Internal error (`internal_error`). */
            500: components["responses"]["InternalError"];
            /** @description Temporarily unavailable (`temporarily_unavailable`). */
            503: components["responses"]["Unavailable"];
        };
    };
    verifyDomain: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example go.example.com */
                domain: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The domain as it is now. */
            200: {
                headers: {
                    "Cache-Control": components["headers"]["Cache-Control"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "domain": "go.example.com",
                     *       "status": "ACTIVE",
                     *       "covered": true,
                     *       "records": [
                     *         {
                     *           "type": "TXT",
                     *           "name": "_links.go.example.com",
                     *           "value": "links-verification=0a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P"
                     *         },
                     *         {
                     *           "type": "CNAME",
                     *           "name": "go.example.com",
                     *           "value": "links.example.net"
                     *         }
                     *       ],
                     *       "certificate": null,
                     *       "rootUrl": null,
                     *       "notFoundUrl": null,
                     *       "expiredUrl": null,
                     *       "publicQr": false,
                     *       "allowIndexing": false,
                     *       "accentColor": null,
                     *       "logoUrl": null,
                     *       "createdAt": "2030-01-02T03:04:05.678Z",
                     *       "verifiedAt": "2030-01-02T03:14:05.678Z",
                     *       "lastCheck": null,
                     *       "appleAppSiteAssociation": null,
                     *       "assetLinks": null
                     *     }
                     */
                    "application/json": components["schemas"]["Domain"];
                };
            };
            /** @description Unauthorized (`unauthorized`). */
            401: components["responses"]["Unauthorized"];
            /** @description Forbidden (`forbidden`). */
            403: components["responses"]["Forbidden"];
            /** @description Not found (`not_found`). */
            404: components["responses"]["NotFound"];
            /** @description Domain taken (`domain_taken`). */
            409: components["responses"]["Conflict"];
            /** @description Validation failed (`validation_failed`), or Domain check failed (`domain_check_failed`). */
            422: components["responses"]["Unprocessable"];
            /** @description Too many requests (`rate_limited`). */
            429: components["responses"]["TooManyRequests"];
            /** @description Internal error (`internal_error`). */
            500: components["responses"]["InternalError"];
            /** @description Temporarily unavailable (`temporarily_unavailable`). */
            503: components["responses"]["Unavailable"];
        };
    };
    listWebhooks: {
        parameters: {
            query?: {
                /**
                 * @description The most webhooks on a page.
                 * @example 50
                 */
                limit?: number;
                /** @description The `nextCursor` of the previous page. It is valid only for the same list of the same workspace. */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The webhooks. */
            200: {
                headers: {
                    "Cache-Control": components["headers"]["Cache-Control"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "webhooks": [
                     *         {
                     *           "id": "whk_0a1B2c3D4e5F6g7H",
                     *           "url": "https://example.com/hooks/links",
                     *           "events": [
                     *             "link.clicked",
                     *             "link.deleted"
                     *           ],
                     *           "active": true,
                     *           "createdAt": "2030-01-02T03:04:05.678Z"
                     *         }
                     *       ],
                     *       "nextCursor": null
                     *     }
                     */
                    "application/json": components["schemas"]["WebhookList"];
                };
            };
            /** @description Unauthorized (`unauthorized`). */
            401: components["responses"]["Unauthorized"];
            /** @description Forbidden (`forbidden`). */
            403: components["responses"]["Forbidden"];
            /** @description Validation failed (`validation_failed`). */
            422: components["responses"]["Unprocessable"];
            /** @description Too many requests (`rate_limited`). */
            429: components["responses"]["TooManyRequests"];
            /** @description Internal error (`internal_error`). */
            500: components["responses"]["InternalError"];
            /** @description Temporarily unavailable (`temporarily_unavailable`). */
            503: components["responses"]["Unavailable"];
        };
    };
    createWebhook: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description If you send the same key and body again within 24 hours, you get the same response, and nothing is created twice. This holds even if a response was lost or the service crashed.
                 * @example 6f1c1f0e-migration-1
                 */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "url": "https://example.com/hooks/links",
                 *       "events": [
                 *         "link.clicked",
                 *         "link.deleted"
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["CreateWebhookRequest"];
            };
        };
        responses: {
            /** @description The webhook, and its secret. `ETag` is that of the webhook without the secret. */
            201: {
                headers: {
                    "Cache-Control": components["headers"]["Cache-Control"];
                    Location: components["headers"]["Location"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "whk_0a1B2c3D4e5F6g7H",
                     *       "url": "https://example.com/hooks/links",
                     *       "events": [
                     *         "link.clicked",
                     *         "link.deleted"
                     *       ],
                     *       "active": true,
                     *       "createdAt": "2030-01-02T03:04:05.678Z",
                     *       "status": {
                     *         "state": "ok",
                     *         "since": null,
                     *         "error": null,
                     *         "redirectsTo": null,
                     *         "backlog": null
                     *       },
                     *       "secret": "whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD"
                     *     }
                     */
                    "application/json": components["schemas"]["NewWebhook"];
                };
            };
            /** @description Bad request (`bad_request`), or Invalid JSON (`invalid_json`). */
            400: components["responses"]["BadRequest"];
            /** @description Unauthorized (`unauthorized`). */
            401: components["responses"]["Unauthorized"];
            /** @description Forbidden (`forbidden`). */
            403: components["responses"]["Forbidden"];
            /** @description Too many webhooks (`webhook_limit_reached`), or Secret ended (`secret_ended`). */
            409: components["responses"]["Conflict"];
            /** @description Request too large (`request_too_large`). */
            413: components["responses"]["RequestTooLarge"];
            /** @description Unsupported media type (`unsupported_media_type`). */
            415: components["responses"]["UnsupportedMediaType"];
            /** @description Validation failed (`validation_failed`), or Idempotency key reused (`idempotency_key_reused`). */
            422: components["responses"]["Unprocessable"];
            /** @description Too many requests (`rate_limited`). */
            429: components["responses"]["TooManyRequests"];
            /** @description Internal error (`internal_error`). */
            500: components["responses"]["InternalError"];
            /** @description Temporarily unavailable (`temporarily_unavailable`). */
            503: components["responses"]["Unavailable"];
        };
    };
    getWebhook: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Entity tags that you already have. If the current version has one of them, the response is 304 (RFC 9110).
                 * @example "5kzVq0bTn3yWc8Rj1sXgAf.0qN7dLw2Hb5uYt9RkVx4Zc"
                 */
                "If-None-Match"?: string;
            };
            path: {
                /** @example whk_0a1B2c3D4e5F6g7H */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The webhook. */
            200: {
                headers: {
                    "Cache-Control": components["headers"]["Cache-Control"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "whk_0a1B2c3D4e5F6g7H",
                     *       "url": "https://example.com/hooks/links",
                     *       "events": [
                     *         "link.clicked",
                     *         "link.deleted"
                     *       ],
                     *       "active": true,
                     *       "createdAt": "2030-01-02T03:04:05.678Z",
                     *       "status": {
                     *         "state": "ok",
                     *         "since": null,
                     *         "error": null,
                     *         "redirectsTo": null,
                     *         "backlog": null
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["Webhook"];
                };
            };
            304: components["responses"]["NotModified"];
            /** @description Bad request (`bad_request`). */
            400: components["responses"]["BadRequest"];
            /** @description Unauthorized (`unauthorized`). */
            401: components["responses"]["Unauthorized"];
            /** @description Forbidden (`forbidden`). */
            403: components["responses"]["Forbidden"];
            /** @description Not found (`not_found`). */
            404: components["responses"]["NotFound"];
            /** @description Validation failed (`validation_failed`). */
            422: components["responses"]["Unprocessable"];
            /** @description Too many requests (`rate_limited`). */
            429: components["responses"]["TooManyRequests"];
            /** @description Internal error (`internal_error`). */
            500: components["responses"]["InternalError"];
            /** @description Temporarily unavailable (`temporarily_unavailable`). */
            503: components["responses"]["Unavailable"];
        };
    };
    deleteWebhook: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Only proceed if nobody has changed the settings since the response with one of these strong entity tags (RFC 9110). Clicks and other counts make no difference. `*` matches any version.
                 * @example "5kzVq0bTn3yWc8Rj1sXgAf.0qN7dLw2Hb5uYt9RkVx4Zc"
                 */
                "If-Match"?: string;
            };
            path: {
                /** @example whk_0a1B2c3D4e5F6g7H */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The webhook is gone. */
            204: {
                headers: {
                    "Cache-Control": components["headers"]["Cache-Control"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Bad request (`bad_request`). */
            400: components["responses"]["BadRequest"];
            /** @description Unauthorized (`unauthorized`). */
            401: components["responses"]["Unauthorized"];
            /** @description Forbidden (`forbidden`). */
            403: components["responses"]["Forbidden"];
            /** @description Not found (`not_found`). */
            404: components["responses"]["NotFound"];
            /** @description Precondition failed (`precondition_failed`). */
            412: components["responses"]["PreconditionFailed"];
            /** @description Validation failed (`validation_failed`). */
            422: components["responses"]["Unprocessable"];
            /** @description Too many requests (`rate_limited`). */
            429: components["responses"]["TooManyRequests"];
            /** @description Internal error (`internal_error`). */
            500: components["responses"]["InternalError"];
            /** @description Temporarily unavailable (`temporarily_unavailable`). */
            503: components["responses"]["Unavailable"];
        };
    };
    updateWebhook: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Only proceed if nobody has changed the settings since the response with one of these strong entity tags (RFC 9110). Clicks and other counts make no difference. `*` matches any version.
                 * @example "5kzVq0bTn3yWc8Rj1sXgAf.0qN7dLw2Hb5uYt9RkVx4Zc"
                 */
                "If-Match"?: string;
            };
            path: {
                /** @example whk_0a1B2c3D4e5F6g7H */
                id: string;
            };
            cookie?: never;
        };
        /** @description `application/merge-patch+json` is accepted too (RFC 7396). */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "active": false
                 *     }
                 */
                "application/json": components["schemas"]["UpdateWebhookRequest"];
            };
        };
        responses: {
            /** @description The webhook as it is now. */
            200: {
                headers: {
                    "Cache-Control": components["headers"]["Cache-Control"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "whk_0a1B2c3D4e5F6g7H",
                     *       "url": "https://example.com/hooks/links",
                     *       "events": [
                     *         "link.clicked",
                     *         "link.deleted"
                     *       ],
                     *       "active": false,
                     *       "createdAt": "2030-01-02T03:04:05.678Z",
                     *       "status": {
                     *         "state": "ok",
                     *         "since": null,
                     *         "error": null,
                     *         "redirectsTo": null,
                     *         "backlog": null
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["Webhook"];
                };
            };
            /** @description Bad request (`bad_request`), or Invalid JSON (`invalid_json`). */
            400: components["responses"]["BadRequest"];
            /** @description Unauthorized (`unauthorized`). */
            401: components["responses"]["Unauthorized"];
            /** @description Forbidden (`forbidden`). */
            403: components["responses"]["Forbidden"];
            /** @description Not found (`not_found`). */
            404: components["responses"]["NotFound"];
            /** @description Precondition failed (`precondition_failed`). */
            412: components["responses"]["PreconditionFailed"];
            /** @description Request too large (`request_too_large`). */
            413: components["responses"]["RequestTooLarge"];
            /** @description Unsupported media type (`unsupported_media_type`). */
            415: components["responses"]["UnsupportedMediaType"];
            /** @description Validation failed (`validation_failed`). */
            422: components["responses"]["Unprocessable"];
            /** @description Too many requests (`rate_limited`). */
            429: components["responses"]["TooManyRequests"];
            /** @description Internal error (`internal_error`). */
            500: components["responses"]["InternalError"];
            /** @description Temporarily unavailable (`temporarily_unavailable`). */
            503: components["responses"]["Unavailable"];
        };
    };
    listWebhookSecrets: {
        parameters: {
            query?: {
                /**
                 * @description The most secrets on a page.
                 * @example 50
                 */
                limit?: number;
                /** @description The `nextCursor` of the previous page. It is valid only for the same list of the same workspace. */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The secrets. */
            200: {
                headers: {
                    "Cache-Control": components["headers"]["Cache-Control"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "secrets": [
                     *         {
                     *           "id": "whs_7H6g5F4e3D2c1B0a",
                     *           "webhookId": "whk_0a1B2c3D4e5F6g7H",
                     *           "createdAt": "2030-01-02T03:04:05.678Z",
                     *           "expiresAt": null
                     *         }
                     *       ],
                     *       "nextCursor": null
                     *     }
                     */
                    "application/json": components["schemas"]["WebhookSecretList"];
                };
            };
            /** @description Unauthorized (`unauthorized`). */
            401: components["responses"]["Unauthorized"];
            /** @description Forbidden (`forbidden`). */
            403: components["responses"]["Forbidden"];
            /** @description Validation failed (`validation_failed`). */
            422: components["responses"]["Unprocessable"];
            /** @description Too many requests (`rate_limited`). */
            429: components["responses"]["TooManyRequests"];
            /** @description Internal error (`internal_error`). */
            500: components["responses"]["InternalError"];
            /** @description Temporarily unavailable (`temporarily_unavailable`). */
            503: components["responses"]["Unavailable"];
        };
    };
    createWebhookSecret: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description If you send the same key and body again within 24 hours, you get the same response, and nothing is created twice. This holds even if a response was lost or the service crashed.
                 * @example 6f1c1f0e-migration-1
                 */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "webhookId": "whk_0a1B2c3D4e5F6g7H"
                 *     }
                 */
                "application/json": components["schemas"]["CreateWebhookSecretRequest"];
            };
        };
        responses: {
            /** @description The secret. */
            201: {
                headers: {
                    "Cache-Control": components["headers"]["Cache-Control"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "whs_7H6g5F4e3D2c1B0a",
                     *       "webhookId": "whk_0a1B2c3D4e5F6g7H",
                     *       "createdAt": "2030-01-02T03:04:05.678Z",
                     *       "expiresAt": null,
                     *       "secret": "whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD"
                     *     }
                     */
                    "application/json": components["schemas"]["NewWebhookSecret"];
                };
            };
            /** @description Bad request (`bad_request`), or Invalid JSON (`invalid_json`). */
            400: components["responses"]["BadRequest"];
            /** @description Unauthorized (`unauthorized`). */
            401: components["responses"]["Unauthorized"];
            /** @description Forbidden (`forbidden`). */
            403: components["responses"]["Forbidden"];
            /** @description Too many secrets (`secret_limit_reached`), or Secret ended (`secret_ended`). */
            409: components["responses"]["Conflict"];
            /** @description Request too large (`request_too_large`). */
            413: components["responses"]["RequestTooLarge"];
            /** @description Unsupported media type (`unsupported_media_type`). */
            415: components["responses"]["UnsupportedMediaType"];
            /** @description Validation failed (`validation_failed`), or Webhook not found (`webhook_not_found`), or Idempotency key reused (`idempotency_key_reused`). */
            422: components["responses"]["Unprocessable"];
            /** @description Too many requests (`rate_limited`). */
            429: components["responses"]["TooManyRequests"];
            /** @description Internal error (`internal_error`). */
            500: components["responses"]["InternalError"];
            /** @description Temporarily unavailable (`temporarily_unavailable`). */
            503: components["responses"]["Unavailable"];
        };
    };
    deleteWebhookSecret: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example whs_7H6g5F4e3D2c1B0a */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The secret has ended. */
            204: {
                headers: {
                    "Cache-Control": components["headers"]["Cache-Control"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Unauthorized (`unauthorized`). */
            401: components["responses"]["Unauthorized"];
            /** @description Forbidden (`forbidden`). */
            403: components["responses"]["Forbidden"];
            /** @description Not found (`not_found`). */
            404: components["responses"]["NotFound"];
            /** @description Validation failed (`validation_failed`). */
            422: components["responses"]["Unprocessable"];
            /** @description Too many requests (`rate_limited`). */
            429: components["responses"]["TooManyRequests"];
            /** @description Internal error (`internal_error`). */
            500: components["responses"]["InternalError"];
            /** @description Temporarily unavailable (`temporarily_unavailable`). */
            503: components["responses"]["Unavailable"];
        };
    };
    testWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example whk_0a1B2c3D4e5F6g7H */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The delivery, which is sent within seconds. */
            202: {
                headers: {
                    "Cache-Control": components["headers"]["Cache-Control"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "dlv_0a1B2c3D4e5F6g7H8i9J0k",
                     *       "type": "webhook.test",
                     *       "url": "https://hooks.example.com/links",
                     *       "webhookId": "whk_0a1B2c3D4e5F6g7H",
                     *       "linkId": null,
                     *       "shortUrl": "https://go.example.com/summer-sale",
                     *       "state": "pending",
                     *       "attempts": [],
                     *       "nextAttemptAt": "2030-01-02T03:04:05.678Z",
                     *       "createdAt": "2030-01-02T03:04:05.678Z"
                     *     }
                     */
                    "application/json": components["schemas"]["WebhookDelivery"];
                };
            };
            /** @description Unauthorized (`unauthorized`). */
            401: components["responses"]["Unauthorized"];
            /** @description Forbidden (`forbidden`). */
            403: components["responses"]["Forbidden"];
            /** @description Not found (`not_found`). */
            404: components["responses"]["NotFound"];
            /** @description Validation failed (`validation_failed`). */
            422: components["responses"]["Unprocessable"];
            /** @description Too many requests (`rate_limited`). */
            429: components["responses"]["TooManyRequests"];
            /** @description Internal error (`internal_error`). */
            500: components["responses"]["InternalError"];
            /** @description Temporarily unavailable (`temporarily_unavailable`). */
            503: components["responses"]["Unavailable"];
        };
    };
    listWebhookDeliveries: {
        parameters: {
            query?: {
                /**
                 * @description The most deliveries on a page.
                 * @example 50
                 */
                limit?: number;
                /** @description The `nextCursor` of the previous page. It is valid only for the same filter. */
                cursor?: string;
                /** @description Only deliveries about this link. */
                linkId?: string;
                /** @description Only deliveries for this webhook. */
                webhookId?: string;
                /** @description Only deliveries in this state. */
                state?: "pending" | "succeeded" | "failed" | "paused";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page. */
            200: {
                headers: {
                    "Cache-Control": components["headers"]["Cache-Control"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "deliveries": [
                     *         {
                     *           "id": "dlv_0a1B2c3D4e5F6g7H8i9J0k",
                     *           "type": "link.clicked",
                     *           "url": "https://hooks.example.com/links",
                     *           "webhookId": "whk_0a1B2c3D4e5F6g7H",
                     *           "linkId": "lnk_5kzVq0bTn3yWc8Rj1sXgAfE2hLmP",
                     *           "shortUrl": "https://go.example.com/summer-sale",
                     *           "state": "succeeded",
                     *           "attempts": [
                     *             {
                     *               "at": "2030-01-02T03:04:05.678Z",
                     *               "status": 204,
                     *               "ms": 87,
                     *               "error": null,
                     *               "response": null,
                     *               "redirectsTo": null
                     *             }
                     *           ],
                     *           "nextAttemptAt": null,
                     *           "createdAt": "2030-01-02T03:04:05.678Z"
                     *         }
                     *       ],
                     *       "nextCursor": null
                     *     }
                     */
                    "application/json": components["schemas"]["WebhookDeliveryPage"];
                };
            };
            /** @description Unauthorized (`unauthorized`). */
            401: components["responses"]["Unauthorized"];
            /** @description Forbidden (`forbidden`). */
            403: components["responses"]["Forbidden"];
            /** @description Validation failed (`validation_failed`). */
            422: components["responses"]["Unprocessable"];
            /** @description Too many requests (`rate_limited`). */
            429: components["responses"]["TooManyRequests"];
            /** @description Internal error (`internal_error`). */
            500: components["responses"]["InternalError"];
            /** @description Temporarily unavailable (`temporarily_unavailable`). */
            503: components["responses"]["Unavailable"];
        };
    };
    getWebhookDelivery: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example dlv_0a1B2c3D4e5F6g7H8i9J0k */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The delivery. */
            200: {
                headers: {
                    "Cache-Control": components["headers"]["Cache-Control"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "dlv_0a1B2c3D4e5F6g7H8i9J0k",
                     *       "type": "link.clicked",
                     *       "url": "https://hooks.example.com/links",
                     *       "webhookId": "whk_0a1B2c3D4e5F6g7H",
                     *       "linkId": "lnk_5kzVq0bTn3yWc8Rj1sXgAfE2hLmP",
                     *       "shortUrl": "https://go.example.com/summer-sale",
                     *       "state": "succeeded",
                     *       "attempts": [
                     *         {
                     *           "at": "2030-01-02T03:04:05.678Z",
                     *           "status": 204,
                     *           "ms": 87,
                     *           "error": null,
                     *           "response": null,
                     *           "redirectsTo": null
                     *         }
                     *       ],
                     *       "nextAttemptAt": null,
                     *       "createdAt": "2030-01-02T03:04:05.678Z",
                     *       "body": "{\"type\":\"webhook.test\",\"timestamp\":\"2030-01-02T03:04:05.678Z\",\"data\":{}}"
                     *     }
                     */
                    "application/json": components["schemas"]["WebhookDeliveryDetails"];
                };
            };
            /** @description Unauthorized (`unauthorized`). */
            401: components["responses"]["Unauthorized"];
            /** @description Forbidden (`forbidden`). */
            403: components["responses"]["Forbidden"];
            /** @description Not found (`not_found`). */
            404: components["responses"]["NotFound"];
            /** @description Validation failed (`validation_failed`). */
            422: components["responses"]["Unprocessable"];
            /** @description Too many requests (`rate_limited`). */
            429: components["responses"]["TooManyRequests"];
            /** @description Internal error (`internal_error`). */
            500: components["responses"]["InternalError"];
            /** @description Temporarily unavailable (`temporarily_unavailable`). */
            503: components["responses"]["Unavailable"];
        };
    };
    redeliverWebhookDelivery: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example dlv_0a1B2c3D4e5F6g7H8i9J0k */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The delivery, which is sent within seconds. */
            202: {
                headers: {
                    "Cache-Control": components["headers"]["Cache-Control"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "dlv_0a1B2c3D4e5F6g7H8i9J0k",
                     *       "type": "link.clicked",
                     *       "url": "https://hooks.example.com/links",
                     *       "webhookId": "whk_0a1B2c3D4e5F6g7H",
                     *       "linkId": "lnk_5kzVq0bTn3yWc8Rj1sXgAfE2hLmP",
                     *       "shortUrl": "https://go.example.com/summer-sale",
                     *       "state": "pending",
                     *       "attempts": [
                     *         {
                     *           "at": "2030-01-02T03:04:05.678Z",
                     *           "status": 204,
                     *           "ms": 87,
                     *           "error": null,
                     *           "response": null,
                     *           "redirectsTo": null
                     *         }
                     *       ],
                     *       "nextAttemptAt": "2030-01-03T03:04:05.678Z",
                     *       "createdAt": "2030-01-02T03:04:05.678Z"
                     *     }
                     */
                    "application/json": components["schemas"]["WebhookDelivery"];
                };
            };
            /** @description Unauthorized (`unauthorized`). */
            401: components["responses"]["Unauthorized"];
            /** @description Forbidden (`forbidden`). */
            403: components["responses"]["Forbidden"];
            /** @description Not found (`not_found`). */
            404: components["responses"]["NotFound"];
            /** @description Validation failed (`validation_failed`). */
            422: components["responses"]["Unprocessable"];
            /** @description Too many requests (`rate_limited`). */
            429: components["responses"]["TooManyRequests"];
            /** @description Internal error (`internal_error`). */
            500: components["responses"]["InternalError"];
            /** @description Temporarily unavailable (`temporarily_unavailable`). */
            503: components["responses"]["Unavailable"];
        };
    };
    listKeys: {
        parameters: {
            query?: {
                /**
                 * @description The most keys on a page.
                 * @example 50
                 */
                limit?: number;
                /** @description The `nextCursor` of the previous page. */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page. */
            200: {
                headers: {
                    "Cache-Control": components["headers"]["Cache-Control"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "keys": [
                     *         {
                     *           "id": "key_5kzVq0bTn3yWc8Rj1sXgAfE2hLmP5kzVq0bTn3yWc8R",
                     *           "prefix": "lk_5kzV",
                     *           "name": "CI",
                     *           "permissions": [
                     *             "links:write",
                     *             "links:read"
                     *           ],
                     *           "createdAt": "2030-01-02T03:04:05.678Z",
                     *           "createdBy": {
                     *             "type": "key",
                     *             "id": "key_0a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8s9T0uv",
                     *             "name": "Owner"
                     *           },
                     *           "expiresAt": "2031-01-02T00:00:00.000Z",
                     *           "lastUsedAt": null,
                     *           "revokedAt": null,
                     *           "replaces": null,
                     *           "replacedBy": null
                     *         }
                     *       ],
                     *       "nextCursor": null
                     *     }
                     */
                    "application/json": components["schemas"]["ApiKeyPage"];
                };
            };
            /** @description Unauthorized (`unauthorized`). */
            401: components["responses"]["Unauthorized"];
            /** @description Forbidden (`forbidden`). */
            403: components["responses"]["Forbidden"];
            /** @description Validation failed (`validation_failed`). */
            422: components["responses"]["Unprocessable"];
            /** @description Too many requests (`rate_limited`). */
            429: components["responses"]["TooManyRequests"];
            /** @description Internal error (`internal_error`). */
            500: components["responses"]["InternalError"];
            /** @description Temporarily unavailable (`temporarily_unavailable`). */
            503: components["responses"]["Unavailable"];
        };
    };
    createKey: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description If you send the same key and body again within 24 hours, you get the same response, and nothing is created twice. This holds even if a response was lost or the service crashed.
                 * @example 6f1c1f0e-migration-1
                 */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "name": "CI",
                 *       "permissions": [
                 *         "links:write",
                 *         "links:read"
                 *       ],
                 *       "expiresInSeconds": 7776000
                 *     }
                 */
                "application/json": components["schemas"]["CreateKeyRequest"];
            };
        };
        responses: {
            /** @description The key. */
            201: {
                headers: {
                    "Cache-Control": components["headers"]["Cache-Control"];
                    Location: components["headers"]["Location"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "key_5kzVq0bTn3yWc8Rj1sXgAfE2hLmP5kzVq0bTn3yWc8R",
                     *       "prefix": "lk_5kzV",
                     *       "name": "CI",
                     *       "permissions": [
                     *         "links:write",
                     *         "links:read"
                     *       ],
                     *       "createdAt": "2030-01-02T03:04:05.678Z",
                     *       "createdBy": {
                     *         "type": "key",
                     *         "id": "key_0a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8s9T0uv",
                     *         "name": "Owner"
                     *       },
                     *       "expiresAt": "2031-01-02T00:00:00.000Z",
                     *       "lastUsedAt": null,
                     *       "revokedAt": null,
                     *       "replaces": null,
                     *       "replacedBy": null,
                     *       "key": "lk_5kzVq0bTn3yWc8Rj1sXgAfE2hLmP5kzVq0bT"
                     *     }
                     */
                    "application/json": components["schemas"]["NewApiKey"];
                };
            };
            /** @description Bad request (`bad_request`), or Invalid JSON (`invalid_json`). */
            400: components["responses"]["BadRequest"];
            /** @description Unauthorized (`unauthorized`). */
            401: components["responses"]["Unauthorized"];
            /** @description Forbidden (`forbidden`). */
            403: components["responses"]["Forbidden"];
            /** @description Too many API keys (`key_limit_reached`), or API key already created (`key_already_created`). */
            409: components["responses"]["Conflict"];
            /** @description Request too large (`request_too_large`). */
            413: components["responses"]["RequestTooLarge"];
            /** @description Unsupported media type (`unsupported_media_type`). */
            415: components["responses"]["UnsupportedMediaType"];
            /** @description Validation failed (`validation_failed`), or Idempotency key reused (`idempotency_key_reused`). */
            422: components["responses"]["Unprocessable"];
            /** @description Too many requests (`rate_limited`). */
            429: components["responses"]["TooManyRequests"];
            /** @description Internal error (`internal_error`). */
            500: components["responses"]["InternalError"];
            /** @description Temporarily unavailable (`temporarily_unavailable`). */
            503: components["responses"]["Unavailable"];
        };
    };
    getKey: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Entity tags that you already have. If the current version has one of them, the response is 304 (RFC 9110).
                 * @example "5kzVq0bTn3yWc8Rj1sXgAf.0qN7dLw2Hb5uYt9RkVx4Zc"
                 */
                "If-None-Match"?: string;
            };
            path: {
                /** @example key_5kzVq0bTn3yWc8Rj1sXgAfE2hLmP5kzVq0bTn3yWc8R */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The key. */
            200: {
                headers: {
                    "Cache-Control": components["headers"]["Cache-Control"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "key_5kzVq0bTn3yWc8Rj1sXgAfE2hLmP5kzVq0bTn3yWc8R",
                     *       "prefix": "lk_5kzV",
                     *       "name": "CI",
                     *       "permissions": [
                     *         "links:write",
                     *         "links:read"
                     *       ],
                     *       "createdAt": "2030-01-02T03:04:05.678Z",
                     *       "createdBy": {
                     *         "type": "key",
                     *         "id": "key_0a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8s9T0uv",
                     *         "name": "Owner"
                     *       },
                     *       "expiresAt": "2031-01-02T00:00:00.000Z",
                     *       "lastUsedAt": null,
                     *       "revokedAt": null,
                     *       "replaces": null,
                     *       "replacedBy": null
                     *     }
                     */
                    "application/json": components["schemas"]["ApiKey"];
                };
            };
            304: components["responses"]["NotModified"];
            /** @description Bad request (`bad_request`). */
            400: components["responses"]["BadRequest"];
            /** @description Unauthorized (`unauthorized`). */
            401: components["responses"]["Unauthorized"];
            /** @description Forbidden (`forbidden`). */
            403: components["responses"]["Forbidden"];
            /** @description Not found (`not_found`). */
            404: components["responses"]["NotFound"];
            /** @description Validation failed (`validation_failed`). */
            422: components["responses"]["Unprocessable"];
            /** @description Too many requests (`rate_limited`). */
            429: components["responses"]["TooManyRequests"];
            /** @description Internal error (`internal_error`). */
            500: components["responses"]["InternalError"];
            /** @description Temporarily unavailable (`temporarily_unavailable`). */
            503: components["responses"]["Unavailable"];
        };
    };
    deleteKey: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example key_5kzVq0bTn3yWc8Rj1sXgAfE2hLmP5kzVq0bTn3yWc8R */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The key is revoked. */
            204: {
                headers: {
                    "Cache-Control": components["headers"]["Cache-Control"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Unauthorized (`unauthorized`). */
            401: components["responses"]["Unauthorized"];
            /** @description Forbidden (`forbidden`). */
            403: components["responses"]["Forbidden"];
            /** @description Not found (`not_found`). */
            404: components["responses"]["NotFound"];
            /** @description Validation failed (`validation_failed`). */
            422: components["responses"]["Unprocessable"];
            /** @description Too many requests (`rate_limited`). */
            429: components["responses"]["TooManyRequests"];
            /** @description Internal error (`internal_error`). */
            500: components["responses"]["InternalError"];
            /** @description Temporarily unavailable (`temporarily_unavailable`). */
            503: components["responses"]["Unavailable"];
        };
    };
    updateKey: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Only proceed if nobody has changed the settings since the response with one of these strong entity tags (RFC 9110). Clicks and other counts make no difference. `*` matches any version.
                 * @example "5kzVq0bTn3yWc8Rj1sXgAf.0qN7dLw2Hb5uYt9RkVx4Zc"
                 */
                "If-Match"?: string;
            };
            path: {
                /** @example key_5kzVq0bTn3yWc8Rj1sXgAfE2hLmP5kzVq0bTn3yWc8R */
                id: string;
            };
            cookie?: never;
        };
        /** @description `application/merge-patch+json` is accepted too (RFC 7396). */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "CI of the shop",
                 *       "permissions": [
                 *         "links:read"
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["UpdateKeyRequest"];
            };
        };
        responses: {
            /** @description The key as it is now. */
            200: {
                headers: {
                    "Cache-Control": components["headers"]["Cache-Control"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "key_5kzVq0bTn3yWc8Rj1sXgAfE2hLmP5kzVq0bTn3yWc8R",
                     *       "prefix": "lk_5kzV",
                     *       "name": "CI of the shop",
                     *       "permissions": [
                     *         "links:write",
                     *         "links:read"
                     *       ],
                     *       "createdAt": "2030-01-02T03:04:05.678Z",
                     *       "createdBy": {
                     *         "type": "key",
                     *         "id": "key_0a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8s9T0uv",
                     *         "name": "Owner"
                     *       },
                     *       "expiresAt": "2031-01-02T00:00:00.000Z",
                     *       "lastUsedAt": null,
                     *       "revokedAt": null,
                     *       "replaces": null,
                     *       "replacedBy": null
                     *     }
                     */
                    "application/json": components["schemas"]["ApiKey"];
                };
            };
            /** @description Bad request (`bad_request`), or Invalid JSON (`invalid_json`). */
            400: components["responses"]["BadRequest"];
            /** @description Unauthorized (`unauthorized`). */
            401: components["responses"]["Unauthorized"];
            /** @description Forbidden (`forbidden`). */
            403: components["responses"]["Forbidden"];
            /** @description Not found (`not_found`). */
            404: components["responses"]["NotFound"];
            /** @description API key replaced (`key_replaced`), or API key ended (`key_ended`). */
            409: components["responses"]["Conflict"];
            /** @description Precondition failed (`precondition_failed`). */
            412: components["responses"]["PreconditionFailed"];
            /** @description Request too large (`request_too_large`). */
            413: components["responses"]["RequestTooLarge"];
            /** @description Unsupported media type (`unsupported_media_type`). */
            415: components["responses"]["UnsupportedMediaType"];
            /** @description Validation failed (`validation_failed`). */
            422: components["responses"]["Unprocessable"];
            /** @description Too many requests (`rate_limited`). */
            429: components["responses"]["TooManyRequests"];
            /** @description Internal error (`internal_error`). */
            500: components["responses"]["InternalError"];
            /** @description Temporarily unavailable (`temporarily_unavailable`). */
            503: components["responses"]["Unavailable"];
        };
    };
    rotateKey: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example key_5kzVq0bTn3yWc8Rj1sXgAfE2hLmP5kzVq0bTn3yWc8R */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "overlapSeconds": 3600
                 *     }
                 */
                "application/json": components["schemas"]["RotateKeyRequest"];
            };
        };
        responses: {
            /** @description The new key. */
            201: {
                headers: {
                    "Cache-Control": components["headers"]["Cache-Control"];
                    Location: components["headers"]["Location"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "key_5kzVq0bTn3yWc8Rj1sXgAfE2hLmP5kzVq0bTn3yWc8R",
                     *       "prefix": "lk_5kzV",
                     *       "name": "CI",
                     *       "permissions": [
                     *         "links:write",
                     *         "links:read"
                     *       ],
                     *       "createdAt": "2030-01-02T03:04:05.678Z",
                     *       "createdBy": {
                     *         "type": "key",
                     *         "id": "key_0a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8s9T0uv",
                     *         "name": "Owner"
                     *       },
                     *       "expiresAt": "2031-01-02T00:00:00.000Z",
                     *       "lastUsedAt": null,
                     *       "revokedAt": null,
                     *       "replaces": "key_0a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8s9T0uv",
                     *       "replacedBy": null,
                     *       "key": "lk_5kzVq0bTn3yWc8Rj1sXgAfE2hLmP5kzVq0bT"
                     *     }
                     */
                    "application/json": components["schemas"]["NewApiKey"];
                };
            };
            /** @description Bad request (`bad_request`), or Invalid JSON (`invalid_json`). */
            400: components["responses"]["BadRequest"];
            /** @description Unauthorized (`unauthorized`). */
            401: components["responses"]["Unauthorized"];
            /** @description Forbidden (`forbidden`). */
            403: components["responses"]["Forbidden"];
            /** @description Not found (`not_found`). */
            404: components["responses"]["NotFound"];
            /** @description API key replaced (`key_replaced`), or API key ended (`key_ended`). */
            409: components["responses"]["Conflict"];
            /** @description Request too large (`request_too_large`). */
            413: components["responses"]["RequestTooLarge"];
            /** @description Unsupported media type (`unsupported_media_type`). */
            415: components["responses"]["UnsupportedMediaType"];
            /** @description Validation failed (`validation_failed`). */
            422: components["responses"]["Unprocessable"];
            /** @description Too many requests (`rate_limited`). */
            429: components["responses"]["TooManyRequests"];
            /** @description Internal error (`internal_error`). */
            500: components["responses"]["InternalError"];
            /** @description Temporarily unavailable (`temporarily_unavailable`). */
            503: components["responses"]["Unavailable"];
        };
    };
    listMembers: {
        parameters: {
            query?: {
                /**
                 * @description The most members on a page.
                 * @example 50
                 */
                limit?: number;
                /** @description The `nextCursor` of the previous page. It is valid only for the same list of the same workspace. */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The members. */
            200: {
                headers: {
                    "Cache-Control": components["headers"]["Cache-Control"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "members": [
                     *         {
                     *           "id": "mbr_0a1B2c3D4e5F6g7H",
                     *           "email": "ada@example.com",
                     *           "emailVerified": true,
                     *           "name": "Ada Lovelace",
                     *           "role": "editor",
                     *           "state": "active",
                     *           "createdAt": "2030-01-02T03:04:05.678Z",
                     *           "lastSignedInAt": "2030-01-03T08:00:00.000Z"
                     *         }
                     *       ],
                     *       "nextCursor": null
                     *     }
                     */
                    "application/json": components["schemas"]["MemberPage"];
                };
            };
            /** @description Unauthorized (`unauthorized`). */
            401: components["responses"]["Unauthorized"];
            /** @description Forbidden (`forbidden`). */
            403: components["responses"]["Forbidden"];
            /** @description Validation failed (`validation_failed`). */
            422: components["responses"]["Unprocessable"];
            /** @description Too many requests (`rate_limited`). */
            429: components["responses"]["TooManyRequests"];
            /** @description Internal error (`internal_error`). */
            500: components["responses"]["InternalError"];
            /** @description Temporarily unavailable (`temporarily_unavailable`). */
            503: components["responses"]["Unavailable"];
        };
    };
    createMember: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description If you send the same key and body again within 24 hours, you get the same response, and nothing is created twice. This holds even if a response was lost or the service crashed.
                 * @example 6f1c1f0e-migration-1
                 */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "email": "ada@example.com",
                 *       "role": "editor"
                 *     }
                 */
                "application/json": components["schemas"]["CreateMemberRequest"];
            };
        };
        responses: {
            /** @description The member, with the link of the invitation. */
            201: {
                headers: {
                    "Cache-Control": components["headers"]["Cache-Control"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "mbr_0a1B2c3D4e5F6g7H",
                     *       "email": "ada@example.com",
                     *       "emailVerified": null,
                     *       "name": null,
                     *       "role": "editor",
                     *       "state": "invited",
                     *       "createdAt": "2030-01-02T03:04:05.678Z",
                     *       "lastSignedInAt": null,
                     *       "invitationUrl": "https://links.example.com/console#invitation=inv_0123456789012345678901234567890123456789012345678901234567890123"
                     *     }
                     */
                    "application/json": components["schemas"]["InvitedMember"];
                };
            };
            /** @description Bad request (`bad_request`), or Invalid JSON (`invalid_json`). */
            400: components["responses"]["BadRequest"];
            /** @description Unauthorized (`unauthorized`). */
            401: components["responses"]["Unauthorized"];
            /** @description Forbidden (`forbidden`). */
            403: components["responses"]["Forbidden"];
            /** @description Already a member (`already_member`), or Too many members (`member_limit_reached`), or Member already invited (`member_already_invited`). */
            409: components["responses"]["Conflict"];
            /** @description Request too large (`request_too_large`). */
            413: components["responses"]["RequestTooLarge"];
            /** @description Unsupported media type (`unsupported_media_type`). */
            415: components["responses"]["UnsupportedMediaType"];
            /** @description Validation failed (`validation_failed`), or Idempotency key reused (`idempotency_key_reused`). */
            422: components["responses"]["Unprocessable"];
            /** @description Too many requests (`rate_limited`). */
            429: components["responses"]["TooManyRequests"];
            /** @description Internal error (`internal_error`). */
            500: components["responses"]["InternalError"];
            /** @description Temporarily unavailable (`temporarily_unavailable`). */
            503: components["responses"]["Unavailable"];
        };
    };
    leaveWorkspace: {
        parameters: {
            query?: {
                /** @description What becomes of the keys that the person has made, also by way of other keys: `revoke` (the default) or `keep`. */
                keys?: "revoke" | "keep";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description You are no longer a member. */
            204: {
                headers: {
                    "Cache-Control": components["headers"]["Cache-Control"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Unauthorized (`unauthorized`). */
            401: components["responses"]["Unauthorized"];
            /** @description Forbidden (`forbidden`). */
            403: components["responses"]["Forbidden"];
            /** @description Not found (`not_found`). */
            404: components["responses"]["NotFound"];
            /** @description Last owner (`last_owner`), or Membership inconsistent (`membership_inconsistent`). */
            409: components["responses"]["Conflict"];
            /** @description Validation failed (`validation_failed`). */
            422: components["responses"]["Unprocessable"];
            /** @description Too many requests (`rate_limited`). */
            429: components["responses"]["TooManyRequests"];
            /** @description Internal error (`internal_error`). */
            500: components["responses"]["InternalError"];
            /** @description Temporarily unavailable (`temporarily_unavailable`). */
            503: components["responses"]["Unavailable"];
        };
    };
    getMember: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Entity tags that you already have. If the current version has one of them, the response is 304 (RFC 9110).
                 * @example "5kzVq0bTn3yWc8Rj1sXgAf.0qN7dLw2Hb5uYt9RkVx4Zc"
                 */
                "If-None-Match"?: string;
            };
            path: {
                /** @example mbr_0a1B2c3D4e5F6g7H */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The member. */
            200: {
                headers: {
                    "Cache-Control": components["headers"]["Cache-Control"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "mbr_0a1B2c3D4e5F6g7H",
                     *       "email": "ada@example.com",
                     *       "emailVerified": true,
                     *       "name": "Ada Lovelace",
                     *       "role": "editor",
                     *       "state": "active",
                     *       "createdAt": "2030-01-02T03:04:05.678Z",
                     *       "lastSignedInAt": "2030-01-03T08:00:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Member"];
                };
            };
            304: components["responses"]["NotModified"];
            /** @description Bad request (`bad_request`). */
            400: components["responses"]["BadRequest"];
            /** @description Unauthorized (`unauthorized`). */
            401: components["responses"]["Unauthorized"];
            /** @description Forbidden (`forbidden`). */
            403: components["responses"]["Forbidden"];
            /** @description Not found (`not_found`). */
            404: components["responses"]["NotFound"];
            /** @description Validation failed (`validation_failed`). */
            422: components["responses"]["Unprocessable"];
            /** @description Too many requests (`rate_limited`). */
            429: components["responses"]["TooManyRequests"];
            /** @description Internal error (`internal_error`). */
            500: components["responses"]["InternalError"];
            /** @description Temporarily unavailable (`temporarily_unavailable`). */
            503: components["responses"]["Unavailable"];
        };
    };
    deleteMember: {
        parameters: {
            query?: {
                /** @description What becomes of the keys that the person has made, also by way of other keys: `revoke` (the default) or `keep`. */
                keys?: "revoke" | "keep";
            };
            header?: never;
            path: {
                /** @example mbr_0a1B2c3D4e5F6g7H */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The member is removed. */
            204: {
                headers: {
                    "Cache-Control": components["headers"]["Cache-Control"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Unauthorized (`unauthorized`). */
            401: components["responses"]["Unauthorized"];
            /** @description Forbidden (`forbidden`). */
            403: components["responses"]["Forbidden"];
            /** @description Not found (`not_found`). */
            404: components["responses"]["NotFound"];
            /** @description Last owner (`last_owner`), or Membership inconsistent (`membership_inconsistent`). */
            409: components["responses"]["Conflict"];
            /** @description Validation failed (`validation_failed`). */
            422: components["responses"]["Unprocessable"];
            /** @description Too many requests (`rate_limited`). */
            429: components["responses"]["TooManyRequests"];
            /** @description Internal error (`internal_error`). */
            500: components["responses"]["InternalError"];
            /** @description Temporarily unavailable (`temporarily_unavailable`). */
            503: components["responses"]["Unavailable"];
        };
    };
    updateMember: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Only proceed if nobody has changed the settings since the response with one of these strong entity tags (RFC 9110). Clicks and other counts make no difference. `*` matches any version.
                 * @example "5kzVq0bTn3yWc8Rj1sXgAf.0qN7dLw2Hb5uYt9RkVx4Zc"
                 */
                "If-Match"?: string;
            };
            path: {
                /** @example mbr_0a1B2c3D4e5F6g7H */
                id: string;
            };
            cookie?: never;
        };
        /** @description `application/merge-patch+json` is accepted too (RFC 7396). */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "role": "owner"
                 *     }
                 */
                "application/json": components["schemas"]["UpdateMemberRequest"];
            };
        };
        responses: {
            /** @description The member as it is now. */
            200: {
                headers: {
                    "Cache-Control": components["headers"]["Cache-Control"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "mbr_0a1B2c3D4e5F6g7H",
                     *       "email": "ada@example.com",
                     *       "emailVerified": true,
                     *       "name": "Ada Lovelace",
                     *       "role": "owner",
                     *       "state": "active",
                     *       "createdAt": "2030-01-02T03:04:05.678Z",
                     *       "lastSignedInAt": "2030-01-03T08:00:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Member"];
                };
            };
            /** @description Bad request (`bad_request`), or Invalid JSON (`invalid_json`). */
            400: components["responses"]["BadRequest"];
            /** @description Unauthorized (`unauthorized`). */
            401: components["responses"]["Unauthorized"];
            /** @description Forbidden (`forbidden`). */
            403: components["responses"]["Forbidden"];
            /** @description Not found (`not_found`). */
            404: components["responses"]["NotFound"];
            /** @description Invitation not accepted (`invitation_not_accepted`), or Last owner (`last_owner`), or Membership inconsistent (`membership_inconsistent`). */
            409: components["responses"]["Conflict"];
            /** @description Precondition failed (`precondition_failed`). */
            412: components["responses"]["PreconditionFailed"];
            /** @description Request too large (`request_too_large`). */
            413: components["responses"]["RequestTooLarge"];
            /** @description Unsupported media type (`unsupported_media_type`). */
            415: components["responses"]["UnsupportedMediaType"];
            /** @description Validation failed (`validation_failed`). */
            422: components["responses"]["Unprocessable"];
            /** @description Too many requests (`rate_limited`). */
            429: components["responses"]["TooManyRequests"];
            /** @description Internal error (`internal_error`). */
            500: components["responses"]["InternalError"];
            /** @description Temporarily unavailable (`temporarily_unavailable`). */
            503: components["responses"]["Unavailable"];
        };
    };
    linkClicked: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["LinkClickedEvent"];
            };
        };
        responses: {
            /** @description The receiver has accepted it. Any other response, or none within 15 seconds, is a failure. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    linkCapReached: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["LinkCapReachedEvent"];
            };
        };
        responses: {
            /** @description The receiver has accepted it. Any other response, or none within 15 seconds, is a failure. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    linkCreated: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["LinkCreatedEvent"];
            };
        };
        responses: {
            /** @description The receiver has accepted it. Any other response, or none within 15 seconds, is a failure. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    linkUpdated: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["LinkUpdatedEvent"];
            };
        };
        responses: {
            /** @description The receiver has accepted it. Any other response, or none within 15 seconds, is a failure. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    linkDeleted: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["LinkDeletedEvent"];
            };
        };
        responses: {
            /** @description The receiver has accepted it. Any other response, or none within 15 seconds, is a failure. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    webhookTest: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["WebhookTestEvent"];
            };
        };
        responses: {
            /** @description The receiver has accepted it. Any other response, or none within 15 seconds, is a failure. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
}
