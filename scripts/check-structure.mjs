// Measures the rules of docs/architecture.md that no linter covers. A number above its ceiling fails; ceilings only fall.
import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { parseSync } from 'oxc-parser'
import { binOf, ROOT } from './toolchain.mjs'

/** The highest allowed count of each measure. */
const CEILINGS = {
  sizes: 0,
  folders: 0,
  duplicates: 0,
  writers: 0,
  mensagens: 3,
  vocabulary: 0,
  functions: 0,
  connectors: 0,
  statements: 0,
}

/** Source files and their lines, without tests. A capability may raise them in its own commit, with the reason. */
const SIZES = { files: 1_550, lines: 147_000 }

const FILES_PER_FOLDER = 12
/** Lists of one kind of thing stay flat at any length. */
const FLAT = /\/migrations$|contract\/src\/(entities|routes)$|web\/src\/shared\/ui$/

/** The one module that writes each table. Reading is free. A statement that inserts a mensagem writes the rows around it. */
const OWNERS = JSON.parse(readFileSync(join(import.meta.dirname, 'table-owners.json'), 'utf8'))
/** All rows of one contato or of one conta, re-encryption, the test value of the readiness check, and the benchmarks. */
const WRITES_ANY = [
  'modules/enderecos/move-rows.ts',
  'modules/exclusao/erase.ts',
  'modules/retencao/delete-contas.ts',
  'bench.ts',
  'db/sealed-values.ts',
  'db/backup/import.ts',
  'db/backup/restore-hold.ts',
  'db/backup/conta/import-conta.ts',
  'db/backup/conta/move.ts',
  'http/ops/ready.ts',
]
const WRITE = /\b(?:insert\s+into|update|delete\s+from)\s+(?:only\s+)?"?([a-z_]+)"?/g

/** Comparisons with the name of a connector. Core and panel read its row of `connectors.ts` instead. */
const NAMED = "'(simulador|whatsapp|navegador|oficial|webchat)'"
const COMPARED = new RegExp(
  `[=!]==?\\s*${NAMED}|${NAMED}\\s*[=!]==?|\\bcase ${NAMED}|\\b(?:conector|canal|channel)\\s*(?:=|<>|in \\()\\s*${NAMED}|'(?:conector|canal)',\\s*'[^']*',\\s*${NAMED}`,
)
/** Adapters, the default, and the parts that exist for one connector by name. */
const NAMES_CONNECTORS =
  /apps\/server\/src\/(adapters|modules\/(oficial|simulador|webchat))\/|apps\/server\/src\/env\.ts$|apps\/web\/src\/.*\/system-config\.tsx$/

const read = (path) => readFileSync(join(ROOT, path), 'utf8')

function list(...folders) {
  const listed = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', ...folders], {
    cwd: ROOT,
    encoding: 'utf8',
  })
  return listed.split('\n').filter((path) => path !== '' && existsSync(join(ROOT, path)))
}

function sources() {
  return list('apps', 'packages').filter((path) => /\/src\/.*\.tsx?$/.test(path) && !/\.test\.tsx?$/.test(path))
}

function sizes(files) {
  const lines = files.reduce((sum, path) => sum + read(path).split('\n').length - 1, 0)
  return [
    ...(files.length > SIZES.files ? [`${files.length} source files, at most ${SIZES.files}`] : []),
    ...(lines > SIZES.lines ? [`${lines} source lines, at most ${SIZES.lines}`] : []),
  ]
}

/** Folders with more files than allowed. */
function folders(files) {
  const counts = new Map()
  for (const path of files) counts.set(dirname(path), (counts.get(dirname(path)) ?? 0) + 1)
  return [...counts]
    .filter(([folder, count]) => count > FILES_PER_FOLDER && !FLAT.test(folder))
    .map(([folder, count]) => `${folder} has ${count} files`)
}

function exportedNames(path) {
  const { program } = parseSync(path, read(path))
  return program.body.flatMap((node) => {
    if (node.type !== 'ExportNamedDeclaration' || node.declaration === null) return []
    const { declaration } = node
    if (declaration.type === 'VariableDeclaration') return declaration.declarations.map(({ id }) => id.name)
    return [declaration.id.name]
  })
}

/** Exported names that more than one file declares. */
function duplicates(files) {
  const places = new Map()
  for (const path of files) {
    for (const name of new Set(exportedNames(path))) places.set(name, [...(places.get(name) ?? []), path])
  }
  return [...places]
    .filter(([name, paths]) => name !== undefined && paths.length > 1)
    .map(([name, paths]) => `${name} is exported by ${paths.join(', ')}`)
}

/** Stored and wire names keep their language: entities, routes, constants and events. */
const WIRE_NAMES = /packages\/contract\/src|engine\/src\/event|dashboard\/shell\/run-actions/
const PORTUGUESE = new Set(JSON.parse(read('scripts/portuguese-words.json')))
const wordsOf = (name) => (name.match(/[A-Z]+(?![a-z])|[A-Z]?[a-z]+/g) ?? []).map((word) => word.toLowerCase())

/** Exported names and file names with a Portuguese word that is no noun of the business. */
function vocabulary(files) {
  return files
    .filter((path) => !WIRE_NAMES.test(path))
    .flatMap((path) => {
      const names = [...exportedNames(path), path.split('/').at(-1)]
      return names
        .filter((name) => wordsOf(name).some((word) => PORTUGUESE.has(word)))
        .map((name) => `${name} in ${path} is not English`)
    })
}

const REPLACED = '(?:casa|house|rig|isTest)'
const DECLARED = new RegExp(`(?:const|let|of|readonly) ${REPLACED}\\b|[({,] ?${REPLACED}[:,})]`, 'u')

/** Servers are `app`, runtimes `runtime` and shops `shop`, in tests, benchmarks and scripts too. */
function replacedNames() {
  return list('apps', 'packages', 'bench', 'e2e', 'scripts')
    .filter((path) => /\.(?:tsx?|mjs)$/.test(path) && DECLARED.test(read(path)))
    .map((path) => `${path} declares a name that the vocabulary replaced: ${DECLARED.exec(read(path))?.[0]}`)
}

/** Server files that write tables, with the tables. Files that may write any table are left out. */
function writingFiles(files) {
  const root = 'apps/server/src/'
  return files
    .filter((path) => path.startsWith(root) && !WRITES_ANY.includes(path.slice(root.length)))
    .map((path) => {
      const written = [...read(path).matchAll(WRITE)].map(([, table]) => table)
      return { path, place: path.slice(root.length), tables: [...new Set(written)] }
    })
}

/** Statements that write a table outside its owner. */
function writers(files) {
  return writingFiles(files).flatMap(({ path, place, tables }) =>
    tables
      .filter((table) => OWNERS[table]?.every((owner) => !place.startsWith(owner)))
      .map((table) => `${path} writes ${table}, owned by ${OWNERS[table].join(', ')}`),
  )
}

/** Files that write `mensagens`. */
function mensagemWriters(files) {
  return writingFiles(files).flatMap(({ path, tables }) => (tables.includes('mensagens') ? [path] : []))
}

/** Functions above 60 lines or a complexity of 12, which oxlint reports as warnings. */
function functions() {
  const { stdout } = spawnSync(process.execPath, [binOf('oxlint'), '-f', 'json'], {
    cwd: ROOT,
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  })
  return JSON.parse(stdout)
    .diagnostics.filter(({ code }) => /max-lines-per-function|complexity/.test(code))
    .map(({ filename, message, labels }) => `${filename}:${labels[0].span.line} ${message}`)
}

function connectors(files) {
  return files
    .filter((path) => path.startsWith('apps/') && !NAMES_CONNECTORS.test(path))
    .flatMap((path) =>
      read(path)
        .split('\n')
        .flatMap((line, index) =>
          COMPARED.test(line) ? [`${path}:${index + 1} compares with a connector's name`] : [],
        ),
    )
}

/** Free SQL in the product. Statements have names and schemas, and a test prepares them. */
function statements(files) {
  return files
    .filter((path) => /apps\/server\/src\/(modules|bot|http)\//.test(path) && !path.endsWith('/http/page.ts'))
    .filter((path) => /\btx\.query\b/.test(read(path)))
    .map((path) => `${path} sends SQL that is no statement`)
}

/** Prints every finding above the ceilings. Returns the exit code. */
export function checkStructure({ verbose = false } = {}) {
  const files = sources()
  const measures = {
    sizes: sizes(files),
    folders: folders(files),
    duplicates: duplicates(files),
    writers: writers(files),
    mensagens: mensagemWriters(files),
    vocabulary: [...vocabulary(files), ...replacedNames()],
    functions: functions(),
    connectors: connectors(files),
    statements: statements(files),
  }
  let failed = false
  for (const [name, found] of Object.entries(measures)) {
    const above = found.length > CEILINGS[name]
    failed ||= above
    if (above || verbose) process.stdout.write(`${name}: ${found.length} (at most ${CEILINGS[name]})\n`)
    if (above || verbose) for (const line of found) process.stdout.write(`  ${line}\n`)
  }
  return failed ? 1 : 0
}

if (import.meta.filename === process.argv[1])
  process.exitCode = checkStructure({ verbose: process.argv.includes('--all') })
