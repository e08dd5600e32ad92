import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { pino } from 'pino'
import * as z from 'zod/mini'
import { configSchema } from '@balcao/contract/entities/config'
import type { Midia } from '@balcao/contract/entities/mensagem'
import { type MensagemSimulada, mensagemSimuladaSchema } from '@balcao/contract/entities/simulador'
import { rotas } from '@balcao/contract/routes/all'
import type { Deps } from '#deps.ts'
import { createHouse, type HouseOptions } from '#house.ts'
import { createIds } from '#ids.ts'
import { ensureFirstAdmin } from '#modules/auth/index.ts'
import { createCofre } from '#security/cofre.ts'
import { ate } from '#test/bot/house.ts'
import { createTestDatabase } from '#test/database.ts'

const ADMIN = { email: 'chefe@balcao.test', senha: 'chave-do-chefe' }
const listaSchema = z.object({ mensagens: z.array(mensagemSimuladaSchema) })
const configRespostaSchema = z.object({ config: z.looseObject(configSchema.shape) })
const corpoSchema = z.record(z.string(), z.unknown())

export interface Resposta {
  readonly status: number
  readonly body: Record<string, unknown>
}

export interface Pessoa {
  readonly contaId: string
  readonly pedir: (metodo: string, caminho: string, body?: unknown) => Promise<Resposta>
  readonly cliente: (telefone: string, campos?: Readonly<Record<string, string | Blob>>) => Promise<Resposta>
  readonly chat: (telefone: string) => Promise<MensagemSimulada[]>
  readonly conectar: () => Promise<void>
}

export interface CasaMidias {
  readonly deps: Deps
  readonly url: string
  readonly arquivosDir: string
  readonly entrar: (email?: string) => Promise<Pessoa>
  readonly noDisco: (contaId: string) => Promise<string[]>
  readonly sql: (texto: string, valores?: unknown[]) => Promise<Record<string, unknown>[]>
  readonly advance: (ms: number) => void
  readonly ocioso: () => Promise<void>
  readonly close: () => Promise<void>
}

/** Server on a real port with a separate file folder. */
export async function createCasaMidias(opcoes: Partial<HouseOptions> = {}): Promise<CasaMidias> {
  const database = await createTestDatabase()
  const dataDir = await mkdtemp('/tmp/balcao-midias-')
  let adiantado = 0
  const clock = { now: () => new Date(Date.now() + adiantado) }
  const house = await createHouse({
    ...{ db: database.db, clock, ids: createIds(clock), log: pino({ level: 'silent' }) },
    cofre: createCofre('segredo de teste'),
    mailer: { configurado: false, send: () => Promise.resolve() },
    settings: { urlPublica: 'http://localhost:3000', conectorPadrao: 'simulador', dataDir, metricsToken: null },
    trustProxy: false,
    ...opcoes,
    tempos: { esperasMs: [20, 40, 60, 80] },
  })
  await ensureFirstAdmin(house.deps, ADMIN)
  const url = await house.http.listen({ host: '127.0.0.1', port: 0 })
  await house.start()
  const arquivosDir = join(dataDir, 'arquivos')

  const sql: CasaMidias['sql'] = async (texto, valores) =>
    (await database.owner.query<Record<string, unknown>>(texto, valores)).rows
  const criar = async (email: string): Promise<void> => {
    const admin = await entrarComo(url, ADMIN)
    await admin('POST', '/admin/usuarios', { nome: 'Ana', email, senha: ADMIN.senha, telefone: '', empresa: '' })
  }
  return {
    deps: house.deps,
    url,
    arquivosDir,
    sql,
    entrar: async (email = ADMIN.email) => {
      if (email !== ADMIN.email) await criar(email)
      const [usuario] = await sql('select conta_id from usuarios where email = $1', [email])
      return pessoa(await entrarComo(url, { email, senha: ADMIN.senha }), String(usuario?.['conta_id']))
    },
    noDisco: (contaId) => readdir(join(arquivosDir, contaId)).catch(() => []),
    advance: (ms) => void (adiantado += ms),
    ocioso: house.ocioso,
    close: async () => {
      for (const { nome, close } of house.partes) if (nome !== 'database') await close()
      await database.drop()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}

async function entrarComo(url: string, quem: typeof ADMIN): Promise<Pessoa['pedir']> {
  const pedir = async (token: string | null, metodo: string, caminho: string, body?: unknown): Promise<Resposta> => {
    const form = body instanceof FormData
    const resposta = await fetch(`${url}/api${caminho}`, {
      method: metodo,
      headers: {
        // Without keep-alive: the server could close an idle connection just as the next request uses it.
        connection: 'close',
        ...(token === null ? {} : { authorization: `Bearer ${token}` }),
        ...(body === undefined || form ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: form ? body : JSON.stringify(body) }),
    })
    const texto = await resposta.text()
    return { status: resposta.status, body: texto === '' ? {} : corpoSchema.parse(JSON.parse(texto)) }
  }
  const { token } = rotas.login.response.parse((await pedir(null, 'POST', '/auth/login', quem)).body)
  return (metodo, caminho, body) => pedir(token, metodo, caminho, body)
}

function pessoa(pedir: Pessoa['pedir'], contaId: string): Pessoa {
  return {
    contaId,
    pedir,
    cliente: (telefone, campos = {}) => {
      const form = new FormData()
      form.set('telefone', telefone)
      form.set('nome', 'Duda')
      for (const [nome, valor] of Object.entries(campos)) form.set(nome, valor)
      return pedir('POST', '/simulador/mensagens', form)
    },
    chat: async (telefone) =>
      listaSchema.parse((await pedir('GET', `/simulador/mensagens?telefone=${telefone}`)).body).mensagens,
    conectar: async () => {
      const { config } = configRespostaSchema.parse((await pedir('GET', '/config')).body)
      const whatsapp = { ...config.whatsapp, clientId: 'loja' }
      await pedir('PUT', '/config', { ...config, whatsapp, menu: { ...config.menu, digitando: false } })
      await pedir('POST', '/bot/iniciar')
      await ate(async () => (await pedir('POST', '/simulador/escanear')).status === 200)
    },
  }
}

/** File of a multipart form. The server must ignore its declared type. */
export function arquivo(bytes: Buffer, nome: string, tipo = 'image/png'): File {
  return new File([new Uint8Array(bytes)], nome, { type: tipo })
}

export async function midiaDe(dona: Pessoa, telefone: string): Promise<Midia> {
  return ate(async () => (await dona.chat(telefone)).findLast(({ de }) => de === 'cliente')?.midia ?? null)
}
