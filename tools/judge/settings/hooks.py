"""What schemathesis cannot know about the service."""

import os
import re

import schemathesis

# Rules that JSON Schema cannot express.
BEYOND_SCHEMAS = {
    # Whether things exist.
    "domain_not_verified",
    "idempotency_key_reused",
    "invalid_cursor",
    "tag_not_found",
    "webhook_not_found",
    # Answers of the DNS, of other servers, and of lists of domains, countries and time zones.
    "destination_private",
    "destination_short_domain",
    "domain_invalid",
    "domain_own",
    "domain_private",
    "domain_public_suffix",
    "invalid_domain",
    "invalid_managed_by",
    "dns_not_pointed",
    "domain_not_covered",
    "logo_not_image",
    "logo_private",
    "logo_unreachable",
    "ownership_not_proven",
    "page_not_html",
    "page_unreachable",
    "slug_reserved",
    "unknown_country",
    "unknown_dimension",
    "unknown_language",
    "unknown_time_zone",
    "webhook_private",
    # The validity of URLs, names and times beyond their patterns.
    "destination_credentials",
    "destination_invalid",
    "image_credentials",
    "image_invalid",
    "invalid_tag_name",
    "invalid_text",
    "invalid_timestamp",
    "logo_credentials",
    "logo_invalid",
    "not_on_quarter_hour",
    "webhook_credentials",
    "webhook_invalid",
    "webhook_scheme",
    # Apple's and Google's rules for their files, which the document leaves to them.
    "app_id_invalid",
    "fingerprint_invalid",
    "include_invalid",
    "package_name_invalid",
    "relation_invalid",
    "site_invalid",
    # Combinations of fields, or of the entries of one.
    "accent_contrast",
    "countries_unknown",
    "duplicate",
    "expires_too_early",
    "low_contrast",
    "no_weight",
    "not_together",
    "reserved",
    "starts_too_late",
    "too_many_points",
}
TOGETHER = re.compile(r'must be (before|after) "|must have (at least (one of|one condition|2 entries, or none)|relation and target|appIDs)|before the year 2000|parameter "(day|domain|from|shortCode)" is required')

# The document leaves Apple's patterns of URLs to Apple.
PATTERNS = re.compile(r"^/appleAppSiteAssociation/.*/components/")


@schemathesis.check
def refuses_only_what_schemas_cannot_say(ctx, response, case):
    """A request that the document allows breaks none of the rules that the document could state."""
    if response.status_code != 422 or not (case.meta and case.meta.generation.mode.is_positive):
        return
    problem = response.json()
    errors = problem.get("errors") or [{"code": problem["code"], "message": problem["detail"]}]
    stated = [
        e
        for e in errors
        if e["code"] not in BEYOND_SCHEMAS and not TOGETHER.search(e["message"]) and not PATTERNS.match(e.get("path", ""))
    ]
    if stated:
        raise AssertionError("; ".join(f"{e.get('path', '')} {e['message']} ({e['code']})" for e in stated))


@schemathesis.hook
def before_call(context, case, kwargs):
    """No random version is the current one, most random URLs are not valid, and links need a domain of the workspace."""
    if not (case.meta and case.meta.generation.mode.is_positive):
        return
    if case.headers and case.meta.phase.name.value != "coverage":
        case.headers.pop("If-Match", None)
    if not isinstance(case.body, dict):
        return
    if isinstance(case.body.get("domain"), str) and "/links" in case.operation.path:
        case.body["domain"] = os.environ["DOMAIN"]
    if isinstance(case.body.get("url"), str) and case.meta.phase.name.value != "coverage":
        case.body["url"] = "https://example.com/" + str(len(case.body["url"]))
