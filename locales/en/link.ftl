# Notes on a shared link that could not be used in full.

link-version = This link was made by version { $version } of its format; this page reads version 1, and what it knows of the rest.
link-value = The link’s `{ $key }` has the value “{ $value }”, which can’t be used here; the usual one replaces it.
link-repeated = The link has `{ $key }` more than once; the first counts.
link-long = The link is longer than { $limit } characters; what goes beyond that was left out.
