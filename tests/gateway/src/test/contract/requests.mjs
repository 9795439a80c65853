// Requests drawn from a description and sent through prism's proxy, which names in `sl-violations` what of an answer is not as described.
// Half are valid; each of the others breaks one thing. Reported, and exit code 1: an answer that is not as described, a status that is not,
// a failure of the server, and a broken request that was answered as if it were none.
import { readFileSync } from 'node:fs';

const [, , proxy, gateway, description, count = '2000', seed = '1'] = process.argv;
const openapi = JSON.parse(readFileSync(description, 'utf8'));
const METHODS = ['get', 'head', 'options', 'post', 'put', 'patch', 'delete'];
const ODD = ['', '0', '-1', '1e9', 'NaN', 'null', '\u0000', 'a'.repeat(300), '..', '<script>', "'", '"', ',,', '9223372036854775808',
  '0x10', 'é', '🙂', ' ', '+', 'BTC,,ETH', 'nosuch'];

let state = BigInt(seed);
/** Between 0 and 1, the same for the same seed (Knuth's MMIX generator). */
function random() {
  state = (state * 6364136223846793005n + 1442695040888963407n) & ((1n << 64n) - 1n);
  return Number(state >> 33n) / 2 ** 31;
}
const oneOf = list => list[Math.floor(random() * list.length)];
const resolved = node => node?.$ref
  ? node.$ref.slice(2).split('/').reduce((at, key) => at[key.replaceAll('~1', '/').replaceAll('~0', '~')], openapi)
  : node;

/** A value that the schema allows. */
function valid(reference) {
  const schema = resolved(reference) ?? {};
  const alternatives = schema.oneOf ?? schema.anyOf;
  const type = [schema.type].flat()[0];
  if (schema.const !== undefined) return schema.const;
  if (schema.enum) return oneOf(schema.enum);
  if (alternatives) return valid(oneOf(alternatives));
  if (type === 'array') return Array.from({ length: 1 + Math.floor(random() * 3) }, () => valid(schema.items)).join(',');
  if (type === 'boolean') return random() < 0.5;
  if (type === 'integer' || type === 'number') {
    const least = schema.minimum ?? 0;
    return Math.floor(least + random() * ((schema.maximum ?? 1000) - least + 1));
  }
  return schema.examples ? oneOf(schema.examples) : schema.example ?? schema.default ?? oneOf(['BTC', 'binance', 'okx', 'DOGE']);
}

function drawn() {
  const path = oneOf(Object.keys(openapi.paths));
  const item = openapi.paths[path];
  let method = oneOf(METHODS.filter(name => item[name]));
  const operation = item[method];
  const parameters = [...(item.parameters ?? []), ...(operation.parameters ?? [])].map(resolved);
  const broken = random() < 0.5 ? oneOf(['method', 'unknown', ...parameters.filter(one => one.in === 'query')]) : null;
  const query = new URLSearchParams();
  const headers = {};
  let filled = path;
  for (const one of parameters) {
    const value = one === broken ? oneOf(ODD) : one.example !== undefined && random() < 0.3 ? one.example : valid(one.schema);
    if (one.in === 'path') filled = filled.replace(`{${one.name}}`, encodeURIComponent(value));
    else if (one.in === 'query' && (one.required || one === broken || random() < 0.5)) query.append(one.name, value);
    else if (one.in === 'header' && random() < 0.3) headers[one.name] = String(value).replace(/[^\x20-\x7e]/g, '');
  }
  if (broken === 'unknown') query.append('no_such_parameter', oneOf(ODD));
  if (broken === 'method') method = oneOf(METHODS.filter(name => !item[name] && name !== 'head'));
  // Where a service answers 501, prism answers in its place: those are asked directly, and their status alone is looked at.
  const url = (operation.responses[501] ? gateway : proxy) + filled + (query.size ? `?${query}` : '');
  return { path, method: method.toUpperCase(), operation, broken, url, headers };
}

const answers = new Map();
const found = new Map();
const note = (what, url) => found.set(what, found.get(what) ?? url);

for (let i = 0; i < Number(count); i++) {
  const { path, method, operation, broken, url, headers } = drawn();
  const response = await fetch(url, { method, headers });
  await response.text();
  const { status } = response;
  const violations = JSON.parse(response.headers.get('sl-violations') ?? '[]');
  answers.set(status, (answers.get(status) ?? 0) + 1);
  for (const one of violations.filter(one => one.location?.[0] === 'response')) {
    note(`${method} ${path} ${status}: ${one.location.join('.')}: ${one.message}`, url);
  }
  if (status >= 500 && !operation.responses[501]) note(`${method} ${path}: ${status}`, url);
  if (broken !== 'method' && !operation.responses[status] && !operation.responses.default) note(`${method} ${path}: ${status} is not described`, url);
  if (broken === 'method' && status !== 405) note(`${method} ${path}: ${status}, not 405`, url);
  const wrong = violations.find(one => one.location?.[0] === 'request' && one.location?.[1] === 'query');
  if (status < 400 && (wrong || broken === 'unknown') && method === 'GET') {
    note(`${method} ${path}: ${status} to a request that is ${wrong ? wrong.message : 'with an unknown parameter'}`, url);
  }
}
console.log(`${count} requests, answered: ${[...answers].sort().map(([status, times]) => `${times} × ${status}`).join(', ')}`);
for (const [what, url] of found) console.log(`found: ${what}\n       ${url}`);
console.log(`found: ${found.size}`);
process.exit(found.size === 0 ? 0 : 1);
