import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { json } from 'node:stream/consumers'
import { createGunzip } from 'node:zlib'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'

/** The commands `auditoria` and `componentes`, against a registry on this machine. */

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
const server = createServer((request, reply) => {
  if (request.method === 'POST' && request.url === '/-/npm/v1/security/advisories/bulk' && avisos !== null) {
    const body = request.headers['content-encoding'] === 'gzip' ? request.pipe(createGunzip()) : request
    void json(body).then((names) => {
      perguntados = names
      reply.setHeader('content-type', 'application/json').end(JSON.stringify(avisos))
    })
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

  avisos = null
  expect(await rodar('auditoria')).toMatchObject({ codigo: 2, saida: expect.stringContaining('não respondeu') })
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
