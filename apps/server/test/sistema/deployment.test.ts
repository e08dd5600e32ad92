import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { parseEnv } from '#env.ts'

const DEPLOY = join(import.meta.dirname, '..', '..', '..', '..', 'deploy')
const read = (file: string): string => readFileSync(join(DEPLOY, file), 'utf8')

type Pair = readonly [name: string, value: string]

/** Name and value of every match. An empty value becomes `1`, because the server ignores empty variables. */
function pairs(text: string, pattern: RegExp): Pair[] {
  return [...text.matchAll(pattern)].map(([, name = '', value = '']) => [
    name,
    value.trim() === '' ? '1' : value.trim(),
  ])
}

/** Names that the server does not read. Throws if the server refuses a value. */
function unknownNames(found: readonly Pair[]): string[] {
  const env = parseEnv(Object.fromEntries(found))
  return found.map(([name]) => name).filter((name) => !Object.hasOwn(env, name))
}

const ASSIGNMENT = /([A-Z][A-Z0-9_]*)=(\S+)/g

/** Instructions of a Containerfile with their continued lines. */
const instructions = (name: string): string =>
  [
    ...read('Containerfile')
      .replaceAll('\\\n', ' ')
      .matchAll(new RegExp(`^${name} .*`, 'gm')),
  ].join('\n')

describe('files of deploy/', () => {
  it('names only known variables with valid values in .env.exemplo', () => {
    const found = pairs(read('.env.exemplo'), /^#?([A-Z][A-Z0-9_]*)=(.*)$/gm)
    expect(found.length).toBeGreaterThan(10)
    expect(unknownNames(found)).toEqual([])
  })

  it('sets only known variables in the systemd unit and its drop-in', () => {
    const lines = [read('balcao.service'), read('balcao.service.d/navegador.conf')].join('\n')
    const found = pairs(lines, /^Environment="?([A-Z][A-Z0-9_]*)=([^"\n]*)/gm)
    expect(found.map(([name]) => name)).toContain('DATA_DIR')
    expect(unknownNames(found)).toEqual([])
  })

  it('sets and substitutes only known variables in the compose files', () => {
    for (const file of ['compose.yaml', 'compose.navegador.yaml']) {
      const text = read(file)
      const substituted = pairs(text, /\$\{([A-Za-z_]\w*)(?::?[-?+]([^}]*))?\}/g)
      const set = pairs(text, /^\s+(?:- )?['"]?([A-Z][A-Z0-9_]+)['"]?\s*[:=](.*)$/gm)
      expect(unknownNames([...substituted, ...set])).toEqual([])
    }
  })

  it('sets only known variables in the image', () => {
    const found = pairs(instructions('ENV'), ASSIGNMENT)
    expect(found.map(([name]) => name)).toEqual(expect.arrayContaining(['HOST', 'DATA_DIR']))
    expect(unknownNames(found)).toEqual([])
  })

  it('keeps the data of container and systemd in the folder that each makes writable', () => {
    const dataDir = (found: readonly Pair[]): string => parseEnv(Object.fromEntries(found)).dataDir
    const image = dataDir(pairs(instructions('ENV'), ASSIGNMENT))
    expect(instructions('VOLUME')).toBe(`VOLUME ["${image}"]`)
    expect(read('compose.yaml')).toContain(`dados:${image}\n`)
    const unit = read('balcao.service')
    const [, folder] = /^StateDirectory=(.*)$/m.exec(unit) ?? []
    expect(dataDir(pairs(unit, /^Environment=([A-Z_]+)=(.*)$/gm))).toBe(`/var/lib/${folder}`)
  })
})

describe('trimPackages', () => {
  it('keeps the code, the licence and the native build of this platform', () => {
    const folder = mkdtempSync(join(tmpdir(), 'balcao-pacotes-'))
    const own = `${process.platform}-${process.arch}`
    const kept = [
      ...['com-licenca/LICENSE.md', 'com-licenca/index.js', 'com-licenca/lib/test/used.js', 'com-licenca/package.json'],
      ...[`com-licenca/prebuilds/${own}/a.node`, '@grupo/sem-licenca/README.md', '@grupo/sem-licenca/package.json'],
    ]
    const excess = [
      ...['com-licenca/README.md', 'com-licenca/index.js.map', 'com-licenca/index.d.ts', 'com-licenca/test/a.js'],
      ...['com-licenca/prebuilds/plan9-mips/a.node', '@grupo/sem-licenca/CHANGES.md', '@grupo/sem-licenca/src/a.ts'],
    ]
    for (const path of [...kept, ...excess]) {
      mkdirSync(dirname(join(folder, path)), { recursive: true })
      writeFileSync(join(folder, path), '{}')
    }
    const trim = `import('${join(DEPLOY, 'trim.mjs')}').then((trim) => trim.trimPackages('${folder}'))`
    execFileSync(process.execPath, ['-e', trim])
    const left = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
    const paths = left.map(({ parentPath, name }) => join(parentPath, name).slice(folder.length + 1))
    rmSync(folder, { recursive: true, force: true })
    expect(paths.toSorted()).toEqual(kept.toSorted())
  })
})
