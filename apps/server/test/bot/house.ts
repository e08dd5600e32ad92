import { pino } from 'pino'
import { defaultConfig } from '@balcao/contract/defaults'
import type { Config } from '@balcao/contract/entities/config'
import { createSimulador } from '#adapters/simulador/connector.ts'
import { createFalha } from '#bot/falha.ts'
import type { BotDeps, TemposBot } from '#bot/runtime-deps.ts'
import { type BotRuntime, createBotRuntime } from '#bot/runtime.ts'
import type { Database } from '#db/transaction.ts'
import { createIds } from '#ids.ts'
import type { Ai } from '#ports/ai.ts'
import type { Bus } from '#ports/bus.ts'
import type { Connector, OutboundMessage, SessionHost } from '#ports/messaging.ts'
import type { Realtime } from '#ports/realtime.ts'
import { createCofre } from '#security/cofre.ts'
import { createTestDatabase, type TestDatabase } from '#test/database.ts'

export interface Publicado {
  readonly contaId: string
  readonly evento: string
  readonly dados: Record<string, unknown>
}

export interface Recebida extends OutboundMessage {
  readonly contaId: string
  readonly no: string
}

export interface No {
  readonly runtime: BotRuntime
  readonly deps: BotDeps
  readonly stop: () => Promise<void>
}

export interface BotHouse {
  readonly database: TestDatabase
  readonly recebidas: Recebida[]
  readonly publicados: Publicado[]
  readonly no: (nome: string, opcoes?: NoOpcoes) => Promise<No>
  readonly conta: (mudar?: (config: Config) => Config, limite?: number) => Promise<string>
  readonly agora: (instante: Date | null) => void
  readonly close: () => Promise<void>
}

export interface NoOpcoes {
  readonly tempos?: TemposBot
  readonly ai?: Ai
  readonly exclusivo?: boolean
  readonly bus?: Bus
  readonly db?: (db: Database) => Database
  readonly connector?: (connector: Connector, contaId: string, host: SessionHost) => Connector
}

/**
 * Waits until `condicao` returns a value, at most `ms`. The limit is below the test timeout, so that the error
 * names the condition.
 */
export async function ate<T>(condicao: () => Promise<T | null | false> | T | null | false, ms = 50_000): Promise<T> {
  const fim = performance.now() + ms
  for (;;) {
    const valor = await condicao()
    if (valor !== null && valor !== false) return valor
    if (performance.now() > fim) throw new Error(`condition not met: ${condicao.toString()}`)
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
}

export function createBus(): Bus {
  const ouvintes = new Map<string, Set<(dados: string) => void>>()
  return {
    publish: (canal, dados) => {
      for (const ouvinte of ouvintes.get(canal) ?? []) setImmediate(() => ouvinte(dados))
    },
    subscribe: (canal, ouvinte) => {
      const deste = ouvintes.get(canal) ?? new Set()
      ouvintes.set(canal, deste.add(ouvinte))
      return () => void deste.delete(ouvinte)
    },
  }
}

export function configDeTeste(config: Config): Config {
  return {
    ...config,
    whatsapp: { ...config.whatsapp, conector: 'simulador', clientId: 'loja' },
    menu: {
      ...config.menu,
      menuPrincipal: 'MENU\n1 - Horários\n2 - Atendente\n3 - Eco\n0 - Sair',
      opcoes: [
        { numero: '1', titulo: 'Horários', tipo: 'mensagem', resposta: 'HORARIOS' },
        { numero: '2', titulo: 'Atendente', tipo: 'humano', resposta: 'PROTOCOLO {protocolo}', setor: 'geral' },
        { numero: '3', titulo: 'Eco', tipo: 'mensagem', resposta: 'ECO' },
        { numero: '0', titulo: 'Sair', tipo: 'finalizar', resposta: '' },
      ],
      mensagens: { ...config.menu.mensagens, boasVindas: 'OLA {nome}', semEntender: 'NAO ENTENDI', despedida: 'TCHAU' },
    },
  }
}

export async function insertConta(
  db: Database,
  contaId: string,
  { config, limite }: { config: Config; limite: number },
): Promise<void> {
  await db.transaction(contaId, async (tx) => {
    await tx.query(
      `insert into contas (id, empresa, limite_mensagens_dia, componentes_permitidos) values ($1, 'Loja', $2, '{}')`,
      [contaId, limite],
    )
    await tx.query(`insert into configuracoes (conta_id, versao, dados, autor) values ($1, 1, $2, 'teste')`, [
      contaId,
      JSON.stringify(config),
    ])
  })
}

export async function createBotHouse(): Promise<BotHouse> {
  const database = await createTestDatabase()
  const recebidas: Recebida[] = []
  const publicados: Publicado[] = []
  const nos: No[] = []
  const bus = createBus()
  let fixo: Date | null = null
  const clock = { now: () => (fixo === null ? new Date() : new Date(fixo)) }
  const ids = createIds({ now: () => new Date() })
  const realtime: Realtime = {
    publish: (contaId, evento, dados) => void publicados.push({ contaId, evento, dados: { ...dados } }),
    abrir: (_, contar) => void contar(),
    disconnect: () => undefined,
  }

  const no: BotHouse['no'] = async (nome, opcoes = {}) => {
    const { factory, telefone } = createSimulador()
    const deps: BotDeps = {
      db: opcoes.db?.(database.db) ?? database.db,
      clock,
      ids: createIds({ now: () => new Date() }),
      log: pino({ level: 'silent' }),
      cofre: createCofre('segredo de teste'),
      settings: { urlPublica: 'http://loja.test', conectorPadrao: 'simulador', dataDir: '/tmp', metricsToken: null },
      realtime,
      bus: opcoes.bus ?? bus,
      ai: opcoes.ai ?? { answer: () => Promise.resolve({ tipo: 'falha', motivo: 'nenhuma' }) },
      connectors: {
        simulador: (host) => {
          const base = factory(host)
          const connector = opcoes.connector?.(base, host.contaId, host) ?? base
          return {
            ...connector,
            send: async (mensagem) => {
              await connector.send(mensagem)
              recebidas.push({ ...mensagem, contaId: host.contaId, no: nome })
            },
          }
        },
      },
      telefone,
      falha: createFalha(undefined),
      no: nome,
      exclusivo: opcoes.exclusivo ?? false,
      tempos: { renovarMs: 100, procurarMs: 100, esperasMs: [20, 40, 60, 80], ...opcoes.tempos },
    }
    const runtime = createBotRuntime(deps)
    await runtime.start()
    let parado: Promise<void> | undefined
    const feito: No = { runtime, deps, stop: () => (parado ??= runtime.stop()) }
    nos.push(feito)
    return feito
  }

  return {
    database,
    recebidas,
    publicados,
    no,
    conta: async (mudar = (config) => config, limite = 1_000) => {
      const contaId = ids.uuid()
      await insertConta(database.db, contaId, { config: mudar(configDeTeste(defaultConfig())), limite })
      return contaId
    },
    agora: (instante) => {
      fixo = instante
    },
    close: async () => {
      for (const feito of nos) await feito.stop()
      await database.drop()
    },
  }
}

export async function empregar(
  { database }: Pick<BotHouse, 'database'>,
  contaId: string,
  { id, nome }: { readonly id: string; readonly nome: string },
): Promise<void> {
  await database.owner.query(
    `insert into usuarios (id, conta_id, nome, email, tipo, status) values ($1::uuid, $2, $3, $1::text || '@loja.test', 'operador', 'ativo')`,
    [id, contaId, nome],
  )
}

export async function conectar({ runtime }: No, contaId: string): Promise<void> {
  await runtime.bots.iniciar(contaId)
  await ate(async () => (await runtime.bots.status(contaId)).status === 'AGUARDANDO_QR')
  await runtime.simulador.escanear(contaId)
}

let proximo = 0

export interface Cliente {
  readonly telefone: string
  readonly nome: string
  readonly diz: (texto: string, id?: string) => Promise<void>
}

export function createCliente({ runtime }: No, contaId: string, nome = 'Ana'): Cliente {
  proximo += 1
  const telefone = `55119${String(20_000_000 + proximo)}`
  let mensagens = 0
  return {
    telefone,
    nome,
    diz: (texto, id) => {
      mensagens += 1
      return runtime.simulador.receber(contaId, {
        id: id ?? `${telefone}-${mensagens}`,
        endereco: telefone,
        telefone,
        nome,
        texto,
        enviadaEm: new Date(),
      })
    },
  }
}

export function textosDe(house: BotHouse, telefone: string): string[] {
  return house.recebidas.filter(({ endereco }) => endereco === telefone).map(({ texto }) => texto)
}
