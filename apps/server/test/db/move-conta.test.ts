import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createPool } from '#db/connection.ts'
import { migrate } from '#db/migrate/migrate.ts'
import { sweepArquivos } from '#modules/arquivos/index.ts'
import { PASSWORD, type TestApp, type TestUser, createTestApp, waitUntil } from '#test/app.ts'
import { databaseUrl } from '#test/bot/program.ts'
import { givenConta, sendAsCustomer, startBot } from '#test/builders.ts'
import {
  dumpRows,
  fillConta,
  INSTALLATION_TABLES,
  rowsOfConta,
  WEBHOOK_ADDRESS,
} from '#test/db/fixtures/moving-conta.ts'
import { type CommandEnd, runCli } from '#test/db/fixtures/run-cli.ts'

/** Two running installations with one secret. The tests build on each other. */

const EMAIL = 'dona-que-muda@loja.test'
const SECRET = { APP_SECRET: 'segredo de teste' }
const TARGET_URL = 'https://novo.balcao.test'

let source: TestApp
let target: TestApp
let dona: TestUser
let staying: TestUser
let folder: string
let file: string
/** Rows of the moving conta after its export. */
let left: Awaited<ReturnType<typeof rowsIn>>
let receipt = ''
const mailed: string[] = []

const cli = ({ deps, arquivosDir, database }: TestApp, args: string[], env: Record<string, string> = {}) =>
  runCli(deps.settings.dataDir, args, {
    ...{ ...SECRET, DATABASE_URL: databaseUrl(database), ARQUIVOS_DIR: arquivosDir, URL_PUBLICA: TARGET_URL },
    ...env,
  })
const exporting = (...args: string[]): Promise<CommandEnd> => cli(source, ['export', '--conta', dona.contaId, ...args])
const importing = (path = file, env: Record<string, string> = {}): Promise<CommandEnd> =>
  cli(target, ['import', '--conta', path], env)
const refused = (sentence: string) => ({ code: 1, dito: expect.stringContaining(sentence) })

const rowsIn = ({ database }: TestApp, contaId: string) =>
  dumpRows(database.owner, (table) => rowsOfConta(table, contaId))
/** Heartbeats, packets between nodes, the last use of a login and the words of the search change without a command. */
const VOLATILE = [
  ...(['nos', 'recados', 'tarefas', 'totais', 'sessoes', 'numeros_horarios'] as const),
  ...(['busca_contas', 'busca_mensagens', 'busca_palavras', 'busca_notas', 'sinais'] as const),
]
const everythingIn = ({ database }: TestApp) =>
  dumpRows(database.owner, (table) => (VOLATILE.some((name) => name === table) ? null : 'true'))

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'balcao-mudanca-'))
  file = join(folder, 'conta.balcao')
  const timings = { renewMs: 50, searchMs: 50, expireMs: 50 }
  const mailer = { configured: true, send: async ({ para }: { para: string }) => void mailed.push(para) }
  // Its due work rests, so that the file contains some.
  source = await createTestApp({ timings: { ...timings, pollMs: 3_600_000 }, mailer })
  target = await createTestApp({ timings })
  dona = await givenConta(source, 'Dona', { email: EMAIL })
  staying = await givenConta(source, 'Outra')
  await givenConta(target, 'Vizinha')
  await fillConta(source, dona)
  await source.sql(`update agendadas set enviar_em = now() - interval '1 minute'`)
  await source.sql(`update prazos set tipo = 'silencio', vence_em = now() - interval '1 minute'`)
})
afterAll(async () => {
  await source?.close()
  await target?.close()
  await rm(folder, { recursive: true, force: true })
})

/** All rows, except due work, which may be days late, and notices of browsers that know the key of the source. */
function expectArrived(arrived: Awaited<ReturnType<typeof rowsIn>>): void {
  expect(arrived).toEqual({ ...left, push_inscricoes: [], prazos: [], agendadas: [expect.stringContaining('falhou')] })
  const empty = Object.entries(arrived).filter(([, rows]) => rows.length === 0)
  expect(empty.map(([table]) => table).toSorted()).toEqual(['prazos', 'push_inscricoes'])
}

describe('npm run db:export -- --conta', () => {
  it('refuses a running bot, an administrator and an unknown conta', async () => {
    expect(await exporting(file)).toEqual(refused('O bot da conta está ligado'))
    expect(await cli(source, ['export', '--conta', source.admin.contaId, file])).toEqual(refused('administrador'))
    const unknown = '00000000-0000-4000-8000-000000000000'
    expect(await cli(source, ['export', '--conta', unknown, file])).toEqual(refused('não existe'))
    expect(existsSync(file)).toBe(false)
    expect((await dona.request('GET', '/config')).status).toBe(200)
  })

  it('leaves the conta working if the file cannot be written', async () => {
    const there = join(folder, 'existe')
    await writeFile(there, 'de alguém')
    expect(await exporting(there, '--parar')).toEqual(refused('já existe'))
    expect((await dona.request('GET', '/config')).status).toBe(200)
    await startBot(dona)
  })

  it('stops the bot with --parar and ends login, session, bot, webhook and mail of the conta', async () => {
    const before = await rowsIn(source, staying.contaId)
    const webhook = `/webhooks/oficial/${WEBHOOK_ADDRESS}`
    expect((await source.send('GET', webhook)).status).toBe(403)
    expect(await exporting(file, '--parar')).toMatchObject({ code: 0, dito: expect.stringContaining('2 arquivos') })
    left = await rowsIn(source, dona.contaId)
    expect((await dona.request('GET', '/config')).status).toBe(401)
    const login = { body: { email: EMAIL, senha: PASSWORD, lembrar: false } }
    expect(await source.send('POST', '/auth/login', login)).toMatchObject({ body: { codigo: 'contaInativa' } })
    expect((await source.send('GET', webhook)).status).toBe(404)
    // A bot that is wanted again, as by a request that had begun before the mark.
    await source.sql('update bots set desejado = true where conta_id = $1', [dona.contaId])
    await new Promise((resolve) => setTimeout(resolve, 300))
    expect(await source.sql('select status, no from bots where conta_id = $1', [dona.contaId])).toEqual([
      { status: 'PARADO', no: null },
    ])
    await source.sql('update bots set desejado = false where conta_id = $1', [dona.contaId])
    expect(await rowsIn(source, staying.contaId)).toEqual(before)
    expect((await staying.request('GET', '/config')).status).toBe(200)
  })
})

describe('npm run db:import -- --conta', () => {
  /** Runs a refused import and checks that the target is unchanged. */
  async function expectRefused(run: () => Promise<CommandEnd>, sentence: string): Promise<void> {
    const before = await everythingIn(target)
    expect(await run()).toEqual(refused(sentence))
    expect(await everythingIn(target)).toEqual(before)
    expect(await target.filesOnDisk(dona.contaId)).toEqual([])
  }

  it('stores nothing with another secret', async () => {
    const other = { APP_SECRET: 'outro segredo de teste' }
    await expectRefused(() => importing(file, other), 'não é o da origem')
  })

  it('stores nothing if an e-mail exists', async () => {
    await target.sql('update usuarios set email = $1 where email = $2', [EMAIL, 'dona@loja.test'])
    await expectRefused(() => importing(), `O e-mail ${EMAIL} já existe`)
    await target.sql('update usuarios set email = $2 where email = $1', [EMAIL, 'dona@loja.test'])
  })

  it('stores nothing of another version', async () => {
    await target.sql("insert into migracoes (nome, sha256) values ('9999_futuro.sql', 'x')")
    await expectRefused(() => importing(), '9999_futuro.sql')
    await target.sql("delete from migracoes where nome = '9999_futuro.sql'")
  })

  it('stores nothing of a whole installation, and a whole import refuses one conta', async () => {
    // A second try finds no file of the first one.
    const whole = join(folder, `inteira-${randomBytes(4).toString('hex')}.balcao`)
    expect(await cli(source, ['export', whole], { COPIA_SEM_CIFRA: 'sim' })).toMatchObject({ code: 0 })
    await expectRefused(() => importing(whole), 'instalação inteira')
    await expectRefused(() => cli(target, ['import', file]), 'de uma conta só')
  })

  it('stores nothing of a damaged file', async () => {
    const good = await readFile(file)
    const bad = join(folder, 'ruim')
    for (const part of [0.01, 0.5, 0.99, 0.9999]) {
      const bytes = Buffer.from(good)
      const at = Math.floor(bytes.length * part)
      bytes[at] = (bytes[at] ?? 0) ^ 1
      await writeFile(bad, bytes)
      await expectRefused(() => importing(bad), 'danificado')
    }
    for (const bytes of [good.subarray(0, -8), Buffer.concat([good, Buffer.from('x')])]) {
      await writeFile(bad, bytes)
      await expectRefused(() => importing(bad), 'danificado')
    }
  })

  it('leaves nothing behind if it is killed before the commit', async () => {
    const before = await everythingIn(target)
    expect((await importing(file, { FALHA: 'conta.antes-commit' })).code).toBe(null)
    await waitUntil(async () => (await locks()) === 0)
    expect(await everythingIn(target)).toEqual(before)
    expect(await target.filesOnDisk(dona.contaId)).not.toEqual([])
    await sweepArquivos(target.deps)
    expect(await target.filesOnDisk(dona.contaId)).toEqual([])
  })

  it('keeps the files of a running import from the sweep', async () => {
    const name = `${'a'.repeat(32)}.png`
    const client = await target.database.owner.connect()
    await client.query('begin; select pg_advisory_xact_lock(7203618)')
    try {
      await target.deps.files.write(dona.contaId, name, Buffer.from('x'))
      await sweepArquivos(target.deps)
      expect(await target.filesOnDisk(dona.contaId)).toEqual([name])
      expect(await importing()).toEqual(refused('Outra conta está sendo importada'))
    } finally {
      client.release(true)
    }
    await waitUntil(async () => (await locks()) === 0)
    await sweepArquivos(target.deps)
    expect(await target.filesOnDisk(dona.contaId)).toEqual([])
  })

  const locks = async (): Promise<number> =>
    (await target.sql("select 1 from pg_locks where locktype = 'advisory' and objid = 7203618")).length
})

describe('a move', () => {
  it('restores every row and file of the conta and starts no bot', async () => {
    const neighbours = await everythingIn(target)
    const done = await importing()
    expect(done).toMatchObject({ code: 0, dito: expect.stringContaining('2 arquivos') })
    receipt = /--confirmar (\S+)/.exec(done.dito)?.[1] ?? ''
    const arrived = await rowsIn(target, dona.contaId)
    expectArrived(arrived)
    expect(await target.sql('select estado, motivo from agendadas where conta_id = $1', [dona.contaId])).toEqual([
      { estado: 'falhou', motivo: 'copiaRestaurada' },
    ])
    expect(Object.keys(await everythingIn(target)).length).toBeGreaterThan(INSTALLATION_TABLES.length)

    const names = await readdir(join(source.arquivosDir, dona.contaId))
    expect((await target.filesOnDisk(dona.contaId)).toSorted()).toEqual(names.toSorted())
    for (const name of names) {
      const [there, here] = [source, target].map(({ arquivosDir }) => join(arquivosDir, dona.contaId, name))
      expect(await readFile(here ?? '')).toEqual(await readFile(there ?? ''))
    }
    for (const [table, rows] of Object.entries(neighbours)) {
      const now = (await everythingIn(target))[table]
      expect([table, now]).toEqual([table, expect.arrayContaining([...rows])])
    }
    // The order of the journals.
    for (const journal of ['whatsapp_chegadas', 'oficial_chegadas']) {
      const ids = `select id from ${journal} where conta_id = $1 order by ordem`
      expect(await target.sql(ids, [dona.contaId])).toEqual(await source.sql(ids, [dona.contaId]))
    }
    expect(await importing()).toEqual(refused('A conta já existe'))
  })

  it('works for an owner without superuser rights under forced row-level security', async () => {
    const { owner } = target.database
    const { host, password } = target.database.target
    const name = `dono_${randomBytes(4).toString('hex')}`
    await owner.query(`create role ${name} login password '${password}' nosuperuser; grant balcao_app to ${name}`)
    await owner.query(`create database ${name} owner ${name}`)
    const env = { DATABASE_URL: `postgresql://${name}:${password}@/${name}?host=${encodeURIComponent(host)}` }
    const limited = createPool({ url: env.DATABASE_URL }, { max: 1 })
    await migrate(limited)
    expect(await importing(file, env)).toMatchObject({ code: 0 })
    await limited.query("set app.contas = '*'")
    expectArrived(await dumpRows(limited, (table) => rowsOfConta(table, dona.contaId)))
    await limited.end()
    const again = join(folder, 'de-volta.balcao')
    expect(await cli(target, ['export', '--conta', dona.contaId, again], env)).toMatchObject({ code: 0 })
    await owner.query(`drop database ${name} with (force)`)
    await owner.query(`drop owned by ${name}; drop role ${name}`)
  })

  it('serves the conta on the target', async () => {
    const moved = await target.login(EMAIL)
    await startBot(moved)
    expect((await sendAsCustomer(moved, '5511987650009', { texto: 'oi' })).status).toBe(202)
    await target.idle()
    expect(
      await target.sql(`select 1 from mensagens where texto = 'oi' and conta_id = $1`, [moved.contaId]),
    ).toHaveLength(1)
  })

  it('records where the conta went only with the receipt of this move', async () => {
    expect(await exporting('--confirmar', `${receipt}x`)).toEqual(refused('recibo'))
    expect(await exporting('--confirmar', receipt)).toMatchObject({
      code: 0,
      dito: expect.stringContaining(`mudou para ${TARGET_URL}`),
    })
    const mark = await source.sql('select mudou_para, mudou_em, excluida_em from contas where id = $1', [dona.contaId])
    expect(mark).toEqual([{ mudou_para: TARGET_URL, mudou_em: expect.any(Date), excluida_em: expect.any(Date) }])
    expect(await source.sql("select detalhe, conta_id from auditoria where acao = 'contaMudada'")).toEqual([
      { detalhe: `Mudou para ${TARGET_URL}`, conta_id: dona.contaId },
    ])
    for (const args of [['--confirmar', receipt], ['--cancelar'], [join(folder, 'de-novo')]])
      expect(await exporting(...args)).toEqual(refused(`já mudou para ${TARGET_URL}`))
    const restored = await source.request('POST', `/admin/usuarios/${dona.usuario.id}/restaurar`)
    expect(restored).toMatchObject({ status: 409, body: { codigo: 'prazoDeRestauracao' } })
  })

  it('gives the conta back if it is cancelled', async () => {
    const path = join(folder, 'cancelada.balcao')
    const args = ['export', '--conta', staying.contaId]
    expect(await cli(source, [...args, path], { BALCAO_BACKUP_CHAVE: 'uma frase' })).toMatchObject({ code: 0 })
    expect((await staying.request('GET', '/config')).status).toBe(401)
    const sent = mailed.length
    await source.send('POST', '/auth/esqueci-senha', { body: { email: staying.usuario.email } })
    const resets = "select 1 from emails where conta_id = $1 and tipo = 'redefinicao' and enviado_em is null"
    expect(await source.sql(resets, [staying.contaId])).toHaveLength(1)
    await new Promise((resolve) => setTimeout(resolve, 200))
    expect(await source.sql(resets, [staying.contaId])).toHaveLength(1)
    expect(mailed).toHaveLength(sent)
    expect(await cli(source, [...args, '--cancelar'])).toMatchObject({ code: 0 })
    await source.send('POST', '/auth/esqueci-senha', { body: { email: staying.usuario.email } })
    await waitUntil(() => mailed.length === sent + 2)
    await waitUntil(async () => (await source.sql(resets, [staying.contaId])).length === 0)
    expect((await staying.request('GET', '/config')).status).toBe(200)
    expect(await cli(source, [...args, '--cancelar'])).toEqual(refused('não está mudando'))
    expect(await importing(path)).toEqual(refused('BALCAO_BACKUP_CHAVE'))
    expect(await cli(source, [...args, '--parar'])).toEqual(refused('Uso:'))
  })
})
