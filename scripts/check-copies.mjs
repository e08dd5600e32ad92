// Finds code that stands in two files: eight equal lines in a row, without comments and imports.
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from './toolchain.mjs'

const LINES = 8
/** Shorter windows are closing brackets and lists of names. */
const CHARS_MIN = 120

/** Pairs of files that keep a copy, each with its reason. At most ten. */
const ALLOWED = [
  ['apps/web/test/auth/login.test.tsx', 'apps/web/test/auth/password.test.tsx', 'the variables of one test file'],
  [
    'apps/server/test/oficial/identidade.test.ts',
    'apps/server/test/oficial/titulares.test.ts',
    'the variables of one test file',
  ],
  [
    'apps/web/test/midia/mensagem-media.test.tsx',
    'e2e/midias.test.ts',
    'each runs inside a page, which has no imports',
  ],
]

const blank = (text) => text.replaceAll(/[^\n]/g, '')

/** The lines of code, each with its number. The formatter makes equal code look equal. */
function codeLines(path) {
  const code = readFileSync(join(ROOT, path), 'utf8')
    .replaceAll(/\/\*[\s\S]*?\*\//g, blank)
    .replaceAll(/^import[\s\S]*?from '[^']*'$/gm, blank)
  return code
    .split('\n')
    .map((line, index) => ({ text: line.replace(/\/\/.*$/, '').trim(), number: index + 1 }))
    .filter(({ text }) => text !== '')
}

function windows(path) {
  const lines = codeLines(path)
  return lines.slice(LINES - 1).flatMap((_, start) => {
    const text = lines.slice(start, start + LINES).map((line) => line.text)
    const key = text.join('\n')
    return key.length < CHARS_MIN ? [] : [{ key, path, number: lines[start].number }]
  })
}

const isAllowed = (one, other) => ALLOWED.some(([first, second]) => one === first && other === second)

/** Prints each pair of files with a copy. Returns the exit code. */
export function checkCopies() {
  const listed = execFileSync(
    'git',
    ['ls-files', '--cached', '--others', '--exclude-standard', 'apps', 'packages', 'e2e', 'bench'],
    {
      cwd: ROOT,
      encoding: 'utf8',
    },
  )
  const files = listed.split('\n').filter((path) => /\.tsx?$/.test(path) && existsSync(join(ROOT, path)))
  const first = new Map()
  const copies = new Map()
  for (const { key, path, number } of files.toSorted().flatMap(windows)) {
    const known = first.get(key)
    if (known === undefined) first.set(key, { path, number })
    else if (known.path !== path && !isAllowed(known.path, path))
      copies.set(`${known.path} ${path}`, `${known.path}:${known.number} and ${path}:${number} have the same lines`)
  }
  for (const text of copies.values()) process.stdout.write(`${text}\n`)
  return copies.size === 0 ? 0 : 1
}

if (import.meta.filename === process.argv[1]) process.exitCode = checkCopies()
