# For the commands in docs/: the address of the API on this laptop, the key of the demo workspace, and curl with that key.
demo() { sed -n "s/.*\"$1\": \"\(.*\)\",/\1/p" .local/demo.json; }
API=$(demo baseUrl)/api/v1
KEY=$(demo apiKey)
call() { curl -sS -H "Authorization: Bearer $KEY" -H 'Content-Type: application/json' "$@"; }
