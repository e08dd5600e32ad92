import { execFile, execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { json } from 'node:stream/consumers'
import { createGunzip } from 'node:zlib'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'

/** Installation, `auditoria` and `componentes`, against a registry on this machine. */

const RAIZ = join(import.meta.dirname, '..')

interface Corrida {
  readonly codigo: number
  readonly saida: string
}

function rodar(command: string, args: readonly string[] = []): Promise<Corrida> {
  const env = { ...process.env, npm_config_registry: registro, npm_config_fetch_retries: '0', npm_config_cache: folder }
  return new Promise((resolve) => {
    execFile(process.execPath, ['scripts/run.mjs', command, ...args], { cwd: RAIZ, env }, (error, stdout, stderr) => {
      resolve({ codigo: typeof error?.code === 'number' ? error.code : 0, saida: stdout + stderr })
    })
  })
}

let folder = ''
let registro = ''
/** Advisories of the fake registry. Null: the registry does not support the request. */
let avisos: Record<string, readonly object[]> | null = {}
let perguntados: unknown
/** The package `dupla` as the fake registry serves it. */
let tarballOfDupla = Buffer.alloc(0)
let sumOfDupla = ''
const server = createServer((request, reply) => {
  if (request.method === 'POST' && request.url === '/-/npm/v1/security/advisories/bulk' && avisos !== null) {
    const body = request.headers['content-encoding'] === 'gzip' ? request.pipe(createGunzip()) : request
    void json(body).then((names) => {
      perguntados = names
      reply.setHeader('content-type', 'application/json').end(JSON.stringify(avisos))
    })
    return
  }
  if (request.method === 'GET' && request.url === '/dupla') {
    const dist = { tarball: `${registro}/dupla-1.0.0.tgz`, integrity: sumOfDupla }
    const manifest = { name: 'dupla', version: '1.0.0', optionalDependencies: { 'dupla-mac': '1.0.0' }, dist }
    reply.end(JSON.stringify({ name: 'dupla', 'dist-tags': { latest: '1.0.0' }, versions: { '1.0.0': manifest } }))
    return
  }
  if (request.method === 'GET' && request.url === '/dupla-1.0.0.tgz') {
    reply.end(tarballOfDupla)
    return
  }
  reply.writeHead(request.method === 'POST' ? 405 : 404).end('{}')
})

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'balcao-dependencias-'))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const endereco = server.address()
  registro = `http://127.0.0.1:${typeof endereco === 'object' && endereco !== null ? endereco.port : 0}`
  const source = join(folder, 'package')
  await mkdir(source)
  await writeFile(join(source, 'package.json'), JSON.stringify({ name: 'dupla', version: '1.0.0' }))
  execFileSync('tar', ['-czf', join(folder, 'dupla.tgz'), '-C', folder, 'package'])
  tarballOfDupla = await readFile(join(folder, 'dupla.tgz'))
  sumOfDupla = `sha512-${createHash('sha512').update(tarballOfDupla).digest('base64')}`
})
beforeEach(() => {
  perguntados = undefined
})
afterAll(async () => {
  server.closeAllConnections()
  server.close()
  await rm(folder, { recursive: true, force: true })
})

/** npm caches advisories by number, so each number must keep its text. */
const aviso = (id: number, severity: string): object => ({
  ...{ id, url: `https://exemplo.test/aviso/${id}`, title: 'Deixa entrar', vulnerable_versions: '<99.0.0' },
  ...{ severity, cwe: [], cvss: { score: 0, vectorString: null } },
})

test('the audit asks for the locked versions and fails only for grave advisories', async () => {
  avisos = { fastify: [aviso(1, 'low')] }
  expect(await rodar('auditoria')).toMatchObject({ codigo: 0, saida: expect.stringContaining('baixa · fastify') })
  expect(perguntados).toMatchObject({ fastify: ['5.12.8'], baileys: ['7.0.0-rc14'] })

  avisos = { fastify: [aviso(1, 'low'), aviso(2, 'high')] }
  const grave = await rodar('auditoria')
  expect(grave.codigo).toBe(1)
  for (const part of ['alta · fastify', 'Deixa entrar', 'https://exemplo.test/aviso/2', '2 avisos, 1 grave']) {
    expect(grave.saida).toContain(part)
  }
})

test('the audit refuses a locked version of the list of known vulnerabilities', async () => {
  avisos = null
  expect(await rodar('auditoria')).toMatchObject({ codigo: 0, saida: expect.stringContaining('não respondeu') })

  const lock = await readFile(join(RAIZ, 'package-lock.json'), 'utf8')
  const vulnerable = join(folder, 'trava.json')
  await writeFile(vulnerable, lock.replaceAll('"version": "5.12.8"', '"version": "5.3.1"'))
  const refused = await rodar('auditoria', ['--trava', vulnerable])
  expect(refused.codigo).toBe(1)
  for (const part of ['alta · fastify 5.3.1', 'GHSA-mg2h-6x62-wpwc']) expect(refused.saida).toContain(part)

  const old = join(folder, 'lista.json')
  await writeFile(old, JSON.stringify({ reviewed: '2026-01-01', advisories: [] }))
  expect(await rodar('auditoria', ['--lista', old])).toMatchObject({ codigo: 2 })
})

/** A project of one package whose optional package for another system is missing from lock and registry. */
async function givenProject(integrity: string): Promise<string> {
  const root = await mkdtemp(join(folder, 'projeto-'))
  await cp(join(RAIZ, 'scripts', 'toolchain.mjs'), join(root, 'scripts', 'toolchain.mjs'))
  const dependencies = { dupla: '1.0.0' }
  const locked = { version: '1.0.0', integrity, optionalDependencies: { 'dupla-mac': '1.0.0' } }
  const lock = {
    ...{ name: 'projeto', version: '1.0.0', lockfileVersion: 3, requires: true },
    packages: { '': { name: 'projeto', version: '1.0.0', dependencies }, 'node_modules/dupla': locked },
  }
  await writeFile(join(root, 'package.json'), JSON.stringify({ name: 'projeto', version: '1.0.0', dependencies }))
  await writeFile(join(root, 'package-lock.json'), `${JSON.stringify(lock, null, 2)}\n`)
  return root
}

function runModule(root: string, code: string): Promise<Corrida> {
  const env = { ...process.env, npm_config_registry: registro, npm_config_fetch_retries: '0', npm_config_cache: folder }
  const file = JSON.stringify(join(root, 'scripts', 'toolchain.mjs'))
  const args = ['--input-type=module', '-e', `import * as toolchain from ${file}\n${code}`]
  return new Promise((resolve) => {
    execFile(process.execPath, args, { cwd: root, env }, (error, stdout, stderr) => {
      resolve({ codigo: typeof error?.code === 'number' ? error.code : 0, saida: stdout + stderr })
    })
  })
}

test('the installation follows the lock, never rewrites it and refuses another sum', async () => {
  const good = await givenProject(sumOfDupla)
  const before = await readFile(join(good, 'package-lock.json'), 'utf8')
  expect(await runModule(good, 'toolchain.ensureInstalled()')).toMatchObject({ codigo: 0 })
  expect(await readFile(join(good, 'node_modules', 'dupla', 'package.json'), 'utf8')).toContain('1.0.0')
  expect(await readFile(join(good, 'package-lock.json'), 'utf8')).toBe(before)

  const changed = await givenProject(`sha512-${Buffer.alloc(64).toString('base64')}`)
  const refused = await runModule(changed, 'toolchain.ensureInstalled()')
  expect(refused).toMatchObject({ codigo: 1, saida: expect.stringContaining('a instalação das dependências falhou') })
  await expect(readFile(join(changed, 'node_modules', '.balcao-instalado'))).rejects.toThrow('ENOENT')
})

test('a changed version or sum in the installed tree is named', async () => {
  const lock = {
    packages: { 'node_modules/a': { version: '1.0.0', integrity: 'x' }, 'node_modules/b': { version: '1.0.0' } },
  }
  const tree = {
    packages: { 'node_modules/a': { version: '1.0.0', integrity: 'y' }, 'node_modules/c': { version: '2.0.0' } },
  }
  const code = `console.log(toolchain.treeDifferences(${JSON.stringify(lock)}, ${JSON.stringify(tree)}).join('; '))`
  const { saida } = await runModule(RAIZ, code)
  expect(saida.trim()).toBe('a 1.0.0 com outra soma; c 2.0.0 não está travado; b falta')
})

test('packages that only an absent workspace needs may be missing', async () => {
  const one = { version: '1.0.0' }
  const lock = {
    packages: {
      '': { dependencies: { kept: '1.0.0' } },
      'packages/gone': { dependencies: { shared: '1.0.0', own: '1.0.0' } },
      'node_modules/gone': { resolved: 'packages/gone', link: true },
      'node_modules/kept': { ...one, dependencies: { shared: '1.0.0' } },
      'node_modules/shared': one,
      'node_modules/own': { ...one, dependencies: { deep: '1.0.0' } },
      'node_modules/deep': one,
    },
  }
  const differences = async (...missing: string[]): Promise<string> => {
    const args = [lock, { packages: { 'node_modules/kept': one } }, missing].map((value) => JSON.stringify(value))
    return (await runModule(RAIZ, `console.log(toolchain.treeDifferences(${args.join()}).join('; '))`)).saida.trim()
  }
  expect(await differences('packages/gone')).toBe('shared falta')
  expect(await differences()).toBe('shared falta; own falta; deep falta')
})

interface Lista {
  readonly bomFormat: string
  readonly components: readonly Record<string, unknown>[]
  readonly dependencies: readonly { readonly ref: string; readonly dependsOn: readonly string[] }[]
}

test('the component list contains every locked package with licence, hash and dependencies', async () => {
  const arquivo = join(folder, 'lista.json')
  expect((await rodar('componentes', [arquivo])).codigo).toBe(0)
  const lista: Lista = JSON.parse(await readFile(arquivo, 'utf8'))
  const trava: { packages: Record<string, { link?: boolean }> } = JSON.parse(
    await readFile(join(RAIZ, 'package-lock.json'), 'utf8'),
  )
  expect(lista.bomFormat).toBe('CycloneDX')
  const esperados = Object.entries(trava.packages).filter(([path, { link }]) => path !== '' && link !== true)
  const refs = new Set(lista.components.map((componente) => componente['bom-ref']))
  expect(refs).toEqual(new Set(esperados.map(([path]) => path)))
  expect(lista.components.find(({ name, group }) => name === 'fastify' && group === undefined)).toMatchObject({
    type: 'library',
    scope: 'required',
    purl: 'pkg:npm/fastify@5.12.8',
    licenses: [{ license: { id: 'MIT' } }],
    hashes: [{ alg: 'SHA-512', content: expect.stringMatching(/^[0-9a-f]{128}$/) }],
  })
  expect(lista.components.find(({ name }) => name === 'vitest')).toMatchObject({ scope: 'excluded' })
  expect(lista.components.find(({ purl }) => String(purl).startsWith('pkg:npm/%40node-rs/argon2@'))).toBeDefined()
  // A workspace must list its dependencies, and every reference must exist.
  const daBorda = lista.dependencies.find(({ ref }) => ref === 'apps/server')
  expect(daBorda?.dependsOn).toEqual(expect.arrayContaining(['node_modules/fastify', 'packages/contract']))
  for (const { dependsOn } of lista.dependencies) for (const ref of dependsOn) expect(refs).toContain(ref)
})
