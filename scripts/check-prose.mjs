// Finds banned patterns in comments, test titles, log texts, errors for developers and documents. The rules stand in docs/writing.md.
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Visitor, parseSync } from 'oxc-parser'
import { ROOT } from './toolchain.mjs'

const SOURCE = /\.(ts|tsx|mjs)$/
const DOCUMENT = /^(README|THIRD-PARTY|apps\/web\/README)\.md$|^docs\/(?!manual\/).*\.md$/
const TEST_FUNCTIONS = new Set(['it', 'test', 'describe'])
const LOG_LEVELS = new Set(['trace', 'debug', 'info', 'warn', 'error', 'fatal'])
const ERRORS = new Set(['Error', 'TypeError', 'RangeError'])

/** Patterns hold for every text; those with `title` hold for test titles only. */
const PATTERNS = [
  { name: 'starts with What', pattern: /(^|[.:;] )(What|Whatever|That which)\b(?![^.]*\?)/ },
  { name: 'starts with Who', pattern: /(^|[.:;] )(Who|Whoever|Whom)\b(?![^.]*\?)/ },
  { name: 'whoever', pattern: /\b(whoever|whomever|whosoever)\b/i },
  { name: 'nobody', pattern: /\b(nobody|somebody|anybody|everybody)\b/i },
  { name: 'is told', pattern: /\b(is|are|was|were|be|been) told\b|\btells\b|\bhears? of\b|\bgets? to know\b/i },
  { name: 'is waited for', pattern: /\b(is|are|was|were) (waited for|asked for again|looked at)\b/i },
  {
    name: 'paraphrase',
    pattern:
      /\b(anew|once more|all the same|of before|in passing|for good|by itself|by themselves|of its own|of their own)\b/i,
  },
  { name: 'One that', pattern: /(^|[.:;] )(One (that|of|who|which)|Those (of which|that|who)|The same for)\b/ },
  { name: 'house word', pattern: /\b(house|wall|walls|door|doors|drawer|furniture|journey|journeys)\b/i },
  { name: 'cannot be told', pattern: /\b(cannot|could not) be told\b/i },
  { name: 'history or intention', pattern: /\b(TODO|FIXME|XXX|used to|no longer)\b/ },
  { name: 'citation', pattern: /§|\b(spec|decisions|architecture|beyond)\.md\b(?<!docs\/architecture\.md)/ },
  { name: 'title starts badly', pattern: /^(it|that|who|what|whatever|whoever|nothing)\b/i, title: true },
]

function patternsIn({ text, kind }) {
  const plain = text.replaceAll(/`[^`]*`|'[^']*'|“[^”]*”|"[^"]*"/g, '``')
  return PATTERNS.filter(({ pattern, title }) => (title ? kind === 'title' : true) && pattern.test(plain)).map(
    ({ name }) => name,
  )
}

/** The words of comments, consecutive line comments joined, with the offset of the first. */
function commentsOf(source, comments) {
  const joined = []
  for (const { value, start, end } of comments) {
    const last = joined.at(-1)
    const words = value
      .replaceAll(/^\s*\* ?/gm, '')
      .replaceAll(/\s+/g, ' ')
      .trim()
    if (last !== undefined && /^\n[ \t]*$/.test(source.slice(last.end, start))) {
      last.text += ` ${words}`
      last.end = end
    } else joined.push({ kind: 'comment', text: words, start, end })
  }
  return joined
}

function rootName(callee) {
  if (callee.type === 'Identifier') return callee.name
  const inner = callee.object ?? callee.callee ?? callee.tag
  return inner === undefined ? '' : rootName(inner)
}

function textOf(node) {
  if (node?.type === 'Literal' && typeof node.value === 'string') return node.value
  if (node?.type === 'TemplateLiteral') return node.quasis.map(({ value }) => value.raw).join('…')
  return undefined
}

function textsOf(file, source) {
  const { program, comments } = parseSync(file, source)
  const found = commentsOf(source, comments)
  const add = (kind, node) => {
    const text = textOf(node)
    if (text !== undefined) found.push({ kind, text, start: node.start })
  }
  new Visitor({
    CallExpression({ callee, arguments: args }) {
      if (TEST_FUNCTIONS.has(rootName(callee)) && args.length > 1) add('title', args[0])
      const isLog = callee.type === 'MemberExpression' && LOG_LEVELS.has(callee.property.name)
      if (isLog && /log/i.test(source.slice(callee.object.start, callee.object.end)))
        for (const arg of args) add('log', arg)
    },
    NewExpression({ callee, arguments: args }) {
      if (ERRORS.has(callee.name)) add('error', args[0])
    },
  }).visit(program)
  return found
}

/** Paragraphs, list items and headings of a page, without code. */
function paragraphsOf(source) {
  const found = []
  let start = 0
  let fenced = false
  for (const line of source.split('\n')) {
    if (line.startsWith('```')) fenced = !fenced
    else if (!fenced) found.push({ kind: 'document', text: line.replace(/^[\s#>*|-]+/, ''), start })
    start += line.length + 1
  }
  return found
}

/** Every banned pattern of one file, as `path:line kind pattern: text`. */
export function findings(path, source) {
  const texts = SOURCE.test(path) ? textsOf(path, source) : paragraphsOf(source)
  return texts.flatMap((item) =>
    patternsIn(item).map((name) => {
      const line = source.slice(0, item.start).split('\n').length
      return `${path}:${line} ${item.kind} (${name}): ${item.text.slice(0, 110)}`
    }),
  )
}

/** Prints the banned patterns below the given paths. Resolves with the exit code. */
export function checkProse(paths = []) {
  const files = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', '--', ...paths], {
    cwd: ROOT,
    encoding: 'utf8',
  })
    .split('\n')
    .filter(
      (path) =>
        (SOURCE.test(path) || DOCUMENT.test(path)) &&
        path !== 'scripts/check-prose.mjs' &&
        existsSync(join(ROOT, path)),
    )
  const all = files.flatMap((path) => findings(path, readFileSync(join(ROOT, path), 'utf8')))
  for (const line of all) process.stdout.write(`${line}\n`)
  if (paths.length > 0 || all.length > 0) process.stdout.write(`${all.length} banned patterns\n`)
  return all.length === 0 ? 0 : 1
}

if (import.meta.filename === process.argv[1]) process.exitCode = checkProse(process.argv.slice(2))
